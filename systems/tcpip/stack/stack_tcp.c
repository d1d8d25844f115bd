/*
 * stack_tcp.c: TCP sockets over lwIP's raw interface: what its callbacks
 * report is kept until the socket's calls ask.
 */
#include "stack.h"

#include "lwip/priv/tcp_priv.h"

#include <errno.h>
#include <poll.h>

/* Acknowledgements so far, from one on: each frees memory, for all. */
static unsigned freed = 1;

static err_t received(void *argument, struct tcp_pcb *pcb, struct pbuf *data,
                      err_t error)
{
    struct stack_connection *connection = argument;

    (void)pcb;
    (void)error;
    if (!data)
        connection->ended = 1;
    else if (connection->queue)
        pbuf_cat(connection->queue, data);
    else
        connection->queue = data;
    return ERR_OK;
}

static err_t acknowledged(void *argument, struct tcp_pcb *pcb, u16_t bytes)
{
    (void)argument;
    (void)pcb;
    (void)bytes;
    freed++;
    return ERR_OK;
}

/* lwIP has freed the block already. */
static void failed(void *argument, err_t error)
{
    struct stack_connection *connection = argument;
    int was_ended = connection->ended;

    connection->tcp = NULL;
    connection->ended = 1;
    /* Both sides have closed, or the other had before it went. */
    if (error == ERR_CLSD || was_ended)
        return;
    connection->error = stack_error(error);
    /* Nobody answered, or somebody refused. */
    if (!connection->connected)
        connection->error = error == ERR_RST ? -ECONNREFUSED : -ETIMEDOUT;
    else if (error == ERR_ABRT)
        connection->error = -ETIMEDOUT;
}

static err_t has_connected(void *argument, struct tcp_pcb *pcb, err_t error)
{
    struct stack_connection *connection = argument;

    (void)pcb;
    connection->connected = error == ERR_OK;
    return ERR_OK;
}

static void attach(struct stack_connection *connection, struct tcp_pcb *pcb)
{
    connection->tcp = pcb;
    ip_set_option(pcb, SOF_KEEPALIVE);
    tcp_arg(pcb, connection);
    tcp_recv(pcb, received);
    tcp_sent(pcb, acknowledged);
    tcp_err(pcb, failed);
}

static err_t came(void *argument, struct tcp_pcb *pcb, err_t error)
{
    struct stack_connection *listener = argument, **last = &listener->first;
    struct stack_connection *connection = stack_new();

    if (error != ERR_OK || !connection)
        return ERR_MEM; /* lwIP resets it */
    connection->connected = 1;
    connection->listener = listener;
    attach(connection, pcb);
    tcp_backlog_delayed(pcb);
    while (*last)
        last = &(*last)->next;
    *last = connection;
    return ERR_OK;
}

int stack_tcp_open(struct stack_connection *connection)
{
    struct tcp_pcb *pcb = tcp_new();

    if (!pcb)
        return -ENOBUFS;
    attach(connection, pcb);
    return 0;
}

int stack_tcp_listen(struct stack_connection *connection, int backlog)
{
    err_t error;
    struct tcp_pcb *pcb = tcp_listen_with_backlog_and_err(
        connection->tcp, (u8_t)(backlog > 255 ? 255 : backlog), &error);

    if (!pcb)
        return stack_error(error);
    connection->tcp = pcb;
    tcp_arg(pcb, connection);
    tcp_accept(pcb, came);
    return 0;
}

int stack_tcp_connect(struct stack_connection *connection, ip_addr_t *to,
                      u16_t port)
{
    err_t error;

    /* One that failed before begins anew. */
    if (!connection->tcp && stack_tcp_open(connection))
        return -ENOBUFS;
    connection->error = connection->ended = 0;
    error = tcp_connect(connection->tcp, to, port, has_connected);
    return stack_error(error);
}

