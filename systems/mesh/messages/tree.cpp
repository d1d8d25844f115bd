/*
 * tree.cpp: the way of collectives through the cores, and steps under way.
 */
#include "mesh_private.h"

#include <cstring>
#include <vector>

namespace mesh
{
namespace detail
{
namespace
{
std::vector<Step *> spare;
}

/* By distance from the root: core r has the children r + bit for all bits
 * below its lowest one. */
int pass_on(unsigned tag, Handler handler, const void *payload, size_t bytes)
{
    int root = root_of(tag), count = 0;
    int place = my_rank - root + (my_rank < root ? rank_count : 0);
    uint32_t head = head_of(bytes, tag), line[INLINE_BYTES / sizeof(uint32_t)];
    int bit = 1;

    while (bit < rank_count && !(place & bit))
        bit *= 2;
    if (bytes <= INLINE_BYTES)
        memcpy(line, payload, bytes);
    while (bit /= 2) {
        int child = my_rank + bit;

        if (place + bit >= rank_count)
            continue;
        if (child >= rank_count)
            child -= rank_count;
        if (bytes <= INLINE_BYTES)
            send_line(child, handler, line, head);
        else
            send(child, handler, payload, bytes, tag);
        count++;
    }
    return count;
}

Step *new_step(const Step &step)
{
    if (spare.empty())
        return new Step(step);
    Step *used = spare.back();
    spare.pop_back();
    *used = step;
    return used;
}

static void take_finished(const Message &message)
{
    finish_part(message.as<Step *>());
}

void finish_part(Step *step)
{
    if (--step->missing)
        return;
    Step last = *step;
    spare.push_back(step);
    if (last.parent < 0)
        last.then.function(last.then.argument);
    else
        send(last.parent, take_finished, last.above);
}
} // namespace detail
} // namespace mesh
