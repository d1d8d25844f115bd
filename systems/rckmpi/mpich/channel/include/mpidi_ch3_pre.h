/*
 * mpidi_ch3_pre.h: the fields that the channel adds to MPICH's virtual
 * connections, to its requests and to the state of its progress engine.
 */
#ifndef MPIDI_CH3_PRE_H_INCLUDED
#define MPIDI_CH3_PRE_H_INCLUDED

#undef MPID_USE_SEQUENCE_NUMBERS
#define MPIDI_DEV_IMPLEMENTS_KVS

typedef struct {
    int nothing;
} MPIDI_CH3I_CH_comm_t;

/* A connection outside process groups serves connect and accept; each of its
 * packets begins with a mark, which is `mark`: RCKMPI_VIA and the connection's
 * number. Connections of process groups have mark[0] 0 and send none. */
typedef struct MPIDI_CH3I_VC {
    int peer;    /* core of the target process; -1: MPICH has not assigned it */
    int closing; /* true: ends when the packets queued for it are sent */
    unsigned mark[2];
    struct MPIDI_VC *next; /* next connection with a mark */
} MPIDI_CH3I_VC;

#define MPIDI_CH3_VC_DECL struct MPIDI_CH3I_VC ch;

/* The connection of a request that waits for room in a message. */
#define MPIDI_CH3_REQUEST_DECL struct MPIDI_VC *rckmpi_vc;

typedef struct MPIDI_CH3I_Progress_state {
    int completion_count;
} MPIDI_CH3I_Progress_state;

#define MPIDI_CH3_PROGRESS_STATE_DECL MPIDI_CH3I_Progress_state ch;

extern volatile unsigned int MPIDI_CH3I_progress_completion_count;

#endif
