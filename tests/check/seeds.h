/*
 * seeds.h: what the seeded bugs share.
 *
 * Each file of this folder is one program with several bugs, each in a
 * function of its own and on memory of its own. A line that a finding must
 * name ends with a comment "finds: KIND". Built with -DMENDED the statements
 * in LEFT_OUT are there, and there must be no finding.
 */
#ifndef SEEDS_H
#define SEEDS_H

#include "RCCE.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef MENDED
#define LEFT_OUT(statement) statement
#define MISTAKE(statement)
#define MENDED_STRIDE 8 /* words to a line of one's own */
#else
#define LEFT_OUT(statement)
#define MISTAKE(statement) statement
#define MENDED_STRIDE 1
#endif

#define CL1INVMB() __asm__ volatile(".byte 0x0F, 0x0A" ::: "memory")
#define LINE 32
#define PAGE 4096
#define SHARED_DRAM 0x82000000u

typedef volatile uint32_t word;

/* Maps physical memory by the device of a memory type. */
static inline void *map(const char *device, uint32_t address, size_t bytes)
{
    int fd = open(device, O_RDWR | O_SYNC);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                        (off_t)address);
    close(fd);
    return memory;
}

/* The upper half of a core's MPB, which RCCE uses last. */
static inline word *mpb(int core)
{
    uint32_t tile = 0xC0000000u + (uint32_t)(core / 2) * 0x1000000u;
    uint32_t buffer = tile + (uint32_t)(core % 2) * 8192;
    return map("/dev/rckmpb", buffer + PAGE, PAGE);
}

static inline word *mpb_uncached(int core)
{
    uint32_t tile = 0xC0000000u + (uint32_t)(core / 2) * 0x1000000u;
    uint32_t buffer = tile + (uint32_t)(core % 2) * 8192;
    return map("/dev/rckncm", buffer + PAGE, PAGE);
}

/* A page of shared memory, whose number is the bug's own. */
static inline word *dram(const char *device, int page)
{
    return map(device, SHARED_DRAM + (uint32_t)page * PAGE, PAGE);
}

#define CACHED "/dev/rckdcm"
#define UNCACHED "/dev/rckncm"
#define COMBINED "/dev/rckmpb"

/* The test-and-set register of core 0 or 1. */
static inline word *lock_register(int core)
{
    word *tile = map(UNCACHED, 0xE0000000u, PAGE);
    return tile + (core ? 0x400 : 0x200) / 4;
}

static inline void lock(word *reg)
{
    while (!(*reg & 1))
        ;
}

static inline void unlock(word *reg)
{
    *reg = 0;
}

/* Two cores in turn, by flags in uncached memory: no CL1INVMB, no MPBT store
 * and no flush happens here. */
static word *turns;

static inline void turn_open(void)
{
    turns = dram(UNCACHED, 200);
}

/* Core `me` has done step `step`. */
static inline void done(int step)
{
    turns[LINE / 4 * RCCE_ue()] = (uint32_t)step;
}

static inline void after(int core, int step)
{
    while ((int)turns[LINE / 4 * core] < step)
        ;
}

/* Both at once. */
static inline void meet(int step)
{
    done(step);
    for (int core = 0; core < RCCE_num_ues(); core++)
        after(core, step);
}

/* Displaces the first lines of a page of shared memory from L1D and L2, whose
 * ways are 64 KB apart: what is dirty goes out, and nothing old stays. */
static inline void flush_page(int page)
{
    static volatile char *region;
    uint32_t set = (SHARED_DRAM + (uint32_t)page * PAGE) % 0x10000u;

    if (!region)
        region = map(CACHED, 0x83000000u, 0x100000u);
    for (uint32_t line = 0; line < 512; line += LINE)
        for (uint32_t way = 0; way < 12; way++)
            (void)region[way * 0x10000u + set + line];
}

/* Takes lines of L1D, so that what it held goes to L2. */
static inline void displace_l1(word *line)
{
    static char filler[64 * 1024] __attribute__((aligned(4096)));
    uint32_t set = (uint32_t)(uintptr_t)line & (PAGE - LINE);
    for (int way = 0; way < 8; way++)
        (void)*(volatile char *)(filler + way * PAGE + set);
}

#endif
