/*
 * sockets_options.c: options, names, fcntl and ioctl of sockets.
 */
#include "sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define BUFFER_BYTES 32768 /* what SO_SNDBUF, SO_RCVBUF return */

static struct socket *known(int descriptor)
{
    struct socket *socket = tcpip_socket_of(descriptor);

    if (!socket)
        errno = tcpip_socket_is(descriptor) ? EBADF : ENOTSOCK;
    return socket;
}

static int *timeout_of(struct socket *socket, int name)
{
    return name == SO_SNDTIMEO ? &socket->timeout_send_ms
                               : &socket->timeout_receive_ms;
}

/* What a program with a time_t of 32 bits gives and gets. */
struct narrow_time {
    int seconds, microseconds;
};

static int set_timeout(int *milliseconds, const void *value, socklen_t length)
{
    struct narrow_time narrow;
    struct timeval time;

    if (length < (socklen_t)sizeof narrow)
        return -EINVAL;
    if (length < (socklen_t)sizeof time) {
        memcpy(&narrow, value, sizeof narrow);
        time = (struct timeval){narrow.seconds, narrow.microseconds};
    } else {
        memcpy(&time, value, sizeof time);
    }
    if (time.tv_sec < 0 || time.tv_usec < 0 || time.tv_usec >= 1000000)
        return -EDOM;
    *milliseconds = (int)(time.tv_sec * 1000 + (time.tv_usec + 999) / 1000);
    return 0;
}

static int set_option(struct socket *socket, int level, int name,
                      const void *value, socklen_t length)
{
    int number = 0;

    if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO))
        return set_timeout(timeout_of(socket, name), value, length);
    if (length < (socklen_t)sizeof number)
        return -EINVAL;
    memcpy(&number, value, sizeof number);
    if (level == IPPROTO_TCP && name == TCP_NODELAY &&
        socket->type == SOCK_STREAM)
        return socket->transport->no_delay(socket, number != 0);
    if (level != SOL_SOCKET)
        return -ENOPROTOOPT;
    switch (name) {
    case SO_REUSEADDR:
        socket->reuse = number != 0;
        return 0;
    case SO_KEEPALIVE: /* the end of a core is noticed without */
    case SO_SNDBUF:
    case SO_RCVBUF:
        return 0;
    default:
        return -ENOPROTOOPT;
    }
}

int setsockopt(int descriptor, int level, int name, const void *value,
               socklen_t length)
{
    struct socket *socket = known(descriptor);
    int error;

    if (!socket)
        return -1;
    error = set_option(socket, level, name, value, length);
    return error ? tcpip_sockets_failed(error) : 0;
}

static int number_of(struct socket *socket, int level, int name, int *number)
{
    if (level == IPPROTO_TCP && name == TCP_NODELAY)
        return *number = socket->transport->no_delay(socket, -1), 0;
    if (level != SOL_SOCKET)
        return -ENOPROTOOPT;
    switch (name) {
    case SO_ERROR:
        tcpip_socket_ready(socket);
        *number = socket->error;
        socket->error = 0;
        return 0;
    case SO_TYPE:
        return *number = socket->type, 0;
    case SO_REUSEADDR:
        return *number = socket->reuse, 0;
    case SO_ACCEPTCONN:
        return *number = socket->listening, 0;
    case SO_SNDBUF:
    case SO_RCVBUF:
        return *number = BUFFER_BYTES, 0;
    default:
        return -ENOPROTOOPT;
    }
}

static int get_timeout(int milliseconds, void *value, socklen_t *length)
{
    struct narrow_time narrow = {milliseconds / 1000,
                                 milliseconds % 1000 * 1000};
    struct timeval time = {narrow.seconds, narrow.microseconds};

    if (*length < (socklen_t)sizeof narrow)
        return EINVAL;
    if (*length < (socklen_t)sizeof time)
        memcpy(value, &narrow, *length = sizeof narrow);
    else
        memcpy(value, &time, *length = sizeof time);
    return 0;
}

int getsockopt(int descriptor, int level, int name, void *restrict value,
               socklen_t *restrict length)
{
    struct socket *socket = known(descriptor);
    int number = 0, error;

    if (!socket)
        return -1;
    if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO)) {
        error = get_timeout(*timeout_of(socket, name), value, length);
        return error ? tcpip_sockets_failed(error) : 0;
    }
    error = number_of(socket, level, name, &number);
    if (!error && *length < sizeof number)
        error = -EINVAL;
    if (error)
        return tcpip_sockets_failed(error);
    memcpy(value, &number, *length = sizeof number);
    return 0;
}

int getsockname(int descriptor, struct sockaddr *restrict name,
                socklen_t *restrict length)
{
    struct socket *socket = known(descriptor);
    struct address own = {0, 0}, peer;

    if (!socket)
        return -1;
    socket->transport->names(socket, &own, &peer);
    tcpip_sockets_address_out(own, name, length);
    return 0;
}

int getpeername(int descriptor, struct sockaddr *restrict name,
                socklen_t *restrict length)
{
    struct socket *socket = known(descriptor);
    struct address own, peer = {0, 0};

    if (!socket)
        return -1;
    if (!socket->connected)
        return tcpip_sockets_failed(ENOTCONN);
    socket->transport->names(socket, &own, &peer);
    tcpip_sockets_address_out(peer, name, length);
    return 0;
}

int fcntl(int descriptor, int command, ...)
{
    struct socket *socket = tcpip_socket_of(descriptor);
    va_list arguments;
    unsigned long argument;

    va_start(arguments, command);
    argument = va_arg(arguments, unsigned long);
    va_end(arguments);
    if (!tcpip_socket_is(descriptor)) {
        if (command == F_SETFL)
            argument |= O_LARGEFILE;
        return (int)syscall(SYS_fcntl64, descriptor, command, argument);
    }
    if (!socket)
        return tcpip_sockets_failed(EBADF);
    switch (command) {
    case F_GETFL:
        return O_RDWR | (socket->nonblocking ? O_NONBLOCK : 0);
    case F_SETFL:
        socket->nonblocking = (argument & O_NONBLOCK) != 0;
        return 0;
    case F_GETFD:
        return socket->close_on_exec ? FD_CLOEXEC : 0;
    case F_SETFD:
        socket->close_on_exec = (argument & FD_CLOEXEC) != 0;
        return 0;
    default:
        return tcpip_sockets_failed(EINVAL);
    }
}

int ioctl(int descriptor, int request, ...)
{
    struct socket *socket = tcpip_socket_of(descriptor);
    va_list arguments;
    void *argument;

    va_start(arguments, request);
    argument = va_arg(arguments, void *);
    va_end(arguments);
    if (!tcpip_socket_is(descriptor))
        return (int)syscall(SYS_ioctl, descriptor, request, argument);
    if (!socket)
        return tcpip_sockets_failed(EBADF);
    if (request != FIONBIO)
        return tcpip_sockets_failed(ENOTTY);
    socket->nonblocking = *(int *)argument != 0;
    return 0;
}
