/*
 * paging.h: the address space of the paging tests. The first 4 MB are mapped
 * one to one for all rings; from WINDOW on lie pages that the tests change,
 * on the scratch memory.
 */
#ifndef PAGING_H
#define PAGING_H

#include "testrom.h"

#define WINDOW 0x00800000
#define PAGE 0x1000

enum {
    PRESENT = 1,
    WRITABLE = 2,
    USER = 4,
    ACCESSED = 0x20,
    DIRTY = 0x40,
    LARGE = 0x80,
    ALL = PRESENT | WRITABLE | USER,
};

#define CR0_WP (1 << 16)
#define CR0_PG (1u << 31)
#define CR4_PSE 0x10

extern uint32_t directory[1024], window[1024];
void paging_on(void);
void paging_off(void);
void map(uint32_t page, uint32_t bits);
void map_all(uint32_t bits);
void directory_entry(uint32_t bits);
void write_protect(int on);
void flush(void);

#endif
