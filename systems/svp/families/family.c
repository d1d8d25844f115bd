/*
 * family.c: families on this core.
 *
 * A family that comes from another place first gets its data. Then contexts
 * take its indices in their order, at most a block of them at a time: a thread
 * waits for threads before it and for its own families alone, so a family goes
 * on in any block. The last context notifies the parent, and waits until it has
 * fetched the outputs.
 */
#include <stdlib.h>
#include <string.h>

#include "rck_mark.h"
#include "svp_private.h"

#define BUCKETS 64u

static const struct svp_function main_function = {.name = "main"};
struct family svp_root = {.function = &main_function};

static struct family *buckets[BUCKETS];
static uint32_t here;

/* On exclusive places one family runs, the others wait for it. */
static struct {
    bool busy;
    struct waiting waiting;
} exclusive[SVP_EXCLUSIVES + 1];

static struct family **bucket(int parent, uint32_t id)
{
    return &buckets[(id * 31 + (uint32_t)parent) % BUCKETS];
}

struct family *svp_family_find(int parent, uint32_t id)
{
    struct family *family = *bucket(parent, id);

    while (family && (family->id != id || family->parent != parent))
        family = family->next;
    return family;
}

uint32_t svp_families_here(void)
{
    return here;
}

/* The thread that runs here belongs to a family that has ended: it goes. */
void svp_check_stop(void)
{
    if (svp_now->family->stopped)
        longjmp(svp_now->escape, 1);
}

void svp_family_stop(struct family *family, enum svp_exit how)
{
    if (family->stopped || family->told)
        return;
    family->stopped = true;
    family->ended = how;
    svp_wake(&family->waiting);
    for (struct link *link = family->first; link; link = link->behind)
        svp_wake(&link->waiting);
    for (struct child *child = family->children; child; child = child->sibling)
        svp_wake(&child->waiting);
}

_Noreturn void svp_break(svp_value value)
{
    struct family *family = svp_now->family;

    if (family == &svp_root)
        svp_fail("call it in a thread", "svp_break was called in main");
    svp_check_stop();
    family->broken_by = value;
    svp_family_stop(family, SVP_BROKEN);
    longjmp(svp_now->escape, 1);
}

void svp_yield(void)
{
    svp_check_stop();
    svp_pass();
    svp_check_stop();
}

static void unlink_family(struct family *family)
{
    struct family **at = bucket(family->parent, family->id);

    while (*at != family)
        at = &(*at)->next;
    *at = family->next;
    here--;
    rck_mark_value("svp families", (int)here);
    while (family->first) {
        struct link *link = family->first;

        family->first = link->behind;
        free(link);
    }
    if (family->own_arguments)
        free(family->arguments);
    free(family);
}

static void tell_parent(struct family *family)
{
    struct message message = {
        .kind = DONE,
        .bytes = (1 + SVP_CHANNELS) * sizeof(svp_value),
        .id = family->id,
        .word = {family->ended, family->own_arguments &&
                                    family->function->describe &&
                                    family->ended != SVP_KILLED}};
    svp_value values[1 + SVP_CHANNELS];

    values[0] = family->broken_by;
    memcpy(values + 1, family->last->channels.value,
           sizeof family->last->channels.value);
    family->released = !message.word[1];
    svp_send(family->parent, &message, values);
}

/* By the context that ends last. */
static void end(struct family *family)
{
    bool killed;

    svp_children_end(family);
    family->told = true; /* what comes now comes too late */
    killed = family->ended == SVP_KILLED;
    if (!killed && family->large_outputs)
        svp_flush();
    if (family->exclusive) {
        exclusive[family->exclusive].busy = false;
        svp_wake(&exclusive[family->exclusive].waiting);
    }
    svp_now->family = &svp_root;
    tell_parent(family);
    while (!family->fetched && !family->released)
        svp_wait(&family->waiting);
    if (family->fetched)
        svp_data_to_parent(family);
    while (!family->released)
        svp_wait(&family->waiting);
    svp_counted.killed += killed;
    svp_counted.broken += family->ended == SVP_BROKEN;
    svp_memory_end(family, killed);
    unlink_family(family);
}

/* The next index, with the links before and behind its thread. */
static bool take_index(struct family *family)
{
    int at = family->at;

    if (family->stopped ||
        (family->step > 0 ? at >= family->limit : at <= family->limit))
        return false;
    family->at += family->step;
    svp_now->index = at;
    svp_now->in = family->last;
    svp_now->out = family->last->behind = svp_link_new();
    family->last = svp_now->out;
    svp_counted.threads++;
    return true;
}

/* A link that nobody writes or reads any more, from the front on. */
static void drop_links(struct family *family)
{
    while (family->first != family->last && family->first->done) {
        struct link *link = family->first;

        family->first = link->behind;
        free(link);
    }
}

static void run_threads(void *argument)
{
    struct family *family = argument;

    while (take_index(family)) {
        if (setjmp(svp_now->escape) == 0) {
            family->function->run(svp_now->index, family->arguments);
            svp_pass_rest();
            svp_check_synced(family, svp_now->index);
        }
        svp_now->in->done = true;
        drop_links(family);
    }
    if (--family->running == 0)
        end(family);
}

static void begin(void *argument)
{
    struct family *family = argument;
    int64_t span, count;

    if (family->own_arguments && family->function->describe)
        svp_data_from_parent(family);
    while (family->exclusive && exclusive[family->exclusive].busy)
        svp_wait(&exclusive[family->exclusive].waiting);
    exclusive[family->exclusive].busy = true;
    rck_mark(family->function->name);
    span = (int64_t)family->limit - family->at;
    count = (span + family->step - (family->step > 0 ? 1 : -1)) / family->step;
    family->running = 1;
    for (; family->running < count && family->running < family->block;
         family->running++)
        svp_spawn(run_threads, family, family);
    run_threads(family);
}

void svp_family_create(int parent, uint32_t id, svp_place place,
                       const struct svp_function *function, const int *range,
                       void *arguments, const char *value, uint32_t bytes)
{
    struct family *family = calloc(1, sizeof *family);
    struct family **at = bucket(parent, id);

    if (!family)
        svp_fail("sync earlier", "no memory for another family");
    family->parent = parent;
    family->id = id;
    family->function = function;
    family->exclusive = place >> 8;
    family->at = range[0];
    family->limit = range[1];
    family->step = range[2];
    family->block = range[3];
    family->first = family->last = svp_link_new();
    family->arguments = arguments;
    if (parent != svp_me) {
        family->own_arguments = true;
        family->arguments = calloc(1, function->arguments + 1);
        if (!family->arguments)
            svp_fail("sync earlier", "no memory for arguments of %s",
                     function->name);
        memcpy(family->arguments, value, bytes);
    }
    family->next = *at;
    *at = family;
    here++;
    svp_counted.families++;
    rck_mark_value("svp families", (int)here);
    svp_spawn(begin, family, family);
}
