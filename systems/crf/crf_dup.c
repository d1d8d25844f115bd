/*
 * crf_dup.c: dup, dup2 and fcntl's F_DUPFD: two numbers of one opening, whose
 * next byte is the same on all cores. A file that gets the number of a
 * standard stream takes its place on all cores.
 */
#include "crf_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int crf_is_dup(const struct crf_call *words)
{
    int asks = words->number == SYS_fcntl64;

    return words->number == SYS_dup ||
           (asks &&
            (words->second == F_DUPFD || words->second == F_DUPFD_CLOEXEC));
}

/* The lowest free number from `least` on. */
int32_t crf_dup(const struct crf_call *words, uint32_t least)
{
    uint32_t fd;

    crf_guard(CRF_FILES_GUARD);
    fd = crf_file_free(least);
    if (fd != CRF_NO_FILE)
        crf_file_share(fd, crf_file(words->first));
    crf_unguard(CRF_FILES_GUARD);
    return fd != CRF_NO_FILE ? (int32_t)fd : -EMFILE;
}

/* Of what is no file, as the terminal: the kernel's, on this core; a stream
 * that was a file is one no more. */
static int32_t kernels(const struct crf_call *words, int target)
{
    int stream = words->second < CRF_STREAMS;

    if (target)
        crf_file_drop(words->second);
    if (target && stream && words->first == words->second)
        return (int32_t)words->second;
    return crf_kernel_call(words);
}

int32_t crf_dup_to(const struct crf_call *words)
{
    int target = crf_file_is_shared(words->second);
    uint32_t to = words->second;

    if (!crf_file_is_shared(words->first))
        return kernels(words, target);
    if (crf_file_place(to) == CRF_FILES + CRF_STREAMS)
        return crf_kernel_call(words); /* the number is this core's own */
    if (to == words->first)
        return words->number == SYS_dup3 ? -EINVAL : (int32_t)to;
    if (target)
        crf_file_drop(to);
    crf_guard(CRF_FILES_GUARD);
    crf_file_share(to, crf_file(words->first));
    crf_unguard(CRF_FILES_GUARD);
    return (int32_t)to;
}

/* The C library's ask the kernel by themselves; freopen calls the last one. */
static int ask(uint32_t number, int fd, int to, int flags)
{
    const struct crf_call words = {.number = number,
                                   .first = (uint32_t)fd,
                                   .second = (uint32_t)to,
                                   .third = (uint32_t)flags};

    return crf_file_answer(crf_file_call(&words));
}

int dup(int fd)
{
    return ask(SYS_dup, fd, 0, 0);
}

int dup2(int fd, int to)
{
    return ask(SYS_dup2, fd, to, 0);
}

int __dup3(int fd, int to, int flags);
int __dup3(int fd, int to, int flags)
{
    return ask(flags ? SYS_dup3 : SYS_dup2, fd, to, flags);
}

int dup3(int fd, int to, int flags)
{
    return ask(SYS_dup3, fd, to, flags);
}
