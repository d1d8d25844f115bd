/*
 * birth.c: servers for further processes. The second thread of the first server
 * makes them from its own pages and capabilities, so that they do not end with
 * the process that asked for them.
 *
 * A new server has the image's constant pages and those that all have in
 * common, copies of its parent's own pages, and capabilities like those of its
 * parent. It begins in family_begin, and takes frames from sigma0 itself.
 */
#include "abi/abi.h"
#include "lib/string.h"
#include "memory/memory.h"
#include "posix/family/family.h"
#include "posix/posix.h"

/* What a server of a small program takes of kernel memory, besides its frames. */
#define KERNEL_BYTES 400000u

extern char image_start[], data_start[], common_start[], image_end[],
    kernel_stack_top[];

static const u8 given[] = {L4_SLOT_LOG,  L4_SLOT_FACTORY, L4_SLOT_SIGMA0,
                           L4_SLOT_CORE, L4_SLOT_SERVER,  SLOT_OUT,
                           SLOT_ERROR};

static u32 own_pages(void)
{
    return (u32)(common_start - data_start) / PAGE_SIZE;
}

/* Whether there is memory for a copy of this process. */
static bool is_room(void)
{
    struct l4_message m = {L4_TAG(L4_FACTORY_FREE, 0), {0, 0, 0}, 0};
    u32 frames = vm_frames() + own_pages();

    return l4_call(L4_SLOT_FACTORY, &m) == L4_OK &&
           m.words[0] >= KERNEL_BYTES + frames * KERNEL_BYTES_FRAME &&
           frames_available() >= frames && own_pages() <= OWN_PAGES_MAX;
}

/* Once, in the first server: all servers run at its second thread's priority,
 * and are told what happens. */
static s32 prepare_first(void)
{
    static bool done;
    s32 result = L4_OK;

    if (self || done)
        return L4_OK;
    result = l4_create(L4_SLOT_FACTORY, L4_KIND_IRQ, SLOT_EVENTS, 0, 0);
    if (!result)
        result = l4_do(SLOT_EVENTS, L4_IRQ_BIND, L4_SLOT_THREAD, EVENT_WORD, 0);
    if (!result)
        result =
            l4_do(L4_SLOT_THREAD, L4_THREAD_CONTEXT, SLOT_PAGER_CONTEXT, 0, 0);
    if (!result)
        result =
            l4_do(L4_SLOT_TASK, L4_TASK_GIVE,
                  SLOT_PAGER_GATE << L4_SLOT_SHIFT | L4_RIGHTS, SLOT_BIRTH, 0);
    done = !result;
    return result;
}

s32 birth_prepare(void)
{
    return is_room() && !prepare_first() ? 0 : -ENOMEM;
}

s32 birth_ask(u32 request, u32 number)
{
    struct l4_message m = {L4_TAG(request, 1), {number, 0, 0}, 0};

    return l4_ask(SLOT_BIRTH, &m);
}

static s32 map(u32 number, const void *from, u32 bytes, u32 bits)
{
    return l4_do(SLOT_TASKS + number, L4_TASK_MAP, (u32)from | bits, (u32)from,
                 bytes / PAGE_SIZE);
}

/* Copies the parent's own pages. The first server's are its image's. */
static s32 copy_own(u32 number)
{
    struct process *p = &processes[number];
    const u32 *of_parent = processes[p->parent].frames;
    s32 result = L4_OK;

    for (u32 n = 0; n < own_pages() && !result; n++) {
        u32 at = (u32)data_start + n * PAGE_SIZE, from = at;
        enum frame_content content;

        p->frames[n] = frame_alloc(&content);
        if (!p->frames[n])
            return L4_NO_MEMORY;
        frame_bring(p->frames[n]);
        if (p->parent) {
            frame_bring(of_parent[n]);
            from = FRAMES + of_parent[n];
        }
        memcpy((void *)(FRAMES + p->frames[n]), (const void *)from, PAGE_SIZE);
        result = l4_do(SLOT_TASKS + number, L4_TASK_MAP,
                       (FRAMES + p->frames[n]) | L4_ITEM_WRITE, at, 1);
    }
    return result;
}

