/*
 * visor.h: the hypervisor's data and functions, by room.
 *
 * One instance runs on each core, in ring 0 and in the core's private memory.
 * An instance runs with interrupts off, except while it idles. A non-maskable
 * interrupt, by which instances notify each other of mails, may come at any
 * time.
 */
#ifndef ROCKYVISOR_VISOR_H
#define ROCKYVISOR_VISOR_H

#include "hypercalls.h"
#include "layout.h"
#include "common/bytes.h"
#include "common/types.h"

#define VCPUS_MAX 4 /* of one core */
#define CORES 48

/* What a trap from the guest saves, from low to high addresses. */
struct frame {
    u32 gs, fs, es, ds;
    u32 edi, esi, ebp, esp_of_pusha, ebx, edx, ecx, eax;
    u32 vector, error;
    u32 eip, cs, flags, esp, ss;
    u32 v86_es, v86_ds, v86_fs, v86_gs; /* in virtual-8086 mode alone */
};

struct table_register {
    u32 limit, base;
};

#define SEGMENTS 6

/* A descriptor that a segment register holds, although the guest has changed
 * or removed it in its table. */
struct segment_kept {
    u32 selector, low, high;
};

/* A virtual local APIC; deadline and period are in cycles. */
struct apic {
    u32 request[8], service[8];
    u32 task_priority, spurious, logical, format, command_high;
    u32 timer, lint[2], error;
    u32 initial, divide;
    u64 deadline; /* 0: not running */
    u32 period;
};

enum vcpu_state { WAITS_FOR_STARTUP, RUNS, HALTED };

struct vcpu {
    u32 hole[FRAME / 4];
    struct frame frame;
    enum vcpu_state state;
    u32 id; /* the ID of its local APIC */
    u32 cr0, cr2, cr3, cr4, dr[8];
    struct table_register gdt, idt;
    struct segment_kept kept[SEGMENTS]; /* trap/segments.c */
    u32 task_base, task_selector;
    struct apic apic;
    bool nmi;                        /* a non-maskable interrupt is due */
    bool steps;                      /* TF is the hypervisor's own */
    u32 steps_own;                   /* the guest's TF meanwhile */
    u32 step_eip;                    /* of the instruction that is stepped */
    u32 written_page, written_index; /* memory/shadow.c; page + 1, or 0 */
    u32 x87[27] __attribute__((aligned(16)));
    bool x87_used;
    bool jumped; /* the emulated instruction has set EIP */
    u32 width;   /* of the instruction that is emulated */
};

/* The guest's program runs, in ring 3. */
static inline bool in_program(const struct vcpu *v)
{
    return (v->frame.cs & 3) == 3 && !(v->frame.flags & FLAG_VM);
}

/* Counts of events, for the report at the end. */
struct counts {
    u32 traps, tables_loaded, hidden, reflected, emulated, interrupts, roots,
        flushes;
    u32 asked, refused, gave, mails, copies, cache_flushes, settled, heated,
        hot_writes;
};

extern struct vcpu *current;
extern struct vcpu vcpus[VCPUS_MAX];
extern struct counts counts;
#define SHORT_TRAPS 4096
extern u32
    short_traps; /* CLI and STI of trap/vector.S, before the last rounds */
extern s32 short_left;   /* until one of them takes the long way */
extern u32 sti_is_short; /* no interrupt waits for the guest's STI */

/* boot */
struct options {
    u32 cores[CORES], core_count; /* the guest's cores; the first boots it */
    u32 per_core;                 /* virtual processors */
    u32 memory;                   /* the guest's, in bytes */
    u32 frames;                   /* of each core, if not 0; frames.c */
    bool flushes_tables;          /* an emulated TLB */
    bool is_apart;                /* as if in an address space of its own */
    bool has_hypercalls;
    bool reports;
    bool lists_pages;         /* run/pages.c */
    bool asks_for_input;      /* by emulate/service.c, not by COM1 */
    const char *command_line; /* the guest's */
};

struct module {
    u32 start, end; /* in private memory */
};

extern struct options options;
extern u32 core_index;             /* this core's index in options.cores */
extern struct module guest_kernel; /* the first module */
u32 own_core(void);

/* lib */
void print(const char *text);
void print_decimal(u32 value);
void print_apart(bool apart);
void print_hex(u32 value);
void stop(const char *why) __attribute__((noreturn));
void give_up(const char *why, u32 value) __attribute__((noreturn));
void core_end(u32 code) __attribute__((noreturn));
bool text_starts(const char *text, const char *with);
u32 device_page(u32 physical);
u32 device_pages(u32 physical, u32 bytes);
void host_init(u32 core);

