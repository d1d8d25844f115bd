/*
 * sockets_select.c: poll and select, over sockets and files together.
 */
#include "sockets.h"

#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_POLLED 1024

/* What is ready of the sockets; the files are put together for the kernel. */
static int look(struct pollfd *all, nfds_t count, struct pollfd *files,
                int *others)
{
    int found = 0;

    *others = 0;
    for (nfds_t n = 0; n < count; n++) {
        struct socket *socket = tcpip_socket_of(all[n].fd);

        all[n].revents = 0;
        if (all[n].fd < 0)
            continue;
        if (socket)
            all[n].revents = (short)(tcpip_socket_ready(socket) &
                                     (all[n].events | POLLERR | POLLHUP));
        else if (tcpip_socket_is(all[n].fd))
            all[n].revents = POLLNVAL;
        else
            files[(*others)++] = all[n];
        found += all[n].revents != 0;
    }
    return found;
}

/* What the kernel says of the files, put back where they were. */
static int look_at_files(struct pollfd *all, nfds_t count, struct pollfd *files,
                         int others)
{
    int found = 0, n = 0;

    if (others == 0)
        return 0;
    if (syscall(SYS_poll, files, others, 0) < 0)
        return -errno;
    for (nfds_t m = 0; m < count && n < others; m++) {
        if (all[m].fd < 0 || tcpip_socket_is(all[m].fd))
            continue;
        all[m].revents = files[n++].revents;
        found += all[m].revents != 0;
    }
    return found;
}

static int poll_until(struct pollfd *all, nfds_t count, uint64_t until)
{
    static struct pollfd files[MOST_POLLED];

    if (count > MOST_POLLED)
        return -EINVAL;
    tcpip_link_run();
    for (;;) {
        uint64_t sleep = tcpip_sockets_share(until);
        int others, found = look(all, count, files, &others);
        int ready = look_at_files(all, count, files, others);

        if (ready < 0)
            return ready;
        if (found + ready > 0 || (until != SCC_NEVER && scc_now_ns() >= until))
            return found + ready;
        ready = tcpip_link_wait(sleep, files, others);
        if (ready)
            return ready;
    }
}

int poll(struct pollfd *all, nfds_t count, int milliseconds)
{
    uint64_t until = SCC_NEVER;
    int found;

    tcpip_link_start();
    if (milliseconds >= 0)
        until = scc_now_ns() + (uint64_t)milliseconds * 1000000;
    found = poll_until(all, count, until);
    return found < 0 ? tcpip_sockets_failed(found) : found;
}

static int wanted(int fd, const fd_set *set)
{
    return set && FD_ISSET(fd, set);
}

static int tell(int fd, fd_set *set, int is)
{
    if (!set || !FD_ISSET(fd, set))
        return 0;
    if (is)
        return 1;
    FD_CLR(fd, set);
    return 0;
}

int select(int count, fd_set *restrict reads, fd_set *restrict writes,
           fd_set *restrict exceptions, struct timeval *restrict time)
{
    static struct pollfd all[FD_SETSIZE];
    uint64_t until = SCC_NEVER;
    int used = 0, found;

    tcpip_link_start();
    if (count < 0 || count > FD_SETSIZE ||
        (time && (time->tv_sec < 0 || time->tv_usec < 0)))
        return tcpip_sockets_failed(EINVAL);
    for (int fd = 0; fd < count; fd++) {
        int events = (wanted(fd, reads) ? POLLIN : 0) |
                     (wanted(fd, writes) ? POLLOUT : 0);

        if (events || wanted(fd, exceptions))
            all[used++] = (struct pollfd){.fd = fd, .events = (short)events};
    }
    if (time)
        until = scc_now_ns() + (uint64_t)time->tv_sec * 1000000000 +
                (uint64_t)time->tv_usec * 1000;
    found = poll_until(all, (nfds_t)used, until);
    if (found < 0)
        return tcpip_sockets_failed(found);
    found = 0;
    for (int n = 0; n < used; n++) {
        int events = all[n].revents;

        if (events & POLLNVAL)
            return tcpip_sockets_failed(EBADF);
        found += tell(all[n].fd, reads, events & (POLLIN | POLLHUP | POLLERR));
        found += tell(all[n].fd, writes, events & (POLLOUT | POLLERR));
        found += tell(all[n].fd, exceptions, 0);
    }
    return found;
}
