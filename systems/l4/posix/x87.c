/*
 * x87.c: the x87 registers of the program, which the microkernel keeps for its
 * thread.
 */
#include "lib/string.h"
#include "lib/x86.h"
#include "posix/posix.h"

#define STATE (l4_utcb()->words + 3)
#define WORDS (X87_BYTES / 4)

/* As FNINIT leaves the words that it sets: control, status, tags. */
static const u32 initial[WORDS] = {0xFFFF037F, 0xFFFF0000, 0xFFFFFFFF};

static void ask(u32 operation)
{
    l4_do(SLOT_RUNS, operation, 0, 0, 0);
}

static void set(const void *state)
{
    struct l4_message m = {L4_TAG(L4_THREAD_SET_X87, 3 + WORDS), {0, 0, 0}, 0};

    memcpy(STATE, state, X87_BYTES);
    l4_call(SLOT_RUNS, &m);
}

void x87_save(void *to)
{
    u32 state[WORDS];

    /* `to` may be a page that is not here yet: its fault uses other words. */
    ask(L4_THREAD_X87);
    memcpy(state, STATE, X87_BYTES);
    memcpy(to, state, X87_BYTES);
    set(initial);
}

void x87_load(const void *from)
{
    u32 state[WORDS];

    memcpy(state, from, X87_BYTES);
    set(state);
}

void x87_reset(void)
{
    set(initial);
}

void x87_words(u16 *status, u16 *control)
{
    ask(L4_THREAD_X87);
    *control = (u16)STATE[0];
    *status = (u16)STATE[1];
}
