/*
 * messages.c: two cores send a message back and forth, by sizes and ways.
 *
 *   rcce       RCCE_send and RCCE_recv
 *   ircce      iRCCE_isend and iRCCE_irecv, each waited for at once
 *   pipelined  iRCCE_ssend and iRCCE_srecv: two pieces under way
 *
 *     messages WAY LARGEST
 *
 * Output: bytes, rounds, cycles of all rounds. Before they count, one round
 * fills the caches.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iRCCE.h"

#define SMALLEST 32
#define LARGEST 65536
/* Rounds of a size, so that all sizes take about as long. */
#define BYTES_EACH 16384
#define MOST_ROUNDS 16
#define LEAST_ROUNDS 2

enum way { RCCE, IRCCE, PIPELINED };

static char data[LARGEST];

static void send(enum way way, int size)
{
    iRCCE_SEND_REQUEST request;
    int other = 1 - RCCE_ue();

    if (way == RCCE) {
        RCCE_send(data, (size_t)size, other);
    } else if (way == IRCCE) {
        iRCCE_isend(data, size, other, &request);
        iRCCE_isend_wait(&request);
    } else {
        iRCCE_ssend(data, size, other);
    }
}

static void receive(enum way way, int size)
{
    iRCCE_RECV_REQUEST request;
    int other = 1 - RCCE_ue();

    if (way == RCCE) {
        RCCE_recv(data, (size_t)size, other);
    } else if (way == IRCCE) {
        iRCCE_irecv(data, size, other, &request);
        iRCCE_irecv_wait(&request);
    } else {
        iRCCE_srecv(data, size, other);
    }
}

static void rounds(enum way way, int size, int count)
{
    for (int i = 0; i < count; i++) {
        if (RCCE_ue() == 0) {
            send(way, size);
            receive(way, size);
        } else {
            receive(way, size);
            send(way, size);
        }
    }
}

static void measure(enum way way, int size)
{
    int count = BYTES_EACH / size;

    if (count > MOST_ROUNDS)
        count = MOST_ROUNDS;
    if (count < LEAST_ROUNDS)
        count = LEAST_ROUNDS;
    rounds(way, size, 1);
    uint64_t start = __builtin_ia32_rdtsc();
    rounds(way, size, count);
    uint64_t cycles = __builtin_ia32_rdtsc() - start;
    if (RCCE_ue() == 0)
        printf("%d %d %llu\n", size, count, (unsigned long long)cycles);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    const char *name = argc > 1 ? argv[1] : "";
    int largest = argc > 2 ? atoi(argv[2]) : 0;
    enum way way = strcmp(name, "rcce") == 0    ? RCCE
                   : strcmp(name, "ircce") == 0 ? IRCCE
                                                : PIPELINED;

    if (largest > LARGEST || RCCE_num_ues() != 2)
        return 2;
    /* iRCCE takes half of the buffer: RCCE alone has all of it. */
    if (way != RCCE)
        iRCCE_init();
    for (int size = SMALLEST; size <= largest; size *= 2)
        measure(way, size);
    return RCCE_finalize();
}
