/*
 * outcome.c: runs a snippet and reports how it ended.
 *
 * A line is "what: ok VALUE" (EAX at the end of the snippet) or "what: #XX
 * (ERROR) +OFFSET", where the offset of the saved EIP from the beginning of
 * the snippet separates a fault (the instruction itself) from a trap (the next
 * one). A page fault adds CR2.
 */
#include "testrom.h"

struct frame got;
uint32_t got_cr2;
/* A test that wants to go on after a trap looks at it first; it returns
 * nonzero to return from the trap. */
int (*hook)(struct frame *frame);

static const char names[][3] = {"DE", "DB", "MI", "BP", "OF", "BR", "UD",
                                "NM", "DF", "09", "TS", "NP", "SS", "GP",
                                "PF", "15", "MF", "AC", "MC"};
#define PAGE_FAULT 14
#define WITH_ERROR 0x27D00 /* the vectors that push an error code */

/* From vector.S, with interrupts off, on the stack of the trap. */
void trap(struct frame *frame)
{
    if (hook && hook(frame))
        return;
    got = *frame;
    __asm__ volatile("movl %%cr2, %0" : "=r"(got_cr2));
    leave();
}

void run(uint32_t ring, const void *code)
{
    enter(ring, code);
}

static void show_exception(const void *code)
{
    uint32_t count = sizeof names / sizeof names[0];

    text("#");
    if (got.vector < count)
        text(names[got.vector]);
    else
        hex(got.vector, 2);
    if (got.vector < 32 && WITH_ERROR >> got.vector & 1) {
        text("(");
        hex(got.error, 4);
        text(")");
    }
    text(" +");
    hex(got.eip - (uint32_t)code, 2);
    if (got.vector == PAGE_FAULT) {
        text(" cr2 ");
        hex(got_cr2, 8);
    }
}

void show(const char *what, const void *code)
{
    text(what);
    text(": ");
    if (got.vector == DONE) {
        text("ok ");
        hex(got.eax, 8);
    } else {
        show_exception(code);
    }
    text("\n");
}

void try(const char *what, uint32_t ring, const void *code)
{
    run(ring, code);
    show(what, code);
}

void try_with(const char *what, uint32_t ring, const void *code, uint32_t ebx,
              uint32_t ecx)
{
    in.ebx = ebx;
    in.ecx = ecx;
    try(what, ring, code);
}
