/*
 * channels.c: values that are written once, and read by those who wait.
 *
 * A global channel belongs to the family. A shared channel is a chain of
 * links: the first lies between parent and first thread, the last between last
 * thread and parent.
 */
#include <stdlib.h>

#include "svp_private.h"

struct link *svp_link_new(void)
{
    struct link *link = calloc(1, sizeof *link);

    if (!link)
        svp_fail("create families with a smaller block",
                 "no memory for another thread's channels");
    return link;
}

static void write_once(struct channels *channels, int channel, svp_value value,
                       const char *what)
{
    if (channels->written >> channel & 1)
        svp_fail("a channel is written once", "%s channel %d is written twice",
                 what, channel);
    channels->value[channel] = value;
    channels->written |= 1u << channel;
}

static void check(int channel, int count, const char *name, const char *what)
{
    if (channel < 0 || channel >= count)
        svp_fail("svp_function tells how many there are",
                 "%s has no %s channel %d, but %d of them", name, what, channel,
                 count);
}

void svp_channel_came(struct family *family, bool global, int channel,
                      svp_value value)
{
    struct channels *channels =
        global ? &family->globals : &family->first->channels;

    if (family->stopped)
        return; /* its links are gone */
    write_once(channels, channel, value, global ? "global" : "shared");
    svp_wake(global ? &family->waiting : &family->first->waiting);
}

static void put(const svp_family *handle, bool global, int channel,
                svp_value value)
{
    const char *what = global ? "global" : "shared";
    struct child *child =
        svp_child_check(handle, global ? "svp_put_global" : "svp_put_shared");
    const struct svp_function *function = child->function;
    struct message message = {.kind = CHANNEL,
                              .bytes = sizeof value,
                              .id = child->id,
                              .word = {global, (uint32_t)channel}};

    svp_check_stop();
    check(channel, global ? function->globals : function->shared,
          function->name, what);
    write_once(global ? &child->globals : &child->shared, channel, value, what);
    svp_send(child->rank, &message, &value);
}

void svp_put_global(const svp_family *family, int channel, svp_value value)
{
    put(family, true, channel, value);
}

void svp_put_shared(const svp_family *family, int channel, svp_value value)
{
    put(family, false, channel, value);
}

static svp_value get(struct channels *channels, struct waiting *waiting,
                     int channel)
{
    svp_check_stop();
    while (!(channels->written >> channel & 1)) {
        svp_wait(waiting);
        svp_check_stop();
    }
    return channels->value[channel];
}

svp_value svp_global(int channel)
{
    struct family *family = svp_now->family;

    check(channel, family->function->globals, family->function->name, "global");
    return get(&family->globals, &family->waiting, channel);
}

svp_value svp_shared(int channel)
{
    const struct svp_function *function = svp_now->family->function;

    check(channel, function->shared, function->name, "shared");
    return get(&svp_now->in->channels, &svp_now->in->waiting, channel);
}

void svp_pass_shared(int channel, svp_value value)
{
    const struct svp_function *function = svp_now->family->function;

    svp_check_stop();
    check(channel, function->shared, function->name, "shared");
    write_once(&svp_now->out->channels, channel, value, "shared");
    svp_wake(&svp_now->out->waiting);
}

void svp_pass_rest(void)
{
    int count = svp_now->family->function->shared;

    for (int channel = 0; channel < count; channel++)
        if (!(svp_now->out->channels.written >> channel & 1))
            svp_pass_shared(channel, svp_shared(channel));
}
