/*
 * state.c: what RCCE_init would have set up, for a UE of the model. Linked
 * into each UE's copy of the library; the model fills it in.
 */
#include "RCCE_lib.h"

int rcce_my_rank, rcce_ues, rcce_switches;
double rcce_ghz = 1;
int (*rcce_world_barrier)(void);
t_vcharp rcce_inbox, rcce_coll_buffer;
size_t rcce_coll_bytes;
struct rcce_log_entry *rcce_log_to;
int rcce_log_each;

void rcce_log_message(int dest, size_t bytes)
{
    (void)dest;
    (void)bytes;
}
static RCCE_COMM world;

int rcce_valid_ue(int ue)
{
    return ue >= 0 && ue < rcce_ues;
}

struct rcce_signal rcce_signal_of(RCCE_FLAG flag)
{
    return rcce_line_signal((t_vcharp)flag);
}

/* Only bit flags need locks; the model has none. */
int rcce_lock_held(int ue)
{
    (void)ue;
    return 1;
}

int RCCE_acquire_lock(int ue)
{
    return !rcce_valid_ue(ue);
}

int RCCE_release_lock(int ue)
{
    return !rcce_valid_ue(ue);
}

/* Only jobs of more UEs than any model has. */
void *rcce_zero_pages(size_t bytes)
{
    (void)bytes;
    return NULL;
}

static int nothing(void)
{
    return 0;
}

/* Lines: world's two flags, "sent" and "ready" of each UE, the inbox, then
 * a message buffer of two lines, and as much for collectives. */
RCCE_COMM *model_set_up(int rank, int ues, unsigned char *mpb[]);
RCCE_COMM *model_set_up(int rank, int ues, unsigned char *mpb[])
{
    rcce_my_rank = rank;
    rcce_ues = ues;
    rcce_world_barrier = nothing;
    for (int ue = 0; ue < ues; ue++)
        rcce_buffer[ue] = mpb[ue] + RCCE_LINE_SIZE;
    t_vcharp line = rcce_buffer[rank];
    world.initialized = RCCE_COMM_VALID;
    world.size = ues;
    world.my_rank = rank;
    world.gather = (RCCE_FLAG)line;
    world.release = (RCCE_FLAG)(line + RCCE_LINE_SIZE);
    line += 2 * RCCE_LINE_SIZE;
    for (int ue = 0; ue < ues; ue++) {
        world.member[ue] = ue;
        rcce_sent_line[ue] = line;
        rcce_ready_line[ue] = line + RCCE_LINE_SIZE;
        line += 2 * RCCE_LINE_SIZE;
    }
    rcce_inbox = line;
    rcce_combuf = line + RCCE_INBOX_BYTES;
    rcce_chunk = 4 * RCCE_LINE_SIZE; /* iRCCE_init halves it */
    rcce_coll_buffer = rcce_combuf;
    rcce_coll_bytes = rcce_chunk;
    return &world;
}
