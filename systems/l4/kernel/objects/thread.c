/*
 * thread.c: threads: their beginning, their end, and who controls them.
 */
#include "kernel/kernel.h"

_Static_assert(offsetof(struct thread, eip) == THREAD_EIP &&
                   offsetof(struct thread, state) == THREAD_STATE &&
                   offsetof(struct thread, cr3) == THREAD_CR3 &&
                   offsetof(struct thread, slots) == THREAD_SLOTS &&
                   offsetof(struct thread, priority) == THREAD_PRIORITY &&
                   offsetof(struct thread, caller) == THREAD_CALLER &&
                   offsetof(struct thread, pending) == THREAD_PENDING &&
                   offsetof(struct thread, utcb) == THREAD_UTCB &&
                   offsetof(struct thread, partner) == THREAD_PARTNER &&
                   offsetof(struct thread, fault) == THREAD_FAULT &&
                   offsetof(struct thread, tls) == THREAD_TLS &&
                   offsetof(struct thread, calls) == THREAD_CALLS &&
                   offsetof(struct thread, vector) == THREAD_VECTOR &&
                   READY == STATE_READY && RECEIVING == STATE_RECEIVING &&
                   CALLING == STATE_CALLING &&
                   offsetof(struct gate, thread) == GATE_THREAD &&
                   offsetof(struct slot, kind) == SLOT_KIND &&
                   sizeof(struct slot) == SLOT_BYTES &&
                   SLOTS * sizeof(struct slot) == PAGE,
               "layout.h differs from kernel.h");

#define EFLAGS_START 0x202 /* interrupts on */

s32 thread_new(struct factory *payer, struct task *task, u32 utcb,
               struct thread **made)
{
    struct thread *thread = pool_small(payer, sizeof(*thread));
    s32 result = L4_NO_MEMORY;
    char *page;

    if (!thread)
        return result;
    page = pool_page(payer);
    if (page && utcb % PAGE == 0)
        result = space_own_page(&task->space, utcb, page, PTE_WRITE);
    else if (page)
        result = L4_BAD_ARGUMENT;
    if (result) {
        if (page)
            pool_page_back(payer, page);
        pool_small_back(payer, thread, sizeof(*thread));
        return result;
    }
    thread->utcb = (struct utcb *)(page + L4_UTCB_OFFSET);
    thread->utcb_user = utcb;
    thread->object.kind = L4_KIND_THREAD;
    thread->object.payer = payer;
    thread->object.bytes = sizeof(*thread);
    object_hold(&payer->object);
    object_hold(&thread->object); /* as long as it has a task */
    thread->task = task;
    object_hold(&task->object);
    thread->next_of_task = task->threads;
    task->threads = thread;
    thread->slots = task->slots;
    thread->cr3 = pool_physical(task->space.directory);
    *made = thread;
    return L4_OK;
}

static void leave_task(struct thread *thread)
{
    struct thread **at = &thread->task->threads;
    struct task *task = thread->task;

    while (*at != thread)
        at = &(*at)->next_of_task;
    *at = thread->next_of_task;
    space_drop_entry(&task->space, thread->utcb_user);
    thread->task = NULL;
    object_drop(&task->object);
}

/* All threads that wait for this thread get an error. */
void thread_end(struct thread *thread)
{
    if (!thread->task)
        return;
    unready(thread);
    timer_forget(thread);
    x87_forget(thread);
    thread->fault = NO_FAULT;
    ipc_stop(thread, L4_DEAD);
    unready(thread);
    thread->state = DEAD;
    while (thread->first_sender)
        ipc_stop(thread->first_sender, L4_DEAD);
    if (thread->caller)
        ipc_stop(thread->caller, L4_DEAD);
    for (struct gate *gate = thread->gates; gate; gate = gate->next_of_thread)
        gate->thread = NULL;
    for (struct irq *irq = thread->first_irq; irq; irq = irq->next)
        irq->queued = false;
    thread->gates = NULL;
    thread->first_irq = NULL;
    if (thread->pager.object)
        slot_clear(&thread->pager);
    if (thread->context)
        object_drop(&thread->context->object);
    thread->context = NULL;
    leave_task(thread);
    pool_page_back(thread->object.payer, (char *)thread->utcb - L4_UTCB_OFFSET);
    object_drop(&thread->object);
}

