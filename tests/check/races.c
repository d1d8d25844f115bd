// cc: -O1 -DGORY -lrcce
// run: -n 2
/* Accesses that nothing orders: in message buffers, in shared memory, and a
 * lock that is released by who does not hold it. */
#include "seeds.h"

static RCCE_FLAG full, empty;
static t_vcharp box;
static word *shared;
static int me;
static uint32_t sum;

/* Later than the other core, by time alone. */
static void wait_some_time(void)
{
    for (volatile int n = 0; n < 20000; n++)
        ;
}

static uint32_t line[8] __attribute__((aligned(32)));

/* A line with this value in its first word. */
static t_vcharp with(uint32_t value)
{
    for (uint32_t n = 0; n < 8; n++)
        line[n] = value + n;
    return (t_vcharp)line;
}

static void set(RCCE_FLAG *flag, int ue)
{
    RCCE_flag_write(flag, RCCE_FLAG_SET, ue);
}

static void await(RCCE_FLAG flag)
{
    RCCE_wait_until(flag, RCCE_FLAG_SET);
    RCCE_flag_write(&flag, RCCE_FLAG_UNSET, me);
}

static void fetched_before_it_is_there(void)
{
    if (me == 0) {
        wait_some_time();
        RCCE_put(box, with(0x11), LINE, 1);
        set(&full, 1);
    } else {
        LEFT_OUT(await(full);)
        RCCE_get((t_vcharp)line, box, LINE, 1); /* finds: early-read */
        MISTAKE(await(full);)
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void two_slots_and_no_credit(void)
{
    for (uint32_t round = 0; round < 4; round++) {
        t_vcharp slot = box + 32 + 32 * (round % 2);
        if (me == 0) {
            LEFT_OUT(if (round > 1) await(empty);)
            t_vcharp text = with(0x20 + 16 * round);
            RCCE_put(slot, text, LINE, 1); /* finds: overwritten */
            set(&full, 1);
            MISTAKE(wait_some_time();)
        } else {
            await(full);
            RCCE_get((t_vcharp)line, slot, LINE, 1);
            LEFT_OUT(if (round < 2) set(&empty, 0);)
        }
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void own_buffer_is_used_again(void)
{
    t_vcharp slot = box + 96;
    for (uint32_t round = 0; round < 2; round++) {
        if (me == 0) {
            t_vcharp text = with(0x30 + 16 * round);
            RCCE_put(slot, text, LINE, 0); /* finds: race */
            set(&full, 1);
        } else {
            await(full);
            MISTAKE(set(&empty, 0);) /* before it is fetched */
            MISTAKE(wait_some_time();)
            RCCE_get((t_vcharp)line, slot, LINE, 0);
            LEFT_OUT(set(&empty, 0);)
        }
        if (me == 0)
            await(empty);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void queue_that_forgets_its_reader(void)
{
    word *tail = shared, *slots = shared + 8;
    for (uint32_t item = 0; item < 4; item++) {
        if (me == 0) {
            LEFT_OUT(while (item >= 2 + shared[64]);)
            slots[8 * (item % 2)] = 0x40 + item; /* finds: race */
            *tail = item + 1;
            MISTAKE(wait_some_time();)
        } else {
            while (*tail <= item)
                ;
            sum += slots[8 * (item % 2)];
            LEFT_OUT(shared[64] = item + 1;)
        }
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void phases_without_a_barrier(void)
{
    word *grid = shared + 96;
    if (me == 1)
        wait_some_time();
    for (int n = 0; n < 4; n++)
        grid[4 * me + n] = 0x50u + (uint32_t)(4 * me + n); /* finds: race */
    LEFT_OUT(RCCE_barrier(&RCCE_COMM_WORLD);)
    sum += grid[4 * (1 - me) + 3];
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void counted_without_the_lock(void)
{
    word *count = shared + 128;
    for (int n = 0; n < 3; n++) {
        LEFT_OUT(RCCE_acquire_lock(0);)
        *count += 1; /* finds: race */
        LEFT_OUT(RCCE_release_lock(0);)
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void only_one_takes_the_lock(void)
{
    word *total = shared + 160;
    if (me == 0) {
        RCCE_acquire_lock(0);
        *total = 0x70;
        RCCE_release_lock(0);
    } else {
        wait_some_time();
        LEFT_OUT(RCCE_acquire_lock(0);)
        *total = 0x71; /* finds: double-write */
        LEFT_OUT(RCCE_release_lock(0);)
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void released_by_who_has_it_not(void)
{
    int mine = me == 0;
    RCCE_acquire_lock(0);
    RCCE_release_lock(0);
    if (mine)
        RCCE_acquire_lock(1);
    else
        wait_some_time();
    LEFT_OUT(if (mine))
    RCCE_release_lock(1); /* finds: lock-misuse */
    RCCE_barrier(&RCCE_COMM_WORLD);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    box = RCCE_malloc(256);
    RCCE_flag_alloc(&full);
    RCCE_flag_alloc(&empty);
    shared = dram(UNCACHED, 60);
    RCCE_barrier(&RCCE_COMM_WORLD);
    fetched_before_it_is_there();
    two_slots_and_no_credit();
    own_buffer_is_used_again();
    queue_that_forgets_its_reader();
    phases_without_a_barrier();
    counted_without_the_lock();
    only_one_takes_the_lock();
    released_by_who_has_it_not();
    printf("%u\n", sum);
    return RCCE_finalize();
}
