/*
 * signals.c: handlers. One repairs what was wrong and lets the instruction
 * run again; others are called by the clock, by another process, by a
 * division; what is not handled ends the process.
 */
#include "user.h"

static int good = 42, caught;
static volatile int rang;

/* The faulting instruction reads through EAX: give it a good address. */
static void repair(int number)
{
    struct signal_frame *frame = frame_of(&number);

    print("signals: %d at address %x\n", number, frame->address);
    frame->registers.eax = (unsigned)&good;
}

static void ring(int number)
{
    rang += number == SIGALRM;
}

static void note(int number)
{
    caught = number;
}

/* DIV ECX takes two bytes. */
static void skip(int number)
{
    frame_of(&number)->registers.eip += 2;
    caught = number;
}

static void repairs(void)
{
    int value;

    on_signal(SIGSEGV, repair);
    __asm__ volatile("mov (%%eax), %0" : "=r"(value) : "a"(0x1234));
    print("signals: read %d after all\n", value);
    on_signal(SIGSEGV, 0);
    on_signal(SIGFPE, skip);
    __asm__ volatile("div %%ecx" : : "a"(1), "d"(0), "c"(0));
    print("signals: %d by a division\n", caught);
}

static void clock(void)
{
    on_signal(SIGALRM, ring);
    alarm(3);
    print("signals: pause gave %d, %d alarm\n", pause(), rang);
    alarm(2);
    while (rang < 2)
        ;
    print("signals: %d alarms, the second in a loop\n", rang);
}

static void other_process(void)
{
    int parent = getpid(), status;

    on_signal(SIGUSR1, note);
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        exit(7);
    }
    while (wait(&status) == INTERRUPTED)
        ;
    print("signals: %d from a child that ended with %d\n", caught, status);
}

/* How a child ends that does this. */
static void ends_by(const char *what, void (*action)(void))
{
    int status;

    if (fork() == 0) {
        action();
        exit(0);
    }
    wait(&status);
    print("signals: %s: %d\n", what, status);
}

static void write_text(void)
{
    *(volatile char *)write_text = 0;
}

static void read_kernel(void)
{
    (void)*(volatile char *)0xC0100000;
}

static void turn_interrupts_off(void)
{
    __asm__ volatile("cli");
}

static void undefined(void)
{
    __asm__ volatile("ud2");
}

static void lose_the_stack(void)
{
    on_signal(SIGSEGV, note);
    __asm__ volatile("mov $0x1000, %esp; push %eax");
}

int main(const char *argument)
{
    (void)argument;
    repairs();
    clock();
    other_process();
    ends_by("writes its text", write_text);
    ends_by("reads the kernel", read_kernel);
    ends_by("cli", turn_interrupts_off);
    ends_by("no instruction", undefined);
    ends_by("no stack for the handler", lose_the_stack);
    return 0;
}
