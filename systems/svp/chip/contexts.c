/*
 * contexts.c: threads of one core, each with a stack of its own.
 *
 * A context runs until it waits or passes; then the core looks for messages
 * and the next context that can go on does. Nothing takes a core away from a
 * thread that computes.
 */
#include <sys/mman.h>

#include "rck_mark.h"
#include "scc/stack.h"
#include "svp_private.h"

#define STACK 0x10000u

/* Main's. */
static struct context root = {.family = &svp_root};
struct context *svp_now;
uint32_t svp_contexts_used;

static struct context *ready, *ready_last, *spare;
static uint32_t contexts_made;

static void make_ready(struct context *context)
{
    context->next = NULL;
    if (ready)
        ready_last->next = context;
    else
        ready = context;
    ready_last = context;
}

static void switch_to(struct context *to)
{
    struct context *from = svp_now;

    if (to == from)
        return;
    svp_now = to;
    scc_switch(&from->stack, to->stack);
}

/* The next context; meanwhile this one waits, or is ready itself. */
static void run_next(void)
{
    svp_wire->poll();
    while (!ready) {
        svp_wire->listen();
        svp_wire->poll();
    }
    struct context *next = ready;

    ready = next->next;
    switch_to(next);
}

/* In traces a thread is a region while it has the core. */
static void run_others(void)
{
    if (svp_now->region)
        rck_region_end(svp_now->region);
    run_next();
    if (svp_now->region)
        rck_region_begin(svp_now->region);
}

void svp_wait(struct waiting *waiting)
{
    svp_now->next = waiting->first;
    waiting->first = svp_now;
    run_others();
}

void svp_wake(struct waiting *waiting)
{
    struct context *context = waiting->first;

    waiting->first = NULL;
    while (context) {
        struct context *next = context->next;

        make_ready(context);
        context = next;
    }
}

void svp_pass(void)
{
    make_ready(svp_now);
    run_others();
}

/* A context that has done its work is spare before it stops running: nothing
 * takes it before the switch is made. */
static void live(void)
{
    for (;;) {
        if (svp_now->region)
            rck_region_begin(svp_now->region);
        svp_now->work(svp_now->argument);
        if (svp_now->region)
            rck_region_end(svp_now->region);
        svp_contexts_used--;
        svp_now->next = spare;
        spare = svp_now;
        run_next();
    }
}

static struct context *new_context(void)
{
    char *memory = mmap(NULL, STACK + PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct context *context;

    if (memory == MAP_FAILED)
        svp_fail("create families with a smaller block, or sync earlier",
                 "no memory for the stack of thread %u of this core",
                 (unsigned)contexts_made);
    /* Below the stack lies a page that may not be touched; above it, what is
     * known of the context. */
    mprotect(memory, PAGE, PROT_NONE);
    contexts_made++;
    context = (struct context *)(void *)(memory + PAGE + STACK) - 1;
    context->memory = memory;
    context->stack = scc_first_frame(
        memory, ((uintptr_t)context & ~(uintptr_t)15) - (uintptr_t)memory,
        live);
    return context;
}

void svp_spawn(void (*work)(void *), void *argument, struct family *family)
{
    struct context *context = spare;

    if (context)
        spare = context->next;
    else
        context = new_context();
    svp_contexts_used++;
    context->work = work;
    context->argument = argument;
    context->family = family;
    context->region = family == &svp_root ? NULL : family->function->name;
    make_ready(context);
}

void svp_contexts_start(void)
{
    svp_now = &root;
}
