/*
 * cap.c: the chip's power, millisecond by millisecond.
 *
 * cap GOAL [MILLISECONDS]: all UEs compute, and wait for shared memory, a few
 * milliseconds each in turn; UE 0 prints what the chip took in each
 * millisecond.
 */
#include "goal.h"

#include <stdio.h>

#define MOST 200
#define PS_PER_MS 1000000000ull
#define COMPUTING 6
#define TERMS 150
#define READS 8

static volatile double result;

static void compute(void)
{
    double x = 0.5, sum = 0;

    for (int i = 0; i < TERMS; i++) {
        sum = sum * x + 1.0;
        x = x * 0.999 + 0.0004;
    }
    result = sum;
}

/* Milliseconds since `start` on this core's own clock: it may run slower than
 * at the start, so phases are of different lengths on different cores. */
static int phase(uint64_t start)
{
    return (int)((__builtin_ia32_rdtsc() - start) / 300000);
}

int main(int argc, char **argv)
{
    static unsigned watts[MOST];
    struct goal goal;
    unsigned count = 0;

    RCCE_init(&argc, &argv);
    int most = argc > 2 ? atoi(argv[2]) : 20;
    t_vcharp shared = RCCE_shmalloc(4096);
    if (argc < 2 || !shared || most > MOST || goal_start(&goal, argv[1]))
        return 1;
    uint64_t start = __builtin_ia32_rdtsc(), time, energy;
    rck_power_chip_look(&energy, &time);
    uint64_t end = time + PS_PER_MS * (uint64_t)most;
    for (uint64_t now = time; now < end;) {
        if (phase(start) % (2 * COMPUTING) < COMPUTING)
            compute();
        else
            for (int i = 0; i < READS; i++)
                (void)shared[i * RCCE_LINE_SIZE];
        goal_tick(&goal, 0);
        if (RCCE_ue() == 0) {
            uint64_t again;

            rck_power_chip_look(&again, &now);
            if (now - time < PS_PER_MS || count == MOST)
                continue;
            watts[count++] = (unsigned)((again - energy) * 1000 / (now - time));
            energy = again;
            time = now;
        } else {
            /* Others ask the meter as seldom as they can. */
            static int turn;
            if (++turn % 32 == 0)
                now = rck_power_time();
        }
    }
    goal_end(&goal, argv[1]);
    for (unsigned i = 0; RCCE_ue() == 0 && i < count && i < MOST; i++)
        printf("%u.%03u W\n", watts[i] / 1000000, watts[i] / 1000 % 1000);
    RCCE_finalize();
    return 0;
}
