/*
 * lpel_report.c: what tasks took, by name: a task's time is that of its runs
 * on workers, flushes included.
 */
#include "lpel_private.h"

#include <stdio.h>
#include <string.h>

#define NAMES 64

static struct row {
    const char *name;
    uint32_t instances, messages;
    uint64_t shortest, longest, total; /* cycles */
} rows[NAMES];
static int row_count;

static struct row *row_of(const char *name)
{
    for (int n = 0; n < row_count; n++)
        if (!strcmp(rows[n].name, name))
            return &rows[n];
    if (row_count == NAMES)
        return NULL; /* the first ones are printed */
    rows[row_count] = (struct row){.name = name, .shortest = UINT64_MAX};
    return &rows[row_count++];
}

void lpel_note_task(const struct lpel_task *task)
{
    struct row *row = row_of(task->name);

    if (!row)
        return;
    row->instances++;
    row->messages += task->messages;
    row->total += task->cycles;
    if (task->cycles < row->shortest)
        row->shortest = task->cycles;
    if (task->cycles > row->longest)
        row->longest = task->cycles;
}

static unsigned long long us(uint64_t cycles)
{
    return cycles * 1875 / 1000000; /* 533 MHz */
}

void lpel_report(void)
{
    for (int n = 0; n < row_count; n++) {
        const struct row *row = &rows[n];

        printf("task %s instances %u messages %u shortest %llu longest %llu "
               "total %llu\n",
               row->name, (unsigned)row->instances, (unsigned)row->messages,
               us(row->shortest), us(row->longest), us(row->total));
    }
}
