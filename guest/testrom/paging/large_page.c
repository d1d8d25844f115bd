/*
 * large_page.c: pages of 4 MB.
 *
 * CR4.PSE, the PS bit of a directory entry: the Pentium manual keeps these
 * in its appendix H; they are in the SDM vol. 3, "4-MByte pages". (On
 * the SCC CR4.MPE gives the bit another meaning; PSE is off then.)
 */
#include "paging.h"

#define BIG_PAGE 0x01000000

CODE(l_read, "mov (%ebx), %eax");
CODE(l_write, "mov %ecx, (%ebx); mov $1, %eax");
CODE(l_stale, "mov (%ebx), %eax; movl $0, directory + 16;"
              "mov (%ebx), %eax; mov $1, %eax");
CODE(l_told, "mov (%ebx), %eax; movl $0, directory + 16; invlpg 0x1000(%ebx);"
             "mov (%ebx), %eax; mov $1, %eax");

static void entry(uint32_t value)
{
    directory[BIG_PAGE >> 22] = value;
    flush();
}

void test_large_pages(void)
{
    topic("large pages");
    paging_on();
    *(volatile uint32_t *)(SCRATCH + 0x123) = 0x12345678;
    __asm__ volatile("mov %0, %%cr4" : : "r"(CR4_PSE));
    entry(ALL | LARGE);
    try_with("read", 3, l_read, BIG_PAGE + SCRATCH + 0x123, 0);
    line("entry", directory[BIG_PAGE >> 22], 8);
    try_with("write", 3, l_write, BIG_PAGE + SCRATCH, 7);
    line("entry", directory[BIG_PAGE >> 22], 8);
    line("memory", *(volatile uint32_t *)SCRATCH, 8);
    entry(PRESENT | USER | LARGE);
    try_with("write read-only", 3, l_write, BIG_PAGE + SCRATCH, 7);
    entry(PRESENT | WRITABLE | LARGE);
    try_with("read supervisor", 3, l_read, BIG_PAGE + SCRATCH, 0);
    entry(ALL | LARGE);
    try_with("stale entry", 0, l_stale, BIG_PAGE + SCRATCH, 0);
    entry(ALL | LARGE);
    try_with("invlpg", 0, l_told, BIG_PAGE + SCRATCH, 0);
    /* Without PSE the bit has no meaning: the entry points to a table. */
    __asm__ volatile("mov %0, %%cr4" : : "r"(0));
    entry((uint32_t)window | ALL | LARGE);
    map(0, ALL);
    *(volatile uint32_t *)SCRATCH = 0x87654321;
    try_with("pse off", 3, l_read, BIG_PAGE, 0);
    entry(0);
    paging_off();
}
