/*
 * monitoring.c: small programs of the power study [marc-2011], with the
 * library's log of messages at one of its levels.
 *
 *     monitoring PROGRAM LEVEL ROUNDS
 *
 * Logs go to the files /log-CORE of the shared folder.
 *
 *   stencil   pairs exchange 64 bytes, then step a five-point stencil
 *   shift     pairs exchange 128 bytes
 *   pingpong  pairs: mostly small messages, now and then 4 KB
 *   bcast     one sends to each of the others, in the manner of Pingpong:
 *             sizes double up to LARGE_BCAST, the rounds of a size follow a
 *             barrier, and the root prints their time
 *
 * Printed by each core: rank, cycles of the rounds.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "RCCE.h"

#define STENCIL_BYTES 64
#define SHIFT_BYTES 128
#define SMALL 32
#define LARGE 4096
#define LARGE_EACH 16
#define LARGE_BCAST 8192
/* A strip of the plate: 16 floats wide, the borders are 64 bytes. */
#define WIDTH 16
#define ROWS 16

static char data[LARGE_BCAST];
static float now[ROWS + 2][WIDTH], next[ROWS + 2][WIDTH];

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

/* All of it: its rounds belong to sizes. */
static void bcast(int rounds)
{
    for (size_t bytes = 1; rounds && bytes <= LARGE_BCAST; bytes *= 2) {
        RCCE_barrier(&RCCE_COMM_WORLD);
        uint64_t start = __builtin_ia32_rdtsc();
        for (int i = 0; i < rounds; i++) {
            for (int ue = 1; RCCE_ue() == 0 && ue < RCCE_num_ues(); ue++)
                RCCE_send(data, bytes, ue);
            if (RCCE_ue() != 0)
                RCCE_recv(data, bytes, 0);
        }
        uint64_t cycles = __builtin_ia32_rdtsc() - start;
        if (RCCE_ue() == 0)
            printf("%d bytes: %llu\n", (int)bytes, (unsigned long long)cycles);
    }
}

/* The library writes its log to stderr: from here on a file of the core's own,
 * in the shared folder. */
static int log_to_file(void)
{
    char name[32];

    snprintf(name, sizeof name, "/log-%d", RCCE_ue());
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    return file < 0 || dup2(file, 2) < 0;
}

static int begin(int *argc, char ***argv)
{
    const char *level = (*argv)[2];

    setenv("RCCE_LOG", level, 1);
    return RCCE_init(argc, argv) ||
           (strcmp(level, "none") != 0 && log_to_file());
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*round)(int);
    } programs[] = {
        {"stencil", stencil}, {"shift", shift}, {"pingpong", pingpong}};
    void (*one_round)(int) = NULL;

    if (argc < 4 || begin(&argc, &argv))
        return 2;
    int rounds = atoi(argv[3]);
    if (strcmp(argv[1], "bcast") == 0) {
        bcast(rounds);
        return RCCE_finalize();
    }
    for (int i = 0; i < 3; i++)
        if (strcmp(argv[1], programs[i].name) == 0)
            one_round = programs[i].round;
    if (!one_round)
        return 2;
    for (int i = 0; i < 2; i++)
        one_round(1); /* fills the caches */
    RCCE_barrier(&RCCE_COMM_WORLD);
    uint64_t start = __builtin_ia32_rdtsc();
    for (int i = 0; i < rounds; i++)
        one_round(i);
    uint64_t cycles = __builtin_ia32_rdtsc() - start;
    printf("%d %llu\n", RCCE_ue(), (unsigned long long)cycles);
    return RCCE_finalize();
}
