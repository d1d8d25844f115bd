/*
 * pitfalls.h: what the programs of this folder share. Memory is mapped by the
 * devices of SCC Linux; the two cores take turns by words of uncached memory,
 * so that nothing but the program itself touches caches and buffers.
 */
#ifndef PITFALLS_H
#define PITFALLS_H

#include "RCCE.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define MPBT "/dev/rckmpb"
#define CACHED "/dev/rckdcm"
#define UNCACHED "/dev/rckncm"
#define MPB_0 0xC0001000u  /* the upper half of core 0's buffer */
#define SHARED 0x82000000u /* DRAM that all cores have */
#define LOCK_0 0xE0000000u /* registers of tile 0 */

typedef volatile uint32_t word;

static inline word *map(const char *device, uint32_t address)
{
    int fd = open(device, O_RDWR | O_SYNC);
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                      (off_t)address);
    close(fd);
    return page;
}

/* Drops all lines of MPBT pages from L1D. */
static inline void cl1invmb(void)
{
    __asm__ volatile(".byte 0x0F, 0x0A" ::: "memory");
}

static word *turns;

static inline void begin(int *argc, char ***argv)
{
    RCCE_init(argc, argv);
    turns = map(UNCACHED, SHARED + 0x10000u);
    RCCE_barrier(&RCCE_COMM_WORLD);
}

/* This core has got so far; the other one has. */
static inline void reached(uint32_t step)
{
    turns[8 * RCCE_ue()] = step;
}

static inline void await(int core, uint32_t step)
{
    while (turns[8 * core] < step)
        ;
}

#endif
