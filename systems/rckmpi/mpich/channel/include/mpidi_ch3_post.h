/*
 * mpidi_ch3_post.h: from which size messages use the rendezvous, and the
 * progress engine.
 */
#ifndef MPIDI_CH3_POST_H_INCLUDED
#define MPIDI_CH3_POST_H_INCLUDED

/* Bytes of a message's data above which MPICH uses the rendezvous; the value of
 * MPICH's own channels. */
#if !defined(MPIDI_CH3_EAGER_MAX_MSG_SIZE)
#define MPIDI_CH3_EAGER_MAX_MSG_SIZE (256 * 1024)
#endif

#define MPIDI_CH3_Progress_start(state) \
    ((state)->ch.completion_count = (int)MPIDI_CH3I_progress_completion_count)
#define MPIDI_CH3_Progress_end(state) ((void)(state))
#define MPIDI_CH3_Progress_poke() MPIDI_CH3_Progress_test()

int MPIDI_CH3I_Progress(int blocking, MPID_Progress_state *state);
#define MPIDI_CH3_Progress_test() MPIDI_CH3I_Progress(FALSE, NULL)
#define MPIDI_CH3_Progress_wait(state) MPIDI_CH3I_Progress(TRUE, state)

#endif
