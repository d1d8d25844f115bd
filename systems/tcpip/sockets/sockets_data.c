/*
 * sockets_data.c: send, recv and their like, read and write.
 */
#include "sockets.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FLAGS_SEND (MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE)
#define FLAGS_RECEIVE (MSG_DONTWAIT | MSG_PEEK | MSG_WAITALL)

static int usable(struct socket *socket, int flags, int allowed)
{
    if (!socket)
        return -EBADF;
    if (flags & ~allowed)
        return -EOPNOTSUPP;
    /* A connection begun without waiting may be there by now. */
    if (socket->connecting && tcpip_socket_ready(socket) & POLLOUT) {
        socket->connecting = 0;
        socket->connected = 1;
    }
    if (socket->error) {
        int error = socket->error;

        socket->error = 0;
        return -error;
    }
    if (socket->type == SOCK_STREAM && !socket->connected)
        return -ENOTCONN;
    return 0;
}

static ssize_t send_all(struct socket *socket, const char *data, size_t bytes,
                        int wait, const struct address *to)
{
    size_t done = 0;

    do {
        ssize_t sent =
            socket->transport->send(socket, data + done, bytes - done, to);

        if (sent == -EAGAIN && wait) {
            int error =
                tcpip_socket_wait(socket, POLLOUT, socket->timeout_send_ms);

            if (error)
                return done ? (ssize_t)done : error;
            continue;
        }
        if (sent < 0)
            return done ? (ssize_t)done : sent;
        done += (size_t)sent;
    } while (done < bytes);
    return (ssize_t)done;
}

ssize_t sendto(int descriptor, const void *data, size_t bytes, int flags,
               const struct sockaddr *name, socklen_t length)
{
    struct socket *socket = tcpip_socket_of(descriptor);
    struct address to;
    ssize_t error = usable(socket, flags, FLAGS_SEND);

    if (!error && name && socket->type == SOCK_DGRAM)
        error = tcpip_sockets_address_in(name, length, &to);
    else
        name = NULL;
    if (!error && name && tcpip_sockets_rank(to.host) < 0)
        error = tcpip_sockets_rank(to.host);
    if (!error && socket->no_more_writes)
        error = -EPIPE;
    if (!error)
        socket->more = (flags & MSG_MORE) != 0;
    if (!error)
        error = send_all(socket, data, bytes,
                         !socket->nonblocking && !(flags & MSG_DONTWAIT),
                         name ? &to : NULL);
    if (error == -EPIPE && !(flags & MSG_NOSIGNAL))
        raise(SIGPIPE);
    return error < 0 ? tcpip_sockets_failed((int)error) : error;
}

ssize_t recvfrom(int descriptor, void *restrict data, size_t bytes, int flags,
                 struct sockaddr *restrict name, socklen_t *restrict length)
{
    struct socket *socket = tcpip_socket_of(descriptor);
    struct address from = {0, 0};
    size_t done = 0;
    ssize_t error = usable(socket, flags, FLAGS_RECEIVE);
    int peek = (flags & MSG_PEEK) != 0;

    while (!error) {
        ssize_t got = socket->transport->receive(socket, (char *)data + done,
                                                 bytes - done, peek, &from);

        if (got >= 0) {
            done += (size_t)got;
            if (got == 0 || peek || done == bytes || !(flags & MSG_WAITALL) ||
                socket->type != SOCK_STREAM)
                break;
        } else if (got != -EAGAIN) {
            error = got;
        } else if (socket->nonblocking || flags & MSG_DONTWAIT) {
            error = -EAGAIN;
        } else {
            error =
                tcpip_socket_wait(socket, POLLIN, socket->timeout_receive_ms);
        }
    }
    if (socket && socket->transport->over)
        socket->transport->over(socket);
    if (error && !done)
        return tcpip_sockets_failed((int)error);
    if (socket->type == SOCK_DGRAM)
        tcpip_sockets_address_out(from, name, length);
    return (ssize_t)done;
}

ssize_t send(int descriptor, const void *data, size_t bytes, int flags)
{
    return sendto(descriptor, data, bytes, flags, NULL, 0);
}

ssize_t recv(int descriptor, void *data, size_t bytes, int flags)
{
    return recvfrom(descriptor, data, bytes, flags, NULL, NULL);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags)
{
    ssize_t done = 0;

    if (message->msg_iovlen > 1 && tcpip_socket_of(descriptor) &&
        tcpip_socket_of(descriptor)->type == SOCK_DGRAM)
        return tcpip_sockets_failed(EOPNOTSUPP);
    for (int n = 0; n < (int)message->msg_iovlen; n++) {
        const struct iovec *part = &message->msg_iov[n];
        int more = n + 1 < (int)message->msg_iovlen ? MSG_MORE : 0;
        ssize_t sent =
            sendto(descriptor, part->iov_base, part->iov_len, flags | more,
                   message->msg_name, message->msg_namelen);

        if (sent < 0)
            return done ? done : -1;
        done += sent;
        if (sent < (ssize_t)part->iov_len)
            break;
    }
    return done;
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags)
{
    ssize_t done = 0;

    message->msg_flags = 0;
    message->msg_controllen = 0;
    if (message->msg_iovlen > 1 && tcpip_socket_of(descriptor) &&
        tcpip_socket_of(descriptor)->type == SOCK_DGRAM)
        return tcpip_sockets_failed(EOPNOTSUPP);
    for (int n = 0; n < (int)message->msg_iovlen; n++) {
        struct iovec *part = &message->msg_iov[n];
        ssize_t got = recvfrom(descriptor, part->iov_base, part->iov_len,
                               n > 0 ? flags | MSG_DONTWAIT : flags,
                               message->msg_name, &message->msg_namelen);

        if (got < 0)
            return done ? done : -1;
        done += got;
        if (got < (ssize_t)part->iov_len)
            break;
    }
    return done;
}

ssize_t read(int descriptor, void *data, size_t bytes)
{
    if (!tcpip_socket_is(descriptor))
        return syscall(SYS_read, descriptor, data, bytes);
    return recv(descriptor, data, bytes, 0);
}

ssize_t write(int descriptor, const void *data, size_t bytes)
{
    if (!tcpip_socket_is(descriptor))
        return syscall(SYS_write, descriptor, data, bytes);
    return send(descriptor, data, bytes, 0);
}

ssize_t readv(int descriptor, const struct iovec *parts, int count)
{
    struct msghdr message = {.msg_iov = (struct iovec *)parts,
                             .msg_iovlen = count};

    if (!tcpip_socket_is(descriptor))
        return syscall(SYS_readv, descriptor, parts, count);
    return recvmsg(descriptor, &message, 0);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count)
{
    struct msghdr message = {.msg_iov = (struct iovec *)parts,
                             .msg_iovlen = count};

    if (!tcpip_socket_is(descriptor))
        return syscall(SYS_writev, descriptor, parts, count);
    return sendmsg(descriptor, &message, 0);
}
