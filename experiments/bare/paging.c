/*
 * paging.c: page tables that map addresses to themselves, each page with
 * the memory type that is asked for. Pages have 4 KB: with MPBT there are
 * no larger ones [partheymueller-2011, 2.2.2].
 */
#include "bare.h"

#define PAGE 4096u
#define TABLES 96
#define PRESENT_WRITABLE 3u
#define CR0_PAGING 0x80000000u
#define CR0_CACHES_OFF 0x60000000u /* CD and NW */
#define CR4_MPE 0x800u             /* MPBT pages */

typedef uint32_t table[1024] __attribute__((aligned(PAGE)));

static table directory;
static table tables[TABLES];
static int tables_used;

void map(uint32_t address, uint32_t bytes, uint32_t type)
{
    for (uint32_t at = address; at - address < bytes; at += PAGE) {
        uint32_t *entry = &directory[at >> 22];

        if (*entry == 0 && tables_used < TABLES)
            *entry = (uint32_t)tables[tables_used++] | PRESENT_WRITABLE;
        ((uint32_t *)(*entry & ~(PAGE - 1)))[at / PAGE % 1024] =
            at | type | PRESENT_WRITABLE;
        __asm__ volatile("invlpg (%0)" : : "r"(at) : "memory");
    }
}

void paging_on(void)
{
    uint32_t cr0, cr4;

    map(0, 4u << 20, WRITE_BACK);
    map(SCC_CRB_OWN, 0x2000, UNCACHED);
    map(SCC_APIC_BASE, PAGE, UNCACHED);
    __asm__ volatile("mov %0, %%cr3" : : "r"(directory));
    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    __asm__ volatile("mov %0, %%cr4" : : "r"(cr4 | CR4_MPE));
    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    cr0 = (cr0 | CR0_PAGING) & ~CR0_CACHES_OFF;
    __asm__ volatile("mov %0, %%cr0\n\tjmp 1f\n1:" : : "r"(cr0) : "memory");
}
