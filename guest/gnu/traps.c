/*
 * traps.c: feenableexcept() and its kin: a mask bit that is 0 lets the x87 trap.
 */
#include <fenv.h>
#include <fpu_control.h>

static int enabled(void)
{
    fpu_control_t word;

    _FPU_GETCW(word);
    return ~word & FE_ALL_EXCEPT;
}

static int change(int exceptions, int more, int fewer)
{
    int before = enabled();
    fpu_control_t word;

    if (exceptions & ~FE_ALL_EXCEPT)
        return -1;
    _FPU_GETCW(word);
    word = (fpu_control_t)((word & ~more) | fewer);
    _FPU_SETCW(word);
    return before;
}

int feenableexcept(int exceptions)
{
    return change(exceptions, exceptions, 0);
}

int fedisableexcept(int exceptions)
{
    return change(exceptions, 0, exceptions);
}

int fegetexcept(void)
{
    return enabled();
}
