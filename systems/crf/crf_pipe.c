/*
 * crf_pipe.c: pipes: their ends have numbers of the program's, and the kernel of
 * one core has what is between.
 */
#include "crf_files.h"

#include <sys/syscall.h>
#include <unistd.h>

int32_t crf_pipe_call(const struct crf_call *words)
{
    uint32_t owner = crf_file(words->first)->owner;

    if (owner != (uint32_t)crf_my_rank + 1)
        crf_fail("use a queue in memory, with a mutex and a condition",
                 "descriptor %u is an end of a pipe that a thread on core %d "
                 "made: a pipe is its core's",
                 (unsigned)words->first, crf_core_of[owner - 1]);
    if (words->number == SYS_close)
        return crf_file_close(words->first, words);
    return crf_kernel_call(words);
}

/* A number that no other core uses; the pipe is its kernel's. */
static int name_end(int end)
{
    uint32_t fd;

    crf_guard(CRF_FILES_GUARD);
    fd = crf_file_free(0);
    if (fd != CRF_NO_FILE) {
        crf_file(fd)->owner = (uint32_t)crf_my_rank + 1;
        crf_file(fd)->opening = crf_file_opening();
        crf_file(fd)->used = ++crf_control->files_opened;
    }
    crf_unguard(CRF_FILES_GUARD);
    if (fd == CRF_NO_FILE)
        return end;
    crf_file_rename(fd, end);
    return (int)fd;
}

int pipe(int ends[2])
{
    int error =
        crf_file_answer(crf_file_system_call(SYS_pipe, (uint32_t)ends, 0));

    for (int n = 0; n < 2 && !error && crf_all_ranks > 1; n++)
        ends[n] = name_end(ends[n]);
    return error;
}
