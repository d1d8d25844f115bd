/*
 * packages.c: a stream of packages into the receiver's message buffer, as
 * MetalSVM's sockets do it without IP [marc-2011].
 *
 *     packages LARGEST
 *
 * The receiver has a heap of 7 KB in its MPB. The sender takes room from it,
 * copies the package there, and enters it in a list; the receiver copies it
 * out (both with iRCCE's copies) and gives the room back. The list lies in
 * uncached shared memory and is guarded by the receiver's lock. A package of
 * more than half of the heap less one line goes in pieces. So the two cores
 * overlap while two pieces fit.
 *
 * Output: bytes of a package, packages, cycles at the receiver.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "iRCCE.h"

#define HEAP 7168
#define PIECE_MOST (HEAP / 2 - RCCE_LINE_SIZE)
#define PIECES 8
#define SMALLEST 32
#define LARGEST 32768
/* Packages of a size, so that all sizes take about as long. */
#define BYTES_EACH 131072
#define LEAST 8

enum state { FREE, FILLING, FULL };

struct piece {
    int state, at, bytes;
};

/* Uncached, seen by both: pieces in the order of sending, round and round. */
static volatile struct piece *list;
static t_vcharp heap;
static unsigned char data[LARGEST];
static int next; /* the place of the next piece in the list */

static int round_up(int bytes)
{
    return (bytes + RCCE_LINE_SIZE - 1) / RCCE_LINE_SIZE * RCCE_LINE_SIZE;
}

/* The lowest place where `bytes` fit between the pieces there are, or -1. */
static int find_room(int bytes)
{
    int at = 0;

    for (int i = 0; i < PIECES; i++)
        if (list[i].state != FREE && at < list[i].at + list[i].bytes &&
            list[i].at < at + bytes) {
            at = list[i].at + list[i].bytes;
            i = -1; /* may overlap one that was passed */
        }
    return at + bytes <= HEAP ? at : -1;
}

/* The number of pieces that the receiver has not given back. */
static int in_use(void)
{
    int count = 0;

    for (int i = 0; i < PIECES; i++)
        count += list[i].state != FREE;
    return count;
}

/* Room for the next piece. Without it nothing changes before the oldest piece
 * is given back: meanwhile the lock is the receiver's. */
static int take_room(int bytes)
{
    for (;;) {
        RCCE_acquire_lock(1);
        int oldest = (next + PIECES - in_use()) % PIECES;
        int at = list[next].state == FREE ? find_room(bytes) : -1;
        if (at >= 0) {
            list[next].at = at;
            list[next].bytes = bytes;
            list[next].state = FILLING;
        }
        RCCE_release_lock(1);
        if (at >= 0)
            return at;
        while (list[oldest].state != FREE)
            ;
    }
}

static int pieces_of(int size)
{
    return (size + PIECE_MOST - 1) / PIECE_MOST;
}

static int piece_bytes(int size, int piece)
{
    int left = size - piece * PIECE_MOST;

    return left < PIECE_MOST ? left : PIECE_MOST;
}

static void send(int size)
{
    for (int piece = 0; piece < pieces_of(size); piece++) {
        int bytes = round_up(piece_bytes(size, piece));
        int at = take_room(bytes);
        iRCCE_put(heap + at, data + piece * PIECE_MOST, bytes, 1);
        RCCE_acquire_lock(1);
        list[next].state = FULL;
        RCCE_release_lock(1);
        next = (next + 1) % PIECES;
    }
}

static void receive(int size)
{
    for (int piece = 0; piece < pieces_of(size); piece++) {
        while (list[next].state != FULL)
            ;
        RCCE_acquire_lock(1);
        int at = list[next].at, bytes = list[next].bytes;
        RCCE_release_lock(1);
        iRCCE_get(data + piece * PIECE_MOST, heap + at, bytes, 1);
        RCCE_acquire_lock(1);
        list[next].state = FREE;
        RCCE_release_lock(1);
        next = (next + 1) % PIECES;
    }
}

static void measure(int size)
{
    int count = BYTES_EACH / size;

    if (count > BYTES_EACH / 256)
        count = BYTES_EACH / 256;
    if (count < LEAST)
        count = LEAST;
    void (*work)(int) = RCCE_ue() == 0 ? send : receive;
    for (int i = 0; i < 4; i++)
        work(size); /* fills the caches, and the heap */
    uint64_t start = __builtin_ia32_rdtsc();
    for (int i = 0; i < count; i++)
        work(size);
    uint64_t cycles = __builtin_ia32_rdtsc() - start;
    if (RCCE_ue() == 1)
        printf("%d %d %llu\n", size, count, (unsigned long long)cycles);
    RCCE_barrier(&RCCE_COMM_WORLD);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int largest = argc > 1 ? atoi(argv[1]) : 0;
    heap = RCCE_malloc(HEAP);
    list = (volatile struct piece *)RCCE_shmalloc(PIECES * sizeof *list);
    if (!heap || !list || largest > LARGEST || RCCE_num_ues() != 2)
        return 2;
    for (int i = 0; RCCE_ue() == 0 && i < PIECES; i++)
        list[i].state = FREE;
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int size = SMALLEST; size <= largest; size *= 2)
        measure(size);
    return RCCE_finalize();
}
