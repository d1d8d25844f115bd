/*
 * enter.c: into the program and out of it. All threads of the program share
 * one thread of the microkernel: whoever runs has its registers there.
 *
 * The program's INT 80h, page faults and exceptions are messages; each is
 * served on the stack of the thread that it comes from, as in our ordinary
 * kernel.
 */
#include "abi/abi_signal.h"
#include "lib/panic.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "posix/posix.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"
#include "process/trapframe.h"
#include "trap/trap.h"

/* In the order of the message. */
struct registers {
    u32 eax, ebx, ecx, edx, esi, edi, ebp, eip, esp, eflags;
};

#define WORDS (l4_utcb()->words + 3)

static u32 cr2;
static bool started;
static bool is_copy; /* of a program that runs, and has not begun itself */
static struct registers there; /* what the microkernel's thread has */
static bool faulted;           /* and it waits after a page fault */
static u64 segment_there;
static struct trapframe entering;

void program_copied(void)
{
    is_copy = true;
    started = false;
    segment_there = 0;
}

u32 read_cr2(void)
{
    return cr2;
}

static void take_registers(struct trapframe *f)
{
    there = *(const struct registers *)WORDS;
    *f = (struct trapframe){
        .eax = there.eax,
        .ebx = there.ebx,
        .ecx = there.ecx,
        .edx = there.edx,
        .esi = there.esi,
        .edi = there.edi,
        .ebp = there.ebp,
        .eip = there.eip,
        .esp = there.esp,
        .eflags = there.eflags,
        .cs = USER_CS,
        .ss = USER_DS,
        .ds = USER_DS,
        .es = USER_DS,
    };
}

/* The thread-local segment of entry 6, the one that the microkernel has. */
static void give_segment(void)
{
    u64 segments[TLS_ENTRIES];
    u32 high;

    segments_save(segments);
    if (segments[0] == segment_there)
        return;
    segment_there = segments[0];
    high = (u32)(segment_there >> 32);
    l4_do(SLOT_RUNS, L4_THREAD_TLS,
          (u32)segment_there >> 16 | (high & 0xFF) << 16 | (high & 0xFF000000),
          0, 0);
}

/* Whether all but EAX is as the program's thread has it. */
static bool as_there(const struct trapframe *f)
{
    return f->ebx == there.ebx && f->ecx == there.ecx && f->edx == there.edx &&
           f->esi == there.esi && f->edi == there.edi && f->ebp == there.ebp &&
           f->eip == there.eip && f->esp == there.esp &&
           f->eflags == there.eflags;
}

/* The reply to the program's message: EAX alone, if nothing else is new. */
static void make_reply(const struct trapframe *f, struct l4_message *m)
{
    give_segment();
    m->words[0] = f->eax;
    m->tag = L4_TAG(0, 1);
    if (as_there(f) && (!faulted || f->eax == there.eax))
        return;
    *(struct registers *)WORDS =
        (struct registers){f->eax, f->ebx, f->ecx, f->edx, f->esi,
                           f->edi, f->ebp, f->eip, f->esp, f->eflags};
    m->tag = L4_TAG(L4_SET_REGISTERS, 3 + sizeof(struct registers) / 4);
}

/* A copy has registers to go on with, and only an answer sets all: so it begins
 * with a fault at address 0, where no program has memory. */
static void begin(const struct trapframe *f)
{
    give_segment();
    l4_do(SLOT_RUNS, L4_THREAD_START, is_copy ? 0 : f->eip, f->esp, 0);
    started = true;
}

/* Replies to the program, and waits for what it wants next. */
static void next_message(const struct trapframe *f, struct l4_message *m)
{
    u32 mode = started ? L4_REPLY_WAIT : L4_RECEIVE;

    if (started)
        make_reply(f, m);
    else
        begin(f);
    for (;;) {
        u32 until = event_wait();
        s32 result;

        turn_give(threading);
        result = l4_invoke(0, mode | until, m);
        turn_take();

        if (result == L4_OK && m->tag >> L4_LABEL_SHIFT >= L4_FAULT_PAGE)
            return;
        mode = L4_RECEIVE;
        event_take(result, m);
        if (turn_over || signal_waiting())
            l4_do(SLOT_RUNS, L4_THREAD_INTERRUPT, 0, 0, 0);
    }
}

/* A page that may be there appears. All else is a trap. */
static void page_fault(struct trapframe *f)
{
    bool write = f->error & FAULT_WRITE;

    f->vector = TRAP_PAGE;
    if (cr2 >= USER_END ||
        (!vm_present(cr2, write) && fault_resolve(cr2, write)))
        return;
    switch (vm_show(SLOT_PROGRAM, cr2, write)) {
    case L4_OK:
        f->vector = VECTOR_SPURIOUS;
        break;
    case L4_NO_RIGHT:
        access_register(f);
        break;
    default:
        panic("no memory of the microkernel's for address %08x: say more "
              "behind kernel in the plan",
              cr2);
    }
}

static void serve(void)
{
    struct trapframe f = entering;
    struct l4_message m = {0};

    for (;;) {
        next_message(&f, &m);
        take_registers(&f);
        faulted = m.tag >> L4_LABEL_SHIFT == L4_FAULT_PAGE;
        if (is_copy) {
            is_copy = false;
            f = entering;
            continue;
        }
        if (faulted) {
            cr2 = m.words[0] & ~(u32)L4_ITEM_WRITE;
            f.error = m.words[2];
            page_fault(&f);
        } else {
            f.vector = m.words[0];
            f.error = m.words[1];
            if (f.vector == L4_INTERRUPTED)
                f.vector = VECTOR_SPURIOUS;
        }
        trap(&f);
    }
}

/* The stack of a thread begins anew at each way into the program, as the
 * processor begins it for our ordinary kernel. */
void user_enter(struct trapframe *frame)
{
    entering = *frame;
    __asm__ volatile("mov %0, %%esp; xor %%ebp, %%ebp; call *%1"
                     :
                     : "r"(current->stack_top), "r"(serve)
                     : "memory");
    __builtin_unreachable();
}
