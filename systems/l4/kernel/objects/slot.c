/*
 * slot.c: capabilities: slots of a task's table, and the tree of who gave
 * each one.
 */
#include "kernel/kernel.h"

struct slot *slot_of(struct thread *thread, u32 number, u32 kind, u32 right)
{
    struct slot *slot = &thread->slots[number];

    if (number >= SLOTS || !slot->object || (kind && slot->kind != kind) ||
        (slot->rights & right) != right)
        return NULL;
    return slot;
}

s32 slot_empty(struct task *task, u32 number, struct slot **slot)
{
    if (number >= SLOTS || task->ended)
        return L4_BAD_ARGUMENT;
    *slot = &task->slots[number];
    return (*slot)->object ? L4_NO_ROOM : L4_OK;
}

/* The first capability of an object. */
void slot_set(struct slot *slot, struct object *object, u32 badge)
{
    slot->object = object;
    slot->badge = badge;
    slot->kind = (u16)object->kind;
    slot->rights = L4_RIGHTS;
    tree_add(NULL, &slot->node);
    object_hold(object);
}

static bool takes_a_badge(const struct slot *slot)
{
    return !slot->badge &&
           (slot->kind == L4_KIND_GATE || slot->kind == L4_KIND_REGISTERS);
}

/* Who has a gate, or registers, without a badge may put one on it; it stays
 * there. */
s32 slot_copy(struct slot *from, struct slot *to, u32 rights, u32 badge)
{
    s32 result;

    if (!(from->rights & L4_RIGHT_COPY) || from->kind == KIND_REPLY)
        return L4_NO_RIGHT;
    if (badge && !takes_a_badge(from))
        return L4_NO_RIGHT;
    result = tree_add(&from->node, &to->node);
    if (result)
        return result;
    to->object = from->object;
    to->kind = from->kind;
    to->badge = badge ? badge : from->badge;
    to->rights = from->rights & (u16)rights;
    object_hold(to->object);
    return L4_OK;
}

/* Empties the slot of a leaf that is out of its tree. A caller whose reply nobody can give
 * any more does not wait for it. */
static void drop(struct node *node)
{
    struct slot *slot =
        (struct slot *)((char *)node - offsetof(struct slot, node));
    struct object *object = slot->object;

    if (slot->kind == KIND_REPLY) {
        struct thread *caller = OBJECT(thread, object);

        if ((caller->state & ~TIMED) == CALLING && caller->calls == slot->badge)
            ipc_stop(caller, L4_DEAD);
    }
    *slot = (struct slot){0};
    object_drop(object);
}

void slot_clear(struct slot *slot)
{
    tree_remove(&slot->node);
    drop(&slot->node);
}

s32 slot_revoke(struct slot *slot, bool self)
{
    u32 steps = STEPS;

    return tree_prune(&slot->node, self, drop, &steps) ? L4_OK : AGAIN;
}
