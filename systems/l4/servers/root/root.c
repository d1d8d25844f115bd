/*
 * root.c: the root task: starts what the plan says, then serves as pager of
 * all it started: a fault of one is its end, and the end of the core. Several
 * programs end the core together.
 */
#include "servers/root/root.h"

#include "l4/sigma0.h"

#define PAGE 4096u
#define SLICE_US 10000
#define SLOTS_EACH 10

enum {
    TASK,
    THREAD,
    LOG,
    FACTORY,
    CONTEXT,
    FAULTS,
    GATE,
    CLIENT,
    MEMORY,
    LEAVES, /* what a program has for the right to end the core */
};

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
static struct plan_task tasks[TASKS_MAX];
static uint32_t pager;          /* slot of the gate to this thread */
static uint32_t programs, left; /* that the plan names; that have ended */

static void say_number(const char *format, const char *name, uint32_t number)
{
    for (; *format; format++)
        if (format[0] == '%' && format[1] == 's')
            say("%s", name), format++;
        else if (format[0] == '%' && format[1] == 'd')
            say("%d", (int)number), format++;
        else
            say("%s", (const char[]){*format, 0});
}

void fail(const char *format, const char *name, uint32_t number)
{
    say_number(format, name, number);
    say("\n");
    halt(1);
}

static void must(const struct plan_task *task, int32_t result)
{
    if (result)
        fail("task %s cannot be made: error %d", task->name, (uint32_t)result);
}

static int32_t make(uint32_t factory, uint32_t kind, uint32_t slot, uint32_t a,
                    uint32_t b)
{
    return l4_create(factory, kind, slot, a, b);
}

static void make_log(const struct plan_task *task, uint32_t slot)
{
    struct l4_message m = {
        L4_TAG(L4_FACTORY_CREATE, 7), {L4_KIND_LOG, slot, 0}, 0};

    memcpy(l4_utcb()->words + 3, task->name, TASK_NAME);
    l4_utcb()->words[6] = L4_LOG_PORT1;
    must(task, l4_call(L4_SLOT_FACTORY, &m));
}

static int32_t give(uint32_t task, uint32_t from, uint32_t to, uint32_t badge)
{
    return l4_do(task, L4_TASK_GIVE, from << L4_SLOT_SHIFT | L4_RIGHTS, to,
                 badge);
}

/* A text among the modules ends with a zero if it does not fill its pages. */
static uint32_t line_of(const struct plan_task *task)
{
    if (task->line->end % PAGE == 0)
        fail("module %s fills its page: add a space", task->line->name, 0);
    return task->line->start;
}

/* A task finds the boot information where this one does: a copy. A server for
 * programs runs the last module. */
static void give_information(const struct plan_task *task, uint32_t slot,
                             uint32_t at)
{
    struct l4_boot *copy = (void *)at;

    must(task, take_pages(at, 1));
    memcpy(copy, boot, sizeof(*boot));
    if (task->program) {
        uint32_t last = boot->module_count - 1;

        copy->modules[task->program - boot->modules] = boot->modules[last];
        copy->modules[last] = *task->program;
    }
    if (task->line)
        copy->command_line = line_of(task);
    must(task, l4_do(slot, L4_TASK_MAP, at, L4_BOOT_INFORMATION, 1));
}

static uint32_t slots_of(uint32_t n)
{
    return L4_SLOT_FREE + 1 + n * SLOTS_EACH;
}

/* sigma0 knows a task by its badge: its number and 1. */
static void give_memory(uint32_t n, uint32_t slot)
{
    const struct plan_task *task = &tasks[n];
    struct l4_message m = {L4_TAG(SIGMA0_DEVICES, 1), {n + 1, 0, 0}, 0};

    must(task, give(L4_SLOT_TASK, L4_SLOT_SIGMA0, slot + MEMORY, n + 1));
    must(task, give(slot + TASK, slot + MEMORY, L4_SLOT_SIGMA0, 0));
    if (!task->devices)
        return;
    must(task, l4_ask(L4_SLOT_SIGMA0, &m));
    must(task, give(slot + TASK, L4_SLOT_PIN, L4_SLOT_PIN, 0));
    must(task, give(slot + TASK, L4_SLOT_REGISTERS, L4_SLOT_REGISTERS, 0));
}

/* A gate of the task that serves it, which knows it by its badge. */
static void give_server(uint32_t n, uint32_t slot)
{
    const struct plan_task *task = &tasks[n];

    if (task->server < 0)
        return;
    must(task, give(L4_SLOT_TASK, slots_of((uint32_t)task->server) + GATE,
                    slot + CLIENT, n + 1));
    must(task, give(slot + TASK, slot + CLIENT, L4_SLOT_SERVER, 0));
}

