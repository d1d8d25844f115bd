/*
 * end.c: last words.
 */
#include "scc/end.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

#define MOST_GUARDS 8

static struct {
    void (*leaving)(void);
    void (*died)(int);
} guards[MOST_GUARDS];
static int guarded;

/* Each once, the last one first; one that ends the program itself is not
 * called again. */
static void leave(void)
{
    while (guarded > 0)
        guards[--guarded].leaving();
}

static void die(int signal)
{
    while (guarded > 0)
        guards[--guarded].died(signal);
    raise(signal);
}

static void catch_deadly_signals(void)
{
    static const int deadly[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                 SIGABRT, SIGTERM, SIGINT};
    const struct sigaction action = {.sa_handler = die,
                                     .sa_flags = SA_RESETHAND};

    for (size_t n = 0; n < sizeof deadly / sizeof *deadly; n++) {
        struct sigaction before;

        if (sigaction(deadly[n], NULL, &before) == 0 &&
            before.sa_handler == SIG_DFL)
            sigaction(deadly[n], &action, NULL);
    }
}

void scc_guard(void (*leaving)(void), void (*died)(int signal))
{
    static int ready;

    for (int n = 0; n < guarded; n++)
        if (guards[n].leaving == leaving)
            return;
    if (guarded == MOST_GUARDS)
        abort();
    guards[guarded].leaving = leaving;
    guards[guarded].died = died;
    guarded++;
    if (ready)
        return;
    ready = 1;
    atexit(leave);
    catch_deadly_signals();
}

void scc_unguard(void (*leaving)(void))
{
    for (int n = 0; n < guarded; n++)
        if (guards[n].leaving == leaving) {
            guarded--;
            for (; n < guarded; n++)
                guards[n] = guards[n + 1];
        }
}
