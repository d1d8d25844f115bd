/*
 * lazy.c: lazy release consistency: a release commits what was written here, an
 * acquire invalidates all that this core has, whoever has changed it. Nobody
 * is notified of anything.
 *
 * Pages are copies, as under commit and reconcile: loads of a page of MPBT type
 * do not see this core's own stores that wait in the write-combine buffer, and
 * no compiler knows of that.
 */
#include "../pages/pages.h"
#include "model.h"

/* The pages that were opened since the last acquire. */
static uint16_t opened[CRF_PAGES_MAX];
static uint8_t is_listed[CRF_PAGES_MAX];
static uint32_t opened_count;

static void fault(uint32_t page, int write, greg_t *registers)
{
    if (!is_listed[page])
        opened[opened_count++] = (uint16_t)page;
    is_listed[page] = 1;
    crf_copy_fault(page, write, registers);
}

static void invalidate(void)
{
    uint32_t count = opened_count;

    opened_count = 0;
    for (uint32_t n = 0; n < count; n++) {
        is_listed[opened[n]] = 0;
        crf_give_up(opened[n]);
    }
    crf_close_given_up();
    crf_stacks_merge();
}

const struct crf_model crf_lazy = {
    .name = "lazy",
    .borrows = 1,
    .copies = 1,
    .start = crf_close_all,
    .fault = fault,
    .release = crf_commit_dirty,
    .acquire = invalidate,
    .stack_open = crf_copy_stack_open,
    .change = crf_copy_change,
    .await_mail = crf_read_mail,
};
