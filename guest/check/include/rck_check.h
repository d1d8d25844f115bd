/*
 * rck_check.h: marks for `rck run --check coherence`.
 *
 * The checker sees by itself who waits for whom: by values that one core
 * wrote and another one read, test-and-set registers, atomic counters and
 * interrupts. A protocol that orders cores in another way (by time, by files,
 * by a device) says so with two marks: what a core did before
 * rck_check_release(object) happens before what another one does after
 * rck_check_acquire(object). An object is any address, the same on both
 * sides; it is not accessed. Without the checker a mark is a call of an empty
 * function.
 */
#ifndef RCK_CHECK_H
#define RCK_CHECK_H

#ifdef __cplusplus
extern "C" {
#endif

/* The checker knows them by their names, and the object by its register. */
#define RCK_CHECK_MARK __attribute__((weak, noinline, naked, regparm(1)))

RCK_CHECK_MARK void rck_check_release(const volatile void *object);
RCK_CHECK_MARK void rck_check_acquire(const volatile void *object);

RCK_CHECK_MARK void rck_check_release(__attribute__((unused))
                                      const volatile void *object)
{
    __asm__ volatile("nop\n\tret");
}

RCK_CHECK_MARK void rck_check_acquire(__attribute__((unused))
                                      const volatile void *object)
{
    __asm__ volatile("nop\n\tret");
}

#ifdef __cplusplus
}
#endif

#endif
