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

/* The channel's own types of packets, in addition to MPICH's. `KNOCK` asks a
 * port for a connection; `VIA` marks the next packet as part of such a
 * connection, whose number is the second word. */
#define RCKMPI_KNOCK 0x7ffffff0u
#define RCKMPI_VIA 0x7ffffff1u

struct rckmpi_link {
    MPIDI_VC_t *vc;             /* NULL: not in a process group yet */
    MPIDI_VC_t *via;            /* of the next packet, if not `vc` */
    MPIR_Request *first, *last; /* queue of requests without room */
    MPIR_Request *incoming;     /* receives the current packet's data */
    MPIDI_VC_t *incoming_vc;
    size_t header_bytes; /* bytes of the header so far */
    char header[128] __attribute__((aligned(8)));
};

extern struct rckmpi_link rckmpi_links[RCKMPI_MOST_RANKS];

int rckmpi_progress_open(void);
/* Sends the packets that are queued for a peer, as many as there is room
 * for. */
int rckmpi_advance(int core);
/* The number of bytes of a packet's header in a message, by the packet's type.
 */
size_t rckmpi_header_bytes(unsigned type);
/* Removes `bytes` bytes from the front of a vector; returns the number of
 * parts that remain. */
int rckmpi_shorten(struct iovec *parts, int count, size_t bytes);
/* Stores in `room` the parts to send: the connection's mark, if it has one;
 * then `parts`, of which the first is the packet's header, shortened to the
 * bytes that its type needs. `room` has space for `count` + 1 parts. Returns
 * the number of parts stored, and counts the message. */
int rckmpi_prepare(MPIDI_VC_t *vc, struct iovec *room,
                   const struct iovec *parts, int count);
/* Stores a vector in a request. The packet's header may be in the caller's
 * frame. */
void rckmpi_keep(MPIDI_VC_t *vc, MPIR_Request *request,
                 const struct iovec *parts, int count, int from_header);

/* If the packet begins an MPI message to or from `core`, calls `note` with the
 * message's size, tag and context. */
void rckmpi_note(void (*note)(int core, size_t bytes, int tag, int context),
                 int core, const MPIDI_CH3_Pkt_t *packet);

/* The number of the core at the other end of a connection. */
int rckmpi_peer(MPIDI_VC_t *vc);
/* Asks MPICH for the cores of all connections that it has made. */
int rckmpi_bind_all(void);
extern int rckmpi_unbound;
/* Handles another process's request for a connection to a port of this
 * process. */
int rckmpi_knocked(int core, unsigned tag, unsigned number);
/* The connection that mark number `number` of core `core` stands for; NULL if
 * it is closed. */
MPIDI_VC_t *rckmpi_via(int core, unsigned number);
void rckmpi_forget(MPIDI_VC_t *vc);
/* A connection to core `core` that is about to close; NULL if there is none. */
MPIDI_VC_t *rckmpi_closing(int core);

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
