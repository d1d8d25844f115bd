/*
 * box.c: boxes: a task that calls a function for each record.
 *
 * A record that goes out waits until it is known whether it is the last one:
 * the last gets what it inherits as it is, all before it get copies.
 */
#include "snet_private.h"

#include <string.h>

struct snet_box {
    const struct snet_node *node;
    lpel_stream *out;
    snet_record *rest;    /* what the function does not take */
    snet_record *waiting; /* given out, not yet on its way */
    void *state;
};

static void send(struct snet_box *box, snet_record *record)
{
    lpel_write(box->out, record);
}

void snet_out(struct snet_box *box, snet_record *record)
{
    if (snet_match(snet_type(record), box->node->out) < 0)
        lpel_fail("the box's type says what it may give out",
                  "box '%s' (%s) gives out a record of %s", box->node->name,
                  box->node->where, snet_told(snet_type(record)));
    if (box->waiting) {
        snet_inherit(box->waiting, box->rest);
        send(box, box->waiting);
    }
    box->waiting = record;
}

void *snet_state(struct snet_box *box, size_t bytes)
{
    if (!box->state) {
        box->state = lpel_malloc(bytes);
        memset(box->state, 0, bytes);
    }
    return box->state;
}

/* The labels of the box's type go to the function, all others wait. */
static snet_record *part(struct snet_box *box, snet_record *record)
{
    uint64_t type = *box->node->in;
    snet_record *taken = snet_new();

    for (uint32_t n = 0; n < record->count;) {
        int label = record->entry[n].label;

        if (!(type >> label & 1)) {
            n++;
            continue;
        }
        taken->entry[taken->count++] = record->entry[n];
        record->entry[n] = record->entry[--record->count];
    }
    return taken;
}

/* Fields that the last record takes over are not in the rest any more. */
static void hand_over(struct snet_box *box)
{
    snet_record *to = box->waiting, *rest = box->rest;

    for (uint32_t n = 0; n < rest->count;) {
        int label = rest->entry[n].label;

        if (snet_has(to, label)) {
            n++;
            continue;
        }
        if (snet_is_tag(label))
            snet_set(to, label, (int)rest->entry[n].value);
        else
            snet_put(to, label, (void *)rest->entry[n].value);
        rest->entry[n] = rest->entry[--rest->count];
    }
    send(box, to);
}

static void call(struct snet_box *box, snet_record *record)
{
    snet_record *taken;

    if (snet_match(snet_type(record), box->node->in) < 0)
        lpel_fail(
            "look at what comes before it",
            "box '%s' (%s) takes %s, but there came a record of %s",
            box->node->name, box->node->where,
            snet_current
                ->labels[__builtin_ctzll(*box->node->in & ~snet_type(record))],
            snet_told(snet_type(record)));
    taken = part(box, record);
    box->rest = record;
    box->waiting = NULL;
    box->node->box(box, taken);
    if (box->waiting)
        hand_over(box);
    snet_drop(taken);
    snet_drop(record);
}

void snet_box_task(void *argument)
{
    struct snet_job *job = argument;
    struct snet_box box = {.node = job->node, .out = job->out};
    snet_record *record;

    while ((record = lpel_read(job->in)))
        call(&box, record);
    lpel_free(box.state);
}
