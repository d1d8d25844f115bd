/*
 * hostile.c: a Linux program that tries 50 things that must reach nothing
 * (test_hostile.py): it prints what came of each: a signal, an error, or what
 * it reached. It runs unchanged under our ordinary kernel, which trusts its
 * programs with the chip, and under the microkernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "hostile_chip.h"

static sigjmp_buf back;
static volatile int number;
static uint32_t kernel; /* its address, which the command line names */

static uint16_t thread_segment; /* which the C library lives by */

static void on_signal(int signal)
{
    __asm__ volatile("mov %0, %%gs" : : "r"(thread_segment));
    number = signal;
    siglongjmp(back, 1);
}

/* -1 with an error is refused, too. */
static int call(long result)
{
    return result == -1 ? REFUSED : REACHED;
}

/* Memory. */

static int read_kernel(void)
{
    (void)*(volatile int *)kernel;
    return REACHED;
}

static int write_kernel(void)
{
    *(volatile int *)kernel = 1;
    return REACHED;
}

static int jump_to_kernel(void)
{
    ((void (*)(void))kernel)();
    return REACHED;
}

static int write_text(void)
{
    *(volatile int *)(uintptr_t)on_signal = 1;
    return REACHED;
}

static int print_kernel(void)
{
    return call(write(STDERR_FILENO, (void *)kernel, 4));
}

static int read_into_kernel(void)
{
    int ends[2];

    if (pipe(ends) || write(ends[1], "x", 1) != 1)
        return REACHED;
    return call(read(ends[0], (void *)kernel, 1));
}

static int vector_around(void)
{
    struct iovec parts = {(void *)kernel, 0x7FFFFFFF};

    return call(writev(STDERR_FILENO, &parts, 1));
}

static int map_over_kernel(void)
{
    return mmap((void *)kernel, PAGE, PROT_READ | PROT_WRITE,
                MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1,
                0) == (void *)kernel;
}

static int unmap_kernel(void)
{
    return munmap((void *)kernel, PAGE) == 0 && read_kernel();
}

static int open_kernel(void)
{
    return call(mprotect((void *)kernel, PAGE, PROT_READ | PROT_WRITE));
}

/* The processor. */

#define INSTRUCTION(NAME, TEXT)                                           \
    static int NAME(void)                                                 \
    {                                                                     \
        __asm__ volatile(TEXT : : : "eax", "ecx", "edx", "memory", "cc"); \
        return REACHED;                                                   \
    }

INSTRUCTION(no_interrupts, "cli")
INSTRUCTION(halt_core, "hlt")
INSTRUCTION(port, "outb %%al, $0x20")
INSTRUCTION(directory, "xor %%eax, %%eax; mov %%eax, %%cr3")
INSTRUCTION(table, "lgdt (%%esp)")
INSTRUCTION(flush, "wbinvd")
INSTRUCTION(msr, "mov $0x10, %%ecx; rdmsr")
INSTRUCTION(forget_page, "invlpg (%%esp)")
INSTRUCTION(far_call, "lcall $0x08, $0xF0101000")
INSTRUCTION(kernel_segment, "mov $0x10, %%eax; mov %%eax, %%ds")
INSTRUCTION(timer_vector, "int $0x20")
INSTRUCTION(fault_vector, "int $0x0E")
INSTRUCTION(into_ring_0, "pushfl; push $0x08; push $0xF0101000; iret")
INSTRUCTION(nested, "pushfl; orl $0x4000, (%%esp); popfl; iret")

static int all_flags(void)
{
    uint32_t flags;

    __asm__ volatile("push $0x3000; popfl; pushfl; pop %0" : "=r"(flags));
    return (flags & 0x3200) != 0x200;
}

/* System calls. */

static int unknown_call(void)
{
    return call(syscall(9999));
}

static int segment_of_kernel(void)
{
    struct {
        unsigned entry, base, limit, flags;
    } description = {-1u, kernel, 0xFFFFF, 0x51};
    uint32_t old, value;

    if (syscall(SYS_set_thread_area, &description))
        return REFUSED;
    __asm__ volatile("mov %%gs, %0; mov %2, %%gs; mov %%gs:0, %1; mov %0, %%gs"
                     : "=&r"(old), "=&r"(value)
                     : "r"(description.entry * 8 + 3));
    return REACHED;
}

/* A frame of a signal that returns into ring 0. */
static int forged_frame(void)
{
    static uint32_t frame[256];

    for (unsigned n = 0; n < 256; n++)
        frame[n] = 0x08;
    __asm__ volatile("mov %0, %%esp; int $0x80"
                     :
                     : "r"(frame + 16), "a"(SYS_sigreturn)
                     : "memory");
    return REACHED;
}

/* Capabilities: the microkernel's system call. */

