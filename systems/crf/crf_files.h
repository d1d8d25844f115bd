/*
 * crf_files.h: the declarations that crf_files.c, crf_dup.c and crf_pipe.c
 * share.
 *
 * The table contains the descriptors from CRF_FIRST_FILE on, followed by the
 * three standard streams, which are used once dup2 has turned them into files.
 */
#ifndef CRF_FILES_H
#define CRF_FILES_H

#include "crf_private.h"

#define CRF_FIRST_FILE 16u
#define CRF_FILES_GUARD 9u /* number of a test-and-set register */
#define CRF_STREAMS 3u
#define CRF_NO_FILE 0u

/* The index of descriptor `fd` in the table; CRF_FILES + CRF_STREAMS if it is
 * not in the table. */
uint32_t crf_file_place(uint32_t fd);
struct crf_file *crf_file(uint32_t fd);
int crf_file_is_shared(uint32_t fd);
/* Returns an unused descriptor that is at least `least`; CRF_NO_FILE if there
 * is none. Call with the table's guard held. */
uint32_t crf_file_free(uint32_t least);
/* Makes `fd` a further descriptor of the open file of `other`. Call with the
 * table's guard held. */
void crf_file_share(uint32_t fd, const struct crf_file *other);
void crf_file_forget(uint32_t fd);
int32_t crf_file_system_call(uint32_t number, uint32_t first, uint32_t second);
/* Gives the number `fd` to the kernel descriptor `opened` of this core. */
void crf_file_rename(uint32_t fd, int32_t opened);

/* Makes an open file with one descriptor; returns its index. Call with the
 * table's guard held. */
uint32_t crf_file_opening(void);
int32_t crf_file_close(uint32_t fd, const struct crf_call *words);
int crf_file_answer(int32_t result); /* result as the C library returns it */

/* crf_pipe.c */
int32_t crf_pipe_call(const struct crf_call *words);

/* crf_dup.c */
int32_t crf_dup(const struct crf_call *words, uint32_t least);
int crf_is_dup(const struct crf_call *words);
int32_t crf_dup_to(const struct crf_call *words);

#endif
