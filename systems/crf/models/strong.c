/*
 * strong.c: one owner a page, who alone may touch it: a touch by another core
 * is a page fault that moves the page. Nothing is done at a release or an
 * acquire. How pages are asked for: systems/svm/owner.
 *
 * The owner works on a private copy, through both caches; what moves is the
 * whole page, by way of its place off-die. MetalSVM's owners work on that
 * place itself; here loads would not see this core's own stores that wait in
 * the write-combine buffer. Stacks move as all else does, so handlers have
 * another one.
 */
#include "model.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../pages/pages.h"
#include "owner.h"

struct svm_owner_pages svm_owner_pages;

static void open_page(uint32_t page)
{
    crf_protect(page, 1, PROT_READ | PROT_WRITE);
    if (crf_state[page] == CRF_ABSENT)
        crf_fetch(page);
    crf_state[page] = CRF_OWN;
}

/* What nobody has written yet is what it was at the start; most is zero there
 * and here. */
static void close_page(uint32_t page)
{
    int untouched = crf_state[page] == CRF_ABSENT;

    if (!untouched || (!crf_is_committed(page) && crf_is_initialised(page))) {
        if (untouched)
            crf_protect(page, 1, PROT_READ);
        memcpy(crf_lines_of(page), crf_page_address(page), CRF_PAGE);
        crf_push();
        crf_protect(page, 1, PROT_NONE);
        crf_counted.committed++;
        crf_counted.words += CRF_PAGE / 4;
    }
    crf_state[page] = CRF_ABSENT;
    crf_known[page] = 1;
    crf_control->committed[page] = 1;
}

/* A core that has died is reported by the core that waits for it. */
static void wait_for(uint32_t page, uint32_t owner, uint32_t times)
{
    (void)page;
    (void)owner;
    if (times)
        crf_watch();
    crf_watch_while_asleep();
}

static void no_page(uint32_t page)
{
    crf_fail("send mails by no other library",
             "a mail asks for page %u, there is none", (unsigned)page);
}

static void fault(uint32_t page, int write, greg_t *registers)
{
    if (write)
        crf_counted.write_faults++;
    else
        crf_counted.read_faults++;
    svm_owner_fault(page, registers);
}

static void nothing(void)
{
}

/* Others ask for them only after a thread has run there. */
static void take(uint32_t first, uint32_t count, int rank)
{
    for (uint32_t page = first; page < first + count; page++)
        crf_control->owner[page] = (uint32_t)rank;
}

static void start(void)
{
    const struct crf_stack *stack = crf_first_stack();

    crf_close_all();
    take(crf_page_of((const char *)stack->bottom), stack->bytes / CRF_PAGE,
         crf_my_rank);
    svm_owner_pages = (struct svm_owner_pages){
        .owner = crf_control->owner,
        .waiting = crf_control->waiting,
        .core_of = crf_core_of,
        .rank = (uint32_t)crf_my_rank,
        .mail = scc_open_mail(O_RDWR),
        .close = close_page,
        .open = open_page,
        .wait = wait_for,
        .alarms = &crf_alarms,
        .no_page = no_page,
        .pages = crf_pages,
    };
    svm_owner_signals_start();
}

static void await_the_first(void)
{
    crf_guard(0);
    crf_control->left++;
    crf_unguard(0);
    crf_control->asleep[crf_my_rank] = 1;
    while (!crf_control->gone) {
        crf_watch_while_asleep();
        if (!svm_owner_await_mail(-1))
            crf_watch();
        crf_control->asked[crf_my_rank] = 0;
    }
}

/* Any core may need any page until it has written what it has: the first core
 * ends when all others are ready to, and they when it does. */
static void last_act(void)
{
    if (!crf_control->ending || crf_control->gone)
        return;
    if (crf_my_rank != 0) {
        await_the_first();
        return;
    }
    while (crf_control->left < (uint32_t)crf_all_ranks - 1 &&
           !crf_control->gone)
        crf_look_again();
    crf_control->gone = 1;
    crf_wake_all();
}

const struct crf_model crf_strong = {
    .name = "strong",
    .start = start,
    .fault = fault,
    .release = nothing,
    .acquire = nothing,
    .stack_open = crf_direct_stack_open,
    .taken = take,
    .change = crf_direct_change,
    .await_mail = svm_owner_await_mail,
    .last_act = last_act,
};
