/*
 * RCCE_admin.c: start, end, who am I, what time is it.
 */
#include "RCCE_lib.h"

/* Bare metal has one stream. */
#ifdef MS_BAREMETAL
#define fprintf(stream, ...) printf(__VA_ARGS__)
#endif

int rcce_my_rank;
int rcce_ues;
double rcce_ghz;
int rcce_switches;
int (*rcce_world_barrier)(void);
t_vcharp rcce_inbox;
t_vcharp rcce_coll_buffer;
size_t rcce_coll_bytes;
static uint64_t birth;
/* Aliases with the names of private/RCCE_lib.h. */
extern int RCCE_IAM __attribute__((alias("rcce_my_rank")));
extern int RCCE_NP __attribute__((alias("rcce_ues")));
extern double RC_REFCLOCKGHZ __attribute__((alias("rcce_ghz")));

int rcce_valid_ue(int ue)
{
    return ue >= 0 && ue < rcce_ues;
}

/* What only the SCC has: mailboxes, and voltage domains. */
static int fits_chip(void)
{
    int scc_only = RCCE_SWITCH_POWER | RCCE_SWITCH_MAILBOX;

    if (rcce_switches & scc_only)
        fprintf(stderr, "RCCE: this chip is not the SCC: build the program "
                        "without RC_POWER_MANAGEMENT and RCCE_MAILBOX\n");
    return !(rcce_switches & scc_only);
}

/* What basic and gory programs have in common, up to the flags of
 * RCCE_COMM_WORLD. */
static int open_job(int *argc, char ***argv)
{
    if (!rcce_read_launch(argc, argv))
        return RCCE_ERROR_NUM_UES;
    int core = rcce_read_core_id();
    rcce_my_rank = -1;
    for (int ue = 0; ue < rcce_ues; ue++)
        if (rcce_core_of[ue] == core)
            rcce_my_rank = ue;
    if (rcce_my_rank < 0)
        return RCCE_ERROR_CORE_NOT_IN_HOSTFILE;
    if (!rcce_map_buffers())
        return RCCE_ERROR_MALLOC;
    RC_MY_COREID = core;
    RCCE_fool_write_combine_buffer = RC_COMM_BUFFER_START(rcce_my_rank);
    rcce_claim_buffers();
    rcce_malloc_reset();
    if (scc_chip.extended && !fits_chip())
        return RCCE_ERROR_NUM_UES;
    int bits = rcce_switches & RCCE_SWITCH_BITS;
    int error = bits ? rcce_open_world_bit() : rcce_open_world();
    if (!error && rcce_switches & RCCE_SWITCH_POWER)
        error = bits ? rcce_open_power_bit() : rcce_open_power();
    return error;
}

/* A byte for each partner takes the place of a line. */
static void open_many_channels(void)
{
    rcce_sent_bytes = RCCE_malloc((size_t)rcce_ues);
    rcce_ready_bytes = RCCE_malloc((size_t)rcce_ues);
    rcce_inbox = RCCE_malloc((size_t)rcce_ues);
}

static void open_line_channels(void)
{
    for (int ue = 0; ue < rcce_ues; ue++) {
        rcce_sent_line[ue] = RCCE_malloc(RCCE_LINE_SIZE);
        rcce_ready_line[ue] = RCCE_malloc(RCCE_LINE_SIZE);
    }
    rcce_inbox = RCCE_malloc(RCCE_INBOX_BYTES);
}

/* Two flags for every partner, then the message buffer: all that is left
 * but for a reserve. */
static int open_channels(void)
{
    if (rcce_ues > RCCE_MAXNP)
        open_many_channels();
    else
        open_line_channels();
    for (int ue = 0; ue < rcce_ues; ue++) /* the inbox is zero */
        rcce_signals_out[ue] = rcce_signals_in[ue] = 0;
    t_vcharp reserve = RCCE_malloc(RCCE_RESERVE);
    rcce_combuf = RCCE_malloc_request(RCCE_BUFF_SIZE_MAX, &rcce_chunk);
    RCCE_free(reserve);
    rcce_coll_buffer = rcce_combuf;
    rcce_coll_bytes = rcce_chunk;
    return rcce_combuf ? RCCE_SUCCESS : RCCE_ERROR_MALLOC;
}

/* What RCCE_init stands for: the switches say how the program was built. A
 * gory program keeps the whole MPB for RCCE_malloc. */
int rcce_start(int *argc, char ***argv, int switches)
{
    rcce_switches = switches;
    int error = open_job(argc, argv);
    if (!error && !(switches & RCCE_SWITCH_GORY))
        error = open_channels();
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    /* From here on every UE is known to have started. */
    error = rcce_world_barrier();
    rcce_log_open();
    birth = scc_cycles();
    return error;
}

int RCCE_init(int *argc, char ***argv)
{
    return rcce_start(argc, argv, 0);
}

/* Waits for all and leaves MPB and lock as a new job expects them: zero and
 * free. */
int RCCE_finalize(void)
{
    static const uint32_t zero[RCCE_LINE_WORDS];

    if (!rcce_world_barrier)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);
    int error = rcce_switches & RCCE_SWITCH_BITS ? rcce_close_world_bit()
                                                 : rcce_close_world();
    if (error)
        return error;
    rcce_log_close();
    /* No store may hit a line in L1 and stay there. */
    rcce_invalidate_mpb();
    for (size_t at = 0; at < RCCE_BUFFER_BYTES; at += RCCE_LINE_SIZE)
        scc_copy_lines(rcce_buffer[rcce_my_rank] + at, zero, RCCE_LINE_SIZE);
    rcce_push_wcb();
    error = rcce_lock_reset(rcce_my_rank);
    rcce_combuf = rcce_inbox = NULL;
    rcce_sent_bytes = rcce_ready_bytes = NULL;
    rcce_malloc_reset();
    return error;
}

/* Seconds by the time stamp counter, which counts tile clocks from this
 * core's own reset: differences mean something, absolute values do not. */
double RCCE_wtime(void)
{
    return (double)scc_cycles() / (rcce_ghz * 1e9);
}

long long RC_global_clock(void)
{
    return (long long)(scc_cycles() - birth);
}

int RCCE_ue(void)
{
    return rcce_my_rank;
}

int RCCE_num_ues(void)
{
    return rcce_ues;
}
