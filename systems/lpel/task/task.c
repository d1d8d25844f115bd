/*
 * task.c: tasks: made by anybody, run by whoever the scheduler says.
 *
 * A task's stack is a block of shared memory; that of a task bound to a core
 * lies in the core's own memory. With cached stacks a task runs at the
 * block's cached address, and its core's caches are emptied before anybody
 * else may run it: no core ever holds lines of a stack that it does not run.
 */
#include "lpel_private.h"

#include <stdlib.h>
#include <string.h>

#include "rck_mark.h"
#include "scc/cache.h"

#define OWN_STACK 0x8000u /* private memory is not scarce */

struct lpel_task *lpel_current;

static void *volatile scheduler_esp;
static int computing; /* in lpel_compute */

lpel_task *lpel_self(void)
{
    return lpel_current;
}

static uint32_t new_number(void)
{
    static uint32_t made;

    return ++made * RCCE_MAXNP + (uint32_t)lpel_my_rank;
}

static int check_home(const char *name, int home)
{
    if (home < LPEL_ANY || home >= lpel_all_ranks)
        lpel_fail("ranks are 0 to lpel_ranks() - 1, or LPEL_ANY",
                  "task '%s' on rank %d of %d", name, home, lpel_all_ranks);
    if (home == 0 && !lpel_is_static())
        lpel_fail("give it another home, or LPEL_ANY",
                  "task '%s' cannot run on rank 0, the conductor", name);
    return home;
}

lpel_task *lpel_task_new(const char *name, void (*function)(void *),
                         const void *argument, size_t bytes, int home)
{
    struct lpel_task *task = lpel_malloc(sizeof *task + bytes);

    *task = (struct lpel_task){
        .name = name,
        .function = function,
        .argument = task + 1,
        .number = new_number(),
        .home = check_home(name, home),
    };
    if (bytes)
        memcpy(task + 1, argument, bytes);
    return task;
}

static void begin(void)
{
    struct lpel_task *task = lpel_current;

    if (!task->killed)
        task->function(task->argument);
    lpel_task_end(task);
}

/* From the stack's block to where it runs. */
static uint32_t alias(const struct lpel_task *task)
{
    int cached = lpel_configured.variant == LPEL_CACHED_STACKS;

    return cached && task->home == LPEL_ANY ? LPEL_ALIAS : 0;
}

static volatile uint32_t *canary(const struct lpel_task *task)
{
    return (volatile uint32_t *)(void *)(task->stack + alias(task));
}

uint32_t lpel_start(lpel_task *task)
{
    uint32_t number = task->number;

    if (task->state != LPEL_NEW)
        lpel_fail("start a task once", "task '%s' was started before",
                  task->name);
    task->state = LPEL_READY;
    lpel_scheduler->start(task);
    return number;
}

static void make_stack(struct lpel_task *task)
{
    task->stack_bytes = (uint32_t)lpel_configured.stack_kb * 1024;
    if (task->home != LPEL_ANY && task->stack_bytes < OWN_STACK)
        task->stack_bytes = OWN_STACK;
    task->stack = task->home == LPEL_ANY
                      ? lpel_malloc(task->stack_bytes)
                      : aligned_alloc(LPEL_LINE, task->stack_bytes);
    if (!task->stack)
        lpel_fail("configure a smaller stack_kb",
                  "no private memory for the stack of task '%s'", task->name);
    *(volatile uint32_t *)(void *)task->stack = LPEL_CANARY;
    task->esp = (char *)scc_first_frame(task->stack, task->stack_bytes, begin) +
                alias(task);
}

static void free_stack(struct lpel_task *task)
{
    if (task->home == LPEL_ANY)
        lpel_free(task->stack);
    else
        free(task->stack);
    task->stack = NULL;
}

void lpel_check_stack(const struct lpel_task *task, const void *esp)
{
    const char *at = (const char *)esp - alias(task);

    if (at < task->stack || *canary(task) != LPEL_CANARY)
        lpel_fail("larger arrays belong to lpel_malloc; or configure stack_kb",
                  "the stack of task '%s' was too small: it has %u KB",
                  task->name, (unsigned)(task->stack_bytes / 1024));
}

/* Until it waits, hands over or ends; its state then says which. */
void lpel_run_task(struct lpel_task *task)
{
    uint64_t start = scc_cycles();

    if (!task->stack)
        make_stack(task);
    task->state = LPEL_RUNNING;
    task->since_switch = 0;
    lpel_current = task;
    lpel_watch();
    rck_region_begin(task->name);
    scc_switch(&scheduler_esp, task->esp);
    rck_region_end(task->name);
    lpel_current = NULL;
    lpel_watch();
    lpel_check_stack(task, task->esp);
    if (alias(task))
        lpel_flush();
    if (task->state == LPEL_ENDED)
        free_stack(task);
    task->cycles += scc_cycles() - start;
    lpel_check_failed();
}

/* The task here goes back to the scheduler. */
void lpel_leave(enum lpel_state state)
{
    struct lpel_task *task = lpel_current;

    task->state = state;
    scc_switch(&task->esp, scheduler_esp);
}

void lpel_task_end(struct lpel_task *task)
{
    while (task->inputs)
        lpel_close_reader(task->inputs);
    while (task->outputs)
        lpel_close_writer(task->outputs);
    lpel_leave(LPEL_ENDED);
}

void lpel_check_inside(const char *call)
{
    if (!lpel_current)
        lpel_fail("call it in a task", "%s outside of a task", call);
    if (computing)
        lpel_fail("such calls belong before or after it",
                  "%s inside lpel_compute", call);
}

/* Below what the scheduler has on the core's stack. */
void lpel_compute(void (*function)(void *), void *argument)
{
    uintptr_t below = ((uintptr_t)scheduler_esp - 64) & ~(uintptr_t)15;

    lpel_check_inside("lpel_compute");
    computing = 1;
    scc_call_on((void *)below, function, argument);
    computing = 0;
}

void lpel_check_killed(void)
{
    lpel_check_inside("a call of a stream");
    if (lpel_current->killed)
        lpel_task_end(lpel_current);
}

void lpel_yield(void)
{
    lpel_check_inside("lpel_yield");
    lpel_check_killed();
    lpel_leave(LPEL_READY);
    lpel_check_killed();
}

void lpel_kill(uint32_t number)
{
    lpel_scheduler->kill(number);
}
