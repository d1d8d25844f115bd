/*
 * layout.h: addresses, selectors and offsets of the hypervisor, for C and
 * assembly.
 *
 * The hypervisor has the last 128 MB of each address space of its guest, so
 * that a trap changes no page table: the first 32 MB of the core's private
 * memory, a window for devices, and the guest's memory, as far as this core
 * holds it. Linux leaves the range free by `reservetop=`.
 */
#ifndef ROCKYVISOR_LAYOUT_H
#define ROCKYVISOR_LAYOUT_H

#define PAGE 4096
#define VISOR_BASE 0xF8000000 /* private memory, 32 MB of it */
#define VISOR_SEES 0x02000000
#define DEVICE_BASE 0xFA000000 /* one table: a page each */
#define GUEST_BASE 0xFB000000  /* guest-physical memory, up to 64 MB */
#define GUEST_MAX 0x04000000
#define VISOR_TABLES 32 /* page tables from VISOR_BASE to the end */
#define DIRECTORY_VISOR (VISOR_BASE >> 22)

/* Selectors: the guest's own descriptors come first in the GDT. */
#define GUEST_DESCRIPTORS 56
#define VISOR_CODE 0x1C0
#define VISOR_DATA 0x1C8
#define TASK_STATE 0x1D0
/* The segments at the guest's start, as in Linux's boot protocol. */
#define START_CODE 0x10
#define START_DATA 0x18

#define VECTOR_NMI 2
#define VECTOR_PROTECTION 13
#define VECTOR_PAGE_FAULT 14
#define VECTOR_TIMER 0xE0
#define VECTOR_SPURIOUS 0xEF
#define VECTORS 256

#define PTE_PRESENT 1
#define PTE_WRITE 2
#define PTE_USER 4
#define PTE_ACCESSED 0x20
#define PTE_DIRTY 0x40
#define PTE_UNCACHED 0x18
#define PTE_MPBT 0x88 /* with write-through */

/* EFLAGS. */
#define FLAG_TF 0x100
#define FLAG_IF 0x200
#define FLAG_IOPL 0x3000
#define FLAG_NT 0x4000
#define FLAG_RF 0x10000
#define FLAG_VM 0x20000

/* Opcodes that more than the decoder looks at. */
#define OP_OPERAND_SIZE 0x66 /* a prefix */
#define OP_PUSHF 0x9C
#define OP_HLT 0xF4
#define OP_CLI 0xFA
#define OP_STI 0xFB

/* Byte offsets in struct vcpu (visor.h); trap/trap.c does not compile if they
 * differ. The hole below the frame is the stack of what interrupts the way out
 * to the guest. */
#define FRAME 128
#define FRAME_END (FRAME + 76)     /* where the processor's pushes begin */
#define FRAME_V86_END (FRAME + 92) /* the same in virtual-8086 mode */
#define FRAME_FLAGS (FRAME + 64)

#endif
