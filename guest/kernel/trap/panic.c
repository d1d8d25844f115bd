/* The kernel gives up: one message that names core, place and values. */
#include "trapframe.h"
#include "defs.h"
#include "x86.h"

#define BACKTRACE_MAX 12u

static bool panicking;

/* Return addresses along the saved frame pointers. */
static void back_trace(u32 frame_pointer)
{
    print("  called from:");
    for (u32 n = 0; n < BACKTRACE_MAX; n++) {
        const u32 *saved = (const u32 *)frame_pointer;

        if (frame_pointer < KERNEL_BASE || frame_pointer >= KMAP_BASE)
            break;
        print(" %08x", saved[1]);
        frame_pointer = saved[0];
    }
    print("\n");
}

static void enter(void)
{
    /* A fault while panicking must not panic again. */
    if (panicking)
        halt_forever();
    panicking = true;
    print("rockcreek: core %u: kernel panic: ", options.core);
}

void panic(const char *format, ...)
{
    char text[256];
    va_list list;

    enter();
    va_start(list, format);
    format_list(text, sizeof(text), format, list);
    va_end(list);
    print("%s\n", text);
    back_trace((u32)__builtin_frame_address(0));
    exit_by_panic((u32)__builtin_return_address(0), 0, ~0u);
}

void panic_trap(const struct trapframe *frame)
{
    u32 address = frame->vector == TRAP_PAGE ? read_cr2() : frame->eip;

    enter();
    print("exception %u (error code %x) at EIP %08x, address %08x\n",
          frame->vector, frame->error, frame->eip, address);
    print("  eax %08x ebx %08x ecx %08x edx %08x\n", frame->eax, frame->ebx,
          frame->ecx, frame->edx);
    print("  esi %08x edi %08x ebp %08x esp %08x\n", frame->esi, frame->edi,
          frame->ebp, (u32)&frame->esp);
    back_trace(frame->ebp);
    exit_by_panic(frame->eip, address, frame->vector);
}
