/*
 * equipped.h: children with a few capabilities, which they use for what they
 * must not.
 */
#ifndef TESTS_EQUIPPED_H
#define TESTS_EQUIPPED_H

#include "tests/tries.h"

#define KERNEL 0xF0100000u
#define EMPTY 0x30000000u /* an address where a child has nothing */
#define SHARE 65536u

/* The child's slots, and where the root task has the objects. */
enum { TASK = 2, THREAD, FACTORY, LOG, IRQ, FIRST_EMPTY };
enum { SMALL = FREE, NAMED, EVENT };

static void equip(void)
{
    must("task", l4_do(child.task, L4_TASK_GIVE,
                       child.task << L4_SLOT_SHIFT | L4_RIGHTS, TASK, 0));
    must("thread", l4_do(child.task, L4_TASK_GIVE,
                         child.thread << L4_SLOT_SHIFT | L4_RIGHTS, THREAD, 0));
    must("factory", l4_do(child.task, L4_TASK_GIVE,
                          SMALL << L4_SLOT_SHIFT | L4_RIGHTS, FACTORY, 0));
    must("log", l4_do(child.task, L4_TASK_GIVE,
                      NAMED << L4_SLOT_SHIFT | L4_RIGHT_SEND, LOG, 0));
    must("event", l4_do(child.task, L4_TASK_GIVE,
                        EVENT << L4_SLOT_SHIFT | L4_RIGHT_SEND, IRQ, 0));
}

static uint32_t free_memory(void)
{
    struct l4_message m = {L4_TAG(L4_FACTORY_FREE, 0), {0, 0, 0}, 0};

    must("free", l4_call(SMALL, &m));
    return m.words[0];
}

static void try_equipped(const struct try *tries, uint32_t count)
{
    uint32_t before;

    tries_begin();
    must("factory",
         l4_create(L4_SLOT_FACTORY, L4_KIND_FACTORY, SMALL, SHARE, 12));
    l4_utcb()->words[5] = l4_utcb()->words[6] = 0;
    must("log", l4_create(L4_SLOT_FACTORY, L4_KIND_LOG, NAMED, 0x656D, 0));
    must("event", l4_create(L4_SLOT_FACTORY, L4_KIND_IRQ, EVENT, 0, 0));
    before = free_memory();
    try_all(tries, count, equip);
    say("the tries are missing %d bytes\n", (int)(before - free_memory()));
    say("the kernel stands\n");
}

#endif
