/*
 * pairs.c: the study's small programs [marc-2011], in pairs of cores: ranks
 * 0 and 1, 2 and 3, and so on.
 *
 *     pairs PROGRAM ROUNDS
 *
 *   share     each writes a table in uncached shared memory and reads the
 *             other's
 *   shift     128 bytes go round a ring of two
 *   stencil   one side of a plate each: 64 bytes one-sided to the other,
 *             then one sweep
 *   pingpong  messages of 1 byte to 8 KB and back, each size as often
 *
 * Messages are logged by target, as in the study. Told by each core: rank,
 * cycles of the rounds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"

#define SHIFT_BYTES 128
#define LARGEST 8192
#define SHARED 64
/* A side of the plate: its first and last row are the plate's edge, or the
 * other side's next row. A row is 64 bytes. */
#define WIDTH 16
#define ROWS 25
#define ROW_BYTES (WIDTH * sizeof(float))

static char data[LARGEST];
static volatile int *shared;
static float side[ROWS * WIDTH];
/* Rows and flags take turns: whoever is a round ahead writes the other ones,
 * and nobody is two rounds ahead. */
static t_vcharp rows[2];
static RCCE_FLAG arrived[2];

static int other(void)
{
    return RCCE_ue() ^ 1;
}

/* As in the study `power`, whose parameters its power has fixed. */
static void share(int round)
{
    volatile int *mine = shared + RCCE_ue() * SHARED;
    volatile int *theirs = shared + other() * SHARED;
    int sum = 0;

    for (int i = 0; i < SHARED; i++) {
        mine[i] = round;
        sum += theirs[i];
    }
    data[0] = (char)(data[0] + sum);
}

static void shift(int round)
{
    (void)round;
    if (RCCE_ue() % 2 == 0) {
        RCCE_send(data, SHIFT_BYTES, other());
        RCCE_recv(data, SHIFT_BYTES, other());
    } else {
        RCCE_recv(data, SHIFT_BYTES, other());
        RCCE_send(data, SHIFT_BYTES, other());
    }
}

/* Five products a point, in place: later points see new neighbours. */
static void sweep(void)
{
    for (int i = WIDTH; i < (ROWS - 1) * WIDTH; i++)
        side[i] += 0.25f * side[i - WIDTH] + 0.25f * side[i - 1] -
                   1.0f * side[i] + 0.25f * side[i + 1] +
                   0.25f * side[i + WIDTH];
}

static void stencil(int round)
{
    int lower = RCCE_ue() % 2, turn = round % 2;
    float *last = side + (lower ? 1 : ROWS - 2) * WIDTH;
    float *fringe = side + (lower ? 0 : ROWS - 1) * WIDTH;

    RCCE_put(rows[turn], (t_vcharp)last, ROW_BYTES, other());
    RCCE_flag_write(&arrived[turn], RCCE_FLAG_SET, other());
    RCCE_wait_until(arrived[turn], RCCE_FLAG_SET);
    RCCE_get((t_vcharp)fringe, rows[turn], ROW_BYTES, RCCE_ue());
    RCCE_flag_write(&arrived[turn], RCCE_FLAG_UNSET, RCCE_ue());
    sweep();
}

static void pingpong(int round)
{
    (void)round;
    for (size_t bytes = 1; bytes <= LARGEST; bytes *= 2)
        if (RCCE_ue() % 2 == 0) {
            RCCE_send(data, bytes, other());
            RCCE_recv(data, bytes, other());
        } else {
            RCCE_recv(data, bytes, other());
            RCCE_send(data, bytes, other());
        }
}

static int begin(void)
{
    shared = (volatile int *)RCCE_shmalloc(sizeof(int) * SHARED *
                                           (size_t)RCCE_num_ues());
    for (int i = 0; i < 2; i++) {
        rows[i] = RCCE_malloc(ROW_BYTES);
        if (!rows[i] || RCCE_flag_alloc(&arrived[i]))
            return 0;
    }
    for (int i = 0; i < WIDTH; i++)
        side[i + (RCCE_ue() % 2 ? (ROWS - 1) * WIDTH : 0)] =
            (float)(1 + RCCE_ue() % 2);
    return shared != NULL;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*round)(int);
    } programs[] = {{"share", share},
                    {"shift", shift},
                    {"stencil", stencil},
                    {"pingpong", pingpong}};
    void (*one_round)(int) = NULL;

    setenv("RCCE_LOG", "targets", 1);
    if (argc < 3 || RCCE_init(&argc, &argv) || !begin())
        return 2;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(argv[1], programs[i].name) == 0)
            one_round = programs[i].round;
    if (!one_round || RCCE_num_ues() % 2)
        return 2;
    int rounds = atoi(argv[2]);
    RCCE_barrier(&RCCE_COMM_WORLD);
    /* Fill the caches, and bring partners together again whom the barrier
     * let go one after the other. */
    for (int i = 0; i < 2; i++)
        one_round(i);
    uint64_t start = __builtin_ia32_rdtsc();
    for (int i = 0; i < rounds; i++)
        one_round(i);
    uint64_t cycles = __builtin_ia32_rdtsc() - start;
    printf("%d %llu\n", RCCE_ue(), (unsigned long long)cycles);
    return RCCE_finalize();
}