static void start(uint32_t n)
{
    const struct plan_task *task = &tasks[n];
    uint32_t slot = slots_of(n), entry;

    must(task, make(L4_SLOT_FACTORY, L4_KIND_FACTORY, slot + FACTORY,
                    task->kilobytes * 1024, task->priority));
    must(task, make(slot + FACTORY, L4_KIND_TASK, slot + TASK, 0, 0));
    entry = image_load(task, slot + TASK);
    make_log(task, slot + LOG);
    must(task, make(L4_SLOT_FACTORY, L4_KIND_CONTEXT, slot + CONTEXT,
                    task->priority, SLICE_US));
    must(task, give(slot + TASK, slot + TASK, L4_SLOT_TASK, 0));
    must(task, give(slot + TASK, slot + LOG, L4_SLOT_LOG, 0));
    must(task, give(slot + TASK, slot + FACTORY, L4_SLOT_FACTORY, 0));
    if (task->program && programs > 1) {
        must(task, give(L4_SLOT_TASK, pager, slot + LEAVES, n + 1));
        must(task, give(slot + TASK, slot + LEAVES, L4_SLOT_CORE, 0));
    } else {
        must(task, give(slot + TASK, L4_SLOT_CORE, L4_SLOT_CORE, 0));
    }
    give_memory(n, slot);
    give_server(n, slot);
    give_information(task, slot + TASK, 0x70000000 + n * PAGE);
    must(task, make(slot + FACTORY, L4_KIND_THREAD, slot + THREAD, slot + TASK,
                    L4_ROOT_UTCB));
    must(task, give(slot + TASK, slot + THREAD, L4_SLOT_THREAD, 0));
    must(task, l4_do(slot + THREAD, L4_THREAD_CONTEXT, slot + CONTEXT, 0, 0));
    /* The badge says who faults; 0 would be none. */
    must(task, give(L4_SLOT_TASK, pager, slot + FAULTS, n + 1));
    must(task, l4_do(slot + THREAD, L4_THREAD_PAGER, slot + FAULTS, 0, 0));
    must(task,
         make(L4_SLOT_FACTORY, L4_KIND_GATE, slot + GATE, slot + THREAD, 0));
    must(task, l4_do(slot + THREAD, L4_THREAD_START, entry, 0, 0));
}

/* Whoever faults here was to need no pager. */
static void died(const char *name, const struct l4_message *m)
{
    if (m->tag >> L4_LABEL_SHIFT == L4_FAULT_PAGE)
        say("task %s died: page fault at %x, EIP %x\n", name, m->words[0],
            m->words[1]);
    else
        say("task %s died: exception %d, EIP %x\n", name, (int)m->words[0],
            l4_utcb()->words[10]);
    halt(1);
}

/* A program has ended. Returns whether it was the last one; the others are
 * kept as callers for good. */
static int leave(struct l4_message *m)
{
    static uint32_t code;

    code = code ? code : m->words[0];
    m->words[0] = code;
    if (++left == programs)
        return 1;
    l4_do(L4_SLOT_THREAD, L4_THREAD_KEEP_CALLER, slots_of(TASKS_MAX) + left, 0,
          0);
    return 0;
}

/* What the kernel's object does for the only program of a core. Returns
 * whether there is a reply. */
static int serve_core(struct l4_message *m)
{
    switch (m->tag >> L4_LABEL_SHIFT) {
    case L4_CORE_LEAVE:
        return leave(m);
    case L4_CORE_FLUSH:
        l4_do(L4_SLOT_CORE, L4_CORE_FLUSH, 0, 0, 0);
        return 1;
    case L4_CORE_SIGNAL:
        l4_do(L4_SLOT_CORE, L4_CORE_SIGNAL, m->words[0], m->words[1],
              m->words[2]);
        return 1;
    default:
        halt(m->words[0]);
    }
}

static void serve(void)
{
    struct l4_message m = {0};
    uint32_t mode = L4_RECEIVE, label;

    for (;;) {
        l4_invoke(0, mode | L4_FOREVER, &m);
        label = m.tag >> L4_LABEL_SHIFT;
        if (label == L4_FAULT_PAGE || label == L4_FAULT_EXCEPT)
            died(m.badge && m.badge <= TASKS_MAX ? tasks[m.badge - 1].name
                                                 : "?",
                 &m);
        mode = serve_core(&m) ? L4_REPLY_WAIT : L4_RECEIVE;
        m.tag = L4_TAG(0, 1);
    }
}

int main(void)
{
    const struct l4_module *plan = plan_module("plan.txt");
    uint32_t count;

    if (!plan)
        fail("there is no module plan.txt, which names what is started", "", 0);
    pager = L4_SLOT_FREE;
    if (l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, pager, L4_SLOT_THREAD, 0))
        fail("no kernel memory for a gate", "", 0);
    count = plan_read(module_show(plan), plan->end - plan->start, tasks);
    for (uint32_t n = 0; n < count; n++)
        programs += tasks[n].program != NULL;
    for (uint32_t n = 0; n < count; n++)
        start(n);
    serve();
    return 0;
}
