/* The gates that lead to vector.S, and the one way back through them that can
 * fail: with selectors that the program chose. */
#include "lib/string.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "process/signal.h"
#include "process/trapframe.h"
#include "trap/trap.h"

#define GATE_KERNEL 0x8E00u /* interrupt gate, ring 0 */
#define GATE_USER 0xEE00u   /* the same, reachable by INT from ring 3 */

extern const u32 vector_table[VECTORS];
extern char vector_syscall[];
extern char trap_pop_gs[];
extern char trap_pop_fs[];
extern char trap_pop_es[];
extern char trap_pop_ds[];
extern char trap_iret[];

static u64 idt[VECTOR_SYSCALL + 1];

static u64 gate(u32 address, u32 type)
{
    u32 low = KERNEL_CS << 16 | (address & 0xFFFF);
    u32 high = (address & 0xFFFF0000) | type;

    return (u64)high << 32 | low;
}

void trap_init(void)
{
    struct pseudo_descriptor table = {sizeof(idt) - 1, (u32)idt};

    fetch_lines(idt, VECTORS * sizeof(*idt));
    for (u32 n = 0; n < VECTORS; n++)
        idt[n] = gate(vector_table[n], GATE_KERNEL);
    idt[TRAP_BREAKPOINT] = gate(vector_table[TRAP_BREAKPOINT], GATE_USER);
    idt[TRAP_OVERFLOW] = gate(vector_table[TRAP_OVERFLOW], GATE_USER);
    idt[VECTOR_SYSCALL] = gate((u32)vector_syscall, GATE_USER);
    load_idt(&table);
    x87_reset();
}

/* The way back to the program loads selectors that the program chose: one
 * that is no good faults in ring 0, with the words that were to be loaded
 * right above the fault's own frame. A data segment becomes null, also in
 * the registers that this frame holds: they may be as stale. A code or stack
 * segment is the program's fault at the place where it was to go on. */
void bad_selector(struct trapframe *frame)
{
    u32 *above = &frame->eflags + 1;
    struct trapframe *user = (struct trapframe *)((u32 *)frame + 3);
    u32 eip = frame->eip;

    if (eip >= (u32)trap_pop_gs && eip <= (u32)trap_pop_ds) {
        *above = 0;
        frame->ds = 0;
        if (eip <= (u32)trap_pop_es)
            frame->es = 0;
        if (eip <= (u32)trap_pop_fs)
            frame->fs = 0;
        if (eip <= (u32)trap_pop_gs)
            frame->gs = 0;
        return;
    }
    if (eip != (u32)trap_iret)
        panic_trap(frame);
    /* The user's words follow: only what the fault pushed is in between. */
    memmove(user, frame, offsetof(struct trapframe, eip));
    user_frame = user;
    user_exception(user);
    signal_deliver(user);
    user_enter(user);
}
