/*
 * RCCE_lib.h: what the files of the library share and programs do not see.
 *
 * Layout of one UE's half of a tile's MPB (8 KB):
 *   line 0        the library's own; stores to it push the write-combine
 *                 buffer (see rcce_push_wcb)
 *   lines 1..255  what RCCE_malloc hands out, at the same offset on every
 *                 UE because all UEs make the same calls in the same order
 * In a program with the basic interface RCCE_init takes, in this order, the
 * two flags of RCCE_COMM_WORLD, one "sent" and one "ready" line for every
 * partner, two lines for the collectives' signals, and as the message buffer
 * what is left but for RCCE_RESERVE. With more than RCCE_MAXNP UEs, which
 * only chips larger than the SCC have, a byte takes the place of a line:
 * like a bit flag, it carries no size that the receiver could check.
 *
 * Rules that all files obey:
 *   - before MPB lines are read, CL1INVMB: what L1 holds may be stale;
 *   - before MPB lines are written, CL1INVMB: a store that hits a line in
 *     L1 of a page mapped write-back would stay there;
 *   - after MPB lines are written, the write-combine buffer is pushed;
 *   - data first, flag last. A core's requests take effect in the order in
 *     which it makes them, so who sees the flag finds the data.
 */
#ifndef RCCE_LIB_H
#define RCCE_LIB_H

#define RCCE_LIBRARY
#define RC_POWER_MANAGEMENT
#include "RCCE.h"
#include "RCCE_fail.h"
#include "scc/lock.h"
#include "scc/map.h"
#include "scc/memory_map.h"
#include "scc/mpb.h"
#include "scc/place.h"
#include "scc/registers.h"

#include <stdint.h>

/* RCCE_MAXNP is what one job on the SCC can have; on larger chips there are
 * more. */
#define RCCE_MOST_UES SCC_MOST_CORES

#define RCCE_LINE_WORDS (RCCE_LINE_SIZE / (int)sizeof(uint32_t))

/* Lines of the MPB that a basic program keeps for RCCE_malloc: the flags of
 * 14 communicators. */
#define RCCE_RESERVE (28 * RCCE_LINE_SIZE)

/* Marks an RCCE_COMM that RCCE_comm_split has filled in. */
#define RCCE_COMM_VALID 0x52434b43

/* A symmetric allocator: used blocks of a range, sorted by offset. */
struct rcce_block {
    size_t offset;
    size_t size;
    struct rcce_block *next;
};
struct rcce_space {
    size_t size;
    struct rcce_block *first;
};

/* RCCE_admin.c */
extern int rcce_my_rank;
extern int rcce_ues;
extern int *rcce_core_of;
extern double rcce_ghz;
extern int rcce_switches;
int rcce_valid_ue(int ue);
/* A barrier over RCCE_COMM_WORLD, whatever kind its flags are of. */
extern int (*rcce_world_barrier)(void);

/* RCCE_tables.c: tables of so many UEs; 0 when there is no memory. */
int rcce_open_tables(int ues);
extern volatile uint32_t **rcce_lock_page;
extern unsigned char *rcce_lock_mine;

/* RCCE_launch.c: 0 when there is no launch data. */
int rcce_read_launch(int *argc, char ***argv);

/* RCCE_private.c */
extern int RC_MY_COREID;
extern t_vcharp RCCE_fool_write_combine_buffer;
t_vcharp RC_COMM_BUFFER_START(int ue);

/* RCCE_devices.c */
void *rcce_map(enum scc_memory memory, uint32_t physical, size_t bytes);
/* Who else uses what of the chip (scc/claim.h); on bare metal the program
 * knows. */
void rcce_claim_buffers(void);
void rcce_claim_lut(uint32_t first, uint32_t count);
void rcce_claim_all_locks(void);
void rcce_claim_counter(uint32_t number);
void rcce_claim_shared(struct rcce_space *space);
int rcce_flush_l2(void);
void *rcce_zero_pages(size_t bytes);
int rcce_map_buffers(void);
int rcce_read_core_id(void);
/* A page of registers of this core's physical address space; NULL if the
 * kernel refuses. */
static inline volatile uint32_t *rcce_registers(uint32_t physical)
{
    return rcce_map(SCC_UNCACHED, physical, SCC_PAGE);
}
/* Where this core sees each UE's usable MPB (line 1 on). */
extern t_vcharp *rcce_buffer;
/* The kernel's mailboxes at the end of the MPB: a line for each core. */
#define RCCE_MAILBOX_BYTES (RCCE_MAXNP * RCCE_LINE_SIZE)
#define RCCE_BUFFER_BYTES (RCCE_BUFF_SIZE_MAX - RCCE_LINE_SIZE)

