// cc: -O1 -lrcce
// run: -n 2
/* Shared DRAM by its three mappings: what L1D, L2 and the buffer keep. */
#include "seeds.h"

static int me, step;
static uint32_t sum;

static void old_copy_of_the_reader(void)
{
    word *data = dram(me ? CACHED : UNCACHED, 0);
    if (me == 1)
        sum += *data;
    meet(++step);
    if (me == 0)
        *data = 0x11;
    meet(++step);
    if (me == 1) {
        LEFT_OUT(flush_page(0);)
        sum += *data; /* finds: mixed-mapping */
    }
    meet(++step);
}

static void both_cached_reader_not_flushed(void)
{
    word *data = dram(CACHED, 1);
    if (me == 1)
        sum += *data;
    meet(++step);
    if (me == 0) {
        *data = 0x22; /* no allocate: goes to memory at once */
        flush_page(1);
    }
    meet(++step);
    if (me == 1) {
        LEFT_OUT(flush_page(1);)
        sum += *data; /* finds: stale-read */
    }
    meet(++step);
}

static void writer_keeps_it_in_l1(void)
{
    word *data = dram(me ? UNCACHED : CACHED, 2);
    if (me == 0) {
        sum += *data;
        *data = 0x33; /* finds: stuck-write */
        LEFT_OUT(flush_page(2);)
    }
    meet(++step);
    if (me == 1)
        sum += *data;
    meet(++step);
}

static void writer_keeps_it_in_l2(void)
{
    word *data = dram(me ? UNCACHED : CACHED, 3);
    if (me == 0) {
        sum += *data;
        displace_l1(data);
        *data = 0x44; /* finds: stuck-write */
        LEFT_OUT(flush_page(3);)
    }
    meet(++step);
    if (me == 1)
        sum += *data;
    meet(++step);
}

static void flushed_before_the_store(void)
{
    word *data = dram(CACHED, 4);
    if (me == 0) {
        sum += *data;
        MISTAKE(flush_page(4);)
        sum += *data;
        *data = 0x55; /* finds: stuck-write */
        LEFT_OUT(flush_page(4);)
    }
    meet(++step);
    if (me == 1)
        sum += *data;
    meet(++step);
}

static void the_wrong_core_flushes(void)
{
    word *data = dram(CACHED, 5);
    if (me == 0) {
        sum += *data;
        *data = 0x66; /* finds: stuck-write */
        LEFT_OUT(flush_page(5);)
    }
    meet(++step);
    if (me == 1) {
        flush_page(5);
        sum += *data;
    }
    meet(++step);
}

static void neighbours_in_one_line(void)
{
    word *counters = dram(CACHED, 6);
    word *mine = counters + (me ? MENDED_STRIDE : 0);
    sum += *mine;
    meet(++step);
    for (int n = 0; n < 10; n++)
        *mine += 1; /* finds: lost-update */
    meet(++step);
    if (me == 0)
        flush_page(6);
    meet(++step);
    if (me == 1)
        flush_page(6);
    meet(++step);
}

struct pair {
    word left;
#ifdef MENDED
    word space[7];
#endif
    word right;
};

static void fields_of_one_line(void)
{
    volatile struct pair *pair = (void *)dram(CACHED, 7);
    sum += pair->left + pair->right;
    meet(++step);
    if (me == 0)
        pair->left = 0x71; /* finds: lost-update */
    else
        pair->right = 0x72;
    meet(++step);
    for (int turn = 0; turn < 2; turn++) {
        if (me == turn)
            flush_page(7);
        meet(++step);
    }
}

static void beside_an_uncached_word(void)
{
    word *cached = dram(CACHED, 8), *uncached = dram(UNCACHED, 8);
    if (me == 0)
        sum += cached[0];
    meet(++step);
    if (me == 1)
        uncached[MENDED_STRIDE] = 0x81; /* finds: lost-update */
    meet(++step);
    if (me == 0) {
        cached[0] = 0x82;
        flush_page(8);
    }
    meet(++step);
}

static void two_mappings_of_one_core(void)
{
    word *cached = dram(CACHED, 9), *uncached = dram(UNCACHED, 9);
    if (me == 0) {
        sum += *cached;
        *uncached = 0x99;
        LEFT_OUT(flush_page(9);)
        sum += *cached; /* finds: mixed-mapping */
    }
    meet(++step);
}

static void combined_and_not_drained(void)
{
    word *data = dram(COMBINED, 10), *drain = dram(COMBINED, 100);
    if (me == 0) {
        *data = 0xA1; /* finds: stuck-write */
        LEFT_OUT(*drain = 1;)
    }
    meet(++step);
    if (me == 1)
        sum += *dram(UNCACHED, 10);
    meet(++step);
    drain[8 * me] = 1;
}

static void combined_and_not_invalidated(void)
{
    word *data = dram(COMBINED, 11), *drain = dram(COMBINED, 100);
    if (me == 1)
        sum += *data;
    meet(++step);
    if (me == 0) {
        *data = 0xB1;
        drain[16] = 2;
    }
    meet(++step);
    if (me == 1) {
        LEFT_OUT(CL1INVMB();)
        sum += *data; /* finds: stale-read */
    }
    meet(++step);
}

static void payload_behind_an_uncached_pointer(void)
{
    word *payload = dram(CACHED, 12), *pointer = dram(UNCACHED, 13);
    if (me == 0) {
        sum += payload[64];
        payload[64] = 0xC1; /* finds: stuck-write */
        LEFT_OUT(flush_page(12);)
        *pointer = 64;
    } else {
        while (!*pointer)
            ;
        sum += payload[*pointer];
    }
    meet(++step);
}

static void results_read_before(void)
{
    word *results = dram(CACHED, 14);
    if (me == 0)
        sum += results[8];
    meet(++step);
    if (me == 1) {
        results[8] = 0xE1;
        flush_page(14);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0) {
        LEFT_OUT(flush_page(14);)
        sum += results[8]; /* finds: stale-read */
    }
    meet(++step);
}

static void copied_out_of_the_cache(void)
{
    static char text[] = "a text of more than a line, so that two are touched";
    word *data = dram(CACHED, 15);
    if (me == 0) {
        sum += data[0] + data[8];
        memcpy((void *)data, text, sizeof text); /* finds: stuck-write */
        LEFT_OUT(flush_page(15);)
    }
    meet(++step);
    if (me == 1)
        sum += data[2] + data[9];
    meet(++step);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    turn_open();
    RCCE_barrier(&RCCE_COMM_WORLD);
    old_copy_of_the_reader();
    both_cached_reader_not_flushed();
    writer_keeps_it_in_l1();
    writer_keeps_it_in_l2();
    flushed_before_the_store();
    the_wrong_core_flushes();
    neighbours_in_one_line();
    fields_of_one_line();
    beside_an_uncached_word();
    two_mappings_of_one_core();
    combined_and_not_drained();
    combined_and_not_invalidated();
    payload_behind_an_uncached_pointer();
    results_read_before();
    copied_out_of_the_cache();
    printf("%u\n", sum);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
