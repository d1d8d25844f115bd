/*
 * bypass_transport.c: the bypass as a transport of sockets.
 */
#include "bypass.h"

#include <errno.h>
#include <poll.h>

#define CREDIT (WINDOW / 4) /* received bytes that are reported at once */
#define FIRST_PORT 49152
#define LAST_PORT 65535

static int open_one(struct socket *socket)
{
    tcpip_bypass_start();
    socket->connection = tcpip_bypass_new();
    return socket->connection ? 0 : -ENOBUFS;
}

static int port_used(unsigned port)
{
    for (int n = 0; n < MOST_CONNECTIONS; n++)
        if (tcpip_bypass_connections[n].used &&
            tcpip_bypass_connections[n].own_port == port &&
            (tcpip_bypass_connections[n].listening ||
             !tcpip_bypass_connections[n].opened))
            return 1;
    return 0;
}

static int bind_one(struct socket *socket, struct address address)
{
    static unsigned next = FIRST_PORT;
    struct connection *connection = socket->connection;
    unsigned port = address.port;

    if (port && port_used(port))
        return -EADDRINUSE;
    while (!port) {
        if (!port_used(next))
            port = next;
        next = next < LAST_PORT ? next + 1 : FIRST_PORT;
    }
    connection->own_port = (uint16_t)port;
    return 0;
}

static int listen_one(struct socket *socket, int backlog)
{
    struct connection *connection = socket->connection;

    connection->listening = 1;
    connection->backlog = backlog;
    return 0;
}

static int connect_one(struct socket *socket, struct address address)
{
    struct connection *connection = socket->connection;

    if (!connection->own_port)
        bind_one(socket, (struct address){0, 0});
    connection->rank =
        address.host ? tcpip_sockets_rank(address.host) : tcpip_link_my_rank;
    connection->peer_port = address.port;
    connection->gone = connection->ended = 0;
    connection->opening = 1;
    tcpip_bypass_owe(connection, OPEN);
    return 0;
}

static struct connection *next_of(const struct connection *listener)
{
    struct connection *first = NULL;

    for (int n = 0; n < MOST_CONNECTIONS; n++) {
        struct connection *connection = &tcpip_bypass_connections[n];

        if (connection->used && connection->listener == listener &&
            (!first || (int32_t)(connection->turn - first->turn) < 0))
            first = connection;
    }
    return first;
}

static int accept_one(struct socket *socket, struct socket *accepted)
{
    struct connection *listener = socket->connection;
    struct connection *connection = next_of(listener);

    if (!connection)
        return -EAGAIN;
    connection->listener = NULL;
    listener->waiting--;
    accepted->connection = connection;
    return 0;
}

static int may_send(const struct connection *connection)
{
    return connection->opened && !connection->owes &&
           connection->under_way + tcpip_link_most() <= WINDOW;
}

static ssize_t send_some(struct socket *socket, const void *data, size_t bytes,
                         const struct address *to)
{
    struct connection *connection = socket->connection;
    ssize_t sent;

    (void)to;
    if (!may_send(connection))
        tcpip_link_run();
    if (connection->error) {
        int error = connection->error;

        connection->error = 0;
        return -error;
    }
    if (connection->gone)
        return -EPIPE;
    if (!may_send(connection))
        return -EAGAIN;
    sent = tcpip_bypass_data(connection, data, bytes);
    return sent == -EHOSTDOWN ? -ECONNRESET : sent;
}

static size_t from_queue(struct connection *connection, uint8_t *to,
                         size_t bytes)
{
    uint32_t from = connection->got;
    size_t done = 0;

    while (done < bytes && from != connection->put) {
        uint32_t at = from % WINDOW, there = connection->put - from;
        size_t now = there < WINDOW - at ? there : WINDOW - at;

        now = now < bytes - done ? now : bytes - done;
        scc_get(to + done, connection->queue + at, now);
        done += now;
        from += now;
    }
    return done;
}

