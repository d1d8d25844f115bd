/*
 * kernel.h: the kernel's objects, and the functions of each file.
 *
 * Interrupts are off in the kernel, which has one stack and runs each entry to
 * its end. When a thread waits, its struct holds all that the kernel needs to
 * continue it.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include "common/bytes.h"
#include "common/types.h"
#include "kernel/layout.h"
#include "l4/utcb.h"

/* A node in a tree of rights: the parent's holder passed a page or a capability
 * on to each child. */
struct node {
    struct node *parent, *child, *next, *previous;
    u32 depth;
};

struct object {
    u32 kind;
    u32 references;
    struct factory *payer; /* whose share of kernel memory it uses */
    u32 bytes;
};

struct slot {
    struct object *object;
    u32 badge; /* of KIND_REPLY: the call that it answers */
    u16 kind, rights;
    struct node node;
};

struct factory {
    struct object object;
    u32 left, quota;
    u32 priority; /* the highest of the contexts that it makes */
};

struct context {
    struct object object;
    u32 priority; /* 0 to 31, the highest */
    u32 slice;    /* microseconds of a turn among threads of one priority */
};

struct space {
    u32 *directory;
    struct page_node ***nodes; /* by directory entry, by page */
    struct factory *payer;
};

struct task {
    struct object object;
    struct space space;
    struct slot *slots;
    struct thread *threads;
    bool ended;
    u32 end_at; /* how far its end has come */
    struct task *next_lost;
};

enum state { DEAD, READY, RECEIVING, SENDING, CALLING };
#define TIMED 8 /* added to a state: it ends at the deadline */

enum fault { NO_FAULT, FAULT_PAGE, FAULT_EXCEPT };

struct thread {
    /* The thread's registers in ring 3, in the order in which vector.S pushes
     * them. While the thread runs, ESP0 of the task state segment points to the
     * end of this part. */
    u32 edi, esi, ebp, unused, ebx, edx, ecx, eax;
    u32 vector, error;
    u32 eip, cs, eflags, esp, ss;

    u32 state;
    u32 cr3;
    struct slot *slots; /* the task's */
    u32 priority;
    struct thread *caller;  /* waits for this thread's reply */
    u32 pending;            /* senders and interrupts that wait */
    struct utcb *utcb;      /* the kernel's address */
    struct thread *partner; /* whom it sends to, or wants a reply from */
    u32 fault;              /* it waits for its pager */
    u32 tls[2];             /* descriptor of the segment in GS */
    u32 calls;              /* counts them: a kept reply answers one */

    struct object object;
    struct task *task;
    struct thread *next_of_task;
    struct slot pager;
    struct context *context;
    struct gate *gates;
    u32 utcb_user;

    struct thread *next, *previous; /* in the queue that it waits in */
    struct thread *first_sender, *last_sender;
    struct irq *first_irq;
    u32 send_badge, send_mode;
    u64 deadline;
    struct thread *next_timed;
    u32 fault_address, fault_error;
    u8 x87[108];
};

struct gate {
    struct object object;
    struct thread *thread; /* null: gone */
    struct gate *next_of_thread;
};

struct irq {
    struct object object;
    struct thread *thread;
    u32 word, count;
    u32 time; /* low half of the time stamp of the last event */
    bool queued;
    struct irq *next;
};

struct log {
    struct object object;
    char name[12], line[128];
    u32 used, sent; /* bytes of the line; how much of it is printed */
    u16 port;
};

struct page_node {
    struct node node;
    struct space *space;
    u32 address;
};

#define KIND_REPLY 10
/* The result of an invocation of which only a part is done: the program invokes
 * once more, so that interrupts are taken in between. */
#define AGAIN 1
#define STEPS 64 /* most nodes of a tree that one invocation removes */

/* lib/string.c, lib/print.c */
bool text_equal(const char *a, const char *b);
void print_to(u16 port, const char *text, u32 bytes);
void print(const char *text);
void print_hex(u32 value);
void stop(const char *why) __attribute__((noreturn));
void give_up(const char *why, u32 value) __attribute__((noreturn));
void core_end(u32 code) __attribute__((noreturn));
void core_end_by_signal(u32 number, u32 eip, u32 address)
    __attribute__((noreturn));

/* memory/pool.c */
void pool_init(u32 physical, u32 bytes);
void *pool_page(struct factory *payer);
void *pool_small(struct factory *payer, u32 bytes);
void pool_page_back(struct factory *payer, void *page);
void pool_small_back(struct factory *payer, void *place, u32 bytes);
u32 pool_physical(const void *address);
u32 pool_bytes(void);

/* memory/space.c */
extern u32 boot_directory[1024], pool_tables[], device_table[];
s32 space_init(struct space *space, struct factory *payer);
u32 *space_entry(struct space *space, u32 address);
struct page_node **space_node(struct space *space, u32 address);
s32 space_reach(struct space *space, u32 address);
s32 space_own_page(struct space *space, u32 address, const void *page,
                   u32 bits);
