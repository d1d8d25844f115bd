// Segments of the program's own, selectors that are no good, single steps.
// run: -n 1
// expect-stdout:
// ldt 3 bytes 0
// through the segment: 42
// beyond its limit: signal 11
// not present: signal 7
// removed while loaded: selector 0
// code segment that is not there: signal 11
// breakpoint: signal 5 code 128
// steps over a system call: 5
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define LDT(ENTRY) ((ENTRY) * 8 | 7)
#define WRITABLE_32_BIT 0x01
#define NOT_PRESENT 0x20

struct description {
    unsigned entry;
    void *base;
    unsigned limit;
    unsigned flags;
};

static sigjmp_buf back;
static volatile int code_seen;
static volatile int steps;

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    code_seen = info->si_code;
    siglongjmp(back, number);
}

static void on_step(int number)
{
    (void)number;
    steps++;
}

static void on_user(int number, siginfo_t *info, void *context)
{
    ucontext_t *user = context;

    (void)number, (void)info;
    user->uc_mcontext.gregs[REG_CS] = LDT(99);
}

static void install(unsigned entry, void *base, unsigned limit, unsigned flags)
{
    struct description wanted = {entry, base, limit, flags};

    if (syscall(SYS_modify_ldt, 0x11, &wanted, sizeof(wanted)) != 0)
        printf("modify_ldt failed\n");
}

static int read_through(unsigned selector, unsigned offset)
{
    int value;

    __asm__ volatile("movw %w1, %%fs\n\tmovl %%fs:(%2), %0"
                     : "=r"(value)
                     : "r"(selector), "r"(offset)
                     : "memory");
    return value;
}

static void catch(int number, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};

    action.sa_sigaction = handler;
    sigaction(number, &action, NULL);
}

/* Between the two POPFs all instructions count but INT, whose handler runs
 * without TF. */
static void step_over_call(void)
{
    signal(SIGTRAP, on_step);
    __asm__ volatile("pushf\n\torl $0x100, (%%esp)\n\tpopf\n\t"
                     "movl $20, %%eax\n\tint $0x80\n\tnop\n\t"
                     "pushf\n\tandl $~0x100, (%%esp)\n\tpopf"
                     :
                     :
                     : "eax", "cc", "memory");
}

int main(void)
{
    static int data[4] = {41, 42, 43, 44};
    char table[32];
    unsigned selector;
    int number;

    printf("ldt %d", (int)sizeof(data) / 4 - 1);
    printf(" bytes %ld\n", syscall(SYS_modify_ldt, 0, table, sizeof(table)));
    catch(SIGSEGV, on_fault);
    catch(SIGBUS, on_fault);
    install(3, data, sizeof(data) - 1, WRITABLE_32_BIT);
    printf("through the segment: %d\n", read_through(LDT(3), 4));
    if ((number = sigsetjmp(back, 1)) == 0)
        read_through(LDT(3), sizeof(data));
    printf("beyond its limit: signal %d\n", number);
    install(4, data, sizeof(data) - 1, WRITABLE_32_BIT | NOT_PRESENT);
    if ((number = sigsetjmp(back, 1)) == 0)
        read_through(LDT(4), 0);
    printf("not present: signal %d\n", number);
    read_through(LDT(3), 0);
    install(3, NULL, 0, 0);
    __asm__ volatile("xorl %0, %0\n\tmovw %%fs, %w0" : "=r"(selector));
    printf("removed while loaded: selector %x\n", selector);
    catch(SIGUSR1, on_user);
    if ((number = sigsetjmp(back, 1)) == 0)
        raise(SIGUSR1);
    printf("code segment that is not there: signal %d\n", number);
    catch(SIGTRAP, on_fault);
    if ((number = sigsetjmp(back, 1)) == 0)
        __asm__ volatile("int3");
    printf("breakpoint: signal %d code %d\n", number, code_seen);
    step_over_call();
    printf("steps over a system call: %d\n", steps);
    return 0;
}