static s32 set_context(struct thread *t, struct thread *thread)
{
    struct slot *slot = slot_of(t, t->ebx, L4_KIND_CONTEXT, L4_RIGHT_SEND);
    bool queued = thread->state == READY && thread != current;

    if (!slot)
        return L4_NO_CAPABILITY;
    object_hold(slot->object);
    if (thread->context)
        object_drop(&thread->context->object);
    if (queued)
        unready(thread);
    thread->context = OBJECT(context, slot->object);
    thread->priority = thread->context->priority;
    if (queued)
        ready(thread);
    return L4_OK;
}

static s32 set_pager(struct thread *t, struct thread *thread)
{
    struct slot *slot = slot_of(t, t->ebx, L4_KIND_GATE, L4_RIGHT_SEND);

    if (!slot)
        return L4_NO_CAPABILITY;
    if (thread->pager.object)
        slot_clear(&thread->pager);
    return slot_copy(slot, &thread->pager, L4_RIGHTS, 0);
}

static s32 start(struct thread *t, struct thread *thread)
{
    if (!thread->context || thread->state != DEAD)
        return L4_BAD_ARGUMENT;
    thread->eip = t->ebx;
    thread->esp = t->esi;
    thread->cs = USER_CODE;
    thread->ss = USER_DATA;
    thread->eflags = EFLAGS_START;
    ready(thread);
    return L4_OK;
}

/* The caller's reply becomes a capability, to be used when it is time. */
static s32 keep_caller(struct thread *t)
{
    struct thread *caller = t->caller;
    struct slot *slot;
    s32 result = slot_empty(t->task, t->ebx, &slot);

    if (result)
        return result;
    if (!caller)
        return L4_NO_CAPABILITY;
    slot_set(slot, &caller->object, caller->calls);
    slot->kind = KIND_REPLY;
    slot->rights = L4_RIGHT_SEND;
    caller->partner = NULL;
    t->caller = NULL;
    return L4_OK;
}

/* A segment of 4 GB from the base, for ring 3. */
static s32 set_tls(struct thread *t, struct thread *thread)
{
    u32 base = t->ebx;

    thread->tls[0] = base << 16 | 0xFFFF;
    thread->tls[1] = (base & 0xFF000000) | 0x00CFF200 | (base >> 16 & 0xFF);
    return L4_OK;
}

/* Who computes in ring 3 calls its pager at once, as after an exception; who
 * waits is left alone. */
static s32 interrupt(struct thread *t, struct thread *thread)
{
    if (thread == t)
        return L4_BAD_ARGUMENT;
    if (thread->state != READY)
        return L4_OK;
    unready(thread);
    thread->vector = L4_INTERRUPTED;
    thread->fault_error = 0;
    fault_send(thread, FAULT_EXCEPT);
    return L4_OK;
}

static s32 x87_state(struct thread *t, struct thread *thread, bool set)
{
    u32 *words = t->utcb->words + 3;

    if (thread == t)
        return L4_BAD_ARGUMENT;
    x87_leave(thread);
    if (set)
        memcpy(thread->x87, words, sizeof(thread->x87));
    else
        memcpy(words, thread->x87, sizeof(thread->x87));
    return L4_OK;
}

s32 thread_invoke(struct thread *t, struct slot *slot, u32 operation)
{
    struct thread *thread = OBJECT(thread, slot->object);

    if (operation == L4_THREAD_NOTHING)
        return L4_OK;
    if (!(slot->rights & L4_RIGHT_CONTROL))
        return L4_NO_RIGHT;
    if (!thread->task)
        return L4_DEAD;
    switch (operation) {
    case L4_THREAD_START:
        return start(t, thread);
    case L4_THREAD_PAGER:
        return set_pager(t, thread);
    case L4_THREAD_CONTEXT:
        return set_context(t, thread);
    case L4_THREAD_DESTROY:
        thread_end(thread);
        return L4_OK;
    case L4_THREAD_TLS:
        return set_tls(t, thread);
    case L4_THREAD_YIELD:
        rotate();
        return L4_OK;
    case L4_THREAD_INTERRUPT:
        return interrupt(t, thread);
    case L4_THREAD_X87:
    case L4_THREAD_SET_X87:
        return x87_state(t, thread, operation == L4_THREAD_SET_X87);
    case L4_THREAD_KEEP_CALLER:
        return thread == t ? keep_caller(t) : L4_BAD_ARGUMENT;
    default:
        return L4_BAD_ARGUMENT;
    }
}
