/*
 * task.c: an address space, a table of capabilities, and threads.
 */
#include "kernel/kernel.h"

s32 task_new(struct factory *payer, struct task **made)
{
    struct object *object;
    struct task *task;
    s32 result = object_new(payer, L4_KIND_TASK, sizeof(*task), &object);

    if (result)
        return result;
    task = OBJECT(task, object);
    result = space_init(&task->space, payer);
    task->slots = result ? NULL : pool_page(payer);
    if (!task->slots) {
        if (!result) {
            pool_page_back(payer, task->space.directory);
            pool_page_back(payer, task->space.nodes);
        }
        task->ended = true;
        object_hold(object);
        object_drop(object);
        return L4_NO_MEMORY;
    }
    *made = task;
    return L4_OK;
}

/* Threads, capabilities, pages: a few at a time. */
s32 task_end(struct task *task)
{
    u32 steps = STEPS;
    struct factory *payer = task->object.payer;

    for (; task->threads; steps -= 8) {
        if (steps < 8)
            return AGAIN;
        thread_end(task->threads);
    }
    for (; task->end_at < SLOTS; task->end_at++) {
        struct slot *slot = &task->slots[task->end_at];

        if (!slot->object)
            continue;
        if (steps < 8 || slot_revoke(slot, true) == AGAIN)
            return AGAIN;
        steps -= 8;
    }
    if (task->end_at < PAGE)
        task->end_at = PAGE; /* from now on, addresses */
    if (!space_free(&task->space, &task->end_at))
        return AGAIN;
    task->ended = true;
    pool_page_back(payer, task->space.directory);
    pool_page_back(payer, task->space.nodes);
    pool_page_back(payer, task->slots);
    return L4_OK;
}

/* Tasks that no capability and no thread leads to. */
static struct task *lost;

void task_lost(struct task *task)
{
    object_hold(&task->object); /* as long as it is in the list */
    task->next_lost = lost;
    lost = task;
}

/* Ends a part of one, or returns false: there is none. Others may get lost
 * meanwhile. */
bool task_end_lost(void)
{
    struct task *task = lost;

    if (!task)
        return false;
    lost = task->next_lost;
    if (task_end(task) == AGAIN) {
        task->next_lost = lost;
        lost = task;
    } else {
        object_drop(&task->object);
    }
    return true;
}

static s32 give(struct thread *t, struct task *to)
{
    struct slot *from = slot_of(t, t->ebx >> L4_SLOT_SHIFT, 0, 0), *place;
    s32 result = slot_empty(to, t->esi, &place);

    if (!from)
        return L4_NO_CAPABILITY;
    return result ? result : slot_copy(from, place, t->ebx, t->edi);
}

static s32 revoke(struct task *task, u32 number, bool self)
{
    if (number >= SLOTS || !task->slots[number].object)
        return L4_NO_CAPABILITY;
    return slot_revoke(&task->slots[number], self);
}

/* A few pages at a time: what is left stays in the registers. */
static s32 map(struct thread *t, struct task *task)
{
    u32 pages = t->edi < L4_PAGES_MAX ? t->edi : L4_PAGES_MAX;
    s32 result;

    if (t->edi > L4_RANGE_MAX)
        return L4_BAD_ARGUMENT;
    result = map_pages(&t->task->space, t->ebx, &task->space, t->esi, pages,
                       t->ebx & L4_ITEM_GRANT);
    if (result)
        return result;
    t->ebx += pages * PAGE;
    t->esi += pages * PAGE;
    t->edi -= pages;
    return t->edi ? AGAIN : L4_OK;
}

s32 task_invoke(struct thread *t, struct slot *slot, u32 operation)
{
    struct task *task = OBJECT(task, slot->object);
    s32 result;

    if (!(slot->rights & L4_RIGHT_CONTROL))
        return L4_NO_RIGHT;
    if (task->ended)
        return L4_DEAD;
    switch (operation) {
    case L4_TASK_MAP:
        return map(t, task);
    case L4_TASK_UNMAP:
        if (t->esi > L4_RANGE_MAX)
            return L4_BAD_ARGUMENT;
        return unmap_pages(&task->space, t->ebx & -PAGE, t->esi, t->edi & 1);
    case L4_TASK_GIVE:
        return give(t, task);
    case L4_TASK_REVOKE:
        return revoke(task, t->ebx, t->esi & 1);
    case L4_TASK_DESTROY:
        if (task == t->task)
            return L4_BAD_ARGUMENT; /* somebody else ends a task */
        /* The last capability may go on the way. */
        object_hold(&task->object);
        result = task_end(task);
        object_drop(&task->object);
        return result;
    default:
        return L4_BAD_ARGUMENT;
    }
}
