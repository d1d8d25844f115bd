/*
 * child.c: more tasks and threads of this program's own image.
 *
 * A child task has the image's pages of its parent, the writable ones too:
 * what one writes the other sees. That is how tests watch each other.
 */
#include "lib/l4.h"

#define PAGE 4096u

extern const char image_start[], image_end[], data_start[];

int32_t thread_start(uint32_t slot, uint32_t task, uint32_t utcb,
                     uint32_t context, uint32_t pager, void (*begin)(void),
                     void *stack)
{
    int32_t result =
        l4_create(L4_SLOT_FACTORY, L4_KIND_THREAD, slot, task, utcb);

    if (result == L4_OK)
        result = l4_do(slot, L4_THREAD_CONTEXT, context, 0, 0);
    if (result == L4_OK && pager)
        result = l4_do(slot, L4_THREAD_PAGER, pager, 0, 0);
    if (result == L4_OK && begin)
        result =
            l4_do(slot, L4_THREAD_START, (uint32_t)begin, (uint32_t)stack, 0);
    return result;
}

static int32_t map_image(uint32_t task)
{
    uint32_t at = (uint32_t)image_start;
    int32_t result = L4_OK;

    for (; at < (uint32_t)image_end && result == L4_OK; at += PAGE) {
        uint32_t bits = at >= (uint32_t)data_start ? L4_ITEM_WRITE : 0;

        result = l4_do(task, L4_TASK_MAP, at | bits, at, 1);
    }
    return result;
}

/* Uses three slots from `slots` on: task, thread, gate to it. The thread has
 * its UTCB where ours is and does not run yet. */
int32_t child_start(struct child *child, uint32_t slots, uint32_t context)
{
    int32_t result;

    child->task = slots;
    child->thread = slots + 1;
    child->gate = slots + 2;
    result = l4_create(L4_SLOT_FACTORY, L4_KIND_TASK, child->task, 0, 0);
    if (result == L4_OK)
        result = map_image(child->task);
    if (result == L4_OK)
        result = thread_start(child->thread, child->task, L4_ROOT_UTCB, context,
                              0, 0, 0);
    if (result == L4_OK)
        result = l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, child->gate,
                           child->thread, 0);
    return result;
}