static s32 give(u32 number, u32 from, u32 to)
{
    return l4_do(SLOT_TASKS + number, L4_TASK_GIVE,
                 from << L4_SLOT_SHIFT | L4_RIGHTS, to, 0);
}

/* Each process can tell each other one that something happened. */
static s32 give_events(u32 number)
{
    s32 result = give(number, SLOT_EVENTS + number, SLOT_EVENTS + number);

    for (u32 n = 0; n < PROCESSES_MAX && !result; n++) {
        if (n == number || processes[n].state == NOBODY)
            continue;
        result = give(number, SLOT_EVENTS + n, SLOT_EVENTS + n);
        if (n && !result)
            result = give(n, SLOT_EVENTS + number, SLOT_EVENTS + number);
    }
    return result;
}

static s32 give_all(u32 number)
{
    s32 result = give(number, SLOT_TASKS + number, L4_SLOT_TASK);

    if (!result)
        result = give(number, SLOT_THREADS + number, L4_SLOT_THREAD);
    if (!result)
        result = give(number, SLOT_GATES + number, SLOT_BIRTH);
    for (u32 n = 0; n < COUNT(given) && !result; n++) {
        result = give(number, given[n], given[n]);
        if (result == L4_NO_CAPABILITY)
            result = L4_OK; /* the plan may give none */
    }
    return result ? result : give_events(number);
}

/* A fault of its first thread, before it serves its faults itself, comes here
 * with a badge. */
static s32 make_thread(u32 number)
{
    u32 thread = SLOT_THREADS + number;
    s32 result = l4_create(L4_SLOT_FACTORY, L4_KIND_THREAD, thread,
                           SLOT_TASKS + number, L4_ROOT_UTCB);

    if (!result)
        result = l4_do(L4_SLOT_TASK, L4_TASK_GIVE,
                       SLOT_PAGER_GATE << L4_SLOT_SHIFT | L4_RIGHTS,
                       SLOT_GATES + number, number);
    if (!result)
        result = l4_do(thread, L4_THREAD_PAGER, SLOT_GATES + number, 0, 0);
    if (!result)
        result = l4_do(thread, L4_THREAD_CONTEXT, SLOT_PAGER_CONTEXT, 0, 0);
    return result;
}

static s32 make(u32 number)
{
    s32 result =
        l4_create(L4_SLOT_FACTORY, L4_KIND_TASK, SLOT_TASKS + number, 0, 0);

    if (!result)
        result =
            l4_create(L4_SLOT_FACTORY, L4_KIND_IRQ, SLOT_EVENTS + number, 0, 0);
    if (!result)
        result = map(number, image_start, (u32)(data_start - image_start), 0);
    if (!result)
        result = map(number, common_start, (u32)(image_end - common_start),
                     L4_ITEM_WRITE);
    if (!result)
        result = map(number, (const void *)L4_BOOT_INFORMATION, PAGE_SIZE, 0);
    if (!result)
        result = copy_own(number);
    if (!result)
        result = make_thread(number);
    if (!result)
        result = give_all(number);
    if (!result)
        result = l4_do(SLOT_THREADS + number, L4_THREAD_START,
                       (u32)family_begin, (u32)kernel_stack_top - 16, 0);
    return result;
}

/* All that was made of it; the process may have failed half made. */
static s32 bury(u32 number)
{
    static const u8 slots[] = {SLOT_TASKS, SLOT_THREADS, SLOT_EVENTS,
                               SLOT_GATES};
    struct process *p = &processes[number];

    l4_do(SLOT_TASKS + number, L4_TASK_DESTROY, 0, 0, 0);
    for (u32 n = 0; n < COUNT(slots); n++)
        l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, slots[n] + number, 1, 0);
    for (u32 n = 0; n < OWN_PAGES_MAX; n++)
        if (p->frames[n])
            frame_free(p->frames[n]);
    memset(p, 0, sizeof(*p));
    return L4_OK;
}

s32 birth_serve(u32 request, u32 number)
{
    return request == BIRTH_MAKE ? make(number) : bury(number);
}
