/*
 * masks.c: BSD's masks of the first 32 signals.
 */
#include <signal.h>
#include <stdint.h>
#include <string.h>

static int change(int how, uint32_t mask)
{
    sigset_t set, before;

    sigemptyset(&set);
    memcpy(&set, &mask, sizeof mask);
    sigprocmask(how, &set, &before);
    memcpy(&mask, &before, sizeof mask);
    return (int)mask;
}

int sigblock(int mask)
{
    return change(SIG_BLOCK, (uint32_t)mask);
}

int sigsetmask(int mask)
{
    return change(SIG_SETMASK, (uint32_t)mask);
}

int siggetmask(void)
{
    return change(SIG_BLOCK, 0);
}
