/*
 * depend.c: tasks that depend on others of the same parent. One that has to
 * wait is kept in the table; who ends a task looks for those that waited for it.
 */
#include "../openmp.h"

#define WRITTEN 0x80000000u
#define ALL_MEMORY 0x80u /* omp_all_memory: no address */

static struct crf_omp_task *record(uint32_t task)
{
    return &CRF_OMP->task[task];
}

static uint32_t end_of_table(void)
{
    return CRF_OMP->tasks_used + CRF_OMP_OWN_TASKS + 1;
}

uint32_t crf_omp_depend_word(const struct crf_omp_depend *depend)
{
    if (depend->flags & ALL_MEMORY)
        return WRITTEN;
    return depend->address | (depend->flags & CRF_OMP_OUT ? WRITTEN : 0);
}

static int conflict(uint32_t a, uint32_t b)
{
    uint32_t of_a = a & ~WRITTEN, of_b = b & ~WRITTEN;

    return (a | b) & WRITTEN && (of_a == of_b || !of_a || !of_b);
}

/* A child of the parent that has not ended and conflicts with the word. */
static int conflicts(uint32_t task, uint32_t parent, uint32_t word)
{
    uint32_t state = record(task)->state;

    if (state == CRF_OMP_FREE || state == CRF_OMP_ENDED ||
        record(task)->parent != parent)
        return 0;
    for (uint32_t n = 0; n < record(task)->depends; n++)
        if (conflict(record(task)->depend[n], word))
            return 1;
    return 0;
}

static int both_conflict(uint32_t task, uint32_t other)
{
    for (uint32_t n = 0; n < record(other)->depends; n++)
        if (conflicts(task, record(other)->parent, record(other)->depend[n]))
            return 1;
    return 0;
}

/* Under the team's guard: for how many a new task has to wait. */
uint32_t crf_omp_waits_for(uint32_t new)
{
    uint32_t found = 0;

    for (uint32_t task = CRF_OMP_OWN_TASKS + 1;
         record(new)->depends && task < end_of_table(); task++)
        found += task != new && both_conflict(task, new);
    return found;
}

/* Under the team's guard: those that waited for the task alone are queued; how
 * many. A task that conflicts and waits is younger than this one. */
uint32_t crf_omp_queue_waiting(uint32_t ended)
{
    uint32_t found = 0;

    for (uint32_t task = CRF_OMP_OWN_TASKS + 1;
         record(ended)->depends && task < end_of_table(); task++)
        if (record(task)->state == CRF_OMP_WAITS &&
            both_conflict(task, ended) && --record(task)->waits_for == 0) {
            crf_omp_put(task);
            found++;
        }
    return found;
}

/* By address: what was left by tasks that read, and by those that write. A task
 * that has ended may have no record any more when the next one comes. All
 * memory is address 0, with which all are ordered. */
enum { BY_READERS = 1, BY_WRITERS };

static void take_from(uint32_t word, uint32_t by)
{
    crf_order_acquire_one((const void *)(word & ~WRITTEN), by);
}

void crf_omp_order_depends(uint32_t count, const volatile uint32_t *words,
                           int ended)
{
    for (uint32_t n = 0; n < count; n++) {
        uint32_t word = words[n], address = word & ~WRITTEN;

        if (ended) {
            uint32_t by = word & WRITTEN ? BY_WRITERS : BY_READERS;

            crf_order_release_one((const void *)address, by);
            if (address)
                crf_order_release_one(NULL, BY_READERS);
            continue;
        }
        take_from(word, BY_WRITERS);
        take_from(0, BY_WRITERS);
        if (word & WRITTEN)
            take_from(word, BY_READERS);
    }
}

void crf_omp_order_each(uint32_t count, const struct crf_omp_depend *depends,
                        int ended)
{
    for (uint32_t n = 0; n < count; n++) {
        uint32_t word = crf_omp_depend_word(&depends[n]);

        crf_omp_order_depends(1, &word, ended);
    }
}

/* What is waited for here: of this thread. */
static _Thread_local uint32_t wanted_count;
static _Thread_local const struct crf_omp_depend *wanted;

/* Without the guard: a task that ends meanwhile is found ended or not. */
static int depends_done(void)
{
    for (uint32_t task = CRF_OMP_OWN_TASKS + 1; task < end_of_table(); task++)
        for (uint32_t n = 0; n < wanted_count; n++)
            if (conflicts(task, crf_omp_self.task,
                          crf_omp_depend_word(&wanted[n])))
                return 0;
    return 1;
}

/* A task may run that waits itself: what is wanted is set anew. */
void crf_omp_wait_depends(uint32_t count, const struct crf_omp_depend *depends)
{
    uint32_t outer_count = wanted_count;
    const struct crf_omp_depend *outer = wanted;

    if (count == 0)
        return;
    wanted_count = count;
    wanted = depends;
    crf_omp_wait(depends_done, crf_omp_child);
    crf_omp_order_each(count, depends, 0);
    wanted_count = outer_count;
    wanted = outer;
}
