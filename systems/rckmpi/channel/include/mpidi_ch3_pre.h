/*
 * mpidi_ch3_pre.h: what the channel adds to MPICH's virtual connections and
 * to the state of its progress engine.
 */
#ifndef MPIDI_CH3_PRE_H_INCLUDED
#define MPIDI_CH3_PRE_H_INCLUDED

#undef MPID_USE_SEQUENCE_NUMBERS
#define MPIDI_DEV_IMPLEMENTS_KVS

typedef struct {
    int nothing;
} MPIDI_CH3I_CH_comm_t;

/* With a peer: requests that wait for room, and the packet that comes in. The
 * packet's header is in `header` as far as it has come; then the rest goes
 * where the request `incoming` says. */
typedef struct MPIDI_CH3I_VC {
    struct MPIR_Request *first, *last;
    int peer;
    int closing;
    struct MPIR_Request *incoming;
    size_t header_bytes;
    char header[128] __attribute__((aligned(8)));
} MPIDI_CH3I_VC;

#define MPIDI_CH3_VC_DECL struct MPIDI_CH3I_VC ch;

typedef struct MPIDI_CH3I_Progress_state {
    int completion_count;
} MPIDI_CH3I_Progress_state;

#define MPIDI_CH3_PROGRESS_STATE_DECL MPIDI_CH3I_Progress_state ch;

extern volatile unsigned int MPIDI_CH3I_progress_completion_count;

#endif
