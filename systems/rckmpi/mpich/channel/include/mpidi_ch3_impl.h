/*
 * mpidi_ch3_impl.h: the declarations that the channel's files share.
 *
 * A link joins this process with the process on another core. It has one
 * stream in each direction, in which the packets of all connections between
 * the two follow each other.
 */
#ifndef MPIDI_CH3_IMPL_H_INCLUDED
#define MPIDI_CH3_IMPL_H_INCLUDED

#include "mpidimpl.h"
#include "rckmpi.h"

/* The channel's own types of packets, in addition to MPICH's; the type is the
 * first word. `KNOCK` asks a port for a connection (second word: the port's
 * tag; third: the connection's number); `VIA` marks the next packet as part of
 * such a connection, whose number is the second word. */
#define RCKMPI_KNOCK 0x7ffffff0u
#define RCKMPI_VIA 0x7ffffff1u

struct rckmpi_link {
    MPIDI_VC_t *vc;             /* NULL: not in a process group yet */
    MPIDI_VC_t *via;            /* of the next packet, if not `vc` */
    MPIR_Request *first, *last; /* queue of requests without room */
    MPIR_Request *incoming;     /* receives the current packet's data */
    MPIDI_VC_t *incoming_vc;    /* of that packet */
    size_t header_bytes;        /* bytes of the next header so far */
    char header[128] __attribute__((aligned(8)));
};

extern struct rckmpi_link rckmpi_links[RCKMPI_MOST_RANKS]; /* by core number */

/* Fills the table of MPICH's handlers of packets. This function and the others
 * here that return int, unless they say what, return an MPI error code. */
int rckmpi_progress_open(void);
/* Sends the packets that are queued for a peer, as many as there is room for.
 * When the queue is empty, ends the connections that are about to close. */
int rckmpi_advance(int core);
/* The number of bytes of a packet's header in a message, by the packet's type.
 */
size_t rckmpi_header_bytes(unsigned type);
/* Removes `bytes` bytes, and parts without bytes behind them, from the front of
 * a vector, whose rest moves to its beginning; returns the number of parts that
 * remain. */
int rckmpi_shorten(struct iovec *parts, int count, size_t bytes);
/* Stores in `room` the parts to send: the connection's mark, if it has one;
 * then `parts`, of which the first is the packet's header, shortened to the
 * bytes that its type needs. `room` has space for `count` + 1 parts. Returns
 * the number of parts stored. Calls rckmpi_message_sent if the packet begins
 * an MPI message. */
int rckmpi_prepare(MPIDI_VC_t *vc, struct iovec *room,
                   const struct iovec *parts, int count);
/* Stores the parts that are still to be sent, and their connection, in a
 * request. `from_header`: none of the packet's header is sent yet; the header,
 * which may be in the caller's frame, is then copied into the request. */
void rckmpi_keep(MPIDI_VC_t *vc, MPIR_Request *request,
                 const struct iovec *parts, int count, int from_header);

/* If the packet begins an MPI message to or from `core`, calls `note` with the
 * message's size, tag and context. */
void rckmpi_note(void (*note)(int core, size_t bytes, int tag, int context),
                 int core, const MPIDI_CH3_Pkt_t *packet);

/* The number of the core at the other end of a connection, for which MPICH is
 * asked at the first call; -1 if MPICH does not know. */
int rckmpi_peer(MPIDI_VC_t *vc);
/* Asks MPICH for the cores of all connections of process groups that have none
 * yet, connects them, and clears rckmpi_unbound. */
int rckmpi_bind_all(void);
extern int rckmpi_unbound; /* true: MPICH has made a connection since then */
/* Handles another process's request (KNOCK) for a connection to a port of this
 * process: makes it and queues it for accept. `tag`: the port's; `number`: the
 * asker's for the connection. */
int rckmpi_knocked(int core, unsigned tag, unsigned number);
/* The connection that mark number `number` of core `core` stands for; NULL if
 * it is closed. */
MPIDI_VC_t *rckmpi_via(int core, unsigned number);
/* Removes a connection from the list of those with marks. */
void rckmpi_forget(MPIDI_VC_t *vc);
/* A connection to core `core` that closes when its last packet is sent; NULL if
 * there is none. */
MPIDI_VC_t *rckmpi_closing(int core);

/* Appends a request to a link's queue, with a reference of the queue's own. */
static inline void rckmpi_queue(struct rckmpi_link *link, MPIR_Request *request)
{
    MPIR_Request_add_ref(request);
    request->next = NULL;
    if (link->last)
        link->last->next = request;
    else
        link->first = request;
    link->last = request;
}

/* Removes the first request of a queue that is not empty. */
static inline void rckmpi_unqueue(struct rckmpi_link *link)
{
    MPIR_Request *request = link->first;

    link->first = request->next;
    if (!link->first)
        link->last = NULL;
    MPIR_Request_free(request);
}

/* No lock is needed, because no other process has this memory. */
#define MPIDI_CH3I_SHM_MUTEX_LOCK(win)
#define MPIDI_CH3I_SHM_MUTEX_UNLOCK(win)
#define MPIDI_CH3I_SHM_MUTEX_INIT(win)
#define MPIDI_CH3I_SHM_MUTEX_DESTROY(win)

#endif
