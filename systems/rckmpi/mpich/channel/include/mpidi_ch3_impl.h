/*
 * mpidi_ch3_impl.h: what the channel's files share.
 *
 * A link joins this process with the process on another core: one stream each
 * way, in which the packets of all their connections follow each other.
 */
#ifndef MPIDI_CH3_IMPL_H_INCLUDED
#define MPIDI_CH3_IMPL_H_INCLUDED

#include "mpidimpl.h"
#include "rckmpi.h"

/* The channel's own types of packets, beyond MPICH's. `KNOCK` asks a port for a
 * connection; `VIA` marks the next packet as belonging to such a connection,
 * which a second word names. */
#define RCKMPI_KNOCK 0x7ffffff0u
#define RCKMPI_VIA 0x7ffffff1u

struct rckmpi_link {
    MPIDI_VC_t *vc;             /* NULL: no process group has it yet */
    MPIDI_VC_t *via;            /* of the next packet, if not `vc` */
    MPIR_Request *first, *last; /* wait for room */
    MPIR_Request *incoming;     /* takes the data of the current packet */
    MPIDI_VC_t *incoming_vc;
    size_t header_bytes; /* that have come */
    char header[128] __attribute__((aligned(8)));
};

extern struct rckmpi_link rckmpi_links[RCKMPI_MOST_RANKS];

int rckmpi_progress_open(void);
/* Sends a peer's queued packets, as far as there is room. */
int rckmpi_advance(int core);
/* The bytes of a packet's header on the wire, by its type. */
size_t rckmpi_header_bytes(unsigned type);
/* Removes `bytes` from the front of a vector; returns the number of parts
 * left. */
int rckmpi_shorten(struct iovec *parts, int count, size_t bytes);
/* Shortens the packet's header, and puts the connection's mark in front: the
 * vector to send. `room` has one part more than `parts`. */
int rckmpi_prepare(MPIDI_VC_t *vc, struct iovec *room,
                   const struct iovec *parts, int count);
/* Stores a vector in a request; the packet's header may be in the caller's
 * frame. */
void rckmpi_keep(MPIDI_VC_t *vc, MPIR_Request *request,
                 const struct iovec *parts, int count, int from_header);

/* Notes the packet's message for observers, if it begins one. */
void rckmpi_note(void (*note)(int core, size_t bytes, int tag, int context),
                 int core, const MPIDI_CH3_Pkt_t *packet);

/* The core of a connection. */
int rckmpi_peer(MPIDI_VC_t *vc);
/* Asks MPICH for the cores of connections that it has made. */
int rckmpi_bind_all(void);
extern int rckmpi_unbound;
/* Handles a request for a connection to a port of this process. */
int rckmpi_knocked(int core, unsigned tag, unsigned number);
/* The connection with a mark that came from this core; NULL if it is gone. */
MPIDI_VC_t *rckmpi_via(int core, unsigned number);
void rckmpi_forget(MPIDI_VC_t *vc);
/* A connection with this core that is about to close; NULL if there is none. */
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
