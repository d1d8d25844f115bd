/*
 * mpidi_ch3_impl.h: what the channel's files share.
 */
#ifndef MPIDI_CH3_IMPL_H_INCLUDED
#define MPIDI_CH3_IMPL_H_INCLUDED

#include "mpidimpl.h"
#include "rckmpi.h"

/* Connections by rank; NULL at the own. */
extern MPIDI_VC_t *rckmpi_vcs[RCKMPI_MOST_RANKS];

int rckmpi_progress_open(void);
/* Sends what waits for a peer, as far as there is room. */
int rckmpi_advance(MPIDI_VC_t *vc);
/* The bytes of a packet's header on their way: those of its type. */
size_t rckmpi_header_bytes(MPIDI_CH3_Pkt_type_t type);
/* Takes `bytes` from the front of a vector; what is left of it. */
int rckmpi_shorten(struct iovec *parts, int count, size_t bytes);

static inline void rckmpi_queue(MPIDI_CH3I_VC *ch, MPIR_Request *request)
{
    MPIR_Request_add_ref(request);
    request->next = NULL;
    if (ch->last)
        ch->last->next = request;
    else
        ch->first = request;
    ch->last = request;
}

static inline void rckmpi_unqueue(MPIDI_CH3I_VC *ch)
{
    MPIR_Request *request = ch->first;

    ch->first = request->next;
    if (!ch->first)
        ch->last = NULL;
    MPIR_Request_free(request);
}

/* Nobody else has this memory. */
#define MPIDI_CH3I_SHM_MUTEX_LOCK(win)
#define MPIDI_CH3I_SHM_MUTEX_UNLOCK(win)
#define MPIDI_CH3I_SHM_MUTEX_INIT(win)
#define MPIDI_CH3I_SHM_MUTEX_DESTROY(win)

#endif
