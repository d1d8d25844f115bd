/*
 * sockets.h: the record of a socket, and the functions of a transport.
 *
 * The calls of <sys/socket.h> check their arguments, wait and observe time
 * limits; a transport (the stack, the bypass) never waits. Results are counts
 * or negative error numbers; -EAGAIN: not possible now.
 */
#ifndef SOCKETS_H
#define SOCKETS_H

#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "link.h"

#define FIRST_SOCKET 512 /* smaller numbers are the kernel's */
#define MOST_SOCKETS 256

struct address {
    uint32_t host; /* in host order */
    uint16_t port;
};

struct transport;

struct socket {
    const struct transport *transport; /* NULL: free entry */
    void *connection;                  /* record of the transport */
    int type;                          /* SOCK_STREAM, SOCK_DGRAM */
    int nonblocking, close_on_exec;
    int bound, listening, connecting, connected;
    int error; /* SO_ERROR */
    int reuse;
    int no_more_writes;
    int more; /* the next send follows soon (MSG_MORE) */
    int timeout_send_ms, timeout_receive_ms; /* in ms; 0: no limit */
};

struct transport {
    int (*open)(struct socket *socket);
    int (*bind)(struct socket *socket, struct address address);
    int (*listen)(struct socket *socket, int backlog);
    /* Connects a socket. Returns 0 if the connection is made or has been begun;
     * `ready` reports when it is made. */
    int (*connect)(struct socket *socket, struct address address);
    int (*accept)(struct socket *socket, struct socket *accepted);
    ssize_t (*send)(struct socket *socket, const void *data, size_t bytes,
                    const struct address *to);
    ssize_t (*receive)(struct socket *socket, void *data, size_t bytes,
                       int peek, struct address *from);
    /* Called when a receiving call has ended: from now on, the transport must
     * not write to the caller's buffer. */
    void (*over)(struct socket *socket);
    int (*shutdown)(struct socket *socket, int how);
    void (*close)(struct socket *socket);
    int (*ready)(struct socket *socket); /* returns poll's bits, as POLLIN */
    void (*names)(struct socket *socket, struct address *own,
                  struct address *peer);
    int (*no_delay)(struct socket *socket, int set); /* set < 0: reads only */
    /* Called before the program ends; returns true once all sent data has been
     * received. */
    int (*done)(void);
};

extern const struct transport *const tcpip_stack; /* NULL: not linked */
extern const struct transport tcpip_bypass;

/* sockets_table.c */
struct socket *socket_of(int descriptor); /* NULL: not a socket */
int socket_is(int descriptor);            /* true if the number may be one */
int socket_new(const struct transport *transport, int type, int flags);
void socket_free(struct socket *socket);
int sockets_failed(int error); /* sets errno; returns -1 */

/* sockets_wait.c: waits until `ready` reports one of these events, for at most
 * `timeout_ms`. */
int socket_wait(struct socket *socket, int events, int timeout_ms);
/* Called before each check of a wait: lets other threads of this core run;
 * returns the time until which the caller may sleep. */
uint64_t sockets_share(uint64_t until);
int socket_ready(struct socket *socket);

/* sockets_address.c */
int sockets_address_in(const struct sockaddr *from, socklen_t length,
                       struct address *address);
void sockets_address_out(struct address address, struct sockaddr *to,
                         socklen_t *length);
/* The rank that has this IP address; or -ENETUNREACH, -EHOSTUNREACH. */
int sockets_rank(uint32_t host);

#endif
