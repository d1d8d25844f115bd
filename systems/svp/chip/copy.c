/*
 * copy.c: memory that is copied through windows, here or by copy cores.
 *
 * Source and target are message memory on both sides: reads come by lines and
 * stay out of L2, whole lines are written. Neither core's caches know of the
 * target, so its owner must hold no line of it (data/describe.c). Of lines
 * that the target has in part, the owner's caches may hold other bytes: the
 * owner itself stores these.
 */
#include <stdlib.h>
#include <string.h>

#include "rck_mark.h"
#include "scc/cache.h"
#include "svp_private.h"

/* What a copy core gets at most in one message. */
#define RANGES (PAYLOAD / sizeof(struct range))
#define SHARE 16384u

typedef uint32_t any_word __attribute__((aligned(1), may_alias));

/* Whole lines of the target, the source at any address. */
static void copy_lines(char *to, const char *from, uint32_t bytes)
{
    volatile any_word *out = (volatile any_word *)to;
    const volatile any_word *in = (const volatile any_word *)from;

    for (; bytes; bytes -= LINE, out += 8, in += 8)
        for (int n = 0; n < 8; n += 2) {
            uint32_t low = in[n], high = in[n + 1];

            out[n] = low;
            out[n + 1] = high;
        }
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* From a core's memory to a core's memory, segment by segment. */
static void copy_range(int from_rank, int to_rank, struct range range)
{
    while (range.bytes) {
        uint32_t now = least(range.bytes, SEGMENT - range.to % SEGMENT);
        /* A line whose source lies in two segments is gathered. */
        uint32_t in = (SEGMENT - range.from % SEGMENT) / LINE * LINE;
        char line[LINE];

        now = least(now, in ? in : LINE);
        char *to = svp_open(to_rank, range.to);
        if (in) {
            char *from = svp_open(from_rank, range.from);
            copy_lines(to, from, now);
            svp_close(from);
        } else {
            for (uint32_t n = 0; n < LINE; n++) {
                char *from = svp_open(from_rank, range.from + n);
                line[n] = *(volatile char *)from;
                svp_close(from);
            }
            copy_lines(to, line, now);
        }
        svp_close(to);
        range.from += now;
        range.to += now;
        range.bytes -= now;
        svp_counted.copied += now;
    }
}

static void send_ranges(struct copies *copies)
{
    struct message message = {
        .kind = COPY,
        .bytes = (uint32_t)copies->count * (uint32_t)sizeof(struct range),
        .id = copies->id,
        .word = {(uint32_t)copies->rank, (uint32_t)(uintptr_t)copies}};

    if (!copies->count)
        return;
    copies->open++;
    int turn = copies->next++ % svp_copier_count;
    svp_send(svp_copiers[turn], &message, copies->range);
    copies->count = 0;
    copies->bytes = 0;
}

static void add_range(struct copies *copies, struct range range)
{
    while (range.bytes) {
        struct range now = range;

        now.bytes = least(range.bytes, SHARE - copies->bytes);
        copies->range[copies->count++] = now;
        copies->bytes += now.bytes;
        range.from += now.bytes;
        range.to += now.bytes;
        range.bytes -= now.bytes;
        if (copies->bytes == SHARE || copies->count == (int)RANGES)
            send_ranges(copies);
    }
}

/* A few bytes, by this core's ordinary stores. */
static void copy_edge(int rank, uint32_t from, char *to, uint32_t bytes)
{
    for (; bytes; bytes--, from++, to++) {
        char *window = svp_open(rank, from);
        *to = *(volatile char *)window;
        svp_close(window);
    }
}

void svp_copy_in(struct copies *copies, uint32_t from, void *target,
                 uint32_t bytes)
{
    char *to = target;
    uint32_t before = least(bytes, -(uint32_t)(uintptr_t)to % LINE);
    uint32_t whole = (bytes - before) / LINE * LINE;
    struct range range = {from + before, svp_physical(to) + before, whole};

    scc_cl1invmb();
    copy_edge(copies->rank, from, to, before);
    copy_edge(copies->rank, from + before + whole, to + before + whole,
              bytes - before - whole);
    if (svp_transport == SVP_COPY) {
        add_range(copies, range);
        return;
    }
    rck_region_begin("svp copy");
    copy_range(copies->rank, svp_me, range);
    rck_region_end("svp copy");
}

void svp_copies_begin(struct copies *copies, int rank, uint32_t id)
{
    copies->rank = rank;
    copies->id = id;
    copies->count = 0;
    copies->next = 0;
    copies->bytes = copies->open = 0;
    copies->waiting.first = NULL;
}

void svp_copies_end(struct copies *copies)
{
    send_ranges(copies);
    while (copies->open)
        svp_wait(&copies->waiting);
}

void svp_copy_answer(const struct message *message)
{
    struct copies *copies = (void *)(uintptr_t)message->word[0];

    copies->open--;
    svp_wake(&copies->waiting);
}

/* On a copy core: a job, and the context that does it. */
struct job {
    int rank;
    struct message message;
    struct range range[];
};

static void work(void *argument)
{
    struct job *job = argument;
    uint32_t count = job->message.bytes / (uint32_t)sizeof(struct range);
    struct message done = {
        .kind = COPIED, .id = job->message.id, .word = {job->message.word[1]}};

    rck_region_begin("svp copy");
    scc_cl1invmb();
    for (uint32_t n = 0; n < count; n++)
        copy_range((int)job->message.word[0], job->rank, job->range[n]);
    rck_region_end("svp copy");
    svp_send(job->rank, &done, NULL);
    free(job);
}

void svp_copy_request(int rank, const struct message *message,
                      const char *payload)
{
    struct job *job = malloc(sizeof *job + message->bytes);

    if (!job)
        svp_fail("use more copy cores", "no memory for another request");
    job->rank = rank;
    job->message = *message;
    memcpy(job->range, payload, message->bytes);
    svp_spawn(work, job, &svp_root);
}
