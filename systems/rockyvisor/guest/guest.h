/*
 * guest.h: a small kernel for several processors, by which the hypervisor is
 * tested. It is written for ring 0 of a machine with coherent memory, LOCK and
 * local APICs. Of the hypervisor it knows only how some instructions are
 * encoded (encoding.h).
 */
#ifndef GUEST_H
#define GUEST_H

#include "guest/guest_asm.h"
#include "common/types.h"

#define PAGE 4096
#define APIC 0xF0000000u /* the address to which its page is mapped */
#define PROCESSORS_MAX 48
#define COM1 0x3F8
#define CYCLES_OF_A_MS 533333u

#define VECTOR_TIMER 0x30
#define VECTOR_CALL 0x31 /* from another processor */
#define VECTOR_SYSTEM 0x80

struct frame {
    u32 edi, esi, ebp, esp_of_pusha, ebx, edx, ecx, eax;
    u32 vector, error, eip, cs, flags, esp, ss;
};

/* One for each processor. */
struct processor {
    volatile u32 ticks, calls, call_time, faults, up, from_user, user_sum;
    u32 task_state[26];
};

extern struct processor processors[PROCESSORS_MAX];
extern volatile u32 go;
extern u32 gdt[GDT_ENTRIES][2];
extern u32 processor_count;

/* entry.S */
extern const char vectors[], trampoline[], trampoline_end[];
extern char stacks[PROCESSORS_MAX][STACK];
void enter_user(u32 eip, u32 esp);
u32 probe(u32 address); /* 1: a page fault */
u32 probe_segment(u32 selector, u32 offset);
extern const char probe_returned[];
u32 probe_return(u32 eip, u32 cs, u32 ss, u32 esp);
void load_gdt(void);

/* machine.c */
u32 apic_read(u32 offset);
void apic_write(u32 offset, u32 value);
u32 own_number(void);
void out(u16 port, u8 value);
u8 in(u16 port);
void print(const char *text);
void print_number(const char *before, u32 value, const char *behind);
void exit_machine(u32 code);
void pages_init(void);
void map(u32 address, u32 physical, u32 bits);
void tables_load(u32 number);
void count_processors(void);
void start_processors(void);
void wait_for(volatile u32 *word, u32 value);
void wait_closed(volatile u32 *word, u32 value);
void send(u32 to, u32 command);
void timer(u32 cycles);

/* tests.c */
void check(const char *what, bool holds);

/* costs.c, litmus.c, one_lock.c, random.c, returns.c, sharing.c, storm.c, text.c, work.c */
u32 bytes(u32 number, u32 chunk);
u32 costs(u32 number);
u32 idle(u32 number, u32 ms);
void leave_alone(void);
u32 sharing_costs(u32 number);
u32 litmus(u32 number, u32 rounds);
u32 one_lock(u32 number, u32 ms);
void random_next(struct frame *f);
void random_start(u32 number, u32 seed) __attribute__((noreturn));
bool returns_fault(struct frame *f);
void test_returns(void);
u32 storm(u32 number);
u32 text(u32 number, u32 rounds);

static inline u32 flags(void)
{
    u32 value;

    __asm__ volatile("pushf\n\tpop %0" : "=r"(value));
    return value;
}

static inline u64 time_stamp(void)
{
    u64 value;

    __asm__ volatile("rdtsc" : "=A"(value));
    return value;
}

static inline u32 cycles(void)
{
    u32 low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return low;
}

static inline void set_flags(u32 value)
{
    __asm__ volatile("push %0\n\tpopf" : : "r"(value) : "memory", "cc");
}

static inline void lock_increment(volatile u32 *at)
{
    __asm__ volatile("lock incl %0" : "+m"(*at));
}

/* The word's value before. */
static inline u32 lock_add(volatile u32 *at, u32 value)
{
    __asm__ volatile("lock xaddl %0, %1" : "+r"(value), "+m"(*at));
    return value;
}

#endif
