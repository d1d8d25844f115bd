/*
 * invoke.h: the system call and its usual forms, for programs.
 *
 * Functions that take words put them where the kernel reads them: the first
 * three in registers, further ones in the UTCB of the task's first thread, or
 * with L4_OWN_UTCB in the one to which l4_own_utcb points.
 */
#ifndef L4_INVOKE_H
#define L4_INVOKE_H

#include <stddef.h>
#include <stdint.h>

#include "l4/utcb.h"

struct l4_message {
    uint32_t tag, words[3], badge;
};

#define L4_TAG(label, words) ((uint32_t)(label) << L4_LABEL_SHIFT | (words))
#define L4_TAG_ITEMS(count) ((uint32_t)(count) << L4_ITEMS_SHIFT)
#define L4_WAIT(mode, microseconds) ((mode) | (uint32_t)(microseconds) << 3)

/* The UTCB of the task's first thread. A program with more threads defines
 * L4_OWN_UTCB, and l4_own_utcb for the thread that runs. */
static inline struct utcb *l4_utcb(void)
{
#ifdef L4_OWN_UTCB
    extern struct utcb *l4_own_utcb;

    return l4_own_utcb;
#else
    return (struct utcb *)(L4_ROOT_UTCB + L4_UTCB_OFFSET);
#endif
}

/* The system call. `mode`: L4_CALL, ... with a timeout (L4_WAIT, L4_FOREVER).
 * Sends `m` and stores the message received in it. Returns L4_OK or a negative
 * number (numbers.h). */
static inline int32_t l4_invoke(uint32_t slot, uint32_t mode,
                                struct l4_message *m)
{
    int32_t result;

    __asm__ volatile("int $0x30"
                     : "=a"(result), "+c"(m->tag), "=d"(m->badge),
                       "+b"(m->words[0]), "+S"(m->words[1]), "+D"(m->words[2])
                     : "0"(slot), "2"(mode)
                     : "memory");
    return result;
}

/* Sends `m` to an object or a server, and waits for its reply. */
static inline int32_t l4_call(uint32_t slot, struct l4_message *m)
{
    return l4_invoke(slot, L4_CALL | L4_FOREVER, m);
}

/* Calls an object of the kernel: performs an operation with three words as its
 * arguments. Returns its result (L4_OK or a negative number). */
static inline int32_t l4_do(uint32_t slot, uint32_t operation, uint32_t a,
                            uint32_t b, uint32_t c)
{
    struct l4_message m = {L4_TAG(operation, 3), {a, b, c}, 0};

    return l4_call(slot, &m);
}

/* Calls a server. Returns why the call failed, or the first word of the reply,
 * which is L4_OK or why the server did not do what it was asked for. */
static inline int32_t l4_ask(uint32_t slot, struct l4_message *m)
{
    int32_t result = l4_call(slot, m);

    return result ? result : (int32_t)m->words[0];
}

/* Creates an object, whose first capability goes to the empty slot `slot`. `a`
 * and `b`: words 3 and 4 of L4_FACTORY_CREATE; a log's further words are in the
 * UTCB before. */
static inline int32_t l4_create(uint32_t factory, uint32_t kind, uint32_t slot,
                                uint32_t a, uint32_t b)
{
    struct l4_message m = {L4_TAG(L4_FACTORY_CREATE, 5), {kind, slot, 0}, 0};

    l4_utcb()->words[3] = a;
    l4_utcb()->words[4] = b;
    return l4_call(factory, &m);
}

static inline uint64_t l4_cycles(void)
{
    uint64_t value;

    __asm__ volatile("rdtsc" : "=A"(value));
    return value;
}

#endif