/* RCCE_space.c */
int rcce_space_alloc(struct rcce_space *space, size_t size, size_t *offset);
int rcce_space_reserve(struct rcce_space *space, size_t offset, size_t size);
size_t rcce_space_largest(const struct rcce_space *space);
int rcce_space_free(struct rcce_space *space, size_t offset);
void rcce_space_clear(struct rcce_space *space);

/* RCCE_malloc.c */
void rcce_malloc_reset(void);
int rcce_malloc_owns(t_vcharp block);
size_t rcce_malloc_mark(void);

/* A flag: a line (bit < 0), a bit of a line, or a byte (RCCE_BYTE). */
struct rcce_signal {
    volatile int *line;
    int bit;
};
/* More than any bit's number. */
#define RCCE_BYTE 256

/* RCCE_signal.c */
int rcce_check_signal(struct rcce_signal signal);
void rcce_signal_store(struct rcce_signal signal, int value, int extra, int ue);
int rcce_signal_load(struct rcce_signal signal, int *extra, int ue);
int rcce_signal_wait(struct rcce_signal signal, int value, int ue);
int rcce_signal_await(struct rcce_signal signal);
static inline struct rcce_signal rcce_line_signal(t_vcharp line)
{
    return (struct rcce_signal){(volatile int *)line, -1};
}

/* RCCE_bits.c */
int rcce_bit_alloc(t_vcharp *line, int *location);
int rcce_bit_free(t_vcharp line, int location);

/* RCCE_locks.c */
int rcce_lock_held(int ue);
int rcce_lock_reset(int ue);
int rcce_lock_try(int ue);

/* RCCE_send.c, RCCE_recv.c */
struct rcce_channel {
    t_vcharp combuf;
    size_t chunk;
    struct rcce_signal ready;
    struct rcce_signal sent;
};
/* Lines of the own MPB: `sent` is written by that UE when a chunk for this
 * one is ready, `ready` when it has fetched a chunk of this one's. */
extern t_vcharp rcce_sent_line[RCCE_MAXNP];
extern t_vcharp rcce_ready_line[RCCE_MAXNP];
/* In a job of more than RCCE_MAXNP UEs a byte for each in place of a line;
 * else null. */
extern t_vcharp rcce_sent_bytes, rcce_ready_bytes;
static inline struct rcce_signal rcce_byte_signal(t_vcharp byte)
{
    return (struct rcce_signal){(volatile int *)byte, RCCE_BYTE};
}
static inline struct rcce_signal rcce_sent_signal(int ue)
{
    return rcce_sent_bytes ? rcce_byte_signal(rcce_sent_bytes + ue)
                           : rcce_line_signal(rcce_sent_line[ue]);
}
static inline struct rcce_signal rcce_ready_signal(int ue)
{
    return rcce_ready_bytes ? rcce_byte_signal(rcce_ready_bytes + ue)
                            : rcce_line_signal(rcce_ready_line[ue]);
}
extern t_vcharp rcce_combuf;
extern size_t rcce_chunk;
/* Messages are shorter: larger sizes are negative ones in disguise. */
#define RCCE_MESSAGE_MAX 0x7FFFFFFFu
/* In the second word of a "ready" line: the sizes differ. */
#define RCCE_MISMATCH 1
/* With the size in the second word of a "sent" line: the message comes in
 * pieces of half a chunk, and the first words count them: "sent" those that
 * are there, "ready" those that were fetched (see ../ircce). */
#define RCCE_PIPED ((int)0x80000000u)
static inline size_t rcce_piece(void)
{
    return rcce_chunk / 2 & ~(size_t)(RCCE_LINE_SIZE - 1);
}
/* The source of the message that RCCE_recv is receiving, or -1. */
extern int rcce_receiving;
/* For ../collectives: a byte for each UE's signals to this one, the counts
 * of signals, and where data may lie. */
#define RCCE_INBOX_BYTES (2 * RCCE_LINE_SIZE)
extern t_vcharp rcce_inbox;
extern unsigned char *rcce_signals_out;
extern unsigned char *rcce_signals_in;
extern t_vcharp rcce_coll_buffer;
extern size_t rcce_coll_bytes;
/* What iRCCE wants to be called for; null without it. While a call waits:
 * progress. Before a blocking send or receive: those that were started
 * before it come first. */
extern void (*rcce_idle)(void);
extern void (*rcce_drain_sends)(void);
extern void (*rcce_drain_recvs)(int source);
/* Whether the next message of a source is for a receive started before. */
extern int (*rcce_expected)(int source);
void rcce_fill(t_vcharp combuf, const char *buffer, size_t bytes);
void rcce_fetch(char *buffer, t_vcharp combuf, size_t bytes, int source);
int rcce_check_send(const char *buffer, size_t size, int dest);
int rcce_check_recv(const char *buffer, size_t size, int source);
int rcce_check_channel(const struct rcce_channel *channel);
struct rcce_channel rcce_channel_to(int dest);
struct rcce_channel rcce_channel_from(int source);
int rcce_transmit(const char *buffer, const struct rcce_channel *channel,
                  size_t size, int dest);
