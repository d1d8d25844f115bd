/*
 * parent.c: create, sync and kill: the side of the creating thread.
 */
#include <stdlib.h>
#include <string.h>

#include "svp_private.h"

#define BUCKETS 64u

static struct child *buckets[BUCKETS];
static uint32_t last_id, open;

uint32_t svp_children_here(void)
{
    return open;
}

struct child *svp_child_find(uint32_t id)
{
    struct child *child = buckets[id % BUCKETS];

    while (child && child->id != id)
        child = child->next;
    return child;
}

struct child *svp_child_check(const svp_family *family, const char *call)
{
    struct child *child = svp_child_find(family->id);

    if (!child)
        svp_fail("use what svp_create filled in, on its own place, until sync",
                 "%s: there is no family %u", call, (unsigned)family->id);
    return child;
}

static struct child *new_child(int rank, const struct svp_function *function,
                               void *arguments)
{
    struct child *child = calloc(1, sizeof *child);

    if (!child)
        svp_fail("sync earlier", "no memory for another family");
    child->id = ++last_id;
    child->rank = rank;
    child->function = function;
    child->arguments = arguments;
    child->parent = svp_now->family;
    child->creator = svp_now->index;
    child->next = buckets[child->id % BUCKETS];
    buckets[child->id % BUCKETS] = child;
    child->sibling = child->parent->children;
    child->parent->children = child;
    open++;
    return child;
}

static void forget(struct child *child)
{
    struct child **at = &buckets[child->id % BUCKETS];

    while (*at != child)
        at = &(*at)->next;
    *at = child->next;
    at = &child->parent->children;
    while (*at != child)
        at = &(*at)->sibling;
    *at = child->sibling;
    free(child);
    open--;
}

static void check_function(const struct svp_function *function, int step,
                           int block)
{
    if (!function || !function->run || !function->name)
        svp_fail("fill in at least .name and .run",
                 "svp_create: no thread function");
    if (function->globals < 0 || function->globals > SVP_CHANNELS ||
        function->shared < 0 || function->shared > SVP_CHANNELS)
        svp_fail("a family has 4 of each at most",
                 "svp_create: %s has %d global and %d shared channels",
                 function->name, function->globals, function->shared);
    if (step == 0 || block < 0)
        svp_fail("steps may be positive or negative, a block 0 or more",
                 "svp_create: %s with step %d and block %d", function->name,
                 step, block);
}

void svp_create(svp_family *family, svp_place place, int first, int limit,
                int step, int block, const struct svp_function *function,
                void *arguments)
{
    int rank = svp_place_check(place, "svp_create");
    struct child *child;

    check_function(function, step, block);
    svp_check_stop();
    if (place >> 8 > 0 && place == svp_here())
        svp_fail("call the function, or use another exclusive place",
                 "svp_create: a family on an exclusive place would wait for "
                 "itself");
    child = new_child(rank, function, arguments);
    memset(family, 0, sizeof *family);
    family->id = child->id;
    struct message message = {
        .kind = CREATE,
        .bytes = 4 * sizeof(int),
        .id = child->id,
        .word = {(uint32_t)(uintptr_t)function,
                 place == SVP_HERE ? (uint32_t)rank : (uint32_t)place,
                 (uint32_t)(uintptr_t)arguments}};
    int range[4] = {first, limit, step, block ? block : SVP_BLOCK};
    char payload[sizeof range + PAYLOAD / 2];
    bool by_value = rank != svp_me && !function->describe;

    memcpy(payload, range, sizeof range);
    if (by_value && function->arguments > PAYLOAD / 2)
        svp_fail("give it a data description",
                 "svp_create: %s has %zu bytes "
                 "of arguments and no description",
                 function->name, function->arguments);
    if (by_value) {
        memcpy(payload + sizeof range, arguments, function->arguments);
        message.bytes += (uint32_t)function->arguments;
    }
    svp_send(rank, &message, payload);
    if (rank != svp_me && function->describe)
        svp_data_to_family(child);
}

