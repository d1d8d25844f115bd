/*
 * bypass.h: stream sockets without the stack, as MetalSVM's overloaded sockets
 * [marc-2011, section VII]: a sender writes data directly into the receiver's
 * buffer, from which it is copied to the receiver's memory.
 *
 * At most WINDOW bytes of a connection may be on their way, that is, sent but
 * not yet received by the other program. Data for which no call waits goes to
 * a queue of that size. A connection therefore never blocks the buffer for
 * others.
 */
#ifndef BYPASS_H
#define BYPASS_H

#include "sockets.h"

#define WINDOW 65536u
#define MOST_CONNECTIONS MOST_SOCKETS

/* The kinds of records of a connection, in the order in which it sends those
 * that wait. */
enum word {
    OPEN,
    OPENED,
    REFUSED,
    DATA,
    CREDITED, /* acknowledges received bytes */
    SHUT,     /* no more data will come */
    CLOSED,   /* and no more data is wanted */
    RESET,
    WORDS
};

struct connection {
    int used, generation;
    int rank;
    unsigned other; /* the peer's number of the connection */
    uint16_t own_port, peer_port;
    int opening, opened;
    int ended;  /* the peer will send no more */
    int gone;   /* the peer wants no more data */
    int closed; /* the program has closed it */
    int error;
    int blocked;        /* no room in the peer's buffer */
    unsigned owes;      /* records still to send, a bit each */
    uint32_t under_way; /* sent, not yet acknowledged bytes */
    uint32_t received;  /* received, not yet acknowledged */
    uint8_t *queue;     /* of WINDOW bytes */
    uint32_t put, got;
    uint8_t *into; /* buffer of a waiting receive */
    size_t room, have;
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

struct opening {
    struct head head;
    uint16_t from, own_port, peer_port, unused;
};

struct crediting {
    struct head head;
    uint32_t bytes;
};

extern struct connection bypass_connections[MOST_CONNECTIONS];

void bypass_start(void);
struct connection *bypass_new(void); /* NULL: no memory */
/* The connection that has this number and this peer; NULL if it is closed. */
struct connection *bypass_numbered(unsigned number, int rank);
void bypass_refuse(int rank, unsigned number);
/* Sends the records that the connection still has to send, in order, as far as
 * there is room. */
void bypass_pay(struct connection *connection);
void bypass_pay_all(void);
void bypass_owe(struct connection *connection, enum word word);
/* Frees a connection if it is closed and has no record left to send. */
void bypass_settle(struct connection *connection);
/* Sends up to `bytes` bytes as one record; returns how many were sent, or a
 * negative error number. */
ssize_t bypass_data(struct connection *connection, const void *data,
                    size_t bytes);
int bypass_done(void);

#endif
