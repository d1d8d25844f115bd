/*
 * sockets_wait.c: a call waits for its socket; the core sleeps meanwhile.
 */
#include "sockets.h"

#include <errno.h>
#include <poll.h>

int socket_ready(struct socket *socket)
{
    return socket->transport->ready(socket);
}

int socket_wait(struct socket *socket, int events, int timeout_ms)
{
    uint64_t until = FOR_EVER;

    if (timeout_ms > 0)
        until = link_now() + (uint64_t)timeout_ms * 1000000;
    while (!(socket_ready(socket) & (events | POLLERR | POLLHUP))) {
        int error;

        if (until != FOR_EVER && link_now() >= until)
            return -EAGAIN;
        error = link_wait(until, NULL, 0);
        if (error)
            return error;
    }
    return 0;
}
