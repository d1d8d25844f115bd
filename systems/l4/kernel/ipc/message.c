/*
 * message.c: who waits for whom: send, receive, reply, and every early end.
 */
#include "kernel/kernel.h"

/* An invocation ends without a message. */
void ipc_finish(struct thread *t, s32 result)
{
    t->eax = (u32)result;
    t->edx = 0;
}

static void go_on(struct thread *t, s32 result)
{
    timer_forget(t);
    t->state = READY;
    t->partner = NULL;
    if (t->fault) {
        /* The pager is gone or does not answer: it can never go on. */
        t->fault = NO_FAULT;
        if (result) {
            t->state = DEAD;
            thread_end(t);
        }
    } else {
        t->eax = (u32)result;
    }
    if (t->state == READY && t != current)
        ready(t);
}

static void queue(struct thread *t, struct thread *to)
{
    t->next = NULL;
    t->previous = to->last_sender;
    if (to->last_sender)
        to->last_sender->next = t;
    else
        to->first_sender = t;
    to->last_sender = t;
    to->pending++;
}

static void unqueue(struct thread *t, struct thread *to)
{
    if (t->previous)
        t->previous->next = t->next;
    else
        to->first_sender = t->next;
    if (t->next)
        t->next->previous = t->previous;
    else
        to->last_sender = t->previous;
    to->pending--;
}

/* A wait ends before its time: a timeout, or the partner is gone. */
void ipc_stop(struct thread *t, s32 result)
{
    switch (t->state & ~(u32)TIMED) {
    case SENDING:
        unqueue(t, t->partner);
        break;
    case CALLING:
        if (t->partner && t->partner->caller == t)
            t->partner->caller = NULL;
        break;
    case RECEIVING:
        break;
    default:
        return;
    }
    t->edx = 0;
    go_on(t, result);
}

/* The message has been taken. */
static void sent(struct thread *t, struct thread *to, u32 mode)
{
    if (mode != L4_CALL) {
        t->edx = 0;
        go_on(t, L4_OK);
        return;
    }
    /* A caller who got no reply gets none any more. */
    if (to->caller)
        ipc_stop(to->caller, L4_DEAD);
    t->state = CALLING | (t->state & TIMED);
    t->calls++;
    t->partner = to;
    to->caller = t;
}

void ipc_send(struct thread *t, struct thread *to, u32 badge, u32 mode,
              u32 wait)
{
    s32 result;

    if (!to || to == t) {
        ipc_finish(t, to ? L4_BAD_ARGUMENT : L4_DEAD);
        return;
    }
    if ((to->state & ~(u32)TIMED) == RECEIVING) {
        result = transfer(t, to, badge);
        if (result) {
            ipc_finish(t, result);
            return;
        }
        go_on(to, L4_OK);
        if (mode == L4_CALL)
            timer_wait(t, wait);
        sent(t, to, mode);
        return;
    }
    if (wait == 0) {
        ipc_finish(t, L4_TIMEOUT);
        return;
    }
    t->state = SENDING;
    t->send_badge = badge;
    t->send_mode = mode;
    t->partner = to;
    queue(t, to);
    timer_wait(t, wait);
}

/* A number of events as a message: word, how many, when the last. */
static void take_irq(struct thread *t)
{
    struct irq *irq = t->first_irq;

    t->first_irq = irq->next;
    t->pending--;
    irq->queued = false;
    t->ebx = irq->word;
    t->esi = irq->count;
    t->edi = irq->time;
    t->ecx = 3;
    t->edx = 0;
    irq->count = 0;
}

void ipc_receive(struct thread *t, u32 wait)
{
    if (t->first_irq) {
        take_irq(t);
        go_on(t, L4_OK);
        return;
    }
    while (t->first_sender) {
        struct thread *from = t->first_sender;
        s32 result = transfer(from, t, from->send_badge);

        unqueue(from, t);
        if (!result) {
            go_on(t, L4_OK);
            sent(from, t, from->send_mode);
            return;
        }
        from->edx = 0;
        go_on(from, result);
    }
    if (wait == 0) {
        ipc_finish(t, L4_TIMEOUT);
        return;
    }
    t->state = RECEIVING;
    timer_wait(t, wait);
}

void ipc_reply(struct thread *t, struct thread *client)
{
    s32 result;

    if (t->caller == client)
        t->caller = NULL;
    if (client->fault)
        result = fault_reply(t, client);
    else
        result = transfer(t, client, 0);
    go_on(client, result);
    ipc_finish(t, result);
}
