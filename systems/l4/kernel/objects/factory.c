/*
 * factory.c: makes all other objects, from its share of kernel memory.
 */
#include "kernel/kernel.h"
#include "scc/registers.h"

static struct task *task_in(struct thread *t, u32 number)
{
    struct slot *slot = slot_of(t, number, L4_KIND_TASK, L4_RIGHT_CONTROL);

    return slot ? OBJECT(task, slot->object) : NULL;
}

static s32 make_thread(struct thread *t, struct factory *f, const u32 *words,
                       struct object **object)
{
    struct task *task = task_in(t, words[0]);
    struct thread *thread;
    s32 result;

    if (!task || task->ended)
        return L4_NO_CAPABILITY;
    result = thread_new(f, task, words[1], &thread);
    if (!result)
        *object = &thread->object;
    return result;
}

static s32 make_gate(struct thread *t, struct factory *f, const u32 *words,
                     struct object **object)
{
    struct slot *slot = slot_of(t, words[0], L4_KIND_THREAD, L4_RIGHT_CONTROL);
    struct thread *thread;
    struct gate *gate;
    s32 result;

    if (!slot)
        return L4_NO_CAPABILITY;
    thread = OBJECT(thread, slot->object);
    if (!thread->task)
        return L4_DEAD;
    result = object_new(f, L4_KIND_GATE, sizeof(*gate), object);
    if (result)
        return result;
    gate = OBJECT(gate, *object);
    gate->thread = thread;
    gate->next_of_thread = thread->gates;
    thread->gates = gate;
    return L4_OK;
}

static s32 make_factory(struct factory *f, const u32 *words,
                        struct object **object)
{
    struct factory *made;
    s32 result;

    if (words[1] > f->priority)
        return L4_NO_RIGHT;
    if (words[0] > f->left)
        return L4_NO_MEMORY;
    result = object_new(f, L4_KIND_FACTORY, sizeof(*made), object);
    if (result)
        return result;
    if (words[0] > f->left) {
        object_hold(*object);
        object_drop(*object);
        return L4_NO_MEMORY;
    }
    made = OBJECT(factory, *object);
    made->quota = made->left = words[0];
    made->priority = words[1];
    f->left -= words[0];
    return L4_OK;
}

static s32 make_context(struct factory *f, const u32 *words,
                        struct object **object)
{
    struct context *context;
    s32 result;

    if (words[0] > f->priority)
        return L4_NO_RIGHT;
    if (words[1] == 0)
        return L4_BAD_ARGUMENT;
    result = object_new(f, L4_KIND_CONTEXT, sizeof(*context), object);
    if (result)
        return result;
    context = OBJECT(context, *object);
    context->priority = words[0];
    context->slice = words[1];
    return L4_OK;
}

/* A log's name is up to 11 characters in three words. */
static s32 make_log(struct factory *f, const u32 *words, struct object **object)
{
    s32 result = object_new(f, L4_KIND_LOG, sizeof(struct log), object);

    if (result)
        return result;
    memcpy(OBJECT(log, *object)->name, words, 11);
    OBJECT(log, *object)->port =
        words[3] == L4_LOG_PORT2 ? SCC_SERIAL_COM2 : SCC_SERIAL_COM1;
    return L4_OK;
}

static s32 make(struct thread *t, struct factory *f, u32 kind, const u32 *words,
                struct object **object)
{
    struct task *task;
    s32 result;

    switch (kind) {
    case L4_KIND_TASK:
        result = task_new(f, &task);
        if (!result)
            *object = &task->object;
        return result;
    case L4_KIND_THREAD:
        return make_thread(t, f, words, object);
    case L4_KIND_GATE:
        return make_gate(t, f, words, object);
    case L4_KIND_FACTORY:
        return make_factory(f, words, object);
    case L4_KIND_IRQ:
        return object_new(f, L4_KIND_IRQ, sizeof(struct irq), object);
    case L4_KIND_CONTEXT:
        return make_context(f, words, object);
    case L4_KIND_LOG:
        return make_log(f, words, object);
    default:
        return L4_BAD_ARGUMENT;
    }
}

s32 factory_invoke(struct thread *t, struct slot *slot, u32 operation)
{
    struct factory *factory = OBJECT(factory, slot->object);
    struct object *object;
    struct slot *place;
    s32 result;

    /* What they use comes back before anybody asks for some. The slot may have
     * gone with them. */
    if (task_end_lost())
        return AGAIN;
    if (operation == L4_FACTORY_FREE) {
        t->ebx = factory->left;
        t->esi = factory->quota;
        return L4_OK;
    }
    if (operation != L4_FACTORY_CREATE)
        return L4_BAD_ARGUMENT;
    result = slot_empty(t->task, t->esi, &place);
    if (result)
        return result;
    result = make(t, factory, t->ebx, t->utcb->words + 3, &object);
    if (!result)
        slot_set(place, object, 0);
    return result;
}
