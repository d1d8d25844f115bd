/*
 * describe.c: a data description at work.
 *
 * It runs four times, twice on each place: the parent sends inputs and the
 * family's place makes room and gets them; that place sends outputs and the
 * parent gets them.
 *
 * By the transports that map memory, arrays of 128 bytes and more are sent as
 * their address. Then who sends flushes its caches before, once for all arrays
 * of the family. The parent does so for outputs too, since its caches must
 * hold no line of what will be copied past them; on the family's place the
 * allocator sees to that.
 */
#include <string.h>

#include "svp_private.h"

enum step { TO_FAMILY, FROM_PARENT, TO_PARENT, FROM_FAMILY };

struct svp_data {
    enum step step;
    struct family *family; /* on its own place */
    bool flushed;
    struct copies copies;
    struct stream stream;
};

static bool goes_now(const struct svp_data *data, enum svp_way way)
{
    bool in = data->step == TO_FAMILY || data->step == FROM_PARENT;

    return (way & (in ? SVP_IN : SVP_OUT)) != 0;
}

static void pass_bytes(struct svp_data *data, void *at, size_t count,
                       enum svp_type type)
{
    uint32_t bytes = (uint32_t)count * svp_type_bytes[type];

    if (svp_transport == SVP_ORIGINAL)
        svp_xdr(&data->stream, at, count, type);
    else if (data->stream.sends)
        svp_stream_put(&data->stream, at, bytes);
    else
        svp_stream_get(&data->stream, at, bytes);
}

/* Passes the data's address; the bytes themselves if no other core can map
 * them. */
static void pass_address(struct svp_data *data, void *at, uint32_t bytes)
{
    uint32_t from;

    if (data->stream.sends) {
        from = svp_in_memory(at, bytes) ? svp_physical(at) : 0;
        svp_stream_put(&data->stream, &from, sizeof from);
        if (!from)
            svp_stream_put(&data->stream, at, bytes);
        return;
    }
    svp_stream_get(&data->stream, &from, sizeof from);
    if (from)
        svp_copy_in(&data->copies, from, at, bytes);
    else
        svp_stream_get(&data->stream, at, bytes);
}

void svp_scalar(struct svp_data *data, void *at, enum svp_type type,
                enum svp_way way)
{
    if (goes_now(data, way))
        pass_bytes(data, at, 1, type);
}

void svp_elements(struct svp_data *data, void **at, size_t count,
                  enum svp_type type, enum svp_way way)
{
    uint64_t all = (uint64_t)count * svp_type_bytes[type];
    uint32_t bytes = (uint32_t)all;

    if (all >= MEMORY_SIZE)
        svp_fail("SVP_INPUT the count before the array that needs it",
                 "a data description names an array of %zu elements", count);
    svp_room(data, at, bytes);
    if (data->step == TO_FAMILY && svp_mapped(bytes) && !data->flushed &&
        svp_in_memory(*at, bytes)) {
        svp_flush();
        data->flushed = true;
    }
    if (data->step == FROM_PARENT && way & SVP_OUT && svp_mapped(bytes))
        data->family->large_outputs = true;
    if (!goes_now(data, way) || !bytes)
        return;
    if (svp_mapped(bytes))
        pass_address(data, *at, bytes);
    else
        pass_bytes(data, *at, count, type);
}

void svp_room(struct svp_data *data, void **at, size_t bytes)
{
    if (data->step == FROM_PARENT)
        *at = svp_take(bytes, data->family, true);
}

static void run(enum step step, int rank, uint32_t id,
                const struct svp_function *function, void *arguments,
                struct family *family)
{
    /* The buffers stay as they are: to clear 8 KB that no cache has takes
     * longer than all the rest. */
    struct svp_data data;

    data.step = step;
    data.family = family;
    data.flushed = false;
    svp_copies_begin(&data.copies, rank, id);
    svp_stream_begin(&data.stream, rank, id, step >= TO_PARENT,
                     step == TO_FAMILY || step == TO_PARENT);
    function->describe(&data, arguments);
    if (data.stream.sends && svp_transport == SVP_ORIGINAL)
        svp_xdr_end(&data.stream);
    else if (data.stream.sends)
        svp_stream_end(&data.stream);
    else
        svp_copies_end(&data.copies);
}

void svp_data_to_family(struct child *child)
{
    run(TO_FAMILY, child->rank, child->id, child->function, child->arguments,
        NULL);
}

void svp_data_from_parent(struct family *family)
{
    run(FROM_PARENT, family->parent, family->id, family->function,
        family->arguments, family);
}

void svp_data_to_parent(struct family *family)
{
    run(TO_PARENT, family->parent, family->id, family->function,
        family->arguments, family);
}

void svp_data_from_family(struct child *child)
{
    struct message fetch = {.kind = FETCH, .id = child->id};

    svp_send(child->rank, &fetch, NULL);
    run(FROM_FAMILY, child->rank, child->id, child->function, child->arguments,
        NULL);
}
