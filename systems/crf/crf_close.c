/*
 * crf_close.c: the C library's close asks the kernel by itself. Alone in its
 * object: a library of sockets, linked before, has one of its own, which asks
 * by `syscall` for what is no socket.
 */
#include "crf_files.h"

#include <sys/syscall.h>
#include <unistd.h>

int close(int fd)
{
    const struct crf_call words = {.number = SYS_close, .first = (uint32_t)fd};

    return crf_file_answer(crf_file_call(&words));
}
