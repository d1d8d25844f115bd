// Every lock excludes, every barrier separates; counters lose nothing.
// run: --cores 0,1,14,23,47,30 --tag none
// cc: -lrcce_sync -lircce -lrcce
// expect-stdout:
// try: free 1, taken 0
// spin 60, back-off 60, air 60, rcce 60 of 60
// fair counter: 60
// barriers: tas 0, air 0, rcce 0 early
// random: 6 sequences
// misuse: 1234324 1234324 1234334 1234334
#include "RCCE_sync.h"

#define ROUNDS 10
#define LATE 40

static volatile int *shared;
static RCCE_AIR_LOCK ticket;
static RCCE_AIR_BARRIER air;

static void pause_some(void)
{
    for (volatile unsigned n = RCCE_backoff_random() % 50; n > 0; n--)
        ;
}

/* An increment that takes long enough to be interrupted by others. */
static void increment(int slot)
{
    int value = shared[slot];
    pause_some();
    shared[slot] = value + 1;
}

static void with_locks(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        RCCE_spin_lock(2);
        increment(0);
        RCCE_release_lock(2);
        RCCE_backoff_lock(3);
        increment(1);
        RCCE_release_lock(3);
        RCCE_air_acquire(&ticket);
        increment(2);
        RCCE_air_release(&ticket);
        RCCE_acquire_lock(4);
        increment(3);
        RCCE_release_lock(4);
    }
}

static int barrier(int kind)
{
    if (kind == 0)
        return RCCE_tas_barrier();
    if (kind == 1)
        return RCCE_air_barrier(&air);
    return RCCE_barrier(&RCCE_COMM_WORLD);
}

/* Before each barrier everybody counts, one of them late; behind it all must
 * have. */
static int early(int kind, int me, int ues)
{
    volatile int *count = shared + 16 + 64 * kind;
    int wrong = 0;
    for (int i = 1; i <= ROUNDS; i++) {
        for (int n = i % ues == me ? LATE : 1; n > 0; n--)
            pause_some();
        count[me] = i;
        if (barrier(kind))
            return 1000;
        for (int ue = 0; ue < ues; ue++)
            wrong += count[ue] < i;
    }
    return wrong;
}

static int total(int mine)
{
    int sum = 0;
    RCCE_allreduce((char *)&mine, (char *)&sum, 1, RCCE_INT, RCCE_SUM,
                   RCCE_COMM_WORLD);
    return sum;
}

static void tries(int me)
{
    int first = -1, second = -1;
    if (me == 1) {
        RCCE_try_lock(5, &first);
        RCCE_try_lock(5, &second);
        printf("try: free %d, taken %d\n", first, second);
        RCCE_release_lock(5);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
}

int RCCE_APP(int argc, char **argv)
{
    int old, values[6], mine, taken, different = 1;
    RCCE_COUNTER counter;
    RCCE_init(&argc, &argv);
    iRCCE_init();
    int me = RCCE_ue(), ues = RCCE_num_ues();
    shared = (volatile int *)RCCE_shmalloc(4096);
    RCCE_air_lock_alloc(&ticket);
    RCCE_air_barrier_alloc(&air);
    RCCE_counter_alloc(&counter, 3);
    tries(me);
    with_locks();
    for (int i = 0; i < ROUNDS; i++)
        RCCE_counter_add(&counter, 1, &old);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 1) {
        printf("spin %d, back-off %d, air %d, rcce %d of %d\n", shared[0],
               shared[1], shared[2], shared[3], ues * ROUNDS);
        RCCE_counter_add(&counter, 0, &old);
        printf("fair counter: %d\n", old);
    }
    RCCE_barrier(&RCCE_COMM_WORLD); /* now no lock is held any more */
    int tas = total(early(0, me, ues)), fpga = total(early(1, me, ues));
    int rcce = total(early(2, me, ues));
    if (me == 1)
        printf("barriers: tas %d, air %d, rcce %d early\n", tas, fpga, rcce);
    mine = (int)RCCE_backoff_random();
    for (int ue = 0; ue < ues; ue++) {
        values[ue] = mine;
        RCCE_bcast((char *)&values[ue], sizeof(int), ue, RCCE_COMM_WORLD);
        for (int i = 0; i < ue; i++)
            different += i == 0 && values[ue] != values[0];
    }
    if (me == 1) {
        printf("random: %d sequences\n", different);
        printf("misuse: %d %d %d %d\n", RCCE_try_lock(6, &taken),
               RCCE_backoff_lock(-1), RCCE_try_lock(1, NULL),
               RCCE_air_acquire(NULL));
    }
    return RCCE_finalize();
}
