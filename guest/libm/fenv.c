/*
 * fenv.c -- the floating-point environment: status and control word.
 *
 * musl's own also has a part for SSE behind a test of the processor; here
 * there is only the x87, whose environment FNSTENV stores in 28 bytes
 * (intel-pentium-1995, chapter 6), the layout of fenv_t.
 */
#include "x87.h"

#include <fenv.h>

int __fesetround(int mode);

static uint16_t status_word(void)
{
    uint16_t status;

    __asm__ volatile("fnstsw %0" : "=a"(status));
    return status;
}

static void load(const fenv_t *environment)
{
    __asm__ volatile("fldenv %0" : : "m"(*environment));
}

/* FNSTENV masks all exceptions, so what it stored is loaded again. */
static void store(fenv_t *environment)
{
    __asm__ volatile("fnstenv %0" : "=m"(*environment));
    load(environment);
}

int feclearexcept(int exceptions)
{
    exceptions &= FE_ALL_EXCEPT;
    if ((status_word() & exceptions) == 0)
        return 0;
    if ((status_word() & FE_ALL_EXCEPT & ~exceptions) == 0) {
        __asm__ volatile("fnclex");
        return 0;
    }
    fenv_t environment;

    store(&environment);
    environment.__status_word &= (unsigned short)~exceptions;
    load(&environment);
    return 0;
}

int feraiseexcept(int exceptions)
{
    fenv_t environment;

    store(&environment);
    environment.__status_word |= (unsigned short)(exceptions & FE_ALL_EXCEPT);
    load(&environment);
    __asm__ volatile("fwait");
    return 0;
}

int fetestexcept(int exceptions)
{
    return status_word() & exceptions & FE_ALL_EXCEPT;
}

int fegetround(void)
{
    uint16_t control;

    __asm__ volatile("fnstcw %0" : "=m"(control));
    return control & X87_CHOP;
}

/* The mode was checked by fesetround. */
int __fesetround(int mode)
{
    uint16_t control;

    __asm__ volatile("fnstcw %0" : "=m"(control));
    x87_restore((uint16_t)((control & ~X87_CHOP) | mode));
    return 0;
}

int fegetenv(fenv_t *environment)
{
    store(environment);
    return 0;
}

int fesetenv(const fenv_t *environment)
{
    /* What FNINIT sets: all exceptions masked, 64 bits, an empty stack. */
    static const fenv_t initial = {
        .__control_word = 0x37f,
        .__tags = 0xffff,
    };

    load(environment == FE_DFL_ENV ? &initial : environment);
    return 0;
}
