/*
 * measure.c: round trips of 32 bytes, and throughput of packets one way.
 * Core 0 answers or receives; the other core measures and prints
 *   name rounds cycles shortest longest   (round trips)
 *   name size packets payload cycles      (throughput)
 */
#include <stdio.h>
#include <string.h>

#include "scctalk.h"

#define MESSAGE LINE
#define WARM_UP 2
#define FLUSH (512u << 10) /* twice the L2 */

static _Alignas(LINE) uint64_t data[PACKET_MAX / 8];

/* 0..50 turns of two clocks: each round begins at another phase of the
 * partner's polling loop. It is not part of what is measured. */
static void pause_before_round(void)
{
    static uint32_t state = 1;
    uint32_t turns;

    state = state * 1103515245u + 12345u;
    turns = (state >> 16) % 51;
    __asm__ volatile("1: decl %0\n\tjns 1b" : "+r"(turns) : : "cc");
}

static void answer(struct way way, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        receive_packet(way);
        send_packet(way, data, MESSAGE);
    }
}

void round_trips(struct way way, int rounds, const char *name)
{
    uint64_t total = 0, shortest = UINT64_MAX, longest = 0;

    interrupt_cycles = 0;
    if (is_core_0()) {
        answer(way, rounds + WARM_UP);
        return;
    }
    for (int round = 0; round < rounds + WARM_UP; round++) {
        uint64_t start, cycles;

        pause_before_round();
        start = cycles_now();
        send_packet(way, data, MESSAGE);
        receive_packet(way);
        cycles = cycles_now() - start;
        if (round < WARM_UP)
            continue;
        total += cycles;
        shortest = cycles < shortest ? cycles : shortest;
        longest = cycles > longest ? cycles : longest;
    }
    printf("%s %d %llu %llu %llu", name, rounds, (unsigned long long)total,
           (unsigned long long)shortest, (unsigned long long)longest);
    if (way.notice == INTERRUPT)
        printf(" %llu",
               (unsigned long long)interrupt_cycles / (rounds + WARM_UP));
    printf("\n");
}

/* The first packet is looked at, so that a static buffer is in the caches as
 * one that is used; any other packet where it lies, so that no line of ours
 * takes the place of a measured one. True if it is what was sent. */
static int first_packet_is_right(struct way way, size_t size)
{
    struct way look = {way.place, way.notice, CHECK, 0, 0};

    if (way.sink == STATIC)
        look.sink = STATIC;
    receive_and_signal(look);
    return way.sink == STATIC
               ? payload_is_right(received, payload_of(way, size), size)
               : last_packet_was_right;
}

static _Alignas(LINE) uint64_t old_place[FLUSH / 8], new_place[FLUSH / 8];

void touch_memory(void)
{
    touch_pages(old_place, sizeof(old_place));
    touch_pages(new_place, sizeof(new_place));
    touch_ring();
}

/* A copy that leaves nothing of ours in L1 and L2. Nobody reads it: the
 * compiler must not know. */
static void flush_caches(void)
{
    memcpy(new_place, old_place, FLUSH);
    __asm__ volatile("" : : "r"(new_place) : "memory");
}

int throughput(struct way way, size_t size, int packets, const char *name)
{
    if (is_core_0()) {
        if (way.sink == PLAIN || way.sink == ALLOCATE)
            use_ring();
        int right = first_packet_is_right(way, size);

        if (way.flush)
            flush_caches();
        receive_packets(way, size, WARM_UP + packets - 1);
        return right;
    }
    uint64_t start = 0;
    for (size_t i = 0; i < PACKET_MAX / 8; i++)
        data[i] = DATA(size, i);
    for (int packet = 0; packet < WARM_UP + packets; packet++) {
        if (packet == WARM_UP)
            start = cycles_now();
        send_packet(way, data, size);
        wait_for_packet(way.notice);
    }
    uint64_t cycles = cycles_now() - start;
    printf("%s %u %d %u %llu\n", name, (unsigned)size, packets,
           (unsigned)payload_of(way, size), (unsigned long long)cycles);
    return 1;
}
