/*
 * object.c: what all objects have: a payer, and a count of who knows them.
 */
#include "kernel/kernel.h"

/* Objects are made of small pieces; the count begins at 0. `bytes` is the
 * size of the struct, `object` its head. */
s32 object_new(struct factory *payer, u32 kind, u32 bytes,
               struct object **object)
{
    *object = pool_small(payer, bytes);
    if (!*object)
        return L4_NO_MEMORY;
    (*object)->kind = kind;
    (*object)->payer = payer;
    (*object)->bytes = bytes;
    object_hold(&payer->object);
    return L4_OK;
}

void object_hold(struct object *object)
{
    object->references++;
}

static void free_object(struct object *object)
{
    struct factory *payer = object->payer;
    void *place = object;

    switch (object->kind) {
    case L4_KIND_GATE: {
        struct gate *gate = OBJECT(gate, object);

        if (gate->thread) {
            struct gate **at = &gate->thread->gates;

            while (*at != gate)
                at = &(*at)->next_of_thread;
            *at = gate->next_of_thread;
        }
        break;
    }
    case L4_KIND_IRQ:
        irq_free(OBJECT(irq, object));
        break;
    case L4_KIND_LOG:
        log_free(OBJECT(log, object));
        break;
    case L4_KIND_FACTORY:
        payer->left += OBJECT(factory, object)->quota;
        break;
    case L4_KIND_THREAD:
        place = OBJECT(thread, object);
        break;
    case L4_KIND_TASK:
        if (!OBJECT(task, object)->ended) {
            task_lost(OBJECT(task, object));
            return;
        }
        break;
    }
    pool_small_back(payer, place, object->bytes);
    object_drop(&payer->object);
}

void object_drop(struct object *object)
{
    if (--object->references == 0)
        free_object(object);
}