/* All channels need a value, or a thread might wait for ever. */
static void check_written(const struct child *child)
{
    const struct svp_function *function = child->function;

    for (int n = 0; n < function->globals; n++)
        if (!(child->globals.written >> n & 1))
            svp_fail("svp_put_global",
                     "sync of %s, whose global channel %d nobody has written",
                     function->name, n);
    for (int n = 0; n < function->shared; n++)
        if (!(child->shared.written >> n & 1))
            svp_fail("svp_put_shared",
                     "sync of %s, whose shared channel %d nobody has written",
                     function->name, n);
}

static void let_go(struct child *child)
{
    struct message message = {.kind = RELEASE, .id = child->id};

    if (child->outputs)
        svp_send(child->rank, &message, NULL);
    forget(child);
}

enum svp_exit svp_sync(svp_family *family)
{
    struct child *child = svp_child_check(family, "svp_sync");
    enum svp_exit ended;

    svp_check_stop();
    if (!child->killed && !child->done)
        check_written(child);
    while (!child->done) {
        svp_wait(&child->waiting);
        svp_check_stop();
    }
    if (child->outputs && child->ended != SVP_KILLED)
        svp_data_from_family(child);
    ended = child->ended;
    family->broken_by = child->broken_by;
    memcpy(family->shared, child->result, sizeof family->shared);
    let_go(child);
    family->id = 0;
    return ended;
}

static void kill_child(struct child *child)
{
    struct message message = {.kind = KILL, .id = child->id};

    if (child->killed || child->done)
        return;
    child->killed = true;
    svp_send(child->rank, &message, NULL);
}

void svp_kill(const svp_family *family)
{
    struct child *child = svp_child_check(family, "svp_kill");

    svp_check_stop();
    kill_child(child);
}

void svp_child_done(const struct message *message, const char *payload)
{
    struct child *child = svp_child_find(message->id);
    svp_value values[1 + SVP_CHANNELS];

    memcpy(values, payload, sizeof values);
    child->ended = (enum svp_exit)message->word[0];
    child->outputs = message->word[1];
    child->broken_by = values[0];
    memcpy(child->result, values + 1, sizeof child->result);
    child->done = true;
    svp_wake(&child->waiting);
}

/* A family has ended before its time: so do those that it created. */
void svp_children_end(struct family *family)
{
    for (struct child *child = family->children; child; child = child->sibling)
        kill_child(child);
    while (family->children) {
        struct child *child = family->children;

        while (!child->done)
            svp_wait(&child->waiting);
        let_go(child);
    }
}

void svp_check_synced(struct family *family, int index)
{
    for (struct child *child = family->children; child; child = child->sibling)
        if (child->creator == index)
            svp_fail("svp_sync each family, a killed one too",
                     "ended without a sync of the family %s",
                     child->function->name);
}

/* Messages about families, at either end. */
void svp_handle(int rank, const struct message *message, const char *payload)
{
    struct family *family;
    int range[4];
    svp_value value;

    switch ((enum kind)message->kind) {
    case CREATE:
        memcpy(range, payload, sizeof range);
        svp_family_create(rank, message->id, (svp_place)message->word[1],
                          (const void *)(uintptr_t)message->word[0], range,
                          (void *)(uintptr_t)message->word[2],
                          payload + sizeof range,
                          message->bytes - (uint32_t)sizeof range);
        return;
    case DONE:
        svp_child_done(message, payload);
        return;
    case COPY:
        svp_copy_request(rank, message, payload);
        return;
    case COPIED:
        svp_copy_answer(message);
        return;
    case STOP:
        svp_stop();
        return;
    case LEFT:
        svp_left(message->word[0]);
        return;
    default:
        break;
    }
    /* The family may have ended: then there is nothing to do. */
    family = svp_family_find(rank, message->id);
    if (!family)
        return;
    switch ((enum kind)message->kind) {
    case CHANNEL:
        memcpy(&value, payload, sizeof value);
        svp_channel_came(family, message->word[0], (int)message->word[1],
                         value);
        return;
    case KILL:
        svp_family_stop(family, SVP_KILLED);
        return;
    case FETCH:
        family->fetched = true;
        svp_wake(&family->waiting);
        return;
    default:
        family->released = true;
        svp_wake(&family->waiting);
    }
}
