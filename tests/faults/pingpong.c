/*
 * pingpong.c: two UEs send a message to and fro and print what has become of
 * it. With CHECKED each message carries the sum of its words: who receives a
 * message of another sum ends with exit code 3.
 *
 * For campaigns of faults (rck faults): the output has no times.
 */
#include "RCCE.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 256
#define ROUNDS 24

static uint32_t message[WORDS];

/* Each word and its place count. */
static uint32_t sum(const uint32_t *words, int count)
{
    uint32_t total = 0;

    for (int n = 0; n < count; n++)
        total = (total << 5 | total >> 27) + words[n] * 2654435761u;
    return total;
}

static void send(int other)
{
#ifdef CHECKED
    message[WORDS - 1] = sum(message, WORDS - 1);
#endif
    if (RCCE_send((char *)message, sizeof message, other) != RCCE_SUCCESS)
        exit(2);
}

static void receive(int other)
{
    if (RCCE_recv((char *)message, sizeof message, other) != RCCE_SUCCESS)
        exit(2);
#ifdef CHECKED
    if (message[WORDS - 1] != sum(message, WORDS - 1))
        exit(3);
#endif
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int other = !RCCE_ue();
    for (int n = 0; n < WORDS; n++)
        message[n] = (uint32_t)n;
    for (int round = 0; round < ROUNDS; round++) {
        if (RCCE_ue() == round % 2) {
            message[round]++;
            send(other);
        } else {
            receive(other);
        }
    }
    printf("%08x\n", (unsigned)sum(message, WORDS - 1));
    return RCCE_finalize();
}
