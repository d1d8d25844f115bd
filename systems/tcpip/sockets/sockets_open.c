/*
 * sockets_open.c: socket, bind, listen, accept, connect, shutdown, close.
 */
#include "sockets.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LINGER_MS 10000

void tcpip_drain(void)
{
    uint64_t until = scc_now_ns() + LINGER_MS * 1000000ull;

    while (scc_now_ns() < until)
        if ((tcpip_stack && !tcpip_stack->done()) || !tcpip_bypass.done())
            tcpip_link_wait(until, NULL, 0);
        else
            break;
}

/* What a program left open is sent before it ends. */
static void leave(void)
{
    for (int n = FIRST_SOCKET; n < FIRST_SOCKET + MOST_SOCKETS; n++)
        if (tcpip_socket_of(n))
            close(n);
    tcpip_drain();
}

static const struct transport *transport_for(int type, int protocol)
{
    const char *kind = getenv("TCPIP_SOCKETS");
    int past = protocol == TCPIP_BYPASS ||
               (kind && !strcmp(kind, "bypass") && type == SOCK_STREAM);

    if (past)
        return &tcpip_bypass;
    if (!tcpip_stack)
        scc_fail(NAME,
                 "make tcpip, and link with -llwip -ltcpip; or "
                 "TCPIP_SOCKETS=bypass",
                 "this program has no TCP/IP stack");
    return tcpip_stack;
}

int socket(int family, int type, int protocol)
{
    const struct transport *transport;
    int flags = type & (SOCK_NONBLOCK | SOCK_CLOEXEC);
    int descriptor, error;

    type &= ~flags;
    if (family != AF_INET)
        return tcpip_sockets_failed(EAFNOSUPPORT);
    if (type != SOCK_STREAM && (type != SOCK_DGRAM || protocol == TCPIP_BYPASS))
        return tcpip_sockets_failed(EPROTONOSUPPORT);
    if (protocol != 0 && protocol != TCPIP_BYPASS &&
        protocol != (type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP))
        return tcpip_sockets_failed(EPROTONOSUPPORT);
    tcpip_link_start();
    tcpip_link_guard(leave);
    transport = transport_for(type, protocol);
    descriptor = tcpip_socket_new(transport, type, flags);
    if (descriptor < 0)
        return tcpip_sockets_failed(descriptor);
    error = transport->open(tcpip_socket_of(descriptor));
    if (error) {
        tcpip_socket_free(tcpip_socket_of(descriptor));
        return tcpip_sockets_failed(error);
    }
    return descriptor;
}

static struct socket *known(int descriptor)
{
    struct socket *socket = tcpip_socket_of(descriptor);

    if (!socket)
        errno = tcpip_socket_is(descriptor) ? EBADF : ENOTSOCK;
    return socket;
}

int bind(int descriptor, const struct sockaddr *name, socklen_t length)
{
    struct socket *socket = known(descriptor);
    struct address address;
    int error;

    if (!socket)
        return -1;
    error = tcpip_sockets_address_in(name, length, &address);
    if (!error && address.host &&
        tcpip_sockets_rank(address.host) != tcpip_link_my_rank)
        error = -EADDRNOTAVAIL;
    if (!error && (socket->bound || socket->connected))
        error = -EINVAL;
    if (!error)
        error = socket->transport->bind(socket, address);
    if (error)
        return tcpip_sockets_failed(error);
    socket->bound = 1;
    return 0;
}

int listen(int descriptor, int backlog)
{
    struct socket *socket = known(descriptor);
    int error = 0;

    if (!socket)
        return -1;
    if (socket->type != SOCK_STREAM)
        return tcpip_sockets_failed(EOPNOTSUPP);
    if (socket->connected || socket->connecting)
        return tcpip_sockets_failed(EINVAL);
    if (!socket->bound)
        error = socket->transport->bind(socket, (struct address){0, 0});
    if (!error && !socket->listening)
        error = socket->transport->listen(socket, backlog < 1 ? 1 : backlog);
    if (error)
        return tcpip_sockets_failed(error);
    socket->bound = socket->listening = 1;
    return 0;
}

