/*
 * sockets.h: a socket, and the functions of a transport.
 *
 * The calls of <sys/socket.h> check their arguments, wait and observe time
 * limits; a transport (the stack, the bypass) never waits. Results are counts
 * or negative error numbers; -EAGAIN: not now.
 */
#ifndef SOCKETS_H
#define SOCKETS_H

#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "link.h"

#define FIRST_SOCKET 512 /* descriptors of the kernel are below */
#define MOST_SOCKETS 256

struct address {
    uint32_t host; /* in host order */
    uint16_t port;
};

struct transport;

struct socket {
    const struct transport *transport; /* NULL: not in use */
    void *connection;                  /* the transport's */
    int type;                          /* SOCK_STREAM, SOCK_DGRAM */
    int nonblocking, close_on_exec;
    int bound, listening, connecting, connected;
    int error; /* SO_ERROR */
    int reuse;
    int no_more_writes;
    int more; /* the next send follows at once (MSG_MORE) */
    int timeout_send_ms, timeout_receive_ms; /* 0: none */
};

struct transport {
    int (*open)(struct socket *socket);
    int (*bind)(struct socket *socket, struct address address);
    int (*listen)(struct socket *socket, int backlog);
    /* 0: done or begun; `ready` shows when it is done. */
    int (*connect)(struct socket *socket, struct address address);
    int (*accept)(struct socket *socket, struct socket *accepted);
    ssize_t (*send)(struct socket *socket, const void *data, size_t bytes,
                    const struct address *to);
    ssize_t (*receive)(struct socket *socket, void *data, size_t bytes,
                       int peek, struct address *from);
    /* Called when the receiving call is over: its buffer must no longer be
     * written. */
    void (*over)(struct socket *socket);
    int (*shutdown)(struct socket *socket, int how);
    void (*close)(struct socket *socket);
    int (*ready)(struct socket *socket); /* POLLIN, POLLOUT, POLLHUP, POLLERR */
    void (*names)(struct socket *socket, struct address *own,
                  struct address *peer);
    int (*no_delay)(struct socket *socket, int set); /* set < 0: asks */
    /* Called before the program ends; true once all data is sent. */
    int (*done)(void);
};

extern const struct transport *const tcpip_stack; /* NULL: not linked */
extern const struct transport tcpip_bypass;

/* sockets_table.c */
struct socket *socket_of(int descriptor); /* NULL: not a socket */
int socket_is(int descriptor);            /* may be one, by its number */
int socket_new(const struct transport *transport, int type, int flags);
void socket_free(struct socket *socket);
int sockets_failed(int error); /* sets errno; -1 */

/* sockets_wait.c: waits until `ready` shows one of these events */
int socket_wait(struct socket *socket, int events, int timeout_ms);
/* Called before each check of a wait: lets threads of this core run; returns
 * the time until which to sleep. */
uint64_t sockets_share(uint64_t until);
int socket_ready(struct socket *socket);

/* sockets_address.c */
int sockets_address_in(const struct sockaddr *from, socklen_t length,
                       struct address *address);
void sockets_address_out(struct address address, struct sockaddr *to,
                         socklen_t *length);
/* The rank of a host; -ENETUNREACH, -EHOSTUNREACH. */
int sockets_rank(uint32_t host);

#endif
