/*
 * sockets_table.c: descriptors of sockets. They follow those of the kernel,
 * and fit into an fd_set.
 */
#include "sockets.h"

#include <errno.h>
#include <string.h>

static struct socket table[MOST_SOCKETS];

int tcpip_sockets_failed(int error)
{
    errno = error < 0 ? -error : error;
    return -1;
}

int tcpip_socket_is(int descriptor)
{
    return descriptor >= FIRST_SOCKET;
}

struct socket *tcpip_socket_of(int descriptor)
{
    unsigned n = (unsigned)descriptor - FIRST_SOCKET;

    return n < MOST_SOCKETS && table[n].transport ? &table[n] : NULL;
}

int tcpip_socket_new(const struct transport *transport, int type, int flags)
{
    for (int n = 0; n < MOST_SOCKETS; n++) {
        struct socket *socket = &table[n];

        if (socket->transport)
            continue;
        memset(socket, 0, sizeof *socket);
        socket->transport = transport;
        socket->type = type;
        socket->nonblocking = (flags & SOCK_NONBLOCK) != 0;
        socket->close_on_exec = (flags & SOCK_CLOEXEC) != 0;
        return FIRST_SOCKET + n;
    }
    return -EMFILE;
}

void tcpip_socket_free(struct socket *socket)
{
    socket->transport = NULL;
}
