/*
 * bare.h: what the studies' bare-metal programs share.
 */
#ifndef EXPERIMENTS_BARE_H
#define EXPERIMENTS_BARE_H

#include <stdint.h>

#include <scc/memory_map.h>
#include <scc/registers.h>

/* Memory types, as bits of a page table entry [partheymueller-2011, 2.2.2]:
 * PWT 3, PCD 4, PMB 7. */
#define WRITE_BACK 0x00u
#define UNCACHED 0x10u
#define MESSAGE 0x88u          /* MPBT, written through L1 */
#define UNCACHED_MESSAGE 0x90u /* broken in hardware */

/* Maps whole pages to themselves; before or after paging_on. */
void map(uint32_t address, uint32_t bytes, uint32_t type);
/* Maps the first 4 MB, turns on paging with MPBT, and the caches. */
void paging_on(void);

#define LINT0_VECTOR 0x30
/* Lets LINT0 enter at `handler`, which saves registers and ends with iret. */
void take_lint0(void (*handler)(void));

void say(const char *text);
void say_number(uint32_t value);
/* " 12 34\n" for each value. */
void say_list(const uint32_t *values, int count);

static inline uint32_t load(uint32_t address)
{
    return *(volatile uint32_t *)address;
}

static inline void store(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}

static inline uint32_t time_stamp(void)
{
    uint32_t low;
    __asm__ volatile("rdtsc" : "=a"(low) : : "edx", "memory");
    return low;
}

/* Forgets L1's lines of message memory. */
static inline void cl1invmb(void)
{
    __asm__ volatile(".byte 0x0f, 0x0a" : : : "memory");
}

static inline uint32_t tile_base(uint32_t base, uint32_t tile)
{
    return base + (tile << 24);
}

/* This core: its tile's coordinates, and which of the two. */
static inline uint32_t core_number(void)
{
    uint32_t id = load(SCC_CRB_OWN + SCC_CRB_TILEID);
    return 12 * (id >> 7 & 0xF) + 2 * (id >> 3 & 0xF) + (id & 7);
}

/* The generator of the C standard's example; its high bits are the random
 * ones. Pauses of random length keep loops from locking in phase with the
 * mesh's clock. */
static inline uint32_t random_below(uint32_t limit)
{
    static uint32_t state = 1;
    state = state * 1103515245u + 12345u;
    return (state >> 16) % limit;
}

static inline void pause_random(void)
{
    uint32_t turns = random_below(51);
    __asm__ volatile("1: decl %0\n\tjns 1b" : "+r"(turns) : : "cc");
}

#endif
