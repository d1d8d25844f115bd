/*
 * ends.c: the ends of pipes and of pairs of sockets: descriptors of the
 * program's, as files have them.
 */
#include "../crf_files.h"
#include "pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TYPE 0xFu /* of a socket; the rest are flags */

struct crf_end *crf_end_of(uint32_t fd)
{
    return crf_file_is_shared(fd) ? (struct crf_end *)crf_file(fd)->end : NULL;
}

/* A side of each channel; either may be null. */
static void close_sides(struct crf_channel *in, struct crf_channel *out)
{
    if (in)
        crf_channel_close(in, 1);
    if (out)
        crf_channel_close(out, 0);
}

/* Takes the lowest free number. CRF_NO_FILE: there is none, or no memory, and
 * the end's sides are closed. */
static uint32_t name_end(struct crf_channel *in, struct crf_channel *out,
                         uint32_t flags)
{
    struct crf_end *end = malloc(sizeof *end);
    uint32_t fd = CRF_NO_FILE;

    crf_guard(CRF_FILES_GUARD);
    if (end)
        fd = crf_file_free(0);
    if (fd != CRF_NO_FILE) {
        *end = (struct crf_end){in, out};
        crf_file(fd)->end = (uint32_t)end;
        crf_file(fd)->flags = flags;
        crf_file(fd)->opening = crf_file_opening();
        crf_file(fd)->used = ++crf_control->files_opened;
    }
    crf_unguard(CRF_FILES_GUARD);
    if (fd == CRF_NO_FILE) {
        free(end);
        close_sides(in, out);
    }
    return fd;
}

/* Two ends: both directions, or from the second to the first. */
static int32_t make(int *numbers, uint32_t flags, int both)
{
    struct crf_channel *first = crf_channel_new();
    struct crf_channel *second = both ? crf_channel_new() : NULL;
    uint32_t ends[2];

    flags &= O_NONBLOCK;
    if (!first || (both && !second)) {
        close_sides(first, first);
        close_sides(second, second);
        return -ENOMEM;
    }
    ends[0] = name_end(first, second, flags | (both ? O_RDWR : O_RDONLY));
    ends[1] = name_end(second, first, flags | (both ? O_RDWR : O_WRONLY));
    if (ends[0] == CRF_NO_FILE || ends[1] == CRF_NO_FILE) {
        for (int n = 0; n < 2; n++)
            if (ends[n] != CRF_NO_FILE)
                crf_file_drop(ends[n]);
        return -EMFILE;
    }
    numbers[0] = (int)ends[0];
    numbers[1] = (int)ends[1];
    return 0;
}

int32_t crf_end_make(const struct crf_call *words)
{
    switch (words->number) {
    case SYS_pipe:
        return make((int *)words->first, 0, 0);
    case SYS_pipe2:
        return make((int *)words->first, words->second, 0);
    default:
        if (words->first != AF_UNIX)
            return -EAFNOSUPPORT;
        if ((words->second & TYPE) != SOCK_STREAM)
            return -ESOCKTNOSUPPORT;
        return make((int *)words->fourth, words->second, 1);
    }
}

void crf_end_close(struct crf_end *end)
{
    close_sides(end->in, end->out);
    free(end);
}

static int may_wait(uint32_t fd, int waits)
{
    return waits && !(crf_file(fd)->flags & O_NONBLOCK);
}

int32_t crf_end_read(uint32_t fd, void *to, uint32_t count, int waits)
{
    struct crf_channel *in = crf_end_of(fd)->in;

    return in ? crf_channel_take(in, to, count, may_wait(fd, waits)) : -EBADF;
}

int32_t crf_end_write(uint32_t fd, const void *from, uint32_t count, int waits,
                      int signals)
{
    struct crf_channel *out = crf_end_of(fd)->out;
    int32_t result =
        out ? crf_channel_put(out, from, count, may_wait(fd, waits)) : -EBADF;

    if (result == -EPIPE && signals)
        raise(SIGPIPE);
    return result;
}

/* The C library's asks the kernel by itself. */
int pipe(int ends[2])
{
    const struct crf_call words = {.number = SYS_pipe, .first = (uint32_t)ends};

    return crf_file_answer(crf_end_make(&words));
}