void space_drop_entry(struct space *space, u32 address);
bool space_free(struct space *space, u32 *at);
#define DEVICE_APIC 0
#define DEVICE_TILE 1
#define DEVICE_FPGA 2
#define DEVICE_HOST 3
#define DEVICE_ASKED 4 /* whatever L4_KIND_REGISTERS is invoked for */
u32 device_page(u32 index, u32 physical);

/* memory/tree.c */
s32 tree_add(struct node *parent, struct node *child);
void tree_remove(struct node *node);
void tree_replace(struct node *old, struct node *new);
bool tree_prune(struct node *node, bool self, void (*drop)(struct node *),
                u32 *steps);

/* memory/map.c */
s32 map_root(struct space *space, u32 address, u32 physical, u32 bits);
s32 map_pages(struct space *from, u32 source, struct space *to, u32 target,
              u32 pages, bool grant);
s32 unmap_pages(struct space *space, u32 address, u32 pages, bool self);

/* objects/ */
s32 object_new(struct factory *payer, u32 kind, u32 bytes,
               struct object **object);
void object_hold(struct object *object);
void object_drop(struct object *object);
struct slot *slot_of(struct thread *thread, u32 number, u32 kind, u32 right);
s32 slot_empty(struct task *task, u32 number, struct slot **slot);
void slot_set(struct slot *slot, struct object *object, u32 badge);
s32 slot_copy(struct slot *from, struct slot *to, u32 rights, u32 badge);
void slot_clear(struct slot *slot);
s32 slot_revoke(struct slot *slot, bool self);
s32 factory_invoke(struct thread *t, struct slot *slot, u32 operation);
s32 task_invoke(struct thread *t, struct slot *slot, u32 operation);
s32 task_new(struct factory *payer, struct task **task);
s32 task_end(struct task *task);
void task_lost(struct task *task);
bool task_end_lost(void);
s32 thread_new(struct factory *payer, struct task *task, u32 utcb,
               struct thread **thread);
s32 thread_invoke(struct thread *t, struct slot *slot, u32 operation);
void thread_end(struct thread *thread);
s32 irq_invoke(struct thread *t, struct slot *slot, u32 operation);
void irq_init(u32 own_tile, u32 core);
void irq_trigger(struct irq *irq);
void irq_pin(u32 pin);
void irq_free(struct irq *irq);
extern struct irq *pins[2];
s32 log_invoke(struct thread *t, struct slot *slot, u32 operation);
void log_free(struct log *log);
s32 core_invoke(struct thread *t, u32 operation);
s32 memory_invoke(struct thread *t, struct slot *slot, u32 operation);
void registers_init(u32 core, u32 memory_start);
s32 registers_invoke(struct thread *t, struct slot *slot, u32 operation);
bool memory_is_kernels(u32 physical);
void memory_keep(u32 from, u32 to);

/* ipc/ */
void invoke(struct thread *t);
void ipc_send(struct thread *t, struct thread *to, u32 badge, u32 mode,
              u32 wait);
void ipc_receive(struct thread *t, u32 wait);
void ipc_reply(struct thread *t, struct thread *client);
void ipc_stop(struct thread *t, s32 result);
void ipc_finish(struct thread *t, s32 result);
s32 transfer(struct thread *from, struct thread *to, u32 badge);
void fault_send(struct thread *t, u32 kind);
s32 fault_reply(struct thread *pager, struct thread *t);
void fault_message(struct thread *t, struct thread *to);
s32 items_move(struct thread *from, struct thread *to, u32 count);

/* run/ */
extern struct thread *current, *x87_owner;
extern u32 loaded_space, x87_open; /* vector.S */
extern s32 ready_highest; /* priority of who waits for the core; -1: nobody */
bool ready_at(u32 priority);
void ready(struct thread *t);
void unready(struct thread *t);
void rotate(void);
void schedule(void) __attribute__((noreturn));
void resume(struct thread *t) __attribute__((noreturn)); /* vector.S */
void timer_init(u32 megahertz);
void timer_interrupt(void);
void timer_wait(struct thread *t, u32 microseconds);
void timer_forget(struct thread *t);
void timer_set(void);
void apic_end_of_interrupt(void);
void apic_timer(u32 cycles);
void apic_init(void);
void x87_wanted(void);
void x87_leave(struct thread *t);
void x87_forget(struct thread *t);

/* trap/ */
extern u32 task_state[];
extern u64 descriptors[];
void segments_init(void);
void trap(u32 *frame) __attribute__((noreturn));
extern const char vectors[];
extern char kernel_stack_top[];

#define OBJECT(type, pointer) \
    ((struct type *)((char *)(pointer) - offsetof(struct type, object)))

#endif
