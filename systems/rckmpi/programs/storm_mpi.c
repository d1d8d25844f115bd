/*
 * storm_mpi.c: random messages between all pairs: blocking, non-blocking,
 * synchronous and persistent sends, receives that name their source or take
 * any, sizes from nothing to `largest`. Each byte is checked, and that no
 * message overtakes another of its pair and tag. Arguments: messages that
 * each rank sends, the largest size, seed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#define TAGS 3
#define OPEN 6 /* sends under way */
#define HEADER 12

static int rank, size;
static size_t largest = 20000;
static uint32_t state;
static unsigned sent[64][TAGS], received[64][TAGS];

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static size_t draw_size(void)
{
    static const size_t most[] = {1, 48, 200, 5000};
    uint32_t kind = draw(20);
    size_t limit = kind < 16 ? most[kind / 4] : largest;

    return HEADER + draw((uint32_t)(limit < largest ? limit : largest) + 1);
}

static void fill(unsigned char *data, size_t bytes, unsigned number)
{
    uint32_t words[3] = {(uint32_t)bytes, number, number * 2654435761u};

    memcpy(data, words, HEADER);
    for (size_t n = HEADER; n < bytes; n++)
        data[n] = (unsigned char)(words[2] + n * 13 + (n >> 8));
}

static void fail(const char *what, int from, int tag, unsigned number)
{
    fprintf(stderr, "storm: rank %d: message %u from %d with tag %d: %s\n",
            rank, number, from, tag, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void check(const unsigned char *data, int bytes, int from, int tag)
{
    uint32_t words[3];
    unsigned expected = received[from][tag]++;

    memcpy(words, data, HEADER);
    if (words[1] != expected)
        fail("lost, doubled or overtaken", from, tag, expected);
    if (words[0] != (uint32_t)bytes || words[2] != expected * 2654435761u)
        fail("has another size than it was sent with", from, tag, expected);
    for (size_t n = HEADER; n < (size_t)bytes; n++)
        if (data[n] != (unsigned char)(words[2] + n * 13 + (n >> 8)))
            fail("a byte is damaged", from, tag, expected);
}

static struct {
    MPI_Request request;
    unsigned char *data;
    int persistent;
} open_sends[OPEN];

static void send_one(int slot)
{
    int to = (int)draw((uint32_t)size), tag = (int)draw(TAGS);
    size_t bytes = draw_size();
    unsigned char *data = open_sends[slot].data;
    MPI_Request *request = &open_sends[slot].request;

    fill(data, bytes, sent[to][tag]++);
    open_sends[slot].persistent = 0;
    switch (draw(4)) {
    case 0:
        MPI_Issend(data, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD,
                   request);
        break;
    case 1:
        MPI_Send_init(data, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD,
                      request);
        MPI_Start(request);
        open_sends[slot].persistent = 1;
        break;
    default:
        MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, request);
    }
}

/* Whether the slot is free now. */
static int settle(int slot)
{
    int done = 1;

    if (open_sends[slot].request == MPI_REQUEST_NULL)
        return 1;
    MPI_Test(&open_sends[slot].request, &done, MPI_STATUS_IGNORE);
    if (done && open_sends[slot].persistent)
        MPI_Request_free(&open_sends[slot].request);
    return done;
}

/* Takes a message if there is one: by its source and tag, or as any. */
static int receive_one(unsigned char *data)
{
    MPI_Status status;
    int there, bytes;

    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return 0;
    if (draw(2))
        MPI_Recv(data, (int)largest + HEADER + 1, MPI_BYTE, status.MPI_SOURCE,
                 status.MPI_TAG, MPI_COMM_WORLD, &status);
    else
        MPI_Recv(data, (int)largest + HEADER + 1, MPI_BYTE, MPI_ANY_SOURCE,
                 MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    check(data, bytes, status.MPI_SOURCE, status.MPI_TAG);
    return 1;
}

/* Until all ranks have sent all, and nothing is under way. */
static unsigned storm(unsigned messages)
{
    unsigned char *data = malloc(largest + HEADER + 1);
    unsigned begun = 0, taken = 0;
    int ended = 0, idle;
    MPI_Request barrier = MPI_REQUEST_NULL;

    while (!ended) {
        idle = 1;
        for (int slot = 0; slot < OPEN; slot++) {
            if (!settle(slot))
                idle = 0;
            else if (begun < messages) {
                send_one(slot);
                begun++;
                idle = 0;
            }
        }
        while (receive_one(data))
            taken++;
        if (barrier == MPI_REQUEST_NULL && idle)
            MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        if (barrier != MPI_REQUEST_NULL)
            MPI_Test(&barrier, &ended, MPI_STATUS_IGNORE);
    }
    free(data);
    return taken;
}

/* What was sent last may still be under way; but not for so many polls. */
static void take_rest(unsigned taken, unsigned expected)
{
    unsigned char *data = malloc(largest + HEADER + 1);

    for (long polls = 0; taken < expected && polls < 1000000; polls++)
        taken += (unsigned)receive_one(data);
    if (taken != expected || receive_one(data))
        fail("is not the last that was sent here", rank, 0, taken);
    free(data);
}

int main(int argc, char **argv)
{
    unsigned messages = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    unsigned expected[64] = {0}, mine, own[64] = {0};

    largest = argc > 2 ? (size_t)atol(argv[2]) : largest;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    state = (uint32_t)((argc > 3 ? atoi(argv[3]) : 1) * 1000 + rank);
    for (int slot = 0; slot < OPEN; slot++) {
        open_sends[slot].request = MPI_REQUEST_NULL;
        open_sends[slot].data = malloc(largest + HEADER + 1);
    }
    unsigned taken = storm(messages);
    for (int to = 0; to < size; to++)
        for (int tag = 0; tag < TAGS; tag++)
            own[to] += sent[to][tag];
    MPI_Allreduce(own, expected, size, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
    mine = expected[rank];
    take_rest(taken, mine);
    unsigned total;
    MPI_Reduce(&mine, &total, 1, MPI_UNSIGNED, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("storm: %u messages between %d ranks: all whole\n", total, size);
    MPI_Finalize();
    return 0;
}