/* trap */
void segments_init(void);
void hypercalls_open(void);
void gdt_keep(struct vcpu *v);
u32 descriptor_base(u32 selector);
void segments_for_program(struct vcpu *v);
void segments_for_kernel(void);
bool segment_missed(struct vcpu *v, u32 selector);
bool segment_fits(struct vcpu *v, u32 selector, u32 ring, bool code);
void gdt_load(struct vcpu *v);
void resume(void) __attribute__((noreturn));
u32 copy_or_fail(void *to, const void *from, u32 bytes);
void steps_begin(struct vcpu *v);
void steps_hide(struct vcpu *v);
void steps_end(struct vcpu *v);
void reflect_copy_fault(struct vcpu *v);
bool guest_read(struct vcpu *v, u32 address, void *to, u32 bytes);
bool guest_write(struct vcpu *v, u32 address, const void *from, u32 bytes);
bool deliver(struct vcpu *v, u32 vector, const u32 *error);
void reflect(struct vcpu *v, u32 vector, const u32 *error);
void reflect_page_fault(struct vcpu *v, u32 address, u32 error);

/* memory */
enum outcome { DONE, GUEST_FAULT, NO_MEMORY };

void pool_init(u32 start, u32 end);
void *pool_page(void);
void *pool_pages(u32 count);
u32 physical_of(const void *address);
void flush_tlb(void);
void shadow_init(void);
void shadow_use_root(struct vcpu *v);
enum outcome shadow_fault(struct vcpu *v, u32 address, u32 *error, u32 *gpa);
bool is_tracked(u32 page);
void shadow_written(struct vcpu *v);
void shadow_forget(struct vcpu *v, u32 address);
enum dropped {
    WRITES,   /* the page may only be read */
    MAPPINGS, /* the page has moved with equal bytes: shadows of tables stay */
    ALL
};

void shadow_drop_page(u32 page, enum dropped what);
bool is_guest_memory(u32 gpa);
bool physical_read(u32 gpa, void *to, u32 bytes);
bool physical_write(u32 gpa, const void *from, u32 bytes);

/* coherence */
enum waiting { FOR_NOTHING, FOR_ANOTHER };

extern volatile u32 mail_waits;
extern u32 losses; /* pages lost; data read before a loss may be old now */
void coherence_init(void);
void *page_hold(u32 page, bool write);
void *page_walk(u32 page);
u32 page_entry(u32 page, bool write, bool text, bool steps);
void hot_close(void);
void mails_serve(enum waiting waiting);
void mail_command(u32 index, u32 vcpu, u32 command);
void mail_console(void);
u32 mail_console_in(u32 port);
volatile void *common_words(void);
u32 common_messages(void);
u32 common_lines(void);
u32 mail_line(u32 room);
void mail_end(void);
void mail_live(void);
void mail_sleeps(bool sleeps);
void settle(void);
void silence_init(void);
void silence_watch(void);
u64 silence_due(bool runs);
void window_close(void);
void window_watch(void);

/* emulate */
bool emulate_privileged(struct vcpu *v);
bool hypercall(struct vcpu *v);
bool emulate_memory(struct vcpu *v, u32 gpa, u32 address);
u32 port_read(struct vcpu *v, u32 port, u32 bytes);
void ports_init(void);
void console_init(void);
void console_print(u32 index);
void console_print_all(void);
void console_flush(void);
void console_watch(void);
void service_init(void);
u32 service_line(u32 room);
void port_write(struct vcpu *v, u32 port, u32 bytes, u32 value);
bool interrupt_return(struct vcpu *v, u32 operand);
u32 apic_read(struct vcpu *v, u32 offset);
void apic_write(struct vcpu *v, u32 offset, u32 value);
void apic_request(struct vcpu *v, u32 vector);
s32 apic_pending(const struct vcpu *v);
void apic_accept(struct vcpu *v, u32 vector);
void apic_reset(struct vcpu *v);
void apic_timer(struct vcpu *v);
void interprocessor(struct vcpu *v, u32 command, u32 destination);
void interprocessor_take(struct vcpu *v, u32 command);

/* run */
void vcpus_init(void);
void vcpu_start(struct vcpu *v, u32 startup_vector);
void follow_ts(const struct vcpu *v);
bool others_wait(void);
void idle(void);
void timer_init(void);
bool timer_set(bool runs);
void timer_fired(void);
bool turn_is_over(void);
void turn_give_up(void);
void timer_kick(void);
void rest(u32 cycles);
void report(void);
/* Causes of traps, run/histogram.c: opcodes of a byte from 0 on. */
enum {
    CAUSE_TWO_BYTES = 0x100,
    CAUSE_TABLES = 0x200,  /* 0F 01, by its reg field */
    CAUSE_CONTROL = 0x208, /* MOV to a control register, by its number */
    CAUSE_HIDDEN = 0x210,
    CAUSE_DEVICE,
    CAUSE_FAULT,
    CAUSE_STEP,
    CAUSE_CALL,
    CAUSE_TIMER,
    CAUSE_MAIL,
    CAUSES
};
void histogram_begin(u32 first);
void histogram_cause(u32 better);
void histogram_end(void);
void histogram_print(void);
void pages_count(u32 page, bool write, u64 cycles);
void pages_print(void);
void power_off(u32 code) __attribute__((noreturn));

#endif
