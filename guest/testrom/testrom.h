/*
 * testrom.h: what the tests share.
 *
 * A test is a snippet of assembly that runs in a ring of its choice until it
 * reaches its end (INT 80) or raises an exception; both come back to the test
 * as an outcome. The ROM writes one line for each to COM1.
 */
#ifndef TESTROM_H
#define TESTROM_H

#include "layout.h"

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;

/* A snippet: assembly between the label NAME and the end of the snippet. */
#define CODE(name, text)      \
    extern const char name[]; \
    __asm__(".text\n.globl " #name "\n" #name ":\n" text "\nint $0x80\n")

/* Descriptor types: the access byte, present and of ring 0. */
enum {
    TSS16 = 0x81,
    LDT = 0x82,
    CALL_GATE16 = 0x84,
    TASK_GATE = 0x85,
    INTERRUPT_GATE16 = 0x86,
    TSS32 = 0x89,
    CALL_GATE32 = 0x8C,
    INTERRUPT_GATE32 = 0x8E,
    TRAP_GATE32 = 0x8F,
    READ_ONLY = 0x90,
    DATA = 0x92,
    DOWN_READ_ONLY = 0x94,
    DOWN = 0x96,
    EXECUTE_ONLY = 0x98,
    EXECUTE = 0x9A,
    CONFORMING_ONLY = 0x9C,
    CONFORMING = 0x9E,
    RING1 = 0x20, /* added to the above */
    RING2 = 0x40,
    RING3 = 0x60,
    ABSENT = 0x80, /* taken from the above */
};

/* The upper four attribute bits. */
enum { BIG = 4, PAGES = 8 };

enum {
    FLAG_CF = 1 << 0,
    FLAG_ZF = 1 << 6,
    FLAG_TF = 1 << 8,
    FLAG_IF = 1 << 9,
    FLAG_NT = 1 << 14,
    FLAG_RF = 1 << 16,
    FLAG_VM = 1 << 17,
    FLAG_AC = 1 << 18,
    FLAG_VIF = 1 << 19,
    FLAG_VIP = 1 << 20,
    FLAG_ID = 1 << 21,
};
#define FLAG_IOPL(level) ((level) << 12)

/* What vector.S leaves on the stack, and with it the outcome of a run. */
struct frame {
    uint32_t gs, fs, es, ds;
    uint32_t edi, esi, ebp, unused, ebx, edx, ecx, eax;
    uint32_t vector, error;
    uint32_t eip, cs, eflags;
    uint32_t esp, ss;                        /* from another ring only */
    uint32_t v86_es, v86_ds, v86_fs, v86_gs; /* from virtual-8086 mode only */
};

/* Registers of the next run; EAX begins as zero. */
struct input {
    uint32_t ebx, ecx, edx, esi, edi, ebp, eflags;
};

struct tss32 {
    uint32_t link, esp0, ss0, esp1, ss1, esp2, ss2, cr3, eip, eflags;
    uint32_t eax, ecx, edx, ebx, esp, ebp, esi, edi;
    uint32_t es, cs, ss, ds, fs, gs, ldt;
    uint16_t trap, bitmap;
    uint8_t redirection[32];
    uint8_t ports[130];
};

struct tss16 {
    uint16_t link, sp0, ss0, sp1, ss1, sp2, ss2, ip, flags;
    uint16_t ax, cx, dx, bx, sp, bp, si, di, es, cs, ss, ds, ldt;
};

/* vector.S */
extern struct input in;
void enter(uint32_t ring, const void *code);
void enter_virtual(uint32_t ip, uint32_t flags);
void leave(void) __attribute__((noreturn));
extern const char vectors[];
extern uint32_t trap_stack_top[], ring_stack_top[];

/* outcome.c */
extern struct frame got;
extern uint32_t got_cr2;
extern int (*hook)(struct frame *frame);
void run(uint32_t ring, const void *code);
void show(const char *what, const void *code);
void
try
    (const char *what, uint32_t ring, const void *code);
void try_with(const char *what, uint32_t ring, const void *code, uint32_t ebx,
              uint32_t ecx);

/* landing.c: where far transfers arrive. */
extern uint32_t far_target[2]; /* offset, selector */
extern const char landed[], landed_top[], landed_flags[];
void aim(uint32_t selector, const void *offset);

/* print.c */
void text(const char *string);
void hex(uint32_t value, int digits);
void topic(const char *name);
void line(const char *what, uint32_t value, int digits);

/* table.c */
extern uint32_t gdt[GDT_ENTRIES][2], idt[VECTORS][2], ldt[8][2];
extern struct tss32 task, double_task;
void fill_tables(void);
void set(uint32_t selector, uint32_t base, uint32_t limit, uint32_t type,
         uint32_t attributes);
void set_local(uint32_t index, uint32_t base, uint32_t limit, uint32_t type,
               uint32_t attributes);
void set_gate(uint32_t selector, uint32_t target, const void *offset,
              uint32_t type, uint32_t count);
void set_vector(uint32_t vector, uint32_t target, const void *offset,
                uint32_t type);
void default_vector(uint32_t vector);
void use_task(void);
void use_ldt(uint32_t selector);

/* The topics, in the order in which main.c calls them. */
void test_segment_loads(void);
void test_segment_limits(void);
void test_inspection(void);
void test_far_transfers(void);
void test_returns(void);
void test_call_gates(void);
void test_interrupt_gates(void);
void test_tasks(void);
void test_task_faults(void);
void test_ports(void);
void test_virtual_8086(void);
void test_virtual_interrupts(void);
void test_privileged(void);
void test_opcodes(void);
void test_alignment(void);
void test_debug(void);
void test_coprocessor(void);
void test_self_modification(void);
void test_paging(void);
void test_page_straddling(void);
void test_large_pages(void);
void test_double_faults(void);

#endif
