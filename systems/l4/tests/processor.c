/*
 * processor.c: a root task whose children try instructions that lead into the
 * kernel or around it.
 */
#include "tests/tries.h"

static void far_call(void)
{
    __asm__ volatile("lcall $0x08, $0xF0101000");
    done(0);
}

static void kernel_segment(void)
{
    __asm__ volatile("mov %0, %%ds" : : "r"(0x10));
    done(0);
}

static void kernel_vector(void)
{
    __asm__ volatile("int $0x20");
    done(0);
}

static void fault_vector(void)
{
    __asm__ volatile("int $0x0E");
    done(0);
}

static void load_table(void)
{
    static const char table[6];

    __asm__ volatile("lgdt %0" : : "m"(table));
    done(0);
}

static void flush(void)
{
    __asm__ volatile("wbinvd");
    done(0);
}

static void read_msr(void)
{
    __asm__ volatile("rdmsr" : : "c"(0x10) : "eax", "edx");
    done(0);
}

static void forget_page(void)
{
    __asm__ volatile("invlpg 0x400000");
    done(0);
}

static void jump_to_kernel(void)
{
    __asm__ volatile("jmp *%0" : : "r"(0xF0101000));
    done(0);
}

/* IRET to ring 0 of its own making. */
static void iret_to_kernel(void)
{
    __asm__ volatile("pushfl; push $0x08; push $0xF0101000; iret");
    done(0);
}

/* POPF changes neither IF nor the right to ports. */
static void all_flags(void)
{
    uint32_t flags;

    __asm__ volatile("push $0x3000; popfl; pushfl; pop %0" : "=r"(flags));
    done((int32_t)(flags & 0x3200));
}

/* IRET with the flag NT would return to another processor task. */
static void nested_task(void)
{
    __asm__ volatile("pushfl; orl $0x4000, (%esp); popfl; iret");
    done(0);
}

static void step(void)
{
    __asm__ volatile("pushfl; orl $0x100, (%esp); popfl; nop; nop");
    done(0);
}

/* The way into the kernel does not use the program's stack. */
static void invoke_on_a_kernel_stack(void)
{
    int32_t result;

    __asm__ volatile("mov %%esp, %%ebp; mov $0xF0110000, %%esp; int $0x30; "
                     "mov %%ebp, %%esp"
                     : "=a"(result)
                     : "0"(99), "d"(0), "c"(0)
                     : "ebp", "memory");
    done(result);
}

static const struct try tries[] = {
    {"call the kernel by a far call", far_call},
    {"load a segment of the kernel", kernel_segment},
    {"raise the timer's vector", kernel_vector},
    {"raise a page fault's vector", fault_vector},
    {"load a table of segments", load_table},
    {"flush the caches", flush},
    {"read a model-specific register", read_msr},
    {"drop an entry of the TLB", forget_page},
    {"jump into the kernel", jump_to_kernel},
    {"return into ring 0", iret_to_kernel},
    {"pop flags: interrupts off, ports allowed", all_flags},
    {"return to a nested task", nested_task},
    {"single-step", step},
    {"invoke on a stack of the kernel's", invoke_on_a_kernel_stack},
};

int main(void)
{
    tries_begin();
    try_all(tries, sizeof(tries) / sizeof(tries[0]), NULL);
    say("the kernel stands\n");
    return 0;
}
