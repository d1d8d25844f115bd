/*
 * tasks.c: the two tasks that the kernel starts: sigma0, which owns all
 * memory, and the root task, which starts all others.
 */
#include "kernel/boot/begin.h"
#include "scc/registers.h"

#define SIGMA0_PRIORITY 24
#define ROOT_PRIORITY 16
#define HIGHEST_PRIORITY 31
#define ROOT_SLICE_US 10000 /* a turn */

static struct factory all = {
    .object = {.kind = L4_KIND_FACTORY, .references = 1, .payer = &all},
    .priority = HIGHEST_PRIORITY};

static void must(s32 result)
{
    if (result)
        give_up("no kernel memory for the first tasks: pass kmem=KILOBYTES",
                (u32)result);
}

static struct object *make(u32 kind, u32 bytes)
{
    struct object *object;

    must(object_new(&all, kind, bytes, &object));
    return object;
}

static struct slot *slot(struct thread *t, u32 number)
{
    return &t->slots[number];
}

static void put_log(struct thread *t, const char *name)
{
    struct object *object = make(L4_KIND_LOG, sizeof(struct log));
    char *to = OBJECT(log, object)->name;

    OBJECT(log, object)->port = SCC_SERIAL_COM1;
    while (*name)
        *to++ = *name++;
    slot_set(slot(t, L4_SLOT_LOG), object, 0);
}

static struct thread *start(const char *module, const char *name, u32 priority)
{
    struct object *object;
    struct thread *thread;
    struct task *task;
    u32 entry;

    must(task_new(&all, &task));
    entry = module_map(task, module_named(module));
    must(thread_new(&all, task, L4_ROOT_UTCB, &thread));
    must(space_own_page(&task->space, L4_BOOT_INFORMATION, &boot_data, 0));
    slot_set(slot(thread, L4_SLOT_TASK), &task->object, 0);
    slot_set(slot(thread, L4_SLOT_THREAD), &thread->object, 0);
    put_log(thread, name);
    slot_set(slot(thread, L4_SLOT_CORE),
             make(L4_KIND_CORE, sizeof(struct object)), 0);
    object = make(L4_KIND_CONTEXT, sizeof(struct context));
    object_hold(object);
    thread->context = OBJECT(context, object);
    thread->context->priority = thread->priority = priority;
    thread->context->slice = ROOT_SLICE_US;
    thread->eip = entry;
    thread->cs = USER_CODE;
    thread->ss = USER_DATA;
    thread->eflags = 0x202;
    ready(thread);
    return thread;
}

void boot_tasks(void)
{
    struct thread *sigma0, *root;
    struct object *object;
    struct gate *gate;

    all.left = all.quota = pool_bytes();
    sigma0 = start("sigma0.elf", "sigma0", SIGMA0_PRIORITY);
    slot_set(slot(sigma0, L4_SLOT_MEMORY),
             make(L4_KIND_MEMORY, sizeof(struct object)), 0);
    root = start("root.elf", "root", ROOT_PRIORITY);
    slot_set(slot(root, L4_SLOT_FACTORY), &all.object, 0);
    object = make(L4_KIND_GATE, sizeof(struct gate));
    gate = OBJECT(gate, object);
    gate->thread = sigma0;
    gate->next_of_thread = NULL;
    sigma0->gates = gate;
    slot_set(slot(root, L4_SLOT_SIGMA0), object, 0);
    slot_set(slot(root, L4_SLOT_REGISTERS),
             make(L4_KIND_REGISTERS, sizeof(struct object)), 0);
    object = make(L4_KIND_IRQ, sizeof(struct irq));
    pins[0] = OBJECT(irq, object);
    slot_set(slot(root, L4_SLOT_PIN), object, 0);
}
