/*
 * relatives.c: what processes of a core do to each other: wait, signals, and
 * their ends. The first one ends the core, when all others have ended.
 */
#include "abi/abi.h"
#include "lib/x86.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "posix/family/family.h"
#include "posix/posix.h"
#include "process/cpu_time.h"
#include "process/process.h"
#include "process/signal.h"
#include "scc/host_channel.h"

/* A child that has ended, or null; whether there is one that wait means. */
static struct process *ended_child(s32 id, bool *any)
{
    *any = false;
    for (u32 n = 1; n < PROCESSES_MAX; n++) {
        struct process *p = &processes[n];

        if (p->state == NOBODY || p->parent != self || p->orphan ||
            (id > 0 && p->id != id))
            continue;
        *any = true;
        if (p->state == ENDED)
            return p;
    }
    return NULL;
}

s32 process_wait(s32 id, bool poll, struct process_end *end)
{
    for (;;) {
        bool any;
        struct process *p = ended_child(id, &any);

        if (!any)
            return -ECHILD;
        if (p) {
            s32 ended = p->id;

            *end = p->end;
            cpu_add_child(end->used);
            birth_ask(BIRTH_BURY, (u32)(p - processes));
            return ended;
        }
        if (poll)
            return 0;
        if (signal_waiting())
            return -ERESTART;
        timer_idle();
    }
}

static void send(u32 number, u32 signal, struct sent_signal what)
{
    struct process *p = &processes[number];

    if (number == self) {
        signal_send_with(signal, what);
        return;
    }
    if (!(p->signals & signal_bit(signal)))
        p->sent[signal] = what;
    p->signals |= signal_bit(signal);
    turn_tell(number);
}

/* All processes of a core are one group. */
s32 process_send(s32 id, u32 number, struct sent_signal signal)
{
    u32 one = id > 0 ? number_of(id) : 0;

    if (one == PROCESSES_MAX || (id < -1 && id != -process_group()))
        return -ESRCH;
    if (number > SIGNALS)
        return -EINVAL;
    for (u32 n = id > 0 ? one : 0; number && n < PROCESSES_MAX; n++) {
        if (processes[n].state == LIVES)
            send(n, number, signal);
        if (id > 0)
            break;
    }
    return 0;
}

/* Ended processes for which nobody waits: orphans, and children of one that does
 * not want to hear of them. */
static void bury(void)
{
    for (u32 n = 1; n < PROCESSES_MAX; n++) {
        const struct process *p = &processes[n];

        if (p->state == ENDED && p->parent == self &&
            (p->orphan || signal_is_refused(SIGCHLD)))
            birth_ask(BIRTH_BURY, n);
    }
}

/* What other processes did: their signals, and perhaps what threads here wait
 * for. */
void family_told(void)
{
    struct process *own = &processes[self];

    for (u32 n = 1; n <= SIGNALS; n++)
        if (own->signals & signal_bit(n)) {
            own->signals &= ~signal_bit(n);
            signal_send_with(n, own->sent[n]);
        }
    bury();
    thread_look();
}

bool family_is_child(void)
{
    return self != 0;
}

/* The core ends with the first process, so that it waits for the others. */
void family_wait(void)
{
    thread_alone();
    for (;;) {
        bool others = false;

        for (u32 n = 1; n < PROCESSES_MAX; n++)
            others = others || processes[n].state == BEGINS ||
                     processes[n].state == LIVES;
        if (!others)
            return;
        timer_idle();
    }
}

/* Another process than the first: its parent is told, and takes away what is
 * left of it. */
void family_end(u32 reason, u32 code)
{
    struct process *own = &processes[self];
    bool killed = reason == SCC_EXIT_SIGNAL;
    struct sent_signal signal = {
        .code = killed ? CLD_KILLED : CLD_EXITED,
        .first = (u32)own->id,
        .value = code,
    };

    thread_alone();
    shared_remove(USER_START, USER_END);
    descriptors_end();
    l4_do(SLOT_PROGRAM, L4_TASK_DESTROY, 0, 0, 0);
    vm_leave();
    for (u32 n = 1; n < PROCESSES_MAX; n++)
        if (processes[n].state != NOBODY && processes[n].parent == self) {
            processes[n].parent = 0;
            processes[n].orphan = true;
        }
    own->end.status = killed ? code : code << 8;
    own->end.used = time_of(CPU_OF_PROCESS) + cpu_of_children();
    own->state = ENDED;
    if (own->orphan)
        turn_tell(0);
    else
        send(own->parent, SIGCHLD, signal);
    halt_forever();
}
