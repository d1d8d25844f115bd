/*
 * crf_files.h: the declarations that crf_files.c, crf_dup.c and pipes/ share.
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

/* The index of descriptor `fd` in the table; CRF_FILES + CRF_STREAMS if its
 * number has no place there. */
uint32_t crf_file_place(uint32_t fd);
struct crf_file *crf_file(uint32_t fd); /* of a number that has a place */
int crf_file_is_shared(uint32_t fd);    /* true if it is open in the table */
/* Returns an unused descriptor that is at least `least`; CRF_NO_FILE if there
 * is none. Call with the table's guard held. */
uint32_t crf_file_free(uint32_t least);
/* Makes `fd`, which is unused, a further descriptor of the open file of
 * `other`. Call with the table's guard held. */
void crf_file_share(uint32_t fd, const struct crf_file *other);
/* Takes `fd` out of the table, with the table's guard held; the kernel's
 * descriptor stays open. */
void crf_file_forget(uint32_t fd);
/* Gives the kernel descriptor `opened` of this core the number that stands for
 * `fd`, and closes `opened`. */
void crf_file_rename(uint32_t fd, int32_t opened);

/* Makes an open file with one descriptor, at offset 0; returns its index in
 * crf_control->opening. Call with the table's guard held. */
uint32_t crf_file_opening(void);
/* Performs close of `fd`, which is in the table, on this core. */
int32_t crf_file_close(uint32_t fd, const struct crf_call *words);
/* A kernel's result as the C library returns it: -1 with errno for an error. */
int crf_file_answer(int32_t result);

/* pipes/calls.c: true if a statx is of a descriptor, as fstat() asks for it. */
int crf_file_is_fstat(const struct crf_call *words);
/* Takes `fd` out of the table; with the last descriptor of an end of a pipe
 * the end is closed. */
void crf_file_drop(uint32_t fd);

/* pipes/calls.c: true if the call makes, has or waits for an end of a pipe or
 * of a pair of sockets, or moves bytes between files; then it is done, with
 * `result` */
int crf_pipe_call(const struct crf_call *words, int32_t *result);

/* pipes/ends.c */
struct crf_end;
void crf_end_close(struct crf_end *end);

/* crf_dup.c: crf_dup performs dup and F_DUPFD (crf_is_dup is true for these),
 * crf_dup_to dup2 and dup3; they return the descriptor or -errno */
int32_t crf_dup(const struct crf_call *words, uint32_t least);
int crf_is_dup(const struct crf_call *words);
int32_t crf_dup_to(const struct crf_call *words);

#endif