/* Data that comes from now on goes where this call wants it, until it is
 * over (`over`). What had come in the meantime is there already. */
static size_t straight(struct connection *connection, void *data, size_t bytes)
{
    if (!connection->have) {
        connection->into = data;
        connection->room = bytes;
        tcpip_link_run();
    }
    bytes = connection->have;
    if (bytes)
        connection->have = connection->room = 0;
    return bytes;
}

static void over(struct socket *socket)
{
    struct connection *connection = socket->connection;

    connection->room = connection->have = 0;
}

/* What the program has received, the sender may send again. */
static void credit(struct connection *connection, size_t bytes)
{
    connection->received += bytes;
    if (connection->received >= CREDIT && !connection->gone)
        tcpip_bypass_owe(connection, CREDITED);
}

static ssize_t receive_some(struct socket *socket, void *data, size_t bytes,
                            int peek, struct address *from)
{
    struct connection *connection = socket->connection;
    int error = connection->error;
    size_t done;

    (void)from;
    if (peek && connection->put == connection->got)
        tcpip_link_run();
    if (connection->have || (!peek && connection->put == connection->got)) {
        done = straight(connection, data, bytes);
    } else {
        done = from_queue(connection, data, bytes);
        connection->got += peek ? 0 : done;
    }
    if (done > 0 && !peek)
        credit(connection, done);
    if (done > 0 || bytes == 0)
        return (ssize_t)done;
    connection->error = 0;
    if (error)
        return -error;
    return connection->ended ? 0 : -EAGAIN;
}

static int shut(struct socket *socket, int how)
{
    struct connection *connection = socket->connection;

    if (how != SHUT_WR)
        connection->ended = 1;
    if (how != SHUT_RD && !connection->gone)
        tcpip_bypass_owe(connection, SHUT);
    return 0;
}

static void give_up(struct connection *connection)
{
    /* What was not received is lost, and the sender notified. */
    int unread = connection->put != connection->got;

    connection->closed = 1;
    if (connection->opened && !connection->gone)
        tcpip_bypass_owe(connection, unread ? RESET : CLOSED);
    tcpip_bypass_settle(connection);
}

static void close_one(struct socket *socket)
{
    struct connection *connection = socket->connection, *waiting;

    while (connection->listening && (waiting = next_of(connection))) {
        waiting->listener = NULL;
        give_up(waiting);
    }
    give_up(connection);
}

static int ready(struct socket *socket)
{
    struct connection *connection = socket->connection;
    int events = 0;

    if (connection->have || connection->put != connection->got ||
        connection->ended || connection->waiting > 0)
        events |= POLLIN;
    if (connection->error && socket->connecting) {
        socket->error = connection->error;
        connection->error = 0;
    }
    if (connection->error || socket->error)
        events |= POLLERR | POLLOUT;
    if (connection->gone)
        events |= POLLHUP;
    if (may_send(connection) && !connection->blocked)
        events |= POLLOUT;
    return events;
}

static void names(struct socket *socket, struct address *own,
                  struct address *peer)
{
    struct connection *connection = socket->connection;
    uint32_t first = TCPIP_NETWORK + 1;

    *own = (struct address){first + (uint32_t)tcpip_link_my_rank,
                            connection->own_port};
    *peer = (struct address){first + (uint32_t)connection->rank,
                             connection->peer_port};
}

/* Nothing is ever kept back. */
static int no_delay(struct socket *socket, int set)
{
    (void)socket;
    return set < 0;
}

const struct transport tcpip_bypass = {
    .open = open_one,
    .bind = bind_one,
    .listen = listen_one,
    .connect = connect_one,
    .accept = accept_one,
    .send = send_some,
    .receive = receive_some,
    .over = over,
    .shutdown = shut,
    .close = close_one,
    .ready = ready,
    .names = names,
    .no_delay = no_delay,
    .done = tcpip_bypass_done,
};
