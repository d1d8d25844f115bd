// The published pipeline in the four memories and both orders: every byte has
// passed every stage, with one slot, some, and as many as there may be.
// cc: -O2 -lpipeline -lrcce
// run: --cores 10-15,1,0 --tag none
// expect-stdout:
// ok
#include "pipeline.h"

#include <stdio.h>

#define CHUNKS 8
#define ROOM 1000

static int given, drained, failed;

static size_t fill(void *context, unsigned char *chunk, size_t room)
{
    (void)context;
    if (given == CHUNKS)
        return 0;
    /* Chunks of all lengths, one byte and a full one among them. */
    size_t bytes = given == 0 ? room : (size_t)given * given;

    for (size_t i = 0; i < bytes; i++)
        chunk[i] = (unsigned char)(given + i);
    given++;
    return bytes;
}

static size_t work(void *context, int stage, const unsigned char *in,
                   unsigned char *out, size_t bytes, size_t room)
{
    int drops = stage == 2 && in[0] == 5 + stage;

    (void)context, (void)room;
    for (size_t i = 0; i < bytes; i++)
        out[i] = (unsigned char)(in[i] + 1);
    /* Stage 2 drops a chunk; the others follow all the same. */
    return drops ? 0 : bytes;
}

static void drain(void *context, const unsigned char *chunk, size_t bytes)
{
    (void)context;
    if (drained == 5)
        drained++;
    size_t expected = (size_t)drained * drained;
    if (drained == 0)
        expected = (ROOM + 31) / 32 * 32;
    failed |= bytes != expected;
    for (size_t i = 0; i < bytes; i++)
        failed |= chunk[i] != (unsigned char)(drained + i + RCCE_num_ues());
    drained++;
}

int main(int argc, char **argv)
{
    struct pipeline_job job = {fill, work, drain, NULL};
    int ues[RCCE_MAXNP];
    static const int slots[] = {1, 3, 7};

    RCCE_init(&argc, &argv);
    for (int n = 0; n < 4 * 2 * 3; n++) {
        /* A flush takes milliseconds: cached chunks once. */
        if (n % 4 == PIPELINE_CACHED && n / 8 != 1)
            continue;
        struct pipeline p;
        struct pipeline_times times;

        pipeline_place(ues, n / 4 % 2 ? PIPELINE_SNAKE : PIPELINE_TRIVIAL);
        given = drained = 0;
        if (pipeline_open(&p, (enum pipeline_memory)(n % 4), ROOM, slots[n / 8],
                          ues) ||
            pipeline_run(&p, &job, &times) || times.chunks != CHUNKS)
            failed = 1;
        if (p.stage == p.stages - 1 && drained != CHUNKS)
            failed = 1;
        pipeline_close(&p);
    }
    int any = failed;
    RCCE_allreduce((char *)&failed, (char *)&any, 1, RCCE_INT, RCCE_MAX,
                   RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        puts(any ? "wrong" : "ok");
    RCCE_finalize();
    return any;
}