ssize_t stack_tcp_send(struct stack_connection *connection, const void *data,
                       size_t bytes)
{
    struct tcp_pcb *pcb = connection->tcp;
    int more = connection->socket->more;
    size_t room;
    err_t error;

    tcpip_link_run();
    pcb = connection->tcp; /* it may be gone */
    if (!pcb)
        return connection->error ? connection->error : -EPIPE;
    room = tcp_sndbuf(pcb);
    if (room == 0 || tcp_sndqueuelen(pcb) >= TCP_SND_QUEUELEN - 1)
        return -EAGAIN;
    if (bytes > room)
        bytes = room;
    error = tcp_write(pcb, data, (u16_t)bytes,
                      TCP_WRITE_FLAG_COPY | (more ? TCP_WRITE_FLAG_MORE : 0));
    /* Without memory: if something is under way, it will free some, and what
     * is kept back for this piece must be. */
    if (error == ERR_MEM && !stack_tcp_done()) {
        connection->blocked = freed;
        tcp_output(pcb);
        return -EAGAIN;
    }
    if (error != ERR_OK)
        return stack_error(error);
    if (!more || bytes == room)
        tcp_output(pcb);
    return (ssize_t)bytes;
}

static size_t copy_out(const struct pbuf *part, char *to, size_t bytes)
{
    size_t done = 0;

    for (; part && done < bytes; part = part->next) {
        size_t now = part->len < bytes - done ? part->len : bytes - done;

        scc_get(to + done, part->payload, now);
        done += now;
    }
    return done;
}

ssize_t stack_tcp_receive(struct stack_connection *connection, void *data,
                          size_t bytes, int peek)
{
    size_t done;

    if (!connection->queue)
        tcpip_link_run();
    if (!connection->queue) {
        int error = connection->error;

        connection->error = 0;
        if (error)
            return error;
        return connection->ended ? 0 : -EAGAIN;
    }
    done = copy_out(connection->queue, data, bytes);
    if (peek)
        return (ssize_t)done;
    connection->queue = pbuf_free_header(connection->queue, (u16_t)done);
    if (connection->tcp)
        tcp_recved(connection->tcp, (u16_t)done);
    return (ssize_t)done;
}

static void forget(struct stack_connection *connection)
{
    struct tcp_pcb *pcb = connection->tcp;

    tcp_arg(pcb, NULL);
    tcp_recv(pcb, NULL);
    tcp_sent(pcb, NULL);
    tcp_err(pcb, NULL);
}

static void give_up(struct stack_connection *connection)
{
    if (connection->tcp) {
        forget(connection);
        tcp_abort(connection->tcp);
    }
    stack_free(connection);
}

void stack_tcp_close(struct stack_connection *connection)
{
    struct tcp_pcb *pcb = connection->tcp;

    while (connection->first) {
        struct stack_connection *waiting = connection->first;

        connection->first = waiting->next;
        give_up(waiting);
    }
    if (pcb && pcb->state == LISTEN) {
        tcp_arg(pcb, NULL);
        tcp_accept(pcb, NULL);
        tcp_close(pcb);
    } else if (pcb) {
        forget(connection);
        if (tcp_close(pcb) != ERR_OK)
            tcp_abort(pcb);
    }
    stack_free(connection);
}

int stack_tcp_ready(struct stack_connection *connection)
{
    struct tcp_pcb *pcb = connection->tcp;
    int events = 0;

    if (connection->first || connection->queue || connection->ended)
        events |= POLLIN;
    if (connection->error)
        events |= POLLERR | POLLOUT;
    if (connection->ended && !pcb)
        events |= POLLHUP;
    if (pcb && pcb->state != LISTEN && connection->connected &&
        connection->blocked != freed && tcp_sndbuf(pcb) > 0 &&
        tcp_sndqueuelen(pcb) < TCP_SND_QUEUELEN - 1)
        events |= POLLOUT;
    return events;
}

/* All that has to do with a core that ended; what came from it stays. */
void stack_tcp_ended(const ip_addr_t *host)
{
    struct tcp_pcb *pcb = tcp_active_pcbs, *next;

    for (; pcb; pcb = next) {
        struct stack_connection *connection = pcb->callback_arg;

        next = pcb->next;
        if (!ip_addr_cmp(&pcb->remote_ip, host))
            continue;
        /* Of one that is still coming the argument is its listener. */
        if (connection && connection->tcp == pcb) {
            forget(connection);
            failed(connection, ERR_RST);
        }
        tcp_abandon(pcb, 0);
    }
}

/* Whether all has been sent and acknowledged, and so has what came. */
int stack_tcp_done(void)
{
    for (struct tcp_pcb *pcb = tcp_active_pcbs; pcb; pcb = pcb->next)
        if (pcb->unsent || pcb->unacked || pcb->flags & TF_ACK_NOW)
            return 0;
    return 1;
}
