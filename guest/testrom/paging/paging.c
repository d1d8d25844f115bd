/*
 * paging.c: rights, accessed and dirty bits, the TLB.
 *
 * Developer's Manual vol. 3, 11.3 (translation), 12.8 (page protection: both
 * levels together, WP), 14.9.14 (error code: 1 present, 2 write, 4 user;
 * CR2), 11.3.5 (the TLB must be flushed).
 */
#include "paging.h"

uint32_t directory[1024] __attribute__((aligned(4096)));
uint32_t window[1024] __attribute__((aligned(4096)));
static uint32_t low[1024] __attribute__((aligned(4096)));

CODE(g_read, "mov (%ebx), %al; mov $1, %eax");
CODE(g_write, "mov %ecx, (%ebx); mov $1, %eax");
CODE(g_add, "addl $1, (%ebx); mov $1, %eax");
CODE(g_compare, "cmpl $1, (%ebx); mov $1, %eax");
CODE(g_exchange, "mov $1, %eax; cmpxchg %ecx, (%ebx); mov $1, %eax");
CODE(g_call, "call *%ebx; mov $1, %eax");
CODE(g_stale, "mov (%ebx), %al; movl $0, window; mov (%ebx), %al;"
              "mov $1, %eax");
CODE(g_told, "mov (%ebx), %al; movl $0, window; invlpg (%ebx);"
             "mov (%ebx), %al; mov $1, %eax");
CODE(g_cr3, "mov (%ebx), %al; movl $0, window; mov %cr3, %ecx;"
            "mov %ecx, %cr3; mov (%ebx), %al; mov $1, %eax");

void flush(void)
{
    __asm__ volatile("mov %%cr3, %%eax; mov %%eax, %%cr3" : : : "eax");
}

/* Maps a page of the window. */
void map(uint32_t page, uint32_t bits)
{
    window[page] = (SCRATCH + page * PAGE) | bits;
    flush();
}

void map_all(uint32_t bits)
{
    map(0, bits);
    map(1, bits);
    map(2, bits);
}

void directory_entry(uint32_t bits)
{
    directory[WINDOW >> 22] = (uint32_t)window | bits;
    flush();
}

void write_protect(int on)
{
    uint32_t cr0;

    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    cr0 = on ? cr0 | CR0_WP : cr0 & ~CR0_WP;
    __asm__ volatile("mov %0, %%cr0" : : "r"(cr0));
}

void paging_on(void)
{
    uint32_t n, cr0;

    for (n = 0; n < 1024; n++)
        low[n] = n * PAGE | ALL;
    directory[0] = (uint32_t)low | ALL;
    task.cr3 = double_task.cr3 = (uint32_t)directory;
    __asm__ volatile("mov %0, %%cr3" : : "r"(directory));
    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    __asm__ volatile("mov %0, %%cr0" : : "r"(cr0 | CR0_PG));
    directory_entry(ALL);
    map_all(ALL);
}

void paging_off(void)
{
    uint32_t cr0;

    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    __asm__ volatile("mov %0, %%cr0" : : "r"(cr0 & ~CR0_PG));
}

static void each(const char *what, uint32_t ring)
{
    text(what);
    text("\n");
    try_with(" read", ring, g_read, WINDOW, 0);
    try_with(" write", ring, g_write, WINDOW, 0xC3C3C3C3);
    try_with(" add", ring, g_add, WINDOW, 0);
}

static void rights(void)
{
    each("all rights, ring 3", 3);
    map(0, 0);
    each("not present, ring 0", 0);
    each("not present, ring 3", 3);
    map(0, PRESENT | USER);
    each("read-only, ring 3", 3);
    each("read-only, ring 0", 0);
    try_with(" cmp, ring 3", 3, g_compare, WINDOW, 0);
    try_with(" cmpxchg, ring 3", 3, g_exchange, WINDOW, 0);
    write_protect(1);
    each("read-only, ring 0, wp", 0);
    each("read-only, ring 2, wp", 2);
    write_protect(0);
    map(0, PRESENT | WRITABLE);
    each("supervisor, ring 3", 3);
    each("supervisor, ring 2", 2);
    map(0, ALL);
    directory_entry(PRESENT | USER);
    each("directory read-only, ring 3", 3);
    directory_entry(PRESENT | WRITABLE);
    each("directory supervisor, ring 3", 3);
    directory_entry(0);
    each("directory not present, ring 3", 3);
    directory_entry(ALL);
}

static void fetches(void)
{
    *(volatile uint8_t *)SCRATCH = 0xC3; /* RET */
    try_with("fetch", 3, g_call, WINDOW, 0);
    map(0, PRESENT);
    run(3, g_call);
    show("fetch supervisor, ring 3", (const void *)WINDOW);
    try_with("fetch supervisor, ring 0", 0, g_call, WINDOW, 0);
    map(0, 0);
    in.ebx = WINDOW + 5;
    run(3, g_call);
    show("fetch not present, ring 3", (const void *)WINDOW);
    run(0, g_call);
    show("fetch not present, ring 0", (const void *)WINDOW);
    map(0, ALL);
}

/* The low 12 bits of both entries. */
static void entries(const char *what)
{
    text(what);
    text(": ");
    hex(directory[WINDOW >> 22] & 0xFFF, 3);
    text(" ");
    hex(window[0] & 0xFFF, 3);
    text("\n");
}

static void accessed(void)
{
    directory_entry(ALL);
    map(0, ALL);
    entries("before");
    try_with("read", 0, g_read, WINDOW, 0);
    entries("after read");
    try_with("write", 0, g_write, WINDOW, 0);
    entries("after write");
    map(0, ALL);
    try_with("cmp", 0, g_compare, WINDOW, 0);
    entries("after cmp");
    map(0, PRESENT | USER);
    try_with("refused write", 3, g_write, WINDOW, 0);
    line("dirty", window[0] & DIRTY, 3);
    map(0, PRESENT | USER | ACCESSED);
    try_with("supervisor write", 0, g_write, WINDOW, 0);
    entries("after supervisor write");
    map(0, ALL);
}

static void tlb(void)
{
    try_with("stale entry", 0, g_stale, WINDOW, 0);
    map(0, ALL);
    try_with("invlpg", 0, g_told, WINDOW, 0);
    map(0, ALL);
    try_with("load of cr3", 0, g_cr3, WINDOW, 0);
    map(0, ALL);
}

void test_paging(void)
{
    topic("paging");
    paging_on();
    rights();
    fetches();
    accessed();
    tlb();
    paging_off();
}
