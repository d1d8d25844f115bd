/*
 * bypass.h: stream sockets without the stack, as MetalSVM's overloaded sockets
 * [marc-2011, section VII]: data goes straight into the receiver's buffer, and
 * from there to the receiver's memory.
 *
 * A sender may have WINDOW bytes under way that the other program has not
 * received; data that no call waits for goes to a queue of that size. A
 * connection therefore never blocks the buffer for others.
 */
#ifndef BYPASS_H
#define BYPASS_H

#include "sockets.h"

#define WINDOW 65536u
#define MOST_CONNECTIONS MOST_SOCKETS

/* The kinds of records, in the order in which a connection owes them. */
enum word {
    OPEN,
    OPENED,
    REFUSED,
    DATA,
    CREDITED, /* bytes were received */
    SHUT,     /* no more will come */
    CLOSED,   /* and nothing more is wanted */
    RESET,
    WORDS
};

struct connection {
    int used, generation;
    int rank;
    unsigned other; /* the peer's number of it */
    uint16_t own_port, peer_port;
    int opening, opened;
    int ended;  /* no more will come */
    int gone;   /* the other side wants nothing more */
    int closed; /* the program has closed it */
    int error;
    int blocked;        /* the other's buffer had no room */
    unsigned owes;      /* a bit for each word still to be told */
    uint32_t under_way; /* bytes sent and not received */
    uint32_t received;  /* bytes received and not told */
    uint8_t *queue;     /* WINDOW bytes */
    uint32_t put, got;
    uint8_t *into; /* where a receive waits for data */
    size_t room, have;
    /* For a listener. */
    int listening, backlog, waiting;
    /* For a connection that is not accepted: its listener, and its turn. */
    struct connection *listener;
    uint32_t turn;
};

/* The head of a record: the receiver's number of the connection, and the kind
 * of record. */
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
/* The connection with a peer by its number; NULL: it is gone. */
struct connection *bypass_numbered(unsigned number, int rank);
void bypass_refuse(int rank, unsigned number);
/* Sends owed records, in order, as far as there is room. */
void bypass_pay(struct connection *connection);
void bypass_pay_all(void);
void bypass_owe(struct connection *connection, enum word word);
/* Frees a connection once it is closed and owes nothing. */
void bypass_settle(struct connection *connection);
/* Sends up to `bytes`, as one record; returns how many, or an error. */
ssize_t bypass_data(struct connection *connection, const void *data,
                    size_t bytes);
int bypass_done(void);

#endif
