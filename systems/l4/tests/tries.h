/*
 * tries.h: children of a root task, one a try: each attempts one thing that
 * must reach nothing. What the kernel answered is printed.
 */
#ifndef TESTS_TRIES_H
#define TESTS_TRIES_H

#include "lib/l4.h"

#define PAGE 4096u
#define PATIENCE_US 20000 /* who has not answered by then does not */
#define CHILDS_GATE 1     /* the child's slot of a gate to the root task */

enum {
    CONTEXT = L4_SLOT_FREE,
    PAGER, /* gate of the root task's thread: faults of children come here */
    CHILD, /* task, thread, gate */
    FREE = CHILD + 3,
};

struct
try {
    const char *name;
    void (*begin)(void);
};

static char stack[4096] __attribute__((aligned(16)));
static struct child child;

/* Called by a child: sends `value` to the root task, then waits for ever. */
static void done(int32_t value)
{
    struct l4_message m = {L4_TAG(7, 1), {(uint32_t)value, 0, 0}, 0};

    l4_call(CHILDS_GATE, &m);
}

static void must(const char *what, int32_t result)
{
    if (result) {
        say("%s: error %d\n", what, (int)result);
        halt(1);
    }
}

static void tries_begin(void)
{
    must("context",
         l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, CONTEXT, 12, 1000));
    must("gate",
         l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, PAGER, L4_SLOT_THREAD, 0));
}

static int32_t do_try(const struct try *try, void (*equip)(void),
                      struct l4_message *m)
{
    int32_t answered;

    must("child", child_start(&child, CHILD, CONTEXT));
    must("gate", l4_do(child.task, L4_TASK_GIVE,
                       PAGER << L4_SLOT_SHIFT | L4_RIGHTS, CHILDS_GATE, 77));
    must("pager", l4_do(child.thread, L4_THREAD_PAGER, PAGER, 0, 0));
    if (equip)
        equip();
    must("start", l4_do(child.thread, L4_THREAD_START, (uint32_t)try->begin,
                        (uint32_t)(stack + sizeof(stack)), 0));
    answered = l4_invoke(0, L4_WAIT(L4_RECEIVE, PATIENCE_US), m);
    must("end", l4_do(child.task, L4_TASK_DESTROY, 0, 0, 0));
    for (uint32_t slot = CHILD; slot < CHILD + 3; slot++)
        must("revoke", l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, slot, 1, 0));
    return answered;
}

static void try_all(const struct try *tries, uint32_t count,
                    void (*equip)(void))
{
    for (uint32_t n = 0; n < count; n++) {
        struct l4_message m;
        int32_t answered = do_try(&tries[n], equip, &m);
        uint32_t label = m.tag >> L4_LABEL_SHIFT;

        if (answered)
            say("%s: no answer\n", tries[n].name);
        else if (label == L4_FAULT_PAGE)
            say("%s: page fault at %x, %s\n", tries[n].name,
                m.words[0] & ~(uint32_t)L4_ITEM_WRITE,
                m.words[0] & L4_ITEM_WRITE ? "write" : "read");
        else if (label == L4_FAULT_EXCEPT)
            say("%s: exception %d\n", tries[n].name, (int)m.words[0]);
        else
            say("%s: result %d\n", tries[n].name, (int)m.words[0]);
    }
}

#endif
