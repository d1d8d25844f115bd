// cc: -O2 -I${system}/kernel/devices ${system}/kernel/devices/rckmb_ring.c
// run: -n 5 --tag none
// also: --cores 47,0,1,46,23
// expect-stdout:
// 2000 packets of 4 cores, 1530212 bytes, all as they were sent
// 3000 random words: 3000 rounds, the ring works on
// a closed ring leaves zeros, and nothing on its way
/* ring.c: the rings of rckmb, as the driver of Linux uses them, without Linux.
 * Four cores send to the first one, each packet with a length and contents that
 * its number says; their order is kept. Then random words
 * are written anywhere into the ring, with no regard for any lock or rule. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rckmb_ring.h"
#include "scc/job.h"
#include "scc/map.h"
#include "scc/memory_map.h"

#define SENDERS 4
#define TAIL 8 /* the word of the ring where its tail is */
#define PACKETS 500
#define WORDS 3000
#define WORDS_OF_LINE (RCKMB_LINE / 4)

static struct rckmb_ring ring;
static scc_lock *lock;
static unsigned char data[RCKMB_LONGEST];

static void fail(const char *what, unsigned number)
{
    printf("%s (%u)\n", what, number);
    exit(1);
}

static void open_ring(int core)
{
    uint32_t at = scc_mpb_of(core);
    void *control = scc_map(SCC_UNCACHED, at, SCC_MPB_SIZE_PER_CORE);
    void *messages = scc_map(SCC_MPBT, at, SCC_MPB_SIZE_PER_CORE);

    if (!control || !messages)
        fail("no message buffer", 0);

    lock = scc_lock_of(core);
    rckmb_ring_place(&ring, control, messages, SCC_MPB_SIZE_PER_CORE);
}

static unsigned length_of(unsigned number)
{
    return RCKMB_SHORTEST +
           number * 613u % (RCKMB_LONGEST - RCKMB_SHORTEST + 1u);
}

static unsigned char byte_of(unsigned from, unsigned number, unsigned at)
{
    return (unsigned char)(from * 71u + number * 13u + at * 7u + at / 256u);
}

static void send_all(unsigned rank)
{
    for (unsigned number = 0; number < PACKETS; number++) {
        unsigned length = length_of(number);
        enum rckmb_result result;
        int bell;

        for (unsigned n = 0; n < length; n++)
            data[n] = byte_of(rank, number, n);
        do {
            scc_lock_take(lock, 50, 400);
            result = rckmb_ring_put(&ring, rank, data, length, &bell);
            scc_lock_give(lock);
        } while (result == RCKMB_FULL || result == RCKMB_NOBODY);
        if (result != RCKMB_OK)
            fail("a packet was refused", result);
    }
    if (rckmb_ring_put(&ring, rank, data, RCKMB_LONGEST + 1, &(int){0}) !=
        RCKMB_SIZE)
        fail("an oversized packet was taken", rank);
}

/* The next packet; its sender's count of packets says which it must be. */
static unsigned receive(unsigned *counts)
{
    struct rckmb_packet packet;
    enum rckmb_result result;

    while ((result = rckmb_ring_next(&ring, &packet)) == RCKMB_EMPTY)
        ;
    if (result != RCKMB_OK || packet.from < 1 || packet.from > SENDERS)
        fail("no packet", result);
    unsigned number = counts[packet.from]++;
    if (packet.length != length_of(number))
        fail("a wrong length", packet.length);
    rckmb_ring_take(&ring, &packet, data);
    for (unsigned n = 0; n < packet.length; n++)
        if (data[n] != byte_of(packet.from, number, n))
            fail("a wrong byte", n);
    return packet.length;
}

static void receive_all(void)
{
    unsigned counts[SENDERS + 1] = {0}, bytes = 0;

    for (unsigned n = 0; n < SENDERS * PACKETS; n++)
        bytes += receive(counts);
    printf("%u packets of %u cores, %u bytes, all as they were sent\n",
           SENDERS * PACKETS, SENDERS, bytes);
}

