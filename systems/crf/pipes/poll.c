/*
 * poll.c: poll and select, for ends of pipes and for what the kernel has. Who
 * waits for an end looks again every PAUSE.
 */
#include "pipes.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#define PAUSE_NS 50000 /* about what a channel's lock takes */
#define MOST 256u      /* descriptors of one select */

static int ready_of(const struct crf_end *end)
{
    return (end->in ? crf_channel_ready(end->in, 1) : 0) |
           (end->out ? crf_channel_ready(end->out, 0) : 0);
}

/* The kernel's, at once; a number that an end has is none of the kernel's. */
static int kernels(struct pollfd *one)
{
    const struct crf_call words = {
        .number = SYS_poll, .first = (uint32_t)one, .second = 1, .third = 0};

    return crf_kernel_call(&words) == 1;
}

static int32_t look(struct pollfd *fds, uint32_t count)
{
    int32_t found = 0;

    for (uint32_t n = 0; n < count; n++) {
        const struct crf_end *end =
            fds[n].fd >= 0 ? crf_end_of((uint32_t)fds[n].fd) : NULL;

        fds[n].revents = 0;
        if (end)
            fds[n].revents = (short)(ready_of(end) & (fds[n].events | POLLHUP));
        else if (fds[n].fd >= 0)
            kernels(&fds[n]);
        found += fds[n].revents != 0;
    }
    return found;
}

static int has_end(const struct pollfd *fds, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        if (fds[n].fd >= 0 && crf_end_of((uint32_t)fds[n].fd))
            return 1;
    return 0;
}

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Until one is ready, for at most that time (negative: for ever). */
static int32_t wait_for(struct pollfd *fds, uint32_t count, int64_t ns)
{
    const struct timespec pause = {0, PAUSE_NS};
    int64_t until = now_ns() + ns;
    int32_t found;

    while (!(found = look(fds, count)) && (ns < 0 || now_ns() < until))
        nanosleep(&pause, NULL);
    return found;
}

int32_t crf_poll_call(const struct crf_call *words)
{
    struct pollfd *fds = (struct pollfd *)words->first;
    int32_t milliseconds = (int32_t)words->third;

    if (!has_end(fds, words->second))
        return crf_kernel_call(words);
    return wait_for(fds, words->second,
                    milliseconds < 0 ? -1 : milliseconds * 1000000LL);
}

static uint32_t list(fd_set *const *sets, int numbers, struct pollfd *fds)
{
    uint32_t count = 0;

    for (int fd = 0; fd < numbers && count < MOST; fd++) {
        int events = (sets[0] && FD_ISSET(fd, sets[0]) ? POLLIN | POLLHUP : 0) |
                     (sets[1] && FD_ISSET(fd, sets[1]) ? POLLOUT : 0);

        if (events)
            fds[count++] = (struct pollfd){.fd = fd, .events = (short)events};
    }
    return count;
}

static int32_t put_back(fd_set *const *sets, const struct pollfd *fds,
                        uint32_t count)
{
    int32_t found = 0;

    for (int n = 0; n < 3; n++)
        if (sets[n])
            FD_ZERO(sets[n]);
    for (uint32_t n = 0; n < count; n++) {
        int in = fds[n].events & fds[n].revents & (POLLIN | POLLHUP);
        int out = fds[n].events & fds[n].revents & POLLOUT;

        if (in)
            FD_SET(fds[n].fd, sets[0]);
        if (out)
            FD_SET(fds[n].fd, sets[1]);
        found += (in != 0) + (out != 0);
    }
    return found;
}

int32_t crf_select_call(const struct crf_call *words)
{
    fd_set *const sets[] = {(fd_set *)words->second, (fd_set *)words->third,
                            (fd_set *)words->fourth};
    const int32_t *time = (const int32_t *)words->fifth; /* s, us */
    struct pollfd fds[MOST];
    uint32_t count = list(sets, (int)words->first, fds);

    if (!has_end(fds, count))
        return crf_kernel_call(words);
    wait_for(fds, count, time ? time[0] * 1000000000LL + time[1] * 1000LL : -1);
    return put_back(sets, fds, count);
}
