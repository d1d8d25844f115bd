/*
 * storm_messages.c: many tasks on random cores, all of whose streams may be
 * messages between cores: nothing lost, doubled, damaged or left.
 *
 *   storm_messages TASKS SEED
 *
 * A run has CHAINS chains: a source, some stages and a sink, each on a random
 * rank, and messages of up to 12,000 bytes. Every fifth sink goes before it
 * has read all. Sinks look at each byte and notify rank 0; there are as many
 * runs as are needed for so many tasks.
 */
#include "lpel.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef CHAINS
#define CHAINS 200
#endif
#define STAGES 3    /* at most */
#define MESSAGES 8  /* of a chain, at most */
#define BYTES 12000 /* of a message, at most */
#define IMPATIENT 5 /* every fifth */

static uint32_t seed, tasks, chains, cut, wrong;

static uint32_t next(uint32_t *random, uint32_t below)
{
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 8) % below;
}

struct link {
    lpel_stream *in, *out;
    uint32_t chain, messages, wants;
};

struct note { /* from a chain's sink */
    uint32_t count, wrong;
};

/* Both ends of a chain know all of a message. */
static uint32_t length(uint32_t chain, uint32_t number)
{
    uint32_t random = chain * 7919 + number * 104729 + seed;

    next(&random, 2);
    return 1 + next(&random, next(&random, 4) ? 300 : BYTES);
}

static unsigned char byte(uint32_t chain, uint32_t number, uint32_t at)
{
    return (unsigned char)(chain * 31 + number * 7 + at);
}

static void source(void *argument)
{
    struct link *link = argument;

    for (uint32_t n = 0; n < link->messages; n++) {
        uint32_t bytes = length(link->chain, n);
        unsigned char *message = lpel_malloc(bytes);

        for (uint32_t at = 0; at < bytes; at++)
            message[at] = byte(link->chain, n, at);
        if (lpel_write(link->out, message) == LPEL_CLOSED)
            return;
    }
}

static void stage(void *argument)
{
    struct link *link = argument;
    void *message;

    while ((message = lpel_read(link->in)))
        if (lpel_write(link->out, message) == LPEL_CLOSED)
            return;
}

static int right(const struct link *link, uint32_t n, const void *message)
{
    const unsigned char *bytes = message;
    uint32_t count = length(link->chain, n);

    if (lpel_size(message) != count)
        return 0;
    for (uint32_t at = 0; at < count; at++)
        if (bytes[at] != byte(link->chain, n, at))
            return 0;
    return 1;
}

static void sink(void *argument)
{
    struct link *link = argument;
    struct note *note = lpel_malloc(sizeof *note);
    void *message;

    *note = (struct note){0};
    while (note->count < link->wants && (message = lpel_read(link->in))) {
        note->wrong += !right(link, note->count++, message);
        lpel_free(message);
    }
    if (link->wants > link->messages) /* the end comes, too, and only then */
        note->wrong += note->count != link->messages;
    lpel_write(link->out, note);
}

static void start(const char *name, void (*function)(void *),
                  const struct link *link, uint32_t *random)
{
    int home = (int)next(random, (uint32_t)lpel_ranks());
    lpel_task *task = lpel_task_new(name, function, link, sizeof *link, home);

    if (link->in)
        lpel_input(task, link->in);
    lpel_output(task, link->out);
    lpel_start(task);
    tasks++;
}

static lpel_stream *plant(uint32_t *random)
{
    uint32_t stages = next(random, STAGES + 1);
    lpel_stream *note = lpel_stream_new("note", 1);
    struct link link = {.chain = chains++};

    link.messages = next(random, MESSAGES + 1);
    link.wants = chains % IMPATIENT || !link.messages
                     ? UINT32_MAX
                     : next(random, link.messages);
    cut += link.wants < link.messages;
    link.out = lpel_stream_new("chain", 1 + (int)next(random, 3));
    start("source", source, &link, random);
    for (uint32_t n = 0; n < stages; n++) {
        link.in = link.out;
        link.out = lpel_stream_new("chain", 1 + (int)next(random, 3));
        start("stage", stage, &link, random);
    }
    link.in = link.out;
    link.out = note;
    start("sink", sink, &link, random);
    return note;
}

struct village {
    lpel_stream *in[CHAINS];
};

static void add_up(void *argument)
{
    struct village *village = argument;

    for (int n = 0; n < CHAINS; n++) {
        struct note *note = lpel_read(village->in[n]);

        wrong += note->wrong;
        lpel_free(note);
    }
}

static void build(void *argument)
{
    struct village village;
    lpel_task *task;

    for (int n = 0; n < CHAINS; n++)
        village.in[n] = plant(argument);
    task = lpel_task_new("village", add_up, &village, sizeof village, 0);
    for (int n = 0; n < CHAINS; n++)
        lpel_input(task, village.in[n]);
    lpel_start(task);
}

int main(int argc, char **argv)
{
    struct lpel_config config = {.variant = LPEL_MESSAGES};
    uint32_t wanted = argc > 1 ? (uint32_t)atoi(argv[1]) : 100;
    uint32_t random;

    seed = random = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    lpel_init(&argc, &argv, &config);
    while (tasks < wanted)
        lpel_run(build, &random);
    struct lpel_usage usage = lpel_usage();
    if (lpel_rank() == 0)
        printf("storm tasks %u chains %u cut %u wrong %u\n"
               "left %u blocks, %u bytes, damaged %u\n",
               (unsigned)tasks, (unsigned)chains, (unsigned)cut,
               (unsigned)wrong, (unsigned)usage.blocks, (unsigned)usage.bytes,
               (unsigned)usage.damaged);
    lpel_finalize();
    return 0;
}
