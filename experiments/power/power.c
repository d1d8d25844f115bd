/*
 * power.c: programs whose power is measured [marc-2011, howard-jssc-2011].
 *
 *     power PROGRAM ROUNDS
 *
 *   share     pairs read and write a table in uncached shared memory
 *   shift     pairs exchange 128 bytes
 *   stencil   pairs exchange 64 bytes, then step a five-point stencil
 *   pingpong  pairs: mostly small messages, now and then 4 KB
 *   busy      every core computes on data in its first cache
 *   stream    every core reads its own memory, line after line
 *
 * What is measured lies between two marks of rank 0: region 1, from a barrier
 * to the end of its own rounds. Printed by each core: rank, cycles of the rounds.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "RCCE.h"
#include "scc/registers.h"

#define STENCIL_BYTES 64
#define SHIFT_BYTES 128
#define SMALL 32
#define LARGE 4096
#define LARGE_EACH 16
/* A strip of the plate: 16 floats wide, the borders are 64 bytes. */
#define WIDTH 16
#define ROWS 16
#define TABLE 64
#define BUSY_WORDS 256
/* More than an L2 holds. */
#define STREAM_BYTES (320 << 10)
#define LINE 32
#define REGION_BEGINS 0xB0000001u
#define REGION_ENDS 0xE0000001u

static char data[LARGE];
static float now[ROWS + 2][WIDTH], next[ROWS + 2][WIDTH];
static volatile int *table;
static int words[BUSY_WORDS];
static char *memory;
static volatile uint32_t *channel;

static void exchange(char *out, char *in, size_t bytes)
{
    int other = RCCE_ue() ^ 1;

    if (RCCE_ue() % 2 == 0) {
        RCCE_send(out, bytes, other);
        RCCE_recv(in, bytes, other);
    } else {
        RCCE_recv(in, bytes, other);
        RCCE_send(out, bytes, other);
    }
}

/* Sums up this core's row, then the other's. */
static void share(int round)
{
    int sum = 0;
    volatile int *mine = table + RCCE_ue() * TABLE;
    volatile int *other = table + (RCCE_ue() ^ 1) * TABLE;

    for (int i = 0; i < TABLE; i++) {
        mine[i] = round;
        sum += other[i];
    }
    words[0] += sum;
}

static void stencil(int round)
{
    (void)round;
    exchange((char *)now[ROWS], (char *)now[ROWS + 1], STENCIL_BYTES);
    for (int y = 1; y <= ROWS; y++)
        for (int x = 1; x < WIDTH - 1; x++)
            next[y][x] = now[y][x] * 0.5f + (now[y - 1][x] + now[y + 1][x] +
                                             now[y][x - 1] + now[y][x + 1]) *
                                                0.125f;
    memcpy(now[1], next[1], sizeof now[0] * ROWS);
}

static void shift(int round)
{
    (void)round;
    exchange(data, data, SHIFT_BYTES);
}

static void pingpong(int round)
{
    exchange(data, data, round % LARGE_EACH == 0 ? LARGE : SMALL);
}

static void busy(int round)
{
    int sum = round, xored = 0;

    for (int i = 0; i < BUSY_WORDS; i += 2) {
        sum += words[i];
        xored ^= words[i + 1];
        words[i] = sum;
        words[i + 1] = xored;
    }
}

static void stream(int round)
{
    int sum = round;

    for (int at = 0; at < STREAM_BYTES; at += LINE)
        sum += *(volatile int *)(memory + at);
    words[0] = sum;
}

static volatile uint32_t *map(uint32_t address)
{
    int fd = open("/dev/rckncm", O_RDWR | O_SYNC);
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                      (off_t)(address & ~4095u));

    return page == MAP_FAILED ? NULL : page;
}

static int begin(const char *name)
{
    channel = map(SCC_HOST_CHANNEL);
    if (strcmp(name, "share") == 0) {
        table = (volatile int *)RCCE_shmalloc(sizeof(int) * TABLE *
                                              (size_t)RCCE_num_ues());
        return channel && table;
    }
    if (strcmp(name, "stream") == 0)
        memory = calloc(STREAM_BYTES, 1);
    return channel && (strcmp(name, "stream") != 0 || memory);
}

static void mark(uint32_t value)
{
    if (RCCE_ue() == 0)
        channel[SCC_HOST_MARK / 4] = value;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*round)(int);
    } programs[] = {{"share", share},     {"shift", shift},
                    {"stencil", stencil}, {"pingpong", pingpong},
                    {"busy", busy},       {"stream", stream}};
    void (*one_round)(int) = NULL;

    if (argc < 3 || RCCE_init(&argc, &argv) || !begin(argv[1]))
        return 2;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(argv[1], programs[i].name) == 0)
            one_round = programs[i].round;
    if (!one_round)
        return 2;
    int rounds = atoi(argv[2]);
    for (int i = 0; i < 2 && one_round != stream; i++)
        one_round(i); /* fills the caches */
    RCCE_barrier(&RCCE_COMM_WORLD);
    uint64_t start = __builtin_ia32_rdtsc();
    mark(REGION_BEGINS);
    for (int i = 0; i < rounds; i++)
        one_round(i);
    mark(REGION_ENDS);
    uint64_t cycles = __builtin_ia32_rdtsc() - start;
    printf("%d %llu\n", RCCE_ue(), (unsigned long long)cycles);
    return RCCE_finalize();
}
