/* ready.h: the conductor's records of the tasks, in its private memory. */
#ifndef LPEL_READY_H
#define LPEL_READY_H

#include "lpel_private.h"

struct lpel_known {
    struct lpel_task *task;
    uint32_t number;
    enum lpel_state state;
    int woken;      /* 1: woken while it ran */
    int demand;     /* messages in its inputs less those in its outputs, when it
                 * became ready; a source: 1,000,000 less */
    uint32_t since; /* its place in the order of readiness */
    struct lpel_known *next, *previous; /* neighbours in its bucket */
};

struct lpel_known *lpel_know(struct lpel_task *task); /* makes its record */
/* The record of a task with this number; null if it has ended. */
struct lpel_known *lpel_known_number(uint32_t number);
void lpel_forget(struct lpel_known *known); /* frees the record */
void lpel_each_known(void (*look)(const struct lpel_known *known));

/* Computes a task's demand and puts it into the list of ready tasks. */
void lpel_put_ready(struct lpel_known *known);
/* Takes the task in most demand (among equals the one longest ready) that may
 * run on this rank out of the list; null if there is none. `bound_only`: true
 * to take only tasks bound to this rank; false: unbound ones too. */
struct lpel_known *lpel_take_ready(int rank, int bound_only);

#endif
