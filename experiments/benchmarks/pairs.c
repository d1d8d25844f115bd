/*
 * pairs.c: the study's small programs [marc-2011], in pairs of cores: ranks
 * 0 and 1, 2 and 3, and so on.
 *
 *     pairs PROGRAM ROUNDS
 *
 *   share     a baton goes round a ring of two: who has it updates a table in
 *             uncached shared memory, the other polls for the message
 *   shift     128 bytes go round a ring of two
 *   stencil   one side of a plate each: 64 bytes one-sided to the other,
 *             then one sweep
 *   pingpong  messages of 32 bytes up to 4 MB and back, each the fourth root of
 *             two times the one before
 *
 * Messages are logged by target, as in the study. Printed by each core: rank,
 * cycles of the rounds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"

#define SHIFT_BYTES 128
#define LARGEST (4u << 20)
#define SHARED 4096
/* A side of the plate: its first and last row are the plate's edge, or the
 * other side's next row. A row is 64 bytes. */
#define WIDTH 16
#define ROWS 25
#define ROW_BYTES (WIDTH * sizeof(float))

static char data[LARGEST];
static volatile double *shared;
/* Of all values that this core has stored there. */
static double check_sum;
static int updates;
static float side[ROWS * WIDTH];
/* Rows and flags take turns: whoever is a round ahead writes the other ones,
 * and nobody is two rounds ahead. */
static t_vcharp rows[2];
static RCCE_FLAG arrived[2];

static int other(void)
{
    return RCCE_ue() ^ 1;
}

static void update(void)
{
    double number = RCCE_ue() + 1;

    updates++;
    for (int i = 0; i < SHARED; i++) {
        double value = shared[i] + number;

        shared[i] = value;
        check_sum += value;
    }
}

/* Whether nothing of a table is lost: both have updated it as often. */
static int is_whole(void)
{
    double number = RCCE_ue() + 1, both = number + (number + 1);
    double before = both * updates * (updates - 1) / 2;

    if (RCCE_ue() % 2)
        return 1;
    for (int i = 0; i < SHARED; i++)
        if (shared[i] != updates * both)
            return 0;
    return check_sum == SHARED * (updates * number + before);
}

static void share(int round)
{
    int baton = round;

    if (RCCE_ue() % 2 == 0) {
        update();
        RCCE_send((char *)&baton, sizeof(baton), other());
        RCCE_recv((char *)&baton, sizeof(baton), other());
    } else {
        RCCE_recv((char *)&baton, sizeof(baton), other());
        update();
        RCCE_send((char *)&baton, sizeof(baton), other());
    }
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
    for (int row = 1; row < ROWS - 1; row++)
        for (int column = 0; column < WIDTH; column++) {
            float *point = side + row * WIDTH + column;

            *point += 0.25f * point[-WIDTH] + 0.25f * point[-1] -
                      1.0f * *point + 0.25f * point[1] + 0.25f * point[WIDTH];
        }
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
    const double fourth_root = 1.189207115002721;

    (void)round;
    for (double size = 32; size < LARGEST; size *= fourth_root) {
        size_t bytes = (size_t)(size + 0.5);

        if (RCCE_ue() % 2 == 0) {
            RCCE_send(data, bytes, other());
            RCCE_recv(data, bytes, other());
        } else {
            RCCE_recv(data, bytes, other());
            RCCE_send(data, bytes, other());
        }
    }
}

static int begin(void)
{
    size_t pairs = (size_t)RCCE_num_ues() / 2, own = (size_t)RCCE_ue() / 2;

    shared = (volatile double *)RCCE_shmalloc(sizeof(double) * SHARED * pairs);
    if (!shared)
        return 0;
    shared += own * SHARED;
    for (int i = 0; RCCE_ue() % 2 == 0 && i < SHARED; i++)
        shared[i] = 0;
    for (int i = 0; i < 2; i++) {
        rows[i] = RCCE_malloc(ROW_BYTES);
        if (!rows[i] || RCCE_flag_alloc(&arrived[i]))
            return 0;
    }
    for (int i = 0; i < WIDTH; i++)
        side[i + (RCCE_ue() % 2 ? (ROWS - 1) * WIDTH : 0)] =
            (float)(1 + RCCE_ue() % 2);
    return 1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*round)(int);
        /* Rounds that fill the caches, and bring partners together again whom
         * the barrier let go one after the other. */
        int before;
    } programs[] = {{"share", share, 1},
                    {"shift", shift, 2},
                    {"stencil", stencil, 2},
                    {"pingpong", pingpong, 0}};
    void (*one_round)(int) = NULL;
    int before = 0;

    setenv("RCCE_LOG", "targets", 1);
    if (argc < 3 || RCCE_init(&argc, &argv) || !begin())
        return 2;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(argv[1], programs[i].name) == 0) {
            one_round = programs[i].round;
            before = programs[i].before;
        }
    if (!one_round || RCCE_num_ues() % 2)
        return 2;
    int rounds = atoi(argv[2]);
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int i = 0; i < before; i++)
        one_round(i);
    uint64_t start = __builtin_ia32_rdtsc();
    for (int i = 0; i < rounds; i++)
        one_round(i);
    uint64_t cycles = __builtin_ia32_rdtsc() - start;
    printf("%d %llu\n", RCCE_ue(), (unsigned long long)cycles);
    if (!is_whole())
        return 3;
    return RCCE_finalize();
}
