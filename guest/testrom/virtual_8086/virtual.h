/*
 * virtual.h: snippets of virtual-8086 mode. They lie in the 16-bit segment
 * and end with INT 3, which is not sensitive to IOPL.
 */
#ifndef VIRTUAL_H
#define VIRTUAL_H

#include "testrom.h"

#define VIRTUAL(name, text)                                             \
    extern const char name[];                                           \
    __asm__(".section .real,\"awx\"\n.code16\n.globl " #name "\n" #name \
            ":\n" text "\nint3\n.code32\n.text\n")

#define CR4_VME 1

void try_virtual(const char *what, uint32_t iopl, const void *code);
void show_virtual(const char *what, const void *code);

#endif
