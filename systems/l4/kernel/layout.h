/*
 * layout.h: addresses and offsets of the kernel, for C and assembly.
 *
 * The last 256 MB of each address space belong to the kernel: the first 4 MB of
 * the core's memory (this image and what the boot loader left), the pool of
 * kernel memory, and a window for devices. Programs use the rest.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "common/cr0.h"

#include "l4/numbers.h"

#define PAGE 4096
#define KERNEL_BASE 0xF0000000 /* physical 0 to 4 MB */
#define POOL_BASE 0xF1000000   /* kernel memory, wherever it lies */
#define POOL_TABLES 4          /* 16 MB at most */
#define DEVICE_BASE 0xF3000000 /* one table: a page each */
#define DIRECTORY_USER (KERNEL_BASE >> 22)

/* Segment selectors, in the order of the descriptors in segment.c. */
#define KERNEL_CODE 0x08
#define KERNEL_DATA 0x10
#define USER_CODE 0x1B
#define USER_DATA 0x23
#define TASK_STATE 0x28
#define USER_TLS 0x33 /* entry 6, as on i386 Linux */

#define VECTOR_TIMER 0x20
#define VECTOR_PIN0 0x21
#define VECTOR_PIN1 0x22
#define VECTOR_SPURIOUS 0x2F
#define VECTOR_LINUX 0x80
#define VECTORS 0x81

#define PTE_PRESENT 1
#define PTE_WRITE 2
#define PTE_USER 4
#define PTE_UNCACHED 0x18

/* Byte offsets of fields of struct thread and struct slot (kernel.h), for
 * ipc/fast.S and trap/vector.S. objects/thread.c does not compile if they
 * differ. */
#define THREAD_EDI 0
#define THREAD_ESI 4
#define THREAD_EBP 8
#define THREAD_EBX 16
#define THREAD_EDX 20
#define THREAD_ECX 24
#define THREAD_EAX 28
#define THREAD_VECTOR 32
#define THREAD_EIP 40
#define THREAD_FRAME 60
#define THREAD_STATE 60
#define THREAD_CR3 64
#define THREAD_SLOTS 68
#define THREAD_PRIORITY 72
#define THREAD_CALLER 76
#define THREAD_PENDING 80
#define THREAD_UTCB 84
#define THREAD_PARTNER 88
#define THREAD_FAULT 92
#define THREAD_TLS 96
#define THREAD_CALLS 104
#define SLOT_OBJECT 0
#define SLOT_BADGE 4
#define SLOT_KIND 8
#define SLOT_BYTES 32
#define SLOTS 128
#define GATE_THREAD 16
#define STATE_READY 1
#define STATE_RECEIVING 2
#define STATE_CALLING 4

#endif
