/*
 * notices.c: commit and reconcile: who acquires gives up the pages that others
 * have committed, and no others.
 *
 * Notices lie in a ring off-die: who releases adds the pages that changed, who
 * acquires reads what was added since its last look.
 */
#include "model.h"

#include <stddef.h>

#include "../pages/pages.h"
#include "scc/cache.h"

static uint32_t seen; /* notices */

static void notify(const uint16_t *pages, uint32_t count)
{
    uint32_t end;

    if (count == 0)
        return;
    crf_guard(0);
    end = crf_control->notices_end;
    for (uint32_t n = 0; n < count; n++)
        crf_control->notice[(end + n) % CRF_NOTICES] =
            pages[n] | (uint32_t)crf_my_rank << 16;
    crf_control->notices_end = end + count;
    crf_unguard(0);
}

static void forget(uint32_t page)
{
    crf_known[page] = 1;
    crf_give_up(page);
}

static void forget_each(uint32_t from, uint32_t end)
{
    const volatile uint32_t *notices =
        (const volatile uint32_t *)(void *)(crf_lines +
                                            offsetof(struct crf_control,
                                                     notice));

    scc_cl1invmb();
    for (uint32_t n = from; n != end; n++) {
        uint32_t notice = notices[n % CRF_NOTICES];

        if (notice >> 16 != (uint32_t)crf_my_rank)
            forget(notice & 0xFFFF);
    }
    crf_close_given_up();
}

/* So many notices were added that the first may be overwritten. */
static void forget_all(void)
{
    uint32_t end = crf_pages_used();

    for (uint32_t page = 0; page < end; page++)
        if (crf_control->committed[page])
            forget(page);
    crf_close_given_up();
}

static void crf_reconcile_noticed(void)
{
    uint32_t end = crf_control->notices_end;

    if (end == seen)
        return;
    if (end - seen > CRF_NOTICES / 2)
        forget_all();
    else
        forget_each(seen, end);
    seen = end;
}

const struct crf_model crf_by_notices = {
    .name = "crf",
    .borrows = 1,
    .copies = 1,
    .fault = crf_copy_fault,
    .release = crf_commit_dirty,
    .acquire = crf_reconcile_noticed,
    .notify = notify,
    .stack_open = crf_copy_stack_open,
    .change = crf_copy_change,
    .await_mail = crf_read_mail,
};
