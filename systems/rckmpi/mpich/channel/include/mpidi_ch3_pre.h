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

/* The target of a connection: the process on this core (-1: MPICH has not
 * assigned it yet). A connection outside process groups serves connect and
 * accept; each of its packets begins with a mark, which is `mark`. */
typedef struct MPIDI_CH3I_VC {
    int peer;
    int closing;
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
