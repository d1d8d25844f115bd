/*
 * bypass.h: stream sockets without the stack, as MetalSVM's overloaded sockets
 * [marc-2011, section VII]: a sender writes data directly into the receiver's
 * buffer, from which it is copied to the receiver's memory.
 *
 * At most WINDOW bytes of a connection's direction may be on their way, that
 * is, sent but not yet acknowledged as received by the other program. Data for
 * which no call waits goes to a queue of that size. A connection therefore
 * never blocks the buffer for others.
 */
#ifndef BYPASS_H
#define BYPASS_H

#include "sockets.h"

#define WINDOW 65536u
#define MOST_CONNECTIONS MOST_SOCKETS

/* The kinds of records of a connection, in the order in which it sends those
 * that wait. */
enum word {
    OPEN,     /* asks for a connection */
    OPENED,   /* grants it */
    REFUSED,  /* nobody listens at that port, or its queue is full */
    DATA,     /* bytes of the stream */
    CREDITED, /* acknowledges received bytes */
    SHUT,     /* no more data will come */
    CLOSED,   /* and no more data is wanted */
    RESET,    /* as CLOSED; received data was lost */
    WORDS
};

struct connection {
    int used, generation; /* generation: part of its number */
    int rank;             /* of the peer */
    unsigned other;       /* the peer's number of the connection */
    uint16_t own_port, peer_port;
    int opening, opened; /* OPEN is not answered yet; both sides know it */
    int ended;           /* the peer will send no more */
    int gone;            /* the peer wants no more data */
    int closed;          /* the program has closed it */
    int error;           /* for the next call; an errno number, or 0 */
    int blocked;         /* no room in the peer's buffer */
    unsigned owes;       /* records still to send: bit n for enum word n */
    uint32_t under_way;  /* sent, not yet acknowledged bytes */
    uint32_t received;   /* received, not yet acknowledged */
    uint8_t *queue;      /* of WINDOW bytes, a ring */
    uint32_t put, got;   /* bytes put into the queue, taken out, in all */
    uint8_t *into;       /* buffer of a waiting receive: where the next goes */
    size_t room, have;   /* bytes free there; bytes stored there */
    /* For a listening socket: true, the length of its queue, and how many
     * connections wait in it. */
    int listening, backlog, waiting;
    /* For a connection that has not been accepted: the listening socket that it
     * waits at, and its number in the order of arrival. */
    struct connection *listener;
    uint32_t turn;
};

/* The head of a record: the number that the receiver gave to the connection,
 * and the kind of the record. */
struct head {
    uint16_t to, word;
};

/* A record of every kind but DATA and CREDITED. `from`: the sender's number of
 * the connection; `own_port` is the sender's. A receiver reads these of OPEN,
 * and `from` of OPENED. */
struct opening {
    struct head head;
    uint16_t from, own_port, peer_port, unused;
};

struct crediting {
    struct head head;
    uint32_t bytes; /* received since the last one */
};

extern struct connection tcpip_bypass_connections[MOST_CONNECTIONS];

void tcpip_bypass_start(void); /* listens for bypass records */
/* A connection to this core itself, not bound; NULL: all are in use, or no
 * memory. */
struct connection *tcpip_bypass_new(void);
/* The connection that has this number and this peer; NULL if it is freed. */
struct connection *tcpip_bypass_numbered(unsigned number, int rank);
/* Sends REFUSED for a rank's connection, now or when there is room. */
void tcpip_bypass_refuse(int rank, unsigned number);
/* Sends the records that the connection still has to send, in order, as far as
 * there is room (none to a peer that is gone); then tcpip_bypass_settle. */
void tcpip_bypass_pay(struct connection *connection);
void tcpip_bypass_pay_all(void); /* of all connections, after refusals */
/* Adds a record to those that the connection has to send; then tcpip_bypass_pay. */
void tcpip_bypass_owe(struct connection *connection, enum word word);
/* Frees a connection if it is closed, has no record left to send and is not
 * opening. */
void tcpip_bypass_settle(struct connection *connection);
/* Sends up to `bytes` bytes as one record, at most tcpip_link_most() less 4; returns
 * how many were sent, -EAGAIN (no room) or -EHOSTDOWN. The caller heeds
 * WINDOW. */
ssize_t tcpip_bypass_data(struct connection *connection, const void *data,
                          size_t bytes);
int tcpip_bypass_done(void); /* true: no connection has a record left to send */

#endif
