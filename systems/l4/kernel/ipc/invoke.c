/*
 * invoke.c: the system call: a capability is invoked. The usual calls and
 * replies between threads have gone the short way (fast.S) already.
 */
#include "kernel/kernel.h"

static s32 invoke_object(struct thread *t, struct slot *slot)
{
    u32 operation = t->ecx >> L4_LABEL_SHIFT;

    switch (slot->kind) {
    case L4_KIND_TASK:
        return task_invoke(t, slot, operation);
    case L4_KIND_THREAD:
        return thread_invoke(t, slot, operation);
    case L4_KIND_FACTORY:
        return factory_invoke(t, slot, operation);
    case L4_KIND_IRQ:
        return irq_invoke(t, slot, operation);
    case L4_KIND_LOG:
        return log_invoke(t, slot, operation);
    case L4_KIND_CORE:
        return core_invoke(t, operation);
    case L4_KIND_MEMORY:
        return memory_invoke(t, slot, operation);
    case L4_KIND_REGISTERS:
        return registers_invoke(t, slot, operation);
    default:
        return L4_BAD_ARGUMENT; /* a scheduler context does nothing itself */
    }
}

/* The INT is executed once more. */
static void repeat(struct thread *t)
{
    t->eip -= 2;
}

static void reply_kept(struct thread *t, struct slot *slot)
{
    struct thread *caller = OBJECT(thread, slot->object);
    bool waits =
        (caller->state & ~TIMED) == CALLING && caller->calls == slot->badge;

    if (!waits) {
        slot_clear(slot);
        ipc_finish(t, L4_DEAD);
        return;
    }
    ipc_reply(t, caller);
    slot_clear(slot);
}

static void send(struct thread *t, u32 mode)
{
    struct slot *slot = slot_of(t, t->eax, 0, 0);
    s32 result;

    if (!slot) {
        ipc_finish(t, L4_NO_CAPABILITY);
    } else if (!(slot->rights & L4_RIGHT_SEND)) {
        ipc_finish(t, L4_NO_RIGHT);
    } else if (slot->kind == L4_KIND_GATE) {
        ipc_send(t, OBJECT(gate, slot->object)->thread, slot->badge, mode,
                 t->edx >> 3);
    } else if (slot->kind == KIND_REPLY) {
        reply_kept(t, slot);
    } else {
        result = invoke_object(t, slot);
        if (result == AGAIN)
            repeat(t);
        else if (t->state == READY)
            ipc_finish(t, result);
    }
}

void invoke(struct thread *t)
{
    struct thread *client = t->caller;
    u32 mode = t->edx & L4_MODE, wait = t->edx >> 3;

    switch (mode) {
    case L4_CALL:
    case L4_SEND:
        send(t, mode);
        break;
    case L4_RECEIVE:
        ipc_receive(t, wait);
        break;
    case L4_REPLY:
    case L4_REPLY_WAIT:
        if (client)
            ipc_reply(t, client);
        else
            ipc_finish(t, L4_NO_CAPABILITY);
        /* Whoever waits next is served, whatever became of the last one. */
        if (mode == L4_REPLY_WAIT)
            ipc_receive(t, wait);
        break;
    default:
        ipc_finish(t, L4_BAD_ARGUMENT);
    }
}
