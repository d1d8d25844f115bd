/*
 * RCCE_lib.h: what the files of the library share and programs do not see.
 *
 * Layout of one UE's half of a tile's MPB (8 KB):
 *   line 0        the library's own; stores to it push the write-combine
 *                 buffer (see rcce_push_wcb)
 *   lines 1..255  what RCCE_malloc hands out, at the same offset on every
 *                 UE because all UEs make the same calls in the same order
 * In a program with the basic interface RCCE_init takes, in this order, the
 * two flags of RCCE_COMM_WORLD, one "sent" and one "ready" flag for every
 * possible partner, and 4 KB as the message buffer; communicators live in
 * the rest.
 *
 * Rules that all files obey:
 *   - before MPB lines are read, CL1INVMB: what L1 holds may be stale;
 *   - before MPB lines are written, CL1INVMB: a store that hits a line in
 *     L1 of a page mapped write-back would stay there;
 *   - after MPB lines are written, the write-combine buffer is pushed;
 *   - data first, flag last. A core has one outstanding write, so a store
 *     is complete at its target before the next one leaves.
 */
#ifndef RCCE_LIB_H
#define RCCE_LIB_H

#define RCCE_LIBRARY
#include "RCCE.h"

#include <stdint.h>

/* Core-physical addresses of the default LUT (intel-eas). */
#define RCCE_MPB_BASE 0xC0000000u
#define RCCE_CRB_BASE 0xE0000000u
#define RCCE_CRB_OWN 0xF8000000u
#define RCCE_SHM_BASE 0x80000000u
#define RCCE_TILE_SHIFT 24
/* Tile configuration registers, offsets in the CRB (intel-eas). */
#define RCCE_CRB_TILEID 0x100
#define RCCE_CRB_LOCK0 0x200
#define RCCE_CRB_LOCK1 0x400
#define RCCE_CRB_PAGE 4096

#define RCCE_LINE_WORDS (RCCE_LINE_SIZE / (int)sizeof(uint32_t))

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
extern int rcce_core_of[RCCE_MAXNP];
extern double rcce_ghz;
int rcce_valid_ue(int ue);

/* RCCE_devices.c */
enum rcce_memory { RCCE_UNCACHED, RCCE_MPBT, RCCE_CACHED };
void *rcce_map(enum rcce_memory memory, uint32_t physical, size_t bytes);
int rcce_flush_l2(void);
int rcce_map_buffers(void);
int rcce_read_core_id(void);
/* Where this core sees each UE's usable MPB (line 1 on). */
extern t_vcharp rcce_buffer[RCCE_MAXNP];
#define RCCE_BUFFER_BYTES (RCCE_BUFF_SIZE_MAX - RCCE_LINE_SIZE)

/* RCCE_space.c */
int rcce_space_alloc(struct rcce_space *space, size_t size, size_t *offset);
size_t rcce_space_largest(const struct rcce_space *space);
void rcce_space_free(struct rcce_space *space, size_t offset);
void rcce_space_clear(struct rcce_space *space);

/* RCCE_malloc.c */
void rcce_malloc_reset(void);

/* RCCE_send.c, RCCE_recv.c */
struct rcce_channel {
    t_vcharp combuf;
    size_t chunk;
    RCCE_FLAG ready;
    RCCE_FLAG sent;
};
extern RCCE_FLAG rcce_sent_flag[RCCE_MAXNP];
extern RCCE_FLAG rcce_ready_flag[RCCE_MAXNP];
extern t_vcharp rcce_combuf;
extern size_t rcce_chunk;
int rcce_check_channel(t_vcharp combuf, size_t chunk, const RCCE_FLAG *ready,
                       const RCCE_FLAG *sent);

/* The gory forms behind the names that RCCE.h maps. */
int RCCE_init_gory(int *argc, char ***argv);
int RCCE_send_gory(char *buffer, t_vcharp combuf, size_t chunk,
                   RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size, int dest);
int RCCE_recv_gory(char *buffer, t_vcharp combuf, size_t chunk,
                   RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size, int source);
int RCCE_recv_test_gory(char *buffer, t_vcharp combuf, size_t chunk,
                        RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size,
                        int source, int *done);

/* RCCE_debug.c */
extern int rcce_debug_synch;
extern int rcce_debug_comm;
extern int rcce_debug_debug;
int rcce_fail(int debug, int code);

/* RCCE_flags.c */
int rcce_check_flag(RCCE_FLAG flag);
void rcce_flag_store(RCCE_FLAG flag, int value, int ue);
int rcce_flag_load(RCCE_FLAG flag, int ue);
void rcce_flag_wait(RCCE_FLAG flag, int value, int ue);

/* Drops this core's L1 copies of MPB lines (CL1INVMB, 0F 0A). The memory
 * clobber keeps the compiler from moving loads across it. */
static inline void rcce_invalidate_mpb(void)
{
    __asm__ volatile(".byte 0x0f, 0x0a" ::: "memory");
}

/* Forces a partly filled write-combine buffer out: it drains only when it
 * is full or when an MPBT store touches another line, and line 0 of the own
 * MPB is such a line. Needed even after whole lines: an interrupt between
 * two stores of a line may have pushed the first half, and the second half
 * alone never fills the buffer. */
static inline void rcce_push_wcb(void)
{
    *(volatile int *)(rcce_buffer[rcce_my_rank] - RCCE_LINE_SIZE) = 0;
}

/* Copies whole lines, a word at a time and in order: eight stores fill the
 * write-combine buffer, which then leaves as one transaction. */
static inline void rcce_copy_lines(volatile void *target,
                                   const volatile void *source, size_t bytes)
{
    volatile uint32_t *to = target;
    const volatile uint32_t *from = source;
    for (size_t n = bytes / RCCE_LINE_SIZE; n > 0; n--) {
        for (int word = 0; word < RCCE_LINE_WORDS; word++)
            to[word] = from[word];
        to += RCCE_LINE_WORDS;
        from += RCCE_LINE_WORDS;
    }
}

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
