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

#define FIRST_SOCKET 512 /* descriptors below are the kernel's */
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
    int error;          /* SO_ERROR: a positive errno number, or 0 */
    int reuse;          /* SO_REUSEADDR */
    int no_more_writes; /* after shutdown */
    int more;           /* the next send follows soon (MSG_MORE) */
    int timeout_send_ms, timeout_receive_ms; /* in ms; 0: no limit */
};

struct transport {
    int (*open)(struct socket *socket);
    int (*bind)(struct socket *socket, struct address address);
    int (*listen)(struct socket *socket, int backlog);
    /* Connects a socket. Returns 0 if the connection is made or has been begun;
     * `ready` reports POLLOUT when it is made. */
    int (*connect)(struct socket *socket, struct address address);
    /* Gives the oldest waiting connection to `accepted`; -EAGAIN: none. */
    int (*accept)(struct socket *socket, struct socket *accepted);
    /* `to`: the receiver of a datagram; NULL: as connected. */
    ssize_t (*send)(struct socket *socket, const void *data, size_t bytes,
                    const struct address *to);
    /* Returns 0 when the peer will send no more; `peek`: the data stay. Stores
     * a datagram's sender in `from`. */
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
    /* For tcpip_drain: true if all data that TCP sent is acknowledged, and what
     * has come too (stack); if no record waits to be sent (bypass). */
    int (*done)(void);
};

extern const struct transport *const tcpip_stack; /* NULL: not linked */
extern const struct transport tcpip_bypass;

/* sockets_table.c */
struct socket *tcpip_socket_of(int descriptor); /* NULL: not a socket */
int tcpip_socket_is(int descriptor);            /* FIRST_SOCKET or more */
/* A new socket's descriptor; -EMFILE: all MOST_SOCKETS are in use. `flags`:
 * SOCK_NONBLOCK, SOCK_CLOEXEC. */
int tcpip_socket_new(const struct transport *transport, int type, int flags);
void tcpip_socket_free(struct socket *socket);
int tcpip_sockets_failed(int error); /* sets errno to its amount; returns -1 */

/* sockets_wait.c: serves the network until `ready` reports one of these events,
 * an error or a hang-up, for at most `timeout_ms` of simulated time (0: without
 * limit). Returns 0, -EAGAIN (time is up) or -EINTR. */
int tcpip_socket_wait(struct socket *socket, int events, int timeout_ms);
/* Called before each check of a wait: lets other threads of this core run;
 * returns the time until which the caller may sleep: at most 50 us from now if
 * there are other threads, otherwise `until`. */
uint64_t tcpip_sockets_share(uint64_t until);
int tcpip_socket_ready(struct socket *socket); /* the transport's `ready` */

/* sockets_address.c */
/* Converts an IPv4 address; returns 0, -EFAULT (NULL), -EINVAL (too short) or
 * -EAFNOSUPPORT. */
int tcpip_sockets_address_in(const struct sockaddr *from, socklen_t length,
                             struct address *address);
/* Stores an address, cut to `*length`, which becomes its full length; nothing
 * if `to` or `length` is NULL. */
void tcpip_sockets_address_out(struct address address, struct sockaddr *to,
                               socklen_t *length);
/* The rank that has this IP address in host order (127.x.x.x: this rank);
 * -EHOSTUNREACH: none in 192.168.4.x; -ENETUNREACH, and a message at the first
 * time: another network. */
int tcpip_sockets_rank(uint32_t host);

#endif
