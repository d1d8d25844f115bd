/*
 * fork.c: the processes of a core by number, and how one becomes two.
 */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "lib/options.h"
#include "lib/string.h"
#include "lib/x86.h"
#include "memory/memory.h"
#include "memory/region.h"
#include "open_files/file.h"
#include "posix/family/family.h"
#include "posix/posix.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/trapframe.h"
#include "syscall/syscall.h"

#define FIRST_PROCESS 1000
#define PARENT_OF_FIRST 1
/* From a process of a core to its next one; numbers stay below threads'. */
#define ID_STRIDE 1024
#define IDS 90

OF_ALL_PROCESSES struct process processes[PROCESSES_MAX] = {{.state = LIVES}};
u32 self;

/* What the copy begins with, of the process that asked for it. */
static struct {
    u32 number, id_word;
    struct trapframe frame;
} birth;

s32 id_of(u32 number)
{
    return number ? processes[number].id : FIRST_PROCESS + (s32)options.core;
}

s32 process_id(void)
{
    return id_of(self);
}

s32 process_parent(void)
{
    if (!self || processes[self].orphan)
        return PARENT_OF_FIRST;
    return id_of(processes[self].parent);
}

s32 process_group(void)
{
    return id_of(0);
}

u32 number_of(s32 id)
{
    for (u32 n = 0; n < PROCESSES_MAX; n++)
        if (processes[n].state != NOBODY && id_of(n) == id)
            return n;
    return PROCESSES_MAX;
}

static s32 new_id(void)
{
    static OF_ALL_PROCESSES s32 made;
    s32 id;

    do
        id = id_of(0) + ID_STRIDE * (1 + made++ % IDS);
    while (number_of(id) < PROCESSES_MAX);
    return id;
}

static u32 free_number(void)
{
    for (u32 n = 1; n < PROCESSES_MAX; n++)
        if (processes[n].state == NOBODY)
            return n;
    return PROCESSES_MAX;
}

/* What a program may expect, and does not get. */
static void tell_copies(void)
{
    static bool said;

    if (said || (!memory_for_others && !objects_any()))
        return;
    said = true;
    print("l4: core %u: posix: a child has copies of memory that is mapped "
          "as shared, and of files in memory\n",
          options.core);
}

s32 process_fork(u32 stack, u32 id_word)
{
    u32 n = free_number();
    s32 id, result;

    if (n == PROCESSES_MAX)
        return -EAGAIN;
    if (birth_prepare())
        return -ENOMEM;
    tell_copies();
    shared_sync(0, USER_END);
    segments_save(current->tls);
    x87_save(&current->fpu);
    x87_load(&current->fpu);
    birth.number = n;
    birth.id_word = id_word;
    birth.frame = *user_frame;
    birth.frame.eax = 0;
    if (stack)
        birth.frame.esp = stack;
    id = new_id();
    processes[n].state = BEGINS;
    processes[n].parent = self;
    processes[n].id = id;
    result = birth_ask(BIRTH_MAKE, n);
    while (!result && processes[n].state == BEGINS)
        l4_do(L4_SLOT_THREAD, L4_THREAD_YIELD, 0, 0, 0);
    if (!result && processes[n].state != FAILED)
        return id;
    birth_ask(BIRTH_BURY, n);
    return -ENOMEM;
}

/* What a process does not get from its parent. */
static void begin_anew(void)
{
    pending_copied();
    posix_timers_leave();
    for (u32 n = 0; n < ALARMS; n++)
        timer_set_alarm(n, 0, 0);
    descriptors_copied();
    shared_copied();
    segments_load(current->tls, current->stack_top);
    x87_load(&current->fpu);
    if (birth.id_word)
        copy_out(birth.id_word, &current->id, sizeof(current->id));
}

/* The first thing of the copy, while its parent waits and has the turn. */
void family_begin(void)
{
    self = birth.number;
    l4_own_utcb = (struct utcb *)(L4_ROOT_UTCB + L4_UTCB_OFFSET);
    frames_copied();
    chip_copied();
    events_copied();
    program_copied();
    pager_start();
    program_make();
    l4_do(SLOT_EVENTS + self, L4_IRQ_BIND, L4_SLOT_THREAD, EVENT_WORD, 0);
    threads_copied();
    if (vm_copy()) {
        vm_leave();
        processes[self].state = FAILED;
        halt_forever();
    }
    begin_anew();
    processes[self].state = LIVES;
    turn_take();
    user_enter(&birth.frame);
}
