/*
 * process.c: processes come by fork(), change their program by exec(), end by
 * exit(), and are remembered until their parent has asked for the status.
 */
#include "kernel.h"

#define ARGUMENT_BYTES 64
#define SAVED_REGISTERS 4 /* by switch_stacks() */

struct process processes[MAX_PROCESSES], *current;
static int last_pid;

struct process *process_by_pid(int pid)
{
    struct process *process;

    for (process = processes; process < processes + MAX_PROCESSES; process++)
        if (process->state != FREE && process->pid == pid)
            return process;
    return 0;
}

/* A slot with a kernel stack, on which it will begin in trap_return. */
static struct process *process_new(void)
{
    struct process *process = processes;
    uint32_t frame, *context;

    while (process->state != FREE)
        if (++process == processes + MAX_PROCESSES)
            return 0;
    frame = frame_new();
    if (!frame)
        return 0;
    fill(process, 0, sizeof *process);
    process->stack = address_of(frame);
    process->frame = (struct trapframe *)(process->stack + PAGE) - 1;
    context = (uint32_t *)process->frame;
    *--context = (uint32_t)trap_return;
    process->context = context - SAVED_REGISTERS;
    process->pid = ++last_pid;
    return process;
}

static void process_free(struct process *process)
{
    frame_drop(frame_at(process->stack));
    process->state = FREE;
}

int process_fork(void)
{
    struct process *child = process_new();
    int n;

    if (!child)
        return NO_MEMORY;
    child->directory = space_copy(current->directory);
    if (!child->directory) {
        process_free(child);
        return NO_MEMORY;
    }
    *child->frame = *current->frame;
    child->frame->eax = 0;
    child->parent = current;
    child->data_end = current->data_end;
    child->restorer = current->restorer;
    copy(child->handler, current->handler, sizeof child->handler);
    x87_fork(child);
    for (n = 0; n < MAX_FILES; n++) {
        child->files[n] = current->files[n];
        if (child->files[n])
            file_share(child->files[n]);
    }
    child->state = READY;
    return child->pid;
}

/* The argument lies at the top of the stack, main()'s pointer to it below. */
static int make_stack(struct process *process, const char *argument)
{
    uint32_t frame = frame_new(), *top;

    if (!frame ||
        space_put(process->directory, STACK_TOP - PAGE, frame, PTE_WRITABLE))
        return NO_MEMORY;
    top = (uint32_t *)((uint8_t *)address_of(frame) + PAGE - ARGUMENT_BYTES);
    copy(top, argument, ARGUMENT_BYTES);
    top[-1] = STACK_TOP - ARGUMENT_BYTES;
    return 0;
}

static int start_program(struct process *process, const char *name,
                         const char *argument)
{
    uint32_t *old = process->directory, entry;
    int result;

    process->directory = space_new();
    result =
        process->directory ? program_load(process, name, &entry) : NO_MEMORY;
    if (!result)
        result = make_stack(process, argument);
    if (result) {
        if (process->directory)
            space_drop(process->directory);
        process->directory = old;
        return result;
    }
    fill(process->frame, 0, sizeof *process->frame);
    process->frame->eip = entry;
    process->frame->esp = STACK_TOP - ARGUMENT_BYTES - sizeof(uint32_t);
    process->frame->cs = USER_CODE;
    process->frame->eflags = 0x202; /* interrupts on */
    process->frame->ss = process->frame->ds = process->frame->es = USER_DATA;
    fill(process->handler, 0, sizeof process->handler);
    x87_forget(process);
    return 0;
}

static void copy_string(char *to, const char *from)
{
    int n;

    for (n = 0; n < ARGUMENT_BYTES - 1 && from[n]; n++)
        to[n] = from[n];
    for (; n < ARGUMENT_BYTES; n++)
        to[n] = 0;
}

int process_exec(const char *name, const char *argument)
{
    char kept_name[ARGUMENT_BYTES], kept_argument[ARGUMENT_BYTES];
    uint32_t *old = current->directory, data_end = current->data_end;
    int result;

    /* Both lie in the space that goes away. */
    copy_string(kept_name, name);
    copy_string(kept_argument, argument);
    result = start_program(current, kept_name, kept_argument);
    if (result) {
        current->data_end = data_end;
        return result;
    }
    space_use(current->directory);
    space_drop(old);
    return 0;
}

void process_start_first(const char *name)
{
    char argument[ARGUMENT_BYTES] = "";
    struct process *first = process_new();
    uint32_t *boot_context;
    int n;

    if (!first || start_program(first, name, argument))
        return;
    for (n = 0; n < 3; n++)
        first->files[n] = file_new(CONSOLE, 0);
    first->state = READY;
    current = first;
    set_kernel_stack(first->stack + PAGE);
    space_use(first->directory);
    switch_stacks(&boot_context, first->context);
}

void process_exit(int status)
{
    struct process *process;
    int n;

    if (current == processes) {
        say("kernel: init has ended\n");
        for (;;)
            __asm__ volatile("cli; hlt");
    }
    for (n = 0; n < MAX_FILES; n++)
        if (current->files[n])
            file_drop(current->files[n]);
    x87_forget(current);
    space_use(kernel_directory);
    space_drop(current->directory);
    for (process = processes; process < processes + MAX_PROCESSES; process++)
        if (process->parent == current)
            process->parent = processes;
    current->status = status;
    current->state = ZOMBIE;
    current->alarm = 0;
    wake(current->parent);
    wake(processes);
    schedule();
    panic("a zombie runs", (uint32_t)current->pid);
}

/* The pid of a child that has ended; its status goes to an address. */
int process_wait(uint32_t status)
{
    struct process *process;
    int children, result;

    for (;;) {
        children = 0;
        for (process = processes; process < processes + MAX_PROCESSES;
             process++) {
            if (process->state == FREE || process->parent != current)
                continue;
            children++;
            if (process->state != ZOMBIE)
                continue;
            if (status && user_range(status, sizeof(int), 1))
                return BAD_ADDRESS;
            if (status)
                *(int *)status = process->status;
            process_free(process);
            return process->pid;
        }
        if (children == 0)
            return NO_CHILD;
        result = sleep_on(current);
        if (result)
            return result;
    }
}
