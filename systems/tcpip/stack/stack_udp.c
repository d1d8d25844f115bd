/*
 * stack_udp.c: datagrams. Each waits with its sender in front of its data.
 */
#include "stack.h"

#include <errno.h>
#include <string.h>

#define MOST_WAITING 64

static void received(void *argument, struct udp_pcb *pcb, struct pbuf *data,
                     const ip_addr_t *from, u16_t port)
{
    struct stack_connection *connection = argument;
    struct address sender = {lwip_ntohl(ip_addr_get_ip4_u32(from)), port};
    struct pbuf *whole, **last = &connection->queue;
    int waiting = 0;

    (void)pcb;
    /* Datagrams that nobody receives are lost. */
    for (; *last; last = &(*last)->next)
        waiting++;
    whole = waiting < MOST_WAITING
                ? pbuf_alloc(PBUF_RAW, (u16_t)(sizeof sender + data->tot_len),
                             PBUF_RAM)
                : NULL;
    if (whole) {
        memcpy(whole->payload, &sender, sizeof sender);
        pbuf_copy_partial(data, (char *)whole->payload + sizeof sender,
                          data->tot_len, 0);
        *last = whole;
    }
    pbuf_free(data);
}

int stack_udp_open(struct stack_connection *connection)
{
    connection->udp = udp_new();
    if (!connection->udp)
        return -ENOBUFS;
    udp_recv(connection->udp, received, connection);
    return 0;
}

ssize_t stack_udp_send(struct stack_connection *connection, const void *data,
                       size_t bytes, const struct address *to)
{
    struct pbuf *packet;
    err_t error;

    if (!to && !connection->connected)
        return -EDESTADDRREQ;
    if (bytes > 65507)
        return -EMSGSIZE;
    packet = pbuf_alloc(PBUF_TRANSPORT, (u16_t)bytes, PBUF_RAM);
    if (!packet)
        return -ENOBUFS;
    memcpy(packet->payload, data, bytes);
    if (to) {
        ip_addr_t host = IPADDR4_INIT(lwip_htonl(to->host));

        error = udp_sendto(connection->udp, packet, &host, to->port);
    } else {
        error = udp_send(connection->udp, packet);
    }
    pbuf_free(packet);
    if (error == ERR_WOULDBLOCK) /* no room; nothing waits for it */
        return -ENOBUFS;
    return error == ERR_OK ? (ssize_t)bytes : stack_error(error);
}

ssize_t stack_udp_receive(struct stack_connection *connection, void *data,
                          size_t bytes, int peek, struct address *from)
{
    struct pbuf *first;
    size_t there;

    if (!connection->queue)
        tcpip_link_run();
    first = connection->queue;
    if (!first)
        return -EAGAIN;
    there = first->len - sizeof *from;
    memcpy(from, first->payload, sizeof *from);
    memcpy(data, (char *)first->payload + sizeof *from,
           bytes < there ? bytes : there);
    if (!peek) {
        connection->queue = first->next;
        first->next = NULL;
        pbuf_free(first);
    }
    return (ssize_t)(bytes < there ? bytes : there);
}

void stack_udp_close(struct stack_connection *connection)
{
    while (connection->queue) {
        struct pbuf *first = connection->queue;

        connection->queue = first->next;
        first->next = NULL;
        pbuf_free(first);
    }
    udp_remove(connection->udp);
    stack_free(connection);
}
