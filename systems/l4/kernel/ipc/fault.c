/*
 * fault.c: page faults and exceptions are calls to the thread's pager.
 */
#include "kernel/kernel.h"

#define EFLAGS_PROGRAM 0x00200DD5 /* ID, OF, DF, TF, SF, ZF, AF, PF, CF */

/* In the order of the message, behind vector and error code. */
static void registers_out(const struct thread *t, u32 *words)
{
    const u32 values[L4_FAULT_REGISTERS] = {t->eax, t->ebx,    t->ecx,   t->edx,
                                            t->esi, t->edi,    t->ebp,   t->eip,
                                            t->esp, t->eflags, t->tls[1]};

    memcpy(words, values, sizeof(values));
}

static void registers_in(struct thread *t, const u32 *words)
{
    t->eax = words[0];
    t->ebx = words[1];
    t->ecx = words[2];
    t->edx = words[3];
    t->esi = words[4];
    t->edi = words[5];
    t->ebp = words[6];
    t->eip = words[7];
    t->esp = words[8];
    t->eflags =
        (t->eflags & ~(u32)EFLAGS_PROGRAM) | (words[9] & EFLAGS_PROGRAM);
}

/* The registers of a thread that waits for its pager hold what it goes on
 * with, so the message is made when it is taken. */
void fault_message(struct thread *t, struct thread *to)
{
    bool page = t->fault == FAULT_PAGE;
    u32 label = page ? L4_FAULT_PAGE : L4_FAULT_EXCEPT;

    to->ebx = page ? t->fault_address : t->vector;
    to->esi = page ? t->eip : t->fault_error;
    to->edi = page ? t->fault_error : t->eax;
    to->ecx = label << L4_LABEL_SHIFT | (3 + L4_FAULT_REGISTERS);
    registers_out(t, to->utcb->words + 3);
}

void fault_send(struct thread *t, u32 kind)
{
    struct gate *gate = t->pager.object ? OBJECT(gate, t->pager.object) : NULL;
    struct thread *to = gate ? gate->thread : NULL;

    if (!to || to == t) {
        thread_end(t);
        return;
    }
    t->fault = kind;
    ipc_send(t, to, t->pager.badge, L4_CALL, L4_NEVER);
}

/* A page goes where the fault was, whatever the window says. */
static s32 page_reply(struct thread *pager, struct thread *t)
{
    u32 *item = pager->utcb->items;

    if ((pager->ecx & L4_ITEMS) >> L4_ITEMS_SHIFT != 1)
        return L4_OK;
    if (item[0] & L4_ITEM_CAPABILITY)
        return L4_BAD_ARGUMENT;
    return map_pages(&pager->task->space, item[0], &t->task->space,
                     t->fault_address & -PAGE, 1, item[0] & L4_ITEM_GRANT);
}

s32 fault_reply(struct thread *pager, struct thread *t)
{
    if (pager->ecx >> L4_LABEL_SHIFT == L4_SET_REGISTERS)
        registers_in(t, pager->utcb->words + 3);
    else if (t->fault == FAULT_EXCEPT)
        t->eax = pager->ebx;
    return t->fault == FAULT_PAGE ? page_reply(pager, t) : L4_OK;
}
