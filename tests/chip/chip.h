/*
 * chip.h: what the programs in this folder share: the chip's address space
 * through the devices, the instructions of the SCC, and a way to take turns
 * that touches neither caches nor write-combine buffer.
 */
#ifndef TESTS_CHIP_H
#define TESTS_CHIP_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LINE 32
#define LINE_WORDS 8

/* Core-physical addresses of the default LUT. */
#define SHARED_DRAM 0x80000000u
#define MPB_BASE 0xC0000000u
#define CRB_BASE 0xE0000000u
#define OWN_CRB 0xF8000000u
#define CRB_TILEID 0x100
#define CRB_LOCK0 0x200
#define CRB_LOCK1 0x400
/* The page of shared DRAM that keeps the turns; tests leave it alone. */
#define TURNS (SHARED_DRAM + 0x00FFF000u)

typedef volatile uint32_t word;

/* Ends the program with a message when a condition does not hold. */
#define CHECK(condition)                                                   \
    do {                                                                   \
        if (!(condition)) {                                                \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                       \
        }                                                                  \
    } while (0)

static inline word *map_chip(const char *device, uint32_t physical,
                             size_t bytes)
{
    int fd = open(device, O_RDWR | O_SYNC);
    if (fd < 0) {
        printf("%s cannot be opened\n", device);
        exit(1);
    }
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                    (off_t)physical);
    close(fd);
    if (at == MAP_FAILED) {
        printf("%s: no map of 0x%08x\n", device, physical);
        exit(1);
    }
    return at;
}

static inline word *map_uncached(uint32_t physical, size_t bytes)
{
    return map_chip("/dev/rckncm", physical, bytes);
}

static inline word *map_cached(uint32_t physical, size_t bytes)
{
    return map_chip("/dev/rckdcm", physical, bytes);
}

/* The half of a tile's MPB that belongs to a core, as MPBT memory. */
static inline word *map_mpb(int core)
{
    return map_chip("/dev/rckmpb",
                    MPB_BASE + ((uint32_t)core / 2 << 24) +
                        (uint32_t)core % 2 * 8192,
                    8192);
}

static inline word *map_lock(int core)
{
    word *crb = map_uncached(CRB_BASE + ((uint32_t)core / 2 << 24), 4096);
    return crb + (core % 2 ? CRB_LOCK1 : CRB_LOCK0) / 4;
}

/* The number of the core that runs this, from TILEID. */
static inline int my_core(void)
{
    uint32_t id = map_uncached(OWN_CRB, 4096)[CRB_TILEID / 4];
    return (int)(12 * (id >> 7 & 15) + 2 * (id >> 3 & 15) + (id & 7));
}

static inline void cl1invmb(void)
{
    __asm__ volatile(".byte 0x0f, 0x0a" : : : "memory");
}

static inline uint32_t rdtsc_low(void)
{
    uint32_t low;
    __asm__ volatile("rdtsc" : "=a"(low) : : "edx", "memory");
    return low;
}

static inline void wait_cycles(uint32_t cycles)
{
    uint32_t start = rdtsc_low();
    while (rdtsc_low() - start < cycles)
        ;
}

/* Empties L1 and L2: every dirty line goes to memory, every line is
 * forgotten. The kernel does it: WBINVD is privileged. */
static inline void flush_caches(void)
{
    static int fd = -1;
    if (fd < 0)
        fd = open("/dev/rckdcm", O_RDWR | O_SYNC);
    CHECK(write(fd, "", 0) == 0);
}

/* Turns: core `core` has come to `step`. Uncached words in DRAM, because
 * an uncached access leaves caches and write-combine buffer as they are. */
static word *turns;

static inline void start_turns(void)
{
    turns = map_uncached(TURNS, 4096);
}

static inline void reach(int core, uint32_t step)
{
    turns[core] = step;
}

static inline void await(int core, uint32_t step)
{
    while (turns[core] < step)
        ;
}

#endif
