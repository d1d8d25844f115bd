/*
 * table.c: descriptor tables and the two tasks of the ROM.
 *
 * Formats: Pentium Processor Family Developer's Manual vol. 3, 11.2 (segment
 * descriptors), 12.5 (gates), 13.2 (TSS), 14.5 (IDT).
 */
#include "testrom.h"

uint32_t gdt[GDT_ENTRIES][2], idt[VECTORS][2], ldt[8][2];
struct tss32 task, double_task;
static uint32_t double_stack[256];

struct pointer {
    uint16_t limit;
    uint32_t base;
} __attribute__((packed));

static void write(uint32_t *entry, uint32_t base, uint32_t limit, uint32_t type,
                  uint32_t attributes)
{
    entry[0] = base << 16 | (limit & 0xFFFF);
    entry[1] = (base & 0xFF000000) | attributes << 20 | (limit & 0xF0000) |
               type << 8 | (base >> 16 & 0xFF);
}

static void write_gate(uint32_t *entry, uint32_t target, const void *offset,
                       uint32_t type, uint32_t count)
{
    entry[0] = target << 16 | ((uint32_t)offset & 0xFFFF);
    entry[1] = ((uint32_t)offset & 0xFFFF0000) | type << 8 | count;
}

void set(uint32_t selector, uint32_t base, uint32_t limit, uint32_t type,
         uint32_t attributes)
{
    write(gdt[selector / 8], base, limit, type, attributes);
}

void set_local(uint32_t index, uint32_t base, uint32_t limit, uint32_t type,
               uint32_t attributes)
{
    write(ldt[index], base, limit, type, attributes);
}

void set_gate(uint32_t selector, uint32_t target, const void *offset,
              uint32_t type, uint32_t count)
{
    write_gate(gdt[selector / 8], target, offset, type, count);
}

void set_vector(uint32_t vector, uint32_t target, const void *offset,
                uint32_t type)
{
    write_gate(idt[vector], target, offset, type, 0);
}

/* Back to the ROM's own handler; INT 3, INTO and the end of a snippet may be
 * reached from all rings. */
#define STUB_BYTES 16
void default_vector(uint32_t vector)
{
    int open = vector == 3 || vector == 4 || vector == DONE;

    set_vector(vector, CODE0, vectors + vector * STUB_BYTES,
               INTERRUPT_GATE32 | (open ? RING3 : 0));
}

/* Makes TASK the current task again, whatever a test has done. */
void use_task(void)
{
    set(TASK, (uint32_t)&task, sizeof task - 1, TSS32, 0);
    __asm__ volatile("ltr %w0" : : "r"(TASK));
}

void use_ldt(uint32_t selector)
{
    __asm__ volatile("lldt %w0" : : "r"(selector));
}

/* A double fault arrives here as a task of its own, so that a broken stack
 * cannot hide it. The error code is on its stack. */
static void meet_double_fault(void)
{
    got.vector = 8;
    got.error = double_stack[255];
    got.eip = task.eip;
    got.cs = task.cs;
    got.eax = task.eax;
    got.eflags = task.eflags;
    __asm__ volatile("pushl $2\n\tpopfl"); /* NT off */
    set(DOUBLE, (uint32_t)&double_task, sizeof double_task - 1, TSS32, 0);
    use_task();
    leave();
}

static void make_double_task(void)
{
    double_task.eip = (uint32_t)meet_double_fault;
    double_task.eflags = 2;
    double_task.esp = (uint32_t)&double_stack[256];
    double_task.cs = CODE0;
    double_task.ss = double_task.ds = double_task.es = DATA0;
    double_task.bitmap = sizeof double_task;
    set(DOUBLE, (uint32_t)&double_task, sizeof double_task - 1, TSS32, 0);
}

void fill_tables(void)
{
    struct pointer gdtr = {sizeof gdt - 1, (uint32_t)gdt};
    struct pointer idtr = {sizeof idt - 1, (uint32_t)idt};
    uint32_t ring, vector;

    for (ring = 0; ring < 4; ring++) {
        set(CODE0 + 16 * ring, 0, 0xFFFFF, EXECUTE | ring << 5, BIG | PAGES);
        set(DATA0 + 16 * ring, 0, 0xFFFFF, DATA | ring << 5, BIG | PAGES);
    }
    task.esp0 = (uint32_t)trap_stack_top;
    task.ss0 = DATA0;
    task.bitmap = sizeof task;
    make_double_task();
    for (vector = 0; vector < VECTORS; vector++)
        default_vector(vector);
    set_vector(8, DOUBLE, 0, TASK_GATE);
    __asm__ volatile("lgdt %0" : : "m"(gdtr));
    __asm__ volatile("lidt %0" : : "m"(idtr));
    use_task();
}
