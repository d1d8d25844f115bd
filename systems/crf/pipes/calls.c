/*
 * calls.c: the system calls that make an end of a pipe or of a pair of sockets,
 * or have one as their descriptor.
 */
#include "../crf_files.h"
#include "pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* Linux's struct stat64: words, and where the mode is among them. */
#define STATUS_WORDS 24u
#define STATUS_MODE 4u

/* The parts one after the other; one that comes back short is the last, and
 * only the first one waits to be read. */
static int32_t each_part(const struct crf_call *words, int writes)
{
    const struct iovec *part = (const struct iovec *)words->second;
    int32_t done = 0;

    for (uint32_t n = 0; n < words->third; n++) {
        uint32_t fd = words->first, count = part[n].iov_len;
        int32_t result =
            writes ? crf_end_write(fd, part[n].iov_base, count, 1, 1)
                   : crf_end_read(fd, part[n].iov_base, count, done == 0);

        if (result < 0)
            return done ? done : result;
        done += result;
        if ((uint32_t)result < count)
            break;
    }
    return done;
}

static int32_t status(const struct crf_end *end, uint32_t *to)
{
    memset(to, 0, STATUS_WORDS * sizeof *to);
    to[STATUS_MODE] = (end->in && end->out ? S_IFSOCK : S_IFIFO) | 0600u;
    return 0;
}

static int32_t control(const struct crf_call *words)
{
    struct crf_file *file = crf_file(words->first);

    switch (words->second) {
    case F_GETFL:
        return (int32_t)file->flags;
    case F_SETFL:
        file->flags =
            (file->flags & ~(uint32_t)O_NONBLOCK) | (words->third & O_NONBLOCK);
        return 0;
    case F_GETFD:
    case F_SETFD:
        return 0;
    default:
        return -EINVAL;
    }
}

static int32_t waiting(const struct crf_call *words)
{
    struct crf_channel *in = crf_end_of(words->first)->in;

    if (words->second != FIONREAD || !in)
        return -ENOTTY;
    *(uint32_t *)words->third = crf_channel_length(in);
    return 0;
}

static int32_t shut_down(const struct crf_call *words)
{
    struct crf_end *end = crf_end_of(words->first);

    if (!end->in || !end->out)
        return -ENOTSOCK;
    if (words->second != SHUT_RD)
        crf_channel_shut(end->out, 0);
    if (words->second != SHUT_WR)
        crf_channel_shut(end->in, 1);
    return 0;
}

int crf_file_is_fstat(const struct crf_call *words)
{
    return words->third & AT_EMPTY_PATH && !*(const char *)words->second;
}

/* A call with an end in front; false: none that has a descriptor there. */
static int of_an_end(const struct crf_call *words, int32_t *result)
{
    uint32_t fd = words->first, count = words->third;
    void *buffer = (void *)words->second;
    int waits = !(words->fourth & MSG_DONTWAIT);

    switch (words->number) {
    case SYS_read:
        *result = crf_end_read(fd, buffer, count, 1);
        break;
    case SYS_write:
        *result = crf_end_write(fd, buffer, count, 1, 1);
        break;
    case SYS_recvfrom:
        *result = words->fourth & ~(uint32_t)MSG_DONTWAIT
                      ? -EOPNOTSUPP
                      : crf_end_read(fd, buffer, count, waits);
        break;
    case SYS_sendto:
        *result = crf_end_write(fd, buffer, count, waits,
                                !(words->fourth & MSG_NOSIGNAL));
        break;
    case SYS_readv:
    case SYS_writev:
        *result = each_part(words, words->number == SYS_writev);
        break;
    case SYS_statx:
        if (!crf_file_is_fstat(words))
            return 0;
        *result = -ENOSYS; /* the C library asks by fstat64 then */
        break;
    case SYS_fstat64:
        *result = status(crf_end_of(fd), buffer);
        break;
    case SYS_fcntl64:
        *result = control(words);
        break;
    case SYS_ioctl:
        *result = waiting(words);
        break;
    case SYS_shutdown:
        *result = shut_down(words);
        break;
    case SYS_close:
        crf_file_drop(fd);
        *result = 0;
        break;
    case SYS_lseek:
    case SYS__llseek:
    case SYS_pread64:
    case SYS_pwrite64:
        *result = -ESPIPE;
        break;
    case SYS_sendmsg:
    case SYS_recvmsg:
        *result = -EOPNOTSUPP;
        break;
    default:
        return 0;
    }
    return 1;
}

/* The kernel, which would move the bytes, knows neither ends of pipes nor the
 * file positions that all cores share: programs then read and write. */
static int is_between_files(const struct crf_call *words)
{
    switch (words->number) {
    case SYS_sendfile:
    case SYS_sendfile64:
        return crf_file_is_shared(words->first) ||
               crf_file_is_shared(words->second);
    case SYS_copy_file_range:
        return crf_file_is_shared(words->first) ||
               crf_file_is_shared(words->third);
    default:
        return 0;
    }
}

int crf_pipe_call(const struct crf_call *words, int32_t *result)
{
    switch (words->number) {
    case SYS_pipe:
    case SYS_pipe2:
    case SYS_socketpair:
        *result = crf_end_make(words);
        return 1;
    case SYS_poll:
        *result = crf_poll_call(words);
        return 1;
    case SYS__newselect:
        *result = crf_select_call(words);
        return 1;
    }
    if (is_between_files(words)) {
        *result = -EINVAL;
        return 1;
    }
    if (crf_is_dup(words) || !crf_end_of(words->first))
        return 0;
    return of_an_end(words, result);
}
