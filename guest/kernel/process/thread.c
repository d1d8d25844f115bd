/* The beginning of a thread, and its end. */
#include "abi/abi.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "process/cpu_time.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"
#include "process/trapframe.h"

/* Above the numbers of the 48 cores' processes, and of larger chips'. */
#define FIRST_THREAD 100000
#define THREADS_MAX 4096u

/* Threads that ended; their stacks are used again. */
static struct thread *unused;
static OF_ALL_PROCESSES s32 next_id = FIRST_THREAD;
static u32 stacks;

/* The first thread has the number of the process. */
void threads_init(void)
{
    current->id = process_id();
    cpu_time_start();
}

/* The thread with that number, if it lives. */
struct thread *thread_of(s32 id)
{
    for (struct thread *t = threads; t; t = t->older)
        if (t->id == id)
            return t;
    return NULL;
}

/* A thread lies above its stack, so that no overflow reaches it. */
static struct thread *take(void)
{
    struct thread *thread = unused;
    u32 top;

    if (thread) {
        unused = thread->next;
        return thread;
    }
    if (stacks == THREADS_MAX)
        return NULL;
    top = vm_new_stack(KERNEL_STACK_SIZE);
    if (!top)
        return NULL;
    stacks++;
    return (struct thread *)((top - sizeof(struct thread)) & ~15u);
}

/* Keeps the stack of a thread that ended. The first thread's is the kernel's
 * own. */
static void give_back(struct thread *thread)
{
    if (thread->stack_top != (u32)thread)
        return;
    thread->next = unused;
    unused = thread;
}

/* Where a new thread goes on when it runs for the first time. */
static void begin(struct trapframe *frame)
{
    user_frame = frame;
    signal_deliver(frame);
    user_enter(frame);
}

/* What stack_switch and begin find on the stack of a thread that never ran. */
struct beginning {
    u32 edi, esi, ebx, ebp;
    u32 start;
    u32 return_address;
    struct trapframe *argument;
    struct trapframe frame;
};

/* A thread that goes on like the caller, with result 0 and on a stack of its
 * own; it is not ready yet. */
s32 thread_new(u32 stack, const struct user_desc *tls, struct thread **out)
{
    struct thread *thread = take();
    struct beginning *start;
    s32 error;

    if (!thread)
        return -EAGAIN;
    memset(thread, 0, sizeof(*thread));
    thread->stack_top = (u32)thread;
    start = (struct beginning *)(thread->stack_top - sizeof(*start));
    *start = (struct beginning){
        .start = (u32)begin, .argument = &start->frame, .frame = *user_frame};
    start->frame.eax = 0;
    if (stack)
        start->frame.esp = stack;
    thread->stack_pointer = (u32)start;
    thread->frame = &start->frame;
    thread->wake_time = NEVER;
    thread->signals.blocked = current->signals.blocked;
    thread->signals.alternate.flags = SS_DISABLE;
    segments_save(thread->tls);
    x87_save(&thread->fpu);
    x87_load(&thread->fpu);
    error = tls ? segment_put_tls(thread->tls, tls) : 0;
    if (error) {
        give_back(thread);
        return error;
    }
    thread->id = next_id++;
    *out = thread;
    return 0;
}

/* The end of the thread that runs; the last one ends the program. */
void thread_exit(u32 code)
{
    u32 zero = 0;

    if (!threads->older)
        exit_normally(code);
    if (current->clear_id && !copy_out(current->clear_id, &zero, sizeof(zero)))
        futex_wake(current->clear_id, 1, ~0u);
    pending_drop(current);
    give_back(current);
    thread_leave();
}

/* Another program follows: the thread that asked for it is its only one. */
void threads_leave(void)
{
    for (struct thread *t = threads; t; t = t->older)
        if (t != current) {
            pending_drop(t);
            give_back(t);
        }
    thread_alone();
    current->id = process_id();
    current->clear_id = 0;
}

/* The process is a copy of another one: the thread that asked for it is its
 * only one, and the stacks of the others are not its. */
void threads_copied(void)
{
    unused = NULL;
    stacks = 0;
    thread_become_first();
    current->id = process_id();
    current->clear_id = 0;
    cpu_time_start();
}

u32 threads_count(void)
{
    u32 count = 0;

    for (struct thread *t = threads; t; t = t->older)
        count++;
    return count;
}