static int32_t invoke(uint32_t slot, uint32_t mode, uint32_t tag, uint32_t a,
                      uint32_t b)
{
    int32_t result;

    __asm__ volatile("int $0x30"
                     : "=a"(result), "+c"(tag), "+d"(mode)
                     : "0"(slot), "b"(0), "S"(a), "D"(b)
                     : "memory");
    return result;
}

static int forged(void)
{
    for (uint32_t slot = 0; slot < 300; slot++)
        if (invoke(slot, 0, 0, 0, 0) >= 0)
            return REACHED;
    return invoke(0xFFFFFFFF, 0, 0, 0, 0) >= 0;
}

static int modes(void)
{
    for (uint32_t mode = 0; mode < 8; mode++)
        if (mode != 2 && invoke(1, mode, 0, 0, 0) >= 0)
            return REACHED;
    return REFUSED;
}

static int long_message(void)
{
    return invoke(1, 0, 0xFFFFFFFF, kernel, 0xFFFFFFFF) >= 0;
}

static int own_page(void)
{
    for (uint32_t operation = 0; operation < 64; operation++)
        for (uint32_t slot = 1; slot < 12; slot++)
            if (invoke(slot, 0, operation << 16 | 3, kernel | 2, 1) >= 0)
                return REACHED;
    return REFUSED;
}

static const struct {
    const char *name;
    int (*attempt)(void);
} tries[] = {
    {"read the kernel", read_kernel},
    {"write the kernel", write_kernel},
    {"jump into the kernel", jump_to_kernel},
    {"write its own text", write_text},
    {"print the kernel", print_kernel},
    {"read a pipe into the kernel", read_into_kernel},
    {"print 2 GB from the kernel on", vector_around},
    {"map a page over the kernel", map_over_kernel},
    {"unmap the kernel", unmap_kernel},
    {"make the kernel writable", open_kernel},
    {"map the kernel's memory as a device", kernel_by_device},
    {"that memory, uncached", kernel_uncached},
    {"that memory, as message buffers", kernel_as_messages},
    {"map what lies behind the kernel", server_by_device},
    {"map the end of the core's memory", end_of_memory},
    {"turn interrupts off", no_interrupts},
    {"halt the core", halt_core},
    {"write to a port", port},
    {"load CR3", directory},
    {"load a table of segments", table},
    {"flush the caches", flush},
    {"read a model-specific register", msr},
    {"drop an entry of the TLB", forget_page},
    {"call the kernel by a far call", far_call},
    {"load a segment of the kernel", kernel_segment},
    {"raise the timer's vector", timer_vector},
    {"raise a page fault's vector", fault_vector},
    {"return into ring 0", into_ring_0},
    {"return to a nested task", nested},
    {"pop flags: interrupts off, ports allowed", all_flags},
    {"change an entry of its LUT", own_lut},
    {"an entry of the tile's other LUT", own_lut1},
    {"an entry of another tile's LUT", other_lut},
    {"reset another core", other_reset},
    {"raise another core's NMI", other_nmi},
    {"set another tile's clock", other_clock},
    {"mask another core's interrupts", other_mask},
    {"interrupt in another core's name", in_others_name},
    {"write another core's channel to the host", others_channel},
    {"set a voltage", voltage},
    {"change its local APIC", apic},
    {"write another core's message buffer", others_buffer},
    {"write behind a message buffer", behind_buffer},
    {"make a system call that there is not", unknown_call},
    {"read the kernel by a segment", segment_of_kernel},
    {"return from a forged signal into ring 0", forged_frame},
    {"invoke capabilities that it does not have", forged},
    {"invoke in every mode", modes},
    {"send 127 words and 31 items", long_message},
    {"every operation on every slot", own_page},
};

int main(int argc, char **argv)
{
    static char stack[65536];
    stack_t own = {stack, 0, sizeof(stack)};
    struct sigaction action = {.sa_handler = on_signal,
                               .sa_flags = SA_ONSTACK | SA_NODEFER};
    static volatile unsigned n;

    __asm__ volatile("mov %%gs, %0" : "=r"(thread_segment));
    kernel = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 16) : 0xC0100000;
    for (n = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
         n < sizeof(tries) / sizeof(tries[0]); n++) {
        int reached;

        sigaltstack(&own, NULL);
        for (int one = 1; one < 32; one++)
            sigaction(one, &action, NULL);
        errno = 0;
        if (sigsetjmp(back, 1))
            printf("%s: signal %d\n", tries[n].name, number);
        else if ((reached = tries[n].attempt()))
            printf("%s: reached\n", tries[n].name);
        else
            printf("%s: refused%s%s\n", tries[n].name, errno ? ", " : "",
                   errno ? strerror(errno) : "");
        fflush(stdout);
    }
    puts("the program goes on");
    return 0;
}