static unsigned random_word(void)
{
    static unsigned state = 20101;

    state = state * 1103515245u + 12345u;
    return state ^ state >> 15;
}

/* The receiver looks once more, and then takes packets again. */
static void mend(void)
{
    struct rckmb_packet packet;
    enum rckmb_result result;

    ring.control[0] = 0;
    if (!rckmb_ring_calls(&ring))
        fail("a spoilt mark is not seen", 0);
    while ((result = rckmb_ring_next(&ring, &packet)) != RCKMB_EMPTY)
        if (result == RCKMB_OK)
            rckmb_ring_take(&ring, &packet, data);
        else
            rckmb_ring_open(&ring);
    if (rckmb_ring_calls(&ring))
        fail("an empty ring calls", 0);
}

/* Whatever stands there, a round ends, and takes no more than a packet. */
static void survive_random_words(volatile uint32_t *words, unsigned count)
{
    unsigned rounds = 0;

    for (unsigned n = 0; n < count; n++) {
        struct rckmb_packet packet;
        enum rckmb_result result;
        unsigned at = random_word() % (SCC_MPB_SIZE_PER_CORE / 4);

        words[n % 3 == 0 ? at % 16 : at] =
            n % 2 ? random_word() : random_word() % 256;
        result = rckmb_ring_next(&ring, &packet);
        if (result == RCKMB_OK && packet.length > RCKMB_LONGEST)
            fail("an oversized packet was given", packet.length);
        if (result == RCKMB_OK)
            rckmb_ring_take(&ring, &packet, data);
        else if (result == RCKMB_BROKEN)
            rckmb_ring_open(&ring);
        rounds++;
    }
    mend();
    if (rckmb_ring_put(&ring, 7, "a frame of twenty.", 18, &(int){0}))
        fail("the ring takes nothing", 0);
    struct rckmb_packet packet;
    if (rckmb_ring_next(&ring, &packet) || packet.length != 18 ||
        packet.from != 7)
        fail("the ring gives nothing", 1);
    ring.control[TAIL] = 0x7FFFFFFF;
    int bell = 0;
    if (rckmb_ring_put(&ring, 7, "a frame of twenty.", 18, &bell) !=
            RCKMB_BROKEN ||
        !bell)
        fail("the receiver of a broken ring is not woken", bell);
    rckmb_ring_take(&ring, &packet, data);
    if (memcmp(data, "a frame of twenty.", 18))
        fail("the ring gives something else", 2);
    printf("%u random words: %u rounds, the ring works on\n", count, rounds);
}

/* What a program finds in the message buffer after a network was in it: zeros,
 * and no store that comes when the program has begun. */
static void leave_zeros(void)
{
    volatile uint32_t *words = ring.control;
    ptrdiff_t drain = ring.drain - ring.packets +
                      (ptrdiff_t)(RCKMB_CONTROL_LINES * WORDS_OF_LINE);

    if (rckmb_ring_put(&ring, 7, "a frame of twenty.", 18, &(int){0}))
        fail("the ring takes nothing", 3);
    rckmb_ring_close(&ring);
    for (unsigned n = 0; n < SCC_MPB_SIZE_PER_CORE / 4; n++)
        if (words[n])
            fail("a word is left", n);
    /* A flag of the program, where the ring's last single store went. */
    words[drain] = 1;
    ring.packets[0] = 0;
    ring.packets[WORDS_OF_LINE] = 0;
    if (words[drain] != 1)
        fail("a store of the ring came late", 0);
    printf("a closed ring leaves zeros, and nothing on its way\n");
}

int main(int count, char **words)
{
    const struct scc_job *job = scc_job();

    open_ring(job->core_of[0]);
    if (job->rank != 0) {
        send_all((unsigned)job->rank);
        return 0;
    }
    scc_lock_take(lock, 50, 400);
    rckmb_ring_open(&ring);
    scc_lock_give(lock);
    receive_all();
    survive_random_words(ring.control,
                         count > 1 ? (unsigned)atoi(words[1]) : WORDS);
    rckmb_ring_open(&ring);
    leave_zeros();
    return 0;
}