int accept4(int descriptor, struct sockaddr *restrict name,
            socklen_t *restrict length, int flags)
{
    struct socket *socket = known(descriptor), *accepted;
    struct address own, peer;
    int number, error;

    if (!socket)
        return -1;
    if (!socket->listening)
        return tcpip_sockets_failed(EINVAL);
    tcpip_link_run();
    if (!socket->nonblocking) {
        error = tcpip_socket_wait(socket, POLLIN, socket->timeout_receive_ms);
        if (error)
            return tcpip_sockets_failed(error);
    }
    number = tcpip_socket_new(socket->transport, socket->type, flags);
    if (number < 0)
        return tcpip_sockets_failed(number);
    accepted = tcpip_socket_of(number);
    error = socket->transport->accept(socket, accepted);
    if (error) {
        tcpip_socket_free(accepted);
        return tcpip_sockets_failed(error);
    }
    accepted->bound = accepted->connected = 1;
    accepted->transport->names(accepted, &own, &peer);
    tcpip_sockets_address_out(peer, name, length);
    return number;
}

int accept(int descriptor, struct sockaddr *restrict name,
           socklen_t *restrict length)
{
    return accept4(descriptor, name, length, 0);
}

/* What a connection that was begun has come to. */
static int connected(struct socket *socket)
{
    int error = socket->error;

    socket->connecting = 0;
    socket->error = 0;
    if (!error)
        socket->connected = 1;
    return -error;
}

static int begin(struct socket *socket, struct address address)
{
    int rank = tcpip_sockets_rank(
        address.host ? address.host
                     : TCPIP_NETWORK + 1 + (uint32_t)tcpip_link_my_rank);
    int error;

    if (rank < 0)
        return rank;
    if (socket->type == SOCK_STREAM && rank != tcpip_link_my_rank &&
        tcpip_link_gone(rank))
        return -EHOSTUNREACH;
    error = socket->transport->connect(socket, address);
    if (!error)
        socket->connecting = socket->bound = 1;
    return error;
}

int connect(int descriptor, const struct sockaddr *name, socklen_t length)
{
    struct socket *socket = known(descriptor);
    struct address address;
    int error;

    if (!socket)
        return -1;
    if (socket->type == SOCK_STREAM && socket->connected)
        return tcpip_sockets_failed(EISCONN);
    if (socket->listening)
        return tcpip_sockets_failed(EOPNOTSUPP);
    if (socket->connecting &&
        !(tcpip_socket_ready(socket) & (POLLOUT | POLLERR)))
        return tcpip_sockets_failed(EALREADY);
    error = tcpip_sockets_address_in(name, length, &address);
    if (!error && !socket->connecting)
        error = begin(socket, address);
    if (error)
        return tcpip_sockets_failed(error);
    if (socket->nonblocking &&
        !(tcpip_socket_ready(socket) & (POLLOUT | POLLERR)))
        return tcpip_sockets_failed(EINPROGRESS);
    error = tcpip_socket_wait(socket, POLLOUT, socket->timeout_send_ms);
    if (!error)
        error = connected(socket);
    return error ? tcpip_sockets_failed(error) : 0;
}

int shutdown(int descriptor, int how)
{
    struct socket *socket = known(descriptor);
    int error;

    if (!socket)
        return -1;
    if (how < SHUT_RD || how > SHUT_RDWR)
        return tcpip_sockets_failed(EINVAL);
    if (!socket->connected)
        return tcpip_sockets_failed(ENOTCONN);
    error = socket->transport->shutdown(socket, how);
    if (how != SHUT_RD)
        socket->no_more_writes = 1;
    return error ? tcpip_sockets_failed(error) : 0;
}

int close(int descriptor)
{
    struct socket *socket = tcpip_socket_of(descriptor);

    if (!tcpip_socket_is(descriptor))
        return (int)syscall(SYS_close, descriptor);
    if (!socket)
        return tcpip_sockets_failed(EBADF);
    socket->transport->close(socket);
    tcpip_socket_free(socket);
    return 0;
}
