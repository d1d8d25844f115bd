/*
 * sockets_wait.c: a call waits for its socket; the core sleeps meanwhile.
 */
#include "sockets.h"

#include "scc/threads.h"

#include <errno.h>
#include <poll.h>

int tcpip_socket_ready(struct socket *socket)
{
    return socket->transport->ready(socket);
}

/* A core with other threads sleeps for so long only: 50 us, a few thousand
 * instructions of theirs. */
#define SHARE 50000u

uint64_t tcpip_sockets_share(uint64_t until)
{
    uint64_t soon;

    if (!scc_let_others_run || !scc_let_others_run())
        return until;
    soon = scc_now_ns() + SHARE;
    return soon < until ? soon : until;
}

int tcpip_socket_wait(struct socket *socket, int events, int timeout_ms)
{
    uint64_t until = SCC_NEVER;

    if (timeout_ms > 0)
        until = scc_now_ns() + (uint64_t)timeout_ms * 1000000;
    while (!(tcpip_socket_ready(socket) & (events | POLLERR | POLLHUP))) {
        int error;

        if (until != SCC_NEVER && scc_now_ns() >= until)
            return -EAGAIN;
        error = tcpip_link_wait(tcpip_sockets_share(until), NULL, 0);
        if (error)
            return error;
    }
    return 0;
}
