/*
 * kernel.h: the declarations that the kernel's files share.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include "abi.h"
#include "layout.h"

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;

#define MAX_FILES 8
#define MAX_PROCESSES 32

/* What vector.S leaves on the kernel stack of a process. */
struct trapframe {
    uint32_t gs, fs, es, ds;
    uint32_t edi, esi, ebp, unused, ebx, edx, ecx, eax;
    uint32_t vector, error;
    uint32_t eip, cs, eflags, esp, ss;
};

enum state { FREE, READY, WAITING, ZOMBIE };

struct process {
    int pid;
    enum state state;
    struct process *parent;
    int status;          /* of a zombie */
    const void *channel; /* what a waiting process waits for */

    uint32_t *directory;
    uint32_t data_end; /* pages up to here appear when touched */

    uint8_t *stack;          /* a page for the kernel's work */
    uint32_t *context;       /* the stack pointer while another process runs */
    struct trapframe *frame; /* the user's registers */
    uint8_t x87[108];

    uint32_t pending; /* a bit for each signal */
    uint32_t handler[SIGNALS], restorer;
    uint32_t fault_address;  /* what SIGSEGV is about */
    uint32_t alarm, wake_at; /* ticks, 0: none */

    struct file *files[MAX_FILES];
};

/* console.c */
void say(const char *text);
void panic(const char *why, uint32_t value) __attribute__((noreturn));

/* frame.c */
void frames_init(uint32_t first_free);
uint32_t frame_new(void);
void frame_share(uint32_t frame);
void frame_drop(uint32_t frame);
int frame_is_shared(uint32_t frame);
uint32_t frames_free(void);
void *address_of(uint32_t frame);
uint32_t frame_at(const void *address);

/* space.c */
extern uint32_t kernel_directory[1024];
void space_init(void);
uint32_t *space_new(void);
uint32_t *space_copy(uint32_t *from);
void space_drop(uint32_t *directory);
void space_use(uint32_t *directory);
int space_put(uint32_t *directory, uint32_t address, uint32_t frame,
              uint32_t bits);
int space_touch(struct process *process, uint32_t address, int write);
int user_range(uint32_t address, uint32_t bytes, int write);
int user_string(uint32_t address);

/* program.c */
void programs_init(const void *boot_information);
uint32_t programs_end(void);
int program_load(struct process *process, const char *name, uint32_t *entry);

/* process.c */
extern struct process processes[MAX_PROCESSES], *current;
void process_start_first(const char *name);
int process_fork(void);
int process_exec(const char *name, const char *argument);
int process_wait(uint32_t status);
void process_exit(int status) __attribute__((noreturn));
struct process *process_by_pid(int pid);

/* schedule.c */
void schedule(void);
int sleep_on(const void *channel);
void wake(const void *channel);

/* x87.c */
void x87_away(void);
void x87_wanted(void);
void x87_fork(struct process *child);
void x87_forget(struct process *process);

/* signal.c */
void signal_send(struct process *process, int number);
int signal_return(struct trapframe *frame);
void signal_deliver(struct trapframe *frame);

/* file.c, pipe.c */
enum kind { CONSOLE, PIPE_READ, PIPE_WRITE };
struct file {
    int references;
    enum kind kind;
    struct pipe *pipe;
};
struct file *file_new(enum kind kind, struct pipe *pipe);
void file_share(struct file *file);
void file_drop(struct file *file);
int file_open(struct file *file);
struct file *file_of(uint32_t number);
int pipe_new(uint32_t pair);
int pipe_read(struct pipe *pipe, uint8_t *to, uint32_t bytes);
int pipe_write(struct pipe *pipe, const uint8_t *from, uint32_t bytes);
void pipe_close(struct pipe *pipe, enum kind end);

/* segment.c, timer.c, syscall.c, string.c */
void segments_init(void);
void set_kernel_stack(void *top);
extern uint32_t ticks;
void timer_init(void);
void timer_tick(void);
int system_call(struct trapframe *frame);
void copy(void *to, const void *from, uint32_t bytes);
void fill(void *to, int value, uint32_t bytes);
int same(const char *a, const char *b);

/* vector.S */
extern const char vectors[], trap_return[];
void switch_stacks(uint32_t **save, uint32_t *load);
void idle(void);

#endif
