/*
 * stack.h: the transport that sends sockets' data through the TCP/IP stack
 * lwIP.
 */
#ifndef STACK_H
#define STACK_H

#include "lwip/pbuf.h"
#include "lwip/tcp.h"
#include "lwip/udp.h"
#include "sockets.h"

/* What the stack keeps about one socket: its connection, and the data received
 * for it. */
struct stack_connection {
    struct tcp_pcb *tcp; /* NULL: aborted, or not open */
    struct udp_pcb *udp;
    struct socket *socket; /* NULL: closed, or not yet accepted */
    struct pbuf *queue;    /* data that has not been received */
    int connected, ended;  /* ended: no more data will come */
    int error;             /* for the next call: negative, or 0 */
    unsigned blocked;      /* out of memory at this count of acknowledgements */
    /* For a listener: the first connection that waits to be accepted. For a
     * connection that waits: the next one, and its listener. */
    struct stack_connection *first, *next;
    struct stack_connection *listener;
};

/* stack_netif.c */
void stack_start(void);       /* starts lwIP, at the first call */
int stack_error(err_t error); /* as negative error number; ERR_OK: 0 */

/* stack_tcp.c */
int stack_tcp_open(struct stack_connection *connection);
int stack_tcp_listen(struct stack_connection *connection, int backlog);
int stack_tcp_connect(struct stack_connection *connection, ip_addr_t *to,
                      u16_t port);
ssize_t stack_tcp_send(struct stack_connection *connection, const void *data,
                       size_t bytes);
ssize_t stack_tcp_receive(struct stack_connection *connection, void *data,
                          size_t bytes, int peek);
void stack_tcp_close(struct stack_connection *connection);
int stack_tcp_ready(struct stack_connection *connection);
/* Ends all connections with a host whose program has ended. */
void stack_tcp_ended(const ip_addr_t *host);
/* True if all that was sent is acknowledged, and all that came. */
int stack_tcp_done(void);

/* stack_udp.c: a datagram that finds 64 waiting is lost. */
int stack_udp_open(struct stack_connection *connection);
ssize_t stack_udp_send(struct stack_connection *connection, const void *data,
                       size_t bytes, const struct address *to);
ssize_t stack_udp_receive(struct stack_connection *connection, void *data,
                          size_t bytes, int peek, struct address *from);
void stack_udp_close(struct stack_connection *connection);

/* Takes a free connection of the table; NULL if all MOST_SOCKETS are in use. */
struct stack_connection *stack_new(void);
void stack_free(struct stack_connection *connection);

#endif
