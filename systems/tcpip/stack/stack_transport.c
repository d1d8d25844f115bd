/*
 * stack_transport.c: the stack as a transport of sockets.
 */
#include "stack.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

static struct stack_connection connections[MOST_SOCKETS];

/* A connection is in use if it has a control block or a socket. */
static int used(const struct stack_connection *connection)
{
    return connection->tcp || connection->udp || connection->socket ||
           connection->listener;
}

struct stack_connection *stack_new(void)
{
    for (int n = 0; n < MOST_SOCKETS; n++)
        if (!used(&connections[n])) {
            memset(&connections[n], 0, sizeof connections[n]);
            return &connections[n];
        }
    return NULL;
}

void stack_free(struct stack_connection *connection)
{
    if (connection->queue)
        pbuf_free(connection->queue);
    memset(connection, 0, sizeof *connection);
}

static ip_addr_t host_of(struct address address)
{
    ip_addr_t host = IPADDR4_INIT(lwip_htonl(address.host));

    return host;
}

static int open_one(struct socket *socket)
{
    struct stack_connection *connection;
    int error;

    stack_start();
    connection = stack_new();
    if (!connection)
        return -ENOBUFS;
    error = socket->type == SOCK_STREAM ? stack_tcp_open(connection)
                                        : stack_udp_open(connection);
    if (error)
        return error;
    connection->socket = socket;
    socket->connection = connection;
    return 0;
}

static int bind_one(struct socket *socket, struct address address)
{
    struct stack_connection *connection = socket->connection;
    ip_addr_t host = host_of(address);

    if (connection->udp)
        return stack_error(udp_bind(connection->udp, &host, address.port));
    if (!connection->tcp)
        return -EINVAL;
    if (socket->reuse)
        ip_set_option(connection->tcp, SOF_REUSEADDR);
    return stack_error(tcp_bind(connection->tcp, &host, address.port));
}

static int listen_one(struct socket *socket, int backlog)
{
    return stack_tcp_listen(socket->connection, backlog);
}

static int connect_one(struct socket *socket, struct address address)
{
    struct stack_connection *connection = socket->connection;
    ip_addr_t host = host_of(address);
    int error;

    if (!connection->udp)
        return stack_tcp_connect(connection, &host, address.port);
    error = stack_error(udp_connect(connection->udp, &host, address.port));
    connection->connected = !error;
    return error;
}

static int accept_one(struct socket *socket, struct socket *accepted)
{
    struct stack_connection *listener = socket->connection;
    struct stack_connection *connection = listener->first;

    if (!connection)
        return -EAGAIN;
    listener->first = connection->next;
    connection->next = connection->listener = NULL;
    connection->socket = accepted;
    accepted->connection = connection;
    if (connection->tcp)
        tcp_backlog_accepted(connection->tcp);
    return 0;
}

static ssize_t send_some(struct socket *socket, const void *data, size_t bytes,
                         const struct address *to)
{
    struct stack_connection *connection = socket->connection;

    if (connection->udp)
        return stack_udp_send(connection, data, bytes, to);
    return stack_tcp_send(connection, data, bytes);
}

static ssize_t receive_some(struct socket *socket, void *data, size_t bytes,
                            int peek, struct address *from)
{
    struct stack_connection *connection = socket->connection;

    if (connection->udp)
        return stack_udp_receive(connection, data, bytes, peek, from);
    return stack_tcp_receive(connection, data, bytes, peek);
}

static int shut(struct socket *socket, int how)
{
    struct stack_connection *connection = socket->connection;

    if (connection->udp)
        return 0;
    if (how == SHUT_RD || how == SHUT_RDWR)
        connection->ended = 1;
    if (how == SHUT_RD || !connection->tcp)
        return 0;
    return stack_error(tcp_shutdown(connection->tcp, 0, 1));
}

static void close_one(struct socket *socket)
{
    struct stack_connection *connection = socket->connection;

    if (connection->udp)
        stack_udp_close(connection);
    else
        stack_tcp_close(connection);
}

static int ready(struct socket *socket)
{
    struct stack_connection *connection = socket->connection;
    int events;

    if (connection->udp)
        return POLLOUT | (connection->queue ? POLLIN : 0);
    events = stack_tcp_ready(connection);
    if (connection->error && socket->connecting) {
        socket->error = -connection->error;
        connection->error = 0;
    }
    if (socket->error)
        events |= POLLERR | POLLOUT;
    return events;
}

static void names(struct socket *socket, struct address *own,
                  struct address *peer)
{
    struct stack_connection *connection = socket->connection;
    struct tcp_pcb *tcp = connection->tcp;
    struct udp_pcb *udp = connection->udp;

    *own = *peer = (struct address){0, 0};
    if (udp) {
        own->port = udp->local_port;
        own->host = lwip_ntohl(ip_addr_get_ip4_u32(&udp->local_ip));
        peer->port = udp->remote_port;
        peer->host = lwip_ntohl(ip_addr_get_ip4_u32(&udp->remote_ip));
    } else if (tcp) {
        own->port = tcp->local_port;
        own->host = lwip_ntohl(ip_addr_get_ip4_u32(&tcp->local_ip));
        if (tcp->state != LISTEN) {
            peer->port = tcp->remote_port;
            peer->host = lwip_ntohl(ip_addr_get_ip4_u32(&tcp->remote_ip));
        }
    }
}

static int no_delay(struct socket *socket, int set)
{
    struct stack_connection *connection = socket->connection;

    if (!connection->tcp || connection->tcp->state == LISTEN)
        return set < 0 ? 0 : -EINVAL;
    if (set < 0)
        return tcp_nagle_disabled(connection->tcp) != 0;
    if (!set) {
        tcp_nagle_enable(connection->tcp);
        return 0;
    }
    tcp_nagle_disable(connection->tcp);
    tcp_output(connection->tcp); /* what was kept back */
    return 0;
}

static const struct transport stack = {
    .open = open_one,
    .bind = bind_one,
    .listen = listen_one,
    .connect = connect_one,
    .accept = accept_one,
    .send = send_some,
    .receive = receive_some,
    .shutdown = shut,
    .close = close_one,
    .ready = ready,
    .names = names,
    .no_delay = no_delay,
    .done = stack_tcp_done,
};

const struct transport *const tcpip_stack = &stack;
