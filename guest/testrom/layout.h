/*
 * layout.h: selectors and addresses, for C and assembly. The descriptors are
 * in table.c.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#define IMAGE 0x10000 /* where the ROM copies itself to */
#define REAL_STACK 0x7000
#define COM1 0x3F8
/* A word that is set before the triple fault, and what it then holds. */
#define MARK 0x600
#define TRIPLE_FAULT 0x33333333
/* 128 KB that nobody else uses. */
#define SCRATCH 0x40000

/* Flat segments of each ring; selectors without RPL. */
#define CODE0 0x08
#define DATA0 0x10
#define CODE1 0x18
#define DATA1 0x20
#define CODE2 0x28
#define DATA2 0x30
#define CODE3 0x38
#define DATA3 0x40
/* The task of the tests, and the one that meets double faults. */
#define TASK 0x48
#define DOUBLE 0x50
/* Slots that each test fills as it likes. */
#define SLOT(n) (0x58 + 8 * (n))
#define SLOTS 16
#define GDT_ENTRIES (SLOT(SLOTS) / 8)
#define LDT_BIT 4

/* Software interrupts of the tests. */
#define DONE 0x80 /* a snippet has come to its end */
#define VECTORS 0x90

#endif
