/*
 * mpidi_ch3_impl.h: what the channel's files share.
 *
 * A link is what there is with the process on another core: one stream each
 * way, in which the packets of all connections with it follow each other.
 */
#ifndef MPIDI_CH3_IMPL_H_INCLUDED
#define MPIDI_CH3_IMPL_H_INCLUDED

#include "mpidimpl.h"
#include "rckmpi.h"

/* Types of packets that are the channel's own, beyond MPICH's. `KNOCK` asks a
 * port for a connection, `VIA` says that the next packet is of such a one; a
 * second word tells which. */
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
/* Sends what waits for a peer, as far as there is room. */
int rckmpi_advance(int core);
/* The bytes of a packet's header on their way: those of its type. */
size_t rckmpi_header_bytes(unsigned type);
/* Takes `bytes` from the front of a vector; what is left of it. */
int rckmpi_shorten(struct iovec *parts, int count, size_t bytes);
/* Shortens the packet's header, and puts the mark of the connection in front:
 * the vector as it goes. `room` has a part more than `parts`. */
int rckmpi_prepare(MPIDI_VC_t *vc, struct iovec *room,
                   const struct iovec *parts, int count);
/* A vector into a request; the packet's header may be in the caller's frame. */
void rckmpi_keep(MPIDI_VC_t *vc, MPIR_Request *request,
                 const struct iovec *parts, int count, int from_header);

/* The packet's message, if it is the beginning of one, for who looks on. */
void rckmpi_note(void (*note)(int core, size_t bytes, int tag, int context),
                 int core, const MPIDI_CH3_Pkt_t *packet);

/* The core of a connection. */
int rckmpi_peer(MPIDI_VC_t *vc);
/* Asks MPICH for the cores of connections that it has made. */
int rckmpi_bind_all(void);
extern int rckmpi_unbound;
/* A port of this process is asked for a connection. */
int rckmpi_knocked(int core, unsigned tag, unsigned number);
/* The connection of a mark that came from this core; NULL if it is gone. */
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

/* Nobody else has this memory. */
#define MPIDI_CH3I_SHM_MUTEX_LOCK(win)
#define MPIDI_CH3I_SHM_MUTEX_UNLOCK(win)
#define MPIDI_CH3I_SHM_MUTEX_INIT(win)
#define MPIDI_CH3I_SHM_MUTEX_DESTROY(win)

#endif
