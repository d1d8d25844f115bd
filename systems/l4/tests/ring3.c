/*
 * ring3.c: a root task whose children are hostile: each tries one thing that
 * must reach nothing. It prints what the kernel answered; the last line says
 * that the kernel and this task still stand.
 */
#include "tests/tries.h"

#define PAGE 4096u
#define WINDOW 0x10000000u

enum { SMALL = FREE /* a factory with a small share */, SPARE };

static void read_kernel(void)
{
    (void)*(volatile int32_t *)0xF0100000;
    done(0);
}

static void write_kernel(void)
{
    *(volatile int32_t *)0xF0100000 = 1;
    done(0);
}

static void read_nothing(void)
{
    done(*(volatile int32_t *)0x30000000);
}

static void write_text(void)
{
    *(volatile int32_t *)0x400000 = 1;
    done(0);
}

static void port(void)
{
    __asm__ volatile("outb %%al, $0x20" : : "a"(0));
    done(0);
}

static void halt_core(void)
{
    __asm__ volatile("hlt");
    done(0);
}

static void no_interrupts(void)
{
    __asm__ volatile("cli");
    done(0);
}

static void load_directory(void)
{
    __asm__ volatile("mov %0, %%cr3" : : "r"(0));
    done(0);
}

static void null_segments(void)
{
    struct l4_message m = {0, {0, 0, 0}, 0};

    /* DS and ES go, the kernel loads its own, and brings them back. */
    __asm__ volatile("mov %0, %%ds\n\tmov %0, %%es\n\tmov %0, %%fs\n\t"
                     "mov %0, %%gs"
                     :
                     : "r"(0));
    __asm__ volatile("int $0x30" : : "a"(99), "d"(0), "c"(0) : "memory");
    done(l4_call(99, &m));
}

static void backwards(void)
{
    struct l4_message m = {L4_TAG(0, 64), {0, 0, 0}, 0};

    __asm__ volatile("std");
    done(l4_call(99, &m));
}

static void forged(void)
{
    struct l4_message m = {0, {0, 0, 0}, 0};
    int32_t worst = L4_NO_CAPABILITY;

    for (uint32_t slot = 2; slot < 1000; slot++)
        if (l4_call(slot, &m) != L4_NO_CAPABILITY)
            worst = (int32_t)slot;
    if (l4_call(0xFFFFFFFF, &m) != L4_NO_CAPABILITY)
        worst = 1;
    done(worst);
}

static void long_message(void)
{
    struct l4_message m = {L4_TAG(0, 127) | L4_TAG_ITEMS(31), {0, 0, 0}, 0};

    done(l4_call(1, &m));
}

static void not_its_page(void)
{
    struct l4_message m = {L4_TAG(0, 0) | L4_TAG_ITEMS(1), {0, 0, 0}, 0};

    l4_utcb()->items[0] = 0xF0100000 | L4_ITEM_WRITE;
    l4_utcb()->items[1] = 1;
    done(l4_call(1, &m));
}

static void many_pages(void)
{
    struct l4_message m = {L4_TAG(0, 0) | L4_TAG_ITEMS(1), {0, 0, 0}, 0};

    l4_utcb()->items[0] = 0x400000;
    l4_utcb()->items[1] = 0xFFFFFFFF;
    done(l4_call(1, &m));
}

static void every_mode(void)
{
    struct l4_message m = {0, {0, 0, 0}, 0};
    int32_t bad = 0;

    for (uint32_t mode = 5; mode < 8; mode++)
        bad += l4_invoke(1, mode, &m) == L4_BAD_ARGUMENT;
    done(bad);
}

static void stack_away(void)
{
    __asm__ volatile("xor %%esp, %%esp\n\tpush %%eax" : : : "memory");
    done(0);
}

static const struct try tries[] = {
    {"read the kernel", read_kernel},
    {"write the kernel", write_kernel},
    {"read where nothing is", read_nothing},
    {"write its own text", write_text},
    {"write to a port", port},
    {"halt the core", halt_core},
    {"turn interrupts off", no_interrupts},
    {"load CR3", load_directory},
    {"invoke with null segments", null_segments},
    {"invoke with the direction flag set", backwards},
    {"invoke slots that it does not have", forged},
    {"send 127 words and 31 items", long_message},
    {"send a page of the kernel", not_its_page},
    {"send 4 billion pages", many_pages},
    {"use modes that do not exist", every_mode},
    {"push without a stack", stack_away},
};

static uint32_t share_left(uint32_t factory)
{
    struct l4_message m = {L4_TAG(L4_FACTORY_FREE, 0), {0, 0, 0}, 0};

    must("free", l4_call(factory, &m));
    return m.words[0];
}

/* A factory's share is all that its objects use, and comes back. */
static void exhaust(void)
{
    uint32_t before = share_left(L4_SLOT_FACTORY), made = 0;
    int32_t result;

    must("factory",
         l4_create(L4_SLOT_FACTORY, L4_KIND_FACTORY, SMALL, 100000, 16));
    do
        result = l4_create(SMALL, L4_KIND_TASK, SPARE + made, 0, 0);
    while (result == L4_OK && ++made);
    say("a share of 100000 bytes: %d tasks, then error %d\n", (int)made,
        (int)result);
    say("its priority 17 of 16: error %d\n",
        (int)l4_create(SMALL, L4_KIND_CONTEXT, SPARE + made, 17, 1));
    while (made--) {
        must("end", l4_do(SPARE + made, L4_TASK_DESTROY, 0, 0, 0));
        must("revoke", l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, SPARE + made, 1, 0));
    }
    must("revoke", l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, SMALL, 1, 0));
    say("what came back is missing %d bytes\n",
        (int)(before - share_left(L4_SLOT_FACTORY)));
}

int main(void)
{
    uint32_t before;

    tries_begin();
    before = share_left(L4_SLOT_FACTORY);
    try_all(tries, sizeof(tries) / sizeof(tries[0]), NULL);
    say("the tries are missing %d bytes\n",
        (int)(before - share_left(L4_SLOT_FACTORY)));
    exhaust();
    say("the kernel stands\n");
    return 0;
}
