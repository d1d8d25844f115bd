// Exceptions and signals reach handlers with what they need, and the
// interrupted program goes on unharmed, its x87 registers included.
// run: -n 1
// also: --kernel l4
// expect-stdout:
// null write: signal 11 code 1 address 0x10
// text write: signal 11 code 2
// kernel read: signal 11 code 1 address 0xc0100000
// divide: signal 8 code 1
// undefined: signal 4 code 2
// x87 divide: signal 8 code 3
// breakpoint: signal 5
// skipped one instruction
// x87 kept: 4.5
// old handler: 10
// blocked: 0, pending 1, delivered 1
// nested: 10 inside 12
// alternate stack: yes
// one shot: default again
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

static sigjmp_buf back;
static volatile int seen;
static siginfo_t info;

static void note(int number, siginfo_t *i, void *context)
{
    (void)number;
    (void)context;
    info = *i;
    siglongjmp(back, 1);
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *),
                   int flags)
{
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | flags;
    sigaction(number, &action, NULL);
}

static void skip(int number, siginfo_t *i, void *context)
{
    ucontext_t *c = context;

    (void)number;
    (void)i;
    c->uc_mcontext.gregs[REG_EIP] += 2; /* ud2 */
}

static void plain(int number)
{
    volatile double x = 2;

    x = x / 3;
    seen = number;
}

static void outer(int number, siginfo_t *i, void *context)
{
    (void)i;
    (void)context;
    raise(SIGUSR1);
    printf("nested: %d inside %d\n", seen, number);
}

static char stack[16384];

static void on_stack(int number, siginfo_t *i, void *context)
{
    char here;

    (void)number;
    (void)i;
    (void)context;
    seen = &here >= stack && &here < stack + sizeof(stack);
}

static void x87_divide(void)
{
    unsigned short control = 0x37B; /* division by zero unmasked */
    volatile double zero = 0, one = 1;

    __asm__ volatile("fldcw %0" : : "m"(control));
    one = one / zero;
    __asm__ volatile("fwait");
}

static void exceptions(void)
{
    volatile int zero = 0;

    handle(SIGSEGV, note, 0);
    handle(SIGFPE, note, 0);
    handle(SIGILL, note, 0);
    handle(SIGTRAP, note, 0);
    if (!sigsetjmp(back, 1))
        *(volatile int *)(uintptr_t)(16 + zero) = 1;
    printf("null write: signal %d code %d address %p\n", info.si_signo,
           info.si_code, info.si_addr);
    if (!sigsetjmp(back, 1))
        *(volatile char *)(uintptr_t)exceptions = 1;
    printf("text write: signal %d code %d\n", info.si_signo, info.si_code);
    if (!sigsetjmp(back, 1))
        (void)*(volatile int *)(uintptr_t)0xC0100000u;
    printf("kernel read: signal %d code %d address %p\n", info.si_signo,
           info.si_code, info.si_addr);
    if (!sigsetjmp(back, 1))
        zero = 7 / zero;
    printf("divide: signal %d code %d\n", info.si_signo, info.si_code);
    if (!sigsetjmp(back, 1))
        __asm__ volatile("ud2");
    printf("undefined: signal %d code %d\n", info.si_signo, info.si_code);
    if (!sigsetjmp(back, 1))
        x87_divide();
    __asm__ volatile("fninit");
    printf("x87 divide: signal %d code %d\n", info.si_signo, info.si_code);
    if (!sigsetjmp(back, 1))
        __asm__ volatile("int3");
    printf("breakpoint: signal %d\n", info.si_signo);
    handle(SIGILL, skip, 0);
    __asm__ volatile("ud2");
    printf("skipped one instruction\n");
}

static void masks(void)
{
    sigset_t set, pending;
    int before, waiting;

    seen = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    before = seen;
    sigpending(&pending);
    waiting = sigismember(&pending, SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("blocked: %d, pending %d, delivered %d\n", before, waiting,
           seen == SIGUSR1);
}

int main(void)
{
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
    volatile double kept = 3.5;
    struct sigaction now;
    double sum;

    exceptions();
    signal(SIGUSR1, plain);
    sum = kept + 1;
    raise(SIGUSR1);
    printf("x87 kept: %g\n", sum);
    printf("old handler: %d\n", seen);
    masks();
    handle(SIGUSR2, outer, 0);
    raise(SIGUSR2);
    sigaltstack(&alternate, NULL);
    handle(SIGUSR2, on_stack, SA_ONSTACK);
    raise(SIGUSR2);
    printf("alternate stack: %s\n", seen ? "yes" : "no");
    handle(SIGUSR2, on_stack, SA_RESETHAND);
    raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &now);
    printf("one shot: %s\n",
           now.sa_handler == SIG_DFL ? "default again" : "kept");
    return 0;
}
