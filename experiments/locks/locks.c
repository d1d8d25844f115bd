/*
 * locks.c: the test-and-set registers: how far they are, how they serve many
 * cores, and a barrier made of them [reble-metalsvm-sync].
 *
 *   latency            the first core times each tile's register, uncontended:
 *                      tile, cycles of taking, cycles of releasing
 *   spin N, backoff N  all cores contend for one register, N times each:
 *                      core, mean cycles to take it, accesses to it
 *   tas N, rcce N      N barriers of all cores: core, mean cycles
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "RCCE.h"

#define TILES 24
#define CORES_MAX 48
#define CRB_BASE 0xE0000000u
#define LOCK0 0x200
#define LOCK1 0x400
#define SAMPLES 64
/* The pause doubles up to this many turns of an empty loop. */
#define PAUSE_FIRST 16u
#define PAUSE_LAST 4096u

typedef volatile uint32_t tas_register;

static tas_register *tile_registers[TILES];
static tas_register *registers[CORES_MAX]; /* in the order of the ranks */
static uint64_t accesses;

static uint64_t cycles_now(void)
{
    return __builtin_ia32_rdtsc();
}

static tas_register *of_core(int core)
{
    return tile_registers[core / 2] + (core % 2 ? LOCK1 : LOCK0) / 4;
}

static int open_registers(void)
{
    int fd = open("/dev/rckncm", O_RDWR | O_SYNC), cores, core;
    FILE *launch = fopen("/proc/rck/launch", "r");

    for (uint32_t tile = 0; tile < TILES; tile++) {
        void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                        (off_t)(CRB_BASE + (tile << 24)));
        if (at == MAP_FAILED)
            return 0;
        tile_registers[tile] = at;
    }
    if (!launch || fscanf(launch, "%d %*s", &cores) != 1)
        return 0;
    for (int rank = 0; rank < cores; rank++) {
        if (fscanf(launch, "%d", &core) != 1)
            return 0;
        registers[rank] = of_core(core);
    }
    fclose(launch);
    return 1;
}

/* A read that gives 1 has taken the register; any write frees it. */
static inline int take(tas_register *lock)
{
    accesses++;
    return (int)(*lock & 1);
}

static inline void release(tas_register *lock)
{
    accesses++;
    *lock = 0;
}

static void spin(tas_register *lock)
{
    while (!take(lock))
        ;
}

/* A linear congruential generator: its time is always the same. */
static uint32_t random_below(uint32_t limit)
{
    static uint32_t state;

    if (state == 0)
        state = (uint32_t)RCCE_ue() + 1;
    state = state * 1103515245u + 12345u;
    return (state >> 16) % limit;
}

static void back_off(tas_register *lock)
{
    uint32_t limit = PAUSE_FIRST;

    while (!take(lock)) {
        for (uint32_t turns = random_below(limit) + 1; turns > 0; turns--)
            __asm__ volatile("");
        if (limit < PAUSE_LAST)
            limit *= 2;
    }
}

/* Taking in order of arrival: each waits at the register that it got, and
 * is woken by the one that came before; the last wakes the first. */
static void tas_barrier(int cores)
{
    int step = 0;

    while (!take(registers[step]))
        step++;
    if (step == cores - 1)
        release(registers[0]);
    spin(registers[step]);
    release(registers[step]);
    if (step != cores - 1)
        release(registers[step + 1]);
}

static void latency(void)
{
    for (uint32_t tile = 0; tile < TILES; tile++) {
        tas_register *lock = tile_registers[tile] + LOCK0 / 4;
        uint64_t taking = 0, releasing = 0;

        for (int i = 0; i < SAMPLES; i++) {
            for (uint32_t n = random_below(64); n > 0; n--)
                __asm__ volatile("");
            uint64_t start = cycles_now();
            spin(lock);
            uint64_t taken = cycles_now();
            release(lock);
            uint64_t end = cycles_now();
            taking += taken - start;
            releasing += end - taken;
        }
        printf("%u %llu %llu\n", tile, (unsigned long long)taking / SAMPLES,
               (unsigned long long)releasing / SAMPLES);
    }
}

static void contend(int core, int rounds, void (*acquire)(tas_register *))
{
    uint64_t waited = 0;

    accesses = 0;
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int i = 0; i < rounds; i++) {
        uint64_t start = cycles_now();
        acquire(registers[0]);
        waited += cycles_now() - start;
        release(registers[0]);
    }
    uint64_t used = accesses;
    RCCE_barrier(&RCCE_COMM_WORLD);
    printf("%d %llu %llu\n", core, (unsigned long long)waited / rounds,
           (unsigned long long)used);
}

static void barriers(int core, int rounds, int tas)
{
    int cores = RCCE_num_ues();

    RCCE_barrier(&RCCE_COMM_WORLD);
    uint64_t start = cycles_now();
    for (int i = 0; i < rounds; i++) {
        if (tas)
            tas_barrier(cores);
        else
            RCCE_barrier(&RCCE_COMM_WORLD);
    }
    uint64_t cycles = cycles_now() - start;
    RCCE_barrier(&RCCE_COMM_WORLD);
    printf("%d %llu\n", core, (unsigned long long)cycles / rounds);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "";
    int rounds = argc > 2 ? atoi(argv[2]) : 1, core = RCCE_ue();

    if (!open_registers())
        return 1;
    if (strcmp(what, "latency") == 0)
        latency();
    else if (strcmp(what, "spin") == 0)
        contend(core, rounds, spin);
    else if (strcmp(what, "backoff") == 0)
        contend(core, rounds, back_off);
    else if (strcmp(what, "tas") == 0 || strcmp(what, "rcce") == 0)
        barriers(core, rounds, strcmp(what, "tas") == 0);
    else
        return 2;
    RCCE_finalize();
    return 0;
}
