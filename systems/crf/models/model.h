/*
 * model.h: a model carries one core's writes to shared pages to the other
 * cores. One of the models is chosen at the start; the threads above use this
 * table only.
 *
 * notices.c  commit and reconcile; a ring of notices names changed pages
 * lazy.c     commit; an acquire gives up all copies
 * strong.c   one owner a page, which faults move (systems/svm/owner)
 * uncached.c uncached pages, for the checker
 * direct.c   what the last two share
 * choose.c   by the name that `rck run --threads-model` gives
 */
#ifndef CRF_MODEL_H
#define CRF_MODEL_H

#include <stdint.h>
#include <ucontext.h>

#include "../crf_private.h"

struct crf_model {
    const char *name; /* for `rck run --threads-model` */
    /* True if each core works on its own copies of pages, with twins; false if
     * all accesses are to one copy of a page. */
    int copies;
    int borrows; /* true: pages may lie in lent memory (pages/lent.c) */
    /* Called once on each core at its start, before threads run. Null: nothing
     * is to be done. */
    void (*start)(void);
    /* Handles a page fault: this core has accessed a page that is not mapped
     * for it, or (`write` true) not for writing. */
    void (*fault)(uint32_t page, int write, greg_t *registers);
    /* Makes this core's writes visible to cores that acquire afterwards. */
    void (*release)(void);
    /* Makes writes that other cores released before visible here. */
    void (*acquire)(void);
    /* Announces the `count` pages whose changes this core committed, so that
     * other cores drop their copies. Null: the model needs no announcement. */
    void (*notify)(const uint16_t *pages, uint32_t count);
    /* Makes a thread's stack usable on this core; its lowest page becomes a
     * guard that may not be touched. */
    void (*stack_open)(const struct crf_stack *stack);
    /* Prepares pages of the heap for their first use by the core of a rank.
     * Null: nothing is to be done. */
    void (*taken)(uint32_t first, uint32_t count, int rank);
    /* Performs an atomic operation on `size` bytes of shared memory: see
     * crf_atomic_change in pages.h. Takes the guard that the address chooses
     * itself. Returns what `compute` returned. */
    int (*change)(void *at, uint32_t size,
                  int (*compute)(uint8_t *bytes, void *how), void *how);
    /* Sleeps until a mail comes: crf_read_mail, or a function that also serves
     * other cores' requests for pages. */
    int (*await_mail)(int milliseconds);
    /* Called when the program has ended, as the core's last action. Null:
     * nothing is to be done. */
    void (*last_act)(void);
};

extern const struct crf_model crf_by_notices, crf_lazy, crf_strong,
    crf_uncached;
extern const struct crf_model *crf_model;

/* Sets crf_model by RCK_THREADS_MODEL; "crf" if it is not set. */
void crf_choose_model(void);

/* direct.c: for models without copies */
void crf_direct_stack_open(const struct crf_stack *stack);
int crf_direct_change(void *at, uint32_t size,
                      int (*compute)(uint8_t *bytes, void *how), void *how);

#endif
