/*
 * crf_files.h: what crf_files.c, crf_dup.c and crf_pipe.c share.
 *
 * The table has the descriptors from CRF_FIRST_FILE on, followed by the three
 * standard streams, which are in it once dup2 has made files of them.
 */
#ifndef CRF_FILES_H
#define CRF_FILES_H

#include "crf_private.h"

#define CRF_FIRST_FILE 16u
#define CRF_FILES_GUARD 9u /* a test-and-set register, by number */
#define CRF_STREAMS 3u
#define CRF_NO_FILE 0u

/* A descriptor's place in the table; CRF_FILES + CRF_STREAMS if it has none. */
uint32_t crf_file_place(uint32_t fd);
struct crf_file *crf_file(uint32_t fd);
int crf_file_is_shared(uint32_t fd);
/* Under the guard: an unused descriptor; CRF_NO_FILE if there is none. */
uint32_t crf_file_free(uint32_t least);
/* Under the guard: makes the descriptor another one of the same open file. */
void crf_file_share(uint32_t fd, const struct crf_file *other);
void crf_file_forget(uint32_t fd);
int32_t crf_file_system_call(uint32_t number, uint32_t first, uint32_t second);
/* Gives this core's kernel descriptor `opened` the number `fd`. */
void crf_file_rename(uint32_t fd, int32_t opened);

/* Under the guard: a new open file with one descriptor. */
uint32_t crf_file_opening(void);
int32_t crf_file_close(uint32_t fd, const struct crf_call *words);
int crf_file_answer(int32_t result); /* as the C library answers */

/* crf_pipe.c */
int32_t crf_pipe_call(const struct crf_call *words);

/* crf_dup.c */
int32_t crf_dup(const struct crf_call *words, uint32_t least);
int crf_is_dup(const struct crf_call *words);
int32_t crf_dup_to(const struct crf_call *words);

#endif
