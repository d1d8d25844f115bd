/*
 * rck_order.h: what a layer under threads announces to `rck run --check races`.
 *
 * The checker sees the program's own accesses, at their addresses. What comes
 * before what among threads that share a core, or work on copies, it learns from
 * the layer: who runs here, who lets go of an object and who takes it. An
 * announcement is a call of a function that returns at once; the checker knows
 * it by its name and reads three registers.
 *
 * An object is any address and a number, the same on both sides; it is not
 * accessed. The caller lets go before others can know of it, and takes after it
 * knows.
 */
#ifndef RCK_ORDER_H
#define RCK_ORDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Four bits; a detail lies above. */
enum rck_order {
    RCK_ORDER_RUNS = 1,    /* this core runs a thread: its number */
    RCK_ORDER_BEGINS,      /* the same, of a new one */
    RCK_ORDER_RELEASE,     /* what it did so far comes before who takes it */
    RCK_ORDER_RELEASE_NEW, /* the same, and nothing that was left before */
    RCK_ORDER_ACQUIRE,
    RCK_ORDER_ATOMIC, /* an operation there; detail: bytes; third: caller */
    RCK_ORDER_FRESH,  /* memory for a new use; detail: bytes; third: caller */
    RCK_ORDER_SHARES  /* what a parallel region's function is given: where that
                         is; detail: which argument; third: the function */
};
#define RCK_ORDER_DETAIL(value) ((uint32_t)(value) << 4)
#define RCK_ORDER_WRITES (1u << 16) /* of an atomic operation's detail */

__attribute__((weak, noinline, naked, regparm(3))) void
rck_order(uint32_t kind, uint32_t what, uint32_t more);
__attribute__((weak, noinline, naked, regparm(3))) void
rck_order(__attribute__((unused)) uint32_t kind,
          __attribute__((unused)) uint32_t what,
          __attribute__((unused)) uint32_t more)
{
    __asm__ volatile("nop\n\tret");
}

#ifdef __cplusplus
}
#endif

#endif
