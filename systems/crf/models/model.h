/*
 * model.h: how what one core writes to shared pages reaches the others. One of
 * the models is chosen at the start; the threads above know this table alone.
 *
 * notices.c  commit and reconcile; a ring of notices names changed pages
 * lazy.c     commit; an acquire gives up all copies
 * strong.c   one owner a page, which faults move (systems/svm/owner)
 * uncached.c pages past the caches, for the checker
 * direct.c   what the last two share
 * choose.c   by the name that `rck run --threads-model` gives
 */
#ifndef CRF_MODEL_H
#define CRF_MODEL_H

#include <stdint.h>
#include <ucontext.h>

#include "../crf_private.h"

struct crf_model {
    const char *name;
    /* Each core works on copies of its own, with twins; else a page is at one
     * core at a time. */
    int copies;
    void (*start)(void);
    /* This core touches a page that is not open, or not for writing. */
    void (*fault)(uint32_t page, int write, greg_t *registers);
    /* What was written here goes to those that acquire after it. */
    void (*release)(void);
    void (*acquire)(void);
    /* Pages of which something was committed. Null: nobody is told. */
    void (*notify)(const uint16_t *pages, uint32_t count);
    /* A thread's stack belongs to this core from now on. */
    void (*stack_open)(const struct crf_stack *stack);
    /* Pages of the heap that nobody has used; they are for a core. */
    void (*taken)(uint32_t first, uint32_t count, int rank);
    /* An atomic operation, under the address's guard: see pages.h. */
    int (*change)(void *at, uint32_t size,
                  int (*compute)(uint8_t *bytes, void *how), void *how);
    /* crf_read_mail, or what serves pages meanwhile. */
    int (*await_mail)(int milliseconds);
    /* The program has ended; this core ends after it. */
    void (*last_act)(void);
};

extern const struct crf_model crf_by_notices, crf_lazy, crf_strong,
    crf_uncached;
extern const struct crf_model *crf_model;

void crf_choose_model(void);

/* direct.c */
void crf_direct_stack_open(const struct crf_stack *stack);
int crf_direct_change(void *at, uint32_t size,
                      int (*compute)(uint8_t *bytes, void *how), void *how);

#endif
