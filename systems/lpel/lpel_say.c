/*
 * lpel_say.c: errors in words, which end the run on all cores; faults inside
 * tasks, and tasks that never give their core up.
 */
#include "lpel_private.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static uint64_t running_since; /* 0: the scheduler runs */

/* Others see it when they look at their mail, or call. Before there is shared
 * memory all cores find the same, but what the conductor alone does. */
static void fail_all(void)
{
    struct lpel_loan none = {.count = -1};

    if (!lpel_all_ranks)
        return;
    if (!lpel_is_static() && !lpel_shared) {
        if (lpel_awaited)
            RCCE_bcast((char *)&none, sizeof none, 0, RCCE_COMM_WORLD);
        return;
    }
    if (lpel_shared)
        lpel_shared->failed = 1;
    for (int rank = 0; rank < lpel_all_ranks; rank++)
        if (rank != lpel_my_rank && lpel_bell)
            RCCE_flag_write(&lpel_bell, RCCE_FLAG_SET, rank);
}

void lpel_check_failed(void)
{
    int rung = 0;

    if (lpel_is_static())
        RCCE_test_flag(lpel_bell, RCCE_FLAG_SET, &rung);
    else if (lpel_shared)
        rung = (int)lpel_shared->failed;
    if (rung) {
        fflush(stdout);
        _exit(1);
    }
}

static void where(void)
{
    int core = lpel_all_ranks ? lpel_core_of[lpel_my_rank] : 0;

    fprintf(stderr, "lpel: core %d: ", core);
    if (lpel_current)
        fprintf(stderr, "task '%s': ", lpel_current->name);
}

void lpel_fail(const char *hint, const char *format, ...)
{
    va_list arguments;

    where();
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nhint: %s\n", hint);
    fflush(stdout);
    fail_all();
    _exit(1);
}

static const char *meaning(int number)
{
    switch (number) {
    case SIGABRT:
        return "it aborted; a C++ exception must not leave a task";
    case SIGFPE:
        return "a division by zero, or another arithmetic fault";
    case SIGILL:
        return "an instruction that this core does not have";
    default:
        return "a memory fault";
    }
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

    if (!lpel_current) {
        signal(number, SIG_DFL);
        return;
    }
    where();
    fprintf(stderr, "%s, by the instruction at 0x%08x (address %p)\n",
            meaning(number), (unsigned)registers[REG_EIP], info->si_addr);
    fprintf(stderr, "hint: what a task keeps lies on its stack or in blocks "
                    "of lpel_malloc\n");
    fail_all();
    _exit(1);
}

static void on_alarm(int number)
{
    (void)number;
    if (running_since && lpel_time_us() - running_since >=
                             (uint64_t)lpel_configured.limit_ms * 1000)
        lpel_fail("it loops, or limit_ms is too short for its work",
                  "over %d ms without a call of LPEL",
                  lpel_configured.limit_ms);
}

/* A task begins to run, or has given its core up. */
void lpel_watch(void)
{
    if (lpel_configured.limit_ms)
        running_since = lpel_current ? lpel_time_us() : 0;
}

static void start_alarm(void)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_ONSTACK};
    int us = lpel_configured.limit_ms * 500;
    struct timeval time = {.tv_sec = us / 1000000, .tv_usec = us % 1000000};
    struct itimerval timer = {.it_interval = time, .it_value = time};

    if (!lpel_configured.limit_ms)
        return;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* Handlers have a stack of their own: the task's may be at its end. */
void lpel_faults_start(void)
{
    static const int faults[] = {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS};
    static char stack[16384];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK};

    sigaltstack(&other, NULL);
    for (size_t n = 0; n < sizeof faults / sizeof *faults; n++)
        sigaction(faults[n], &action, NULL);
    start_alarm();
}
