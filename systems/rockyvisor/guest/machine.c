/* machine.c: the guest's processors, tables and devices. */
#include "common/local_apic.h"
#include "common/processor.h"
#include "guest/guest.h"

#define EXIT_PORT 0xF4
#define MP_PLACE 0xF0000u
#define TRAMPOLINE 0x8000u
#define INIT 0x4500u
#define STARTUP 0x4600u
#define IDENTITY_TABLES 8 /* 32 MB */

struct processor processors[PROCESSORS_MAX];
volatile u32 go;
u32 processor_count = 1;
extern volatile u32 next_processor;
static u32 directory[1024] __attribute__((aligned(PAGE)));
static u32 tables[IDENTITY_TABLES + 2][1024] __attribute__((aligned(PAGE)));
static u32 idt[VECTORS][2];

u32 apic_read(u32 offset)
{
    return *(volatile u32 *)(APIC + offset);
}

void apic_write(u32 offset, u32 value)
{
    *(volatile u32 *)(APIC + offset) = value;
}

u32 own_number(void)
{
    return apic_read(APIC_ID) >> 24;
}

void out(u16 port, u8 value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

u8 in(u16 port)
{
    u8 value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

void print(const char *text)
{
    while (*text) {
        while (!(in(COM1 + 5) & 0x20))
            ;
        out(COM1, (u8)*text++);
    }
}

void print_number(const char *before, u32 value, const char *behind)
{
    char text[11], *at = text + 10;

    *at = 0;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    print(before);
    print(at);
    print(behind);
}

void exit_machine(u32 code)
{
    out(EXIT_PORT, (u8)code);
}

/* In the table of the address, which is one of the last two. */
void map(u32 address, u32 physical, u32 bits)
{
    u32 *table = tables[IDENTITY_TABLES + (address >= APIC)];

    table[address >> 12 & 1023] = physical | bits | (bits ? 0x60 : 0);
    if (!directory[address >> 22])
        directory[address >> 22] = (u32)table | 0x27;
    __asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
}

void pages_init(void)
{
    for (u32 n = 0; n < IDENTITY_TABLES * 1024; n++)
        tables[n / 1024][n % 1024] = n * PAGE | 0x63; /* as Linux's */
    for (u32 n = 0; n < IDENTITY_TABLES; n++)
        directory[n] = (u32)tables[n] | 0x23;
    map(APIC, APIC_PAGE, 0x1B);
}

static void start_paging(void)
{
    u32 value;

    __asm__ volatile("mov %1, %%cr3\n\t"
                     "mov %%cr0, %0\n\t"
                     "or %2, %0\n\t"
                     "mov %0, %%cr0"
                     : "=&r"(value)
                     : "r"(directory), "i"(CR0_PG | CR0_WP)
                     : "memory");
}

static void put_task_state(u32 number)
{
    u32 *state = processors[number].task_state, base = (u32)state;

    state[1] = (u32)stacks[number] + STACK - 2048;
    state[2] = KERNEL_DATA;
    gdt[6 + number][0] = base << 16 | 103;
    gdt[6 + number][1] = (base & 0xFF000000u) | 0x8900 | (base >> 16 & 0xFF);
}

/* Paging, interrupts and the local APIC of a processor. */
void tables_load(u32 number)
{
    struct {
        u16 limit;
        u32 base;
    } __attribute__((packed)) idtr = {sizeof(idt) - 1, (u32)idt};

    start_paging();
    put_task_state(number);
    for (u32 n = 0; n < VECTORS && number == 0; n++) {
        u32 handler = (u32)vectors + n * 16;

        idt[n][0] = KERNEL_CODE << 16 | (handler & 0xFFFF);
        idt[n][1] =
            (handler & 0xFFFF0000u) | (n == VECTOR_SYSTEM ? 0xEE00 : 0x8E00);
    }
    __asm__ volatile("lidt %0\n\t"
                     "ltr %w1"
                     :
                     : "m"(idtr), "r"((6 + number) * 8));
    apic_write(APIC_SPURIOUS, 0x1FF);
    apic_write(APIC_DIVIDE, APIC_BY_1);
}

void timer(u32 count)
{
    apic_write(APIC_LVT_TIMER, VECTOR_TIMER);
    apic_write(APIC_INITIAL_COUNT, count);
}

/* By the table of the MultiProcessor Specification. */
void count_processors(void)
{
    const u8 *pointer = (const u8 *)MP_PLACE, *table, *at;
    u32 entries, found = 0;

    if (*(const u32 *)pointer != 0x5F504D5F) /* _MP_ */
        return;
    table = *(const u8 *const *)(pointer + 4);
    entries = *(const u16 *)(table + 34);
    at = table + 44;
    for (; entries; entries--) {
        found += *at == 0;
        at += *at == 0 ? 20 : 8;
    }
    processor_count = found;
}

void send(u32 to, u32 command)
{
    apic_write(APIC_COMMAND_HIGH, to << 24);
    apic_write(APIC_COMMAND, command);
}

/* Interrupts are on meanwhile: several processors may share a core. */
void wait_for(volatile u32 *word, u32 value)
{
    u32 before = flags();

    __asm__ volatile("sti");
    while (*word != value)
        __asm__ volatile("pause");
    set_flags(before);
}

/* As a lock of Linux: interrupts stay off, and PAUSE is as rck smp replaces it. */
void wait_closed(volatile u32 *word, u32 value)
{
    while (*word != value)
        __asm__ volatile(".byte 0x0F, 0x0C");
}

void start_processors(void)
{
    for (u32 n = 0; n < (u32)(trampoline_end - trampoline); n++)
        ((volatile u8 *)TRAMPOLINE)[n] = (u8)trampoline[n];
    for (u32 n = 1; n < processor_count; n++) {
        next_processor = n;
        send(n, INIT);
        send(n, STARTUP | TRAMPOLINE / PAGE);
        wait_for(&processors[n].up, 1);
    }
}