int rcce_receive(char *buffer, const struct rcce_channel *channel, size_t size,
                 int source);

/* RCCE_log.c: what is printed at the end of a job (RCCE_LOG in the
 * environment). One test a message when it is off. */
enum rcce_log {
    RCCE_LOG_NONE,
    RCCE_LOG_COUNTERS,
    RCCE_LOG_COUNTS,
    RCCE_LOG_TARGETS,
    RCCE_LOG_SIZES
};
/* What went to one UE. */
struct rcce_log_entry {
    uint32_t messages;
    uint64_t bytes;
};
/* By UE; NULL when messages are not logged. */
extern struct rcce_log_entry *rcce_log_to;
/* Whether each message gets a line of its own. */
extern int rcce_log_each;
void rcce_log_message(int dest, size_t bytes);
void rcce_log_open(void);
void rcce_log_close(void);
static inline void rcce_log_send(int dest, size_t bytes)
{
    struct rcce_log_entry *to = rcce_log_to;

    if (to) {
        to[dest].messages++;
        to[dest].bytes += bytes;
        if (rcce_log_each)
            rcce_log_message(dest, bytes);
    }
}

/* RCCE_combine.c */
size_t rcce_element_bytes(int type);
void rcce_combine(char *acc, const char *in, int num, int type, int op);
int rcce_check_reduction(const char *in, int num, int type, int op);

/* RCCE_shm_lut.c */
size_t rcce_extend_shared(void);

/* RCCE_power_management.c */
int rcce_domain_of(int core);

/* The gory forms behind the names that RCCE.h maps. */
int RCCE_send_gory(char *buffer, t_vcharp combuf, size_t chunk,
                   RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size, int dest);
int RCCE_recv_gory(char *buffer, t_vcharp combuf, size_t chunk,
                   RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size, int source);
int RCCE_recv_test_gory(char *buffer, t_vcharp combuf, size_t chunk,
                        RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size,
                        int source, int *done);

/* RCCE_members.c: a communicator of more members than RCCE_COMM has room
 * for; `member[0]` is the number of a table there. */
int *rcce_new_members(void);
void rcce_keep_members(RCCE_COMM *comm);
void rcce_free_members(int table);
const int *rcce_large_members(int table);
static inline const int *rcce_members(const RCCE_COMM *comm)
{
    return comm->size > RCCE_MAXNP ? rcce_large_members(comm->member[0])
                                   : comm->member;
}

/* Reads each line of a table before it is filled: stores to lines that no
 * cache holds would all go to memory. */
static inline void rcce_touch(const void *table, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += RCCE_LINE_SIZE)
        (void)*((const volatile char *)table + at);
}

/* Exist for both kinds of flags (see bit/): RCCE_flags.c, RCCE_comm.c. */
struct rcce_signal rcce_signal_of(RCCE_FLAG flag);
int rcce_open_world(void);
int rcce_close_world(void);
int rcce_open_power(void);
#ifndef SINGLEBITFLAGS
int rcce_open_world_bit(void);
int rcce_close_world_bit(void);
int rcce_open_power_bit(void);
#endif

/* tests/protocol runs these files on the host, one step of a UE after
 * another: there a step ends where the hardware's two rules apply. */
#ifdef RCCE_MODEL
void rcce_model_point(int stored);
static inline void rcce_invalidate_mpb(void)
{
    rcce_model_point(0);
}
static inline void rcce_push_wcb(void)
{
    rcce_model_point(1);
}
#else
/* Drops this core's L1 copies of MPB lines. */
static inline void rcce_invalidate_mpb(void)
{
    scc_cl1invmb();
}

/* Line 0 of the own MPB is there for this. */
static inline void rcce_push_wcb(void)
{
    scc_push(rcce_buffer[rcce_my_rank] - RCCE_LINE_SIZE);
}
#endif

/* The place on `ue` that corresponds to `address` in the own MPB. */
static inline t_vcharp rcce_on(t_vcharp address, int ue)
{
    return rcce_buffer[ue] + (address - rcce_buffer[rcce_my_rank]);
}

static inline int rcce_in_buffer(t_vcharp address, size_t bytes)
{
    uintptr_t offset =
        (uintptr_t)address - (uintptr_t)rcce_buffer[rcce_my_rank];
    return bytes <= RCCE_BUFFER_BYTES && offset <= RCCE_BUFFER_BYTES - bytes;
}

static inline int rcce_aligned(const volatile void *address)
{
    return (uintptr_t)address % RCCE_LINE_SIZE == 0;
}

#endif
