/*
 * pager.c: this server's own page faults. Our ordinary kernel's sources use
 * the program's memory at the program's addresses, and its pages appear when
 * they are touched, for the server as for the program.
 *
 * A second thread serves them, while the first one waits: both never run at a
 * time. The first server's makes further servers, too. Each has a UTCB of its own, since the first may be filling its one.
 */
#include "lib/panic.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "posix/posix.h"

#define PRIORITY 14
#define SLICE_US 10000
#define STACK_BYTES 8192

struct utcb *l4_own_utcb = (struct utcb *)(L4_ROOT_UTCB + L4_UTCB_OFFSET);

static u8 stack[STACK_BYTES] __attribute__((aligned(PAGE_SIZE)));

/* What the kernel may do, a program need not: entries are there before the
 * program sees the page. */
static bool is_there(u32 address, bool write)
{
    u32 *entry = address < USER_END ? vm_entry(address) : NULL;
    u32 wanted = PTE_PRESENT | (write ? PTE_WRITE : 0);

    return entry && (*entry & wanted) == wanted;
}

static void serve(u32 address, bool write, u32 eip)
{
    s32 result = 0;

    if (address >= USER_END && frames_again(address))
        return;
    if (address >= USER_END ||
        (!is_there(address, write) && (result = fault_resolve(address, write))))
        panic("page fault of the server at EIP %08x, address %08x: %d", eip,
              address, result);
    result = vm_show(L4_SLOT_TASK, address, write);
    if (result)
        panic("the server gets no page at %08x for EIP %08x: error %d", address,
              eip, result);
}

static void take(struct l4_message *m)
{
    u32 label = m->tag >> L4_LABEL_SHIFT;

    if (label < L4_FAULT_PAGE) {
        m->words[0] = (u32)birth_serve(label, m->words[0]);
        return;
    }
    if (m->badge)
        panic("the server of process %u died at its start, EIP %08x, address "
              "%08x",
              m->badge, m->words[1], m->words[0]);
    if (label == L4_FAULT_PAGE)
        serve(m->words[0] & ~(u32)L4_ITEM_WRITE, m->words[0] & L4_ITEM_WRITE,
              m->words[1]);
    else
        panic("exception %u of the server at EIP %08x", m->words[0],
              l4_own_utcb->words[10]);
}

static void pager(void)
{
    struct utcb *others = l4_own_utcb;
    struct l4_message m = {0};
    s32 result;

    for (u32 mode = L4_RECEIVE;; mode = L4_REPLY_WAIT) {
        m.tag = L4_TAG(0, 1);
        l4_own_utcb = others;
        result = l4_invoke(0, mode | L4_FOREVER, &m);
        l4_own_utcb = (struct utcb *)(PAGER_UTCB + L4_UTCB_OFFSET);
        if (result == L4_OK)
            take(&m);
    }
}

static void must(s32 result)
{
    if (result)
        panic("no thread for the server's page faults: error %d", result);
}

void pager_start(void)
{
    must(l4_create(L4_SLOT_FACTORY, L4_KIND_THREAD, SLOT_PAGER, L4_SLOT_TASK,
                   PAGER_UTCB));
    must(l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, SLOT_PAGER_CONTEXT,
                   PRIORITY, SLICE_US));
    must(l4_do(SLOT_PAGER, L4_THREAD_CONTEXT, SLOT_PAGER_CONTEXT, 0, 0));
    must(l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, SLOT_PAGER_GATE, SLOT_PAGER,
                   0));
    must(l4_do(SLOT_PAGER, L4_THREAD_START, (u32)pager,
               (u32)(stack + STACK_BYTES), 0));
    must(l4_do(L4_SLOT_THREAD, L4_THREAD_PAGER, SLOT_PAGER_GATE, 0, 0));
}
