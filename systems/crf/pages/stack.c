/*
 * stack.c: the stacks of the threads on this core.
 *
 * Other threads may be given pointers into them. They are always there and may
 * be written, since signals and system calls need it; what lies above the
 * stack pointer is compared at each release, and what others write to it is
 * merged.
 */
#include "pages.h"

#include <string.h>
#include <sys/mman.h>

#define OTHERS 0xC00000u     /* bytes for all first stacks but main's */
#define MOST_STACK 0x200000u /* of each */

uint32_t crf_stack_bytes(int rank)
{
    uint32_t part;

    if (rank == 0 || crf_all_ranks == 1)
        return CRF_MAIN_STACK;
    part = OTHERS / (uint32_t)(crf_all_ranks - 1) & -CRF_PAGE;
    return part < MOST_STACK ? part : MOST_STACK;
}

static char *bottom_of(int rank)
{
    if (rank == 0)
        return CRF_ARENA;
    return CRF_ARENA + CRF_MAIN_STACK +
           (uint32_t)(rank - 1) * crf_stack_bytes(rank);
}

uint32_t crf_stacks_pages(void)
{
    return (uint32_t)(bottom_of(crf_all_ranks) - CRF_ARENA) / CRF_PAGE;
}

/* Fetches other cores' pages, so that their owners know who reads them. */
void crf_stacks_start(void)
{
    uint32_t bytes = crf_stacks_pages() * CRF_PAGE;

    mprotect(CRF_ARENA, bytes, PROT_NONE);
    memset(crf_state + crf_data_pages, CRF_ABSENT, bytes / CRF_PAGE);
    for (int rank = 0; crf_my_rank == 0 && rank < crf_all_ranks; rank++) {
        struct crf_stack *stack = &crf_control->stack[rank];

        stack->bottom = (uint32_t)bottom_of(rank);
        stack->bytes = crf_stack_bytes(rank);
        stack->rank = (uint32_t)rank;
        stack->taken = rank == 0;
    }
}

const struct crf_stack *crf_first_stack(void)
{
    static struct crf_stack stack;

    stack.bottom = (uint32_t)bottom_of(crf_my_rank);
    stack.bytes = crf_stack_bytes(crf_my_rank);
    return &stack;
}

int crf_own_stack(uint32_t page)
{
    return crf_state[page] == CRF_STACK;
}

static void open_page(uint32_t page)
{
    if (crf_state[page] == CRF_ABSENT)
        crf_fetch(page);
    else if (crf_state[page] == CRF_DIRTY)
        crf_undirty(page);
    if (crf_is_committed(page))
        crf_make_twin(page);
    crf_state[page] = CRF_STACK;
}

void crf_copy_stack_open(const struct crf_stack *stack)
{
    uint32_t first = crf_page_of((const char *)stack->bottom);
    uint32_t pages = stack->bytes / CRF_PAGE;

    if (crf_state[first] == CRF_GUARD)
        return;
    crf_release(); /* what this core has written there is committed */
    crf_protect(first, pages, PROT_READ | PROT_WRITE);
    for (uint32_t page = first + 1; page < first + pages; page++)
        open_page(page);
    if (crf_state[first] == CRF_DIRTY)
        crf_undirty(first);
    crf_state[first] = CRF_GUARD;
    crf_protect(first, 1, PROT_NONE);
}

/* The page of a thread's stack pointer. */
static uint32_t lowest_page(const struct crf_turn *turn)
{
    char *here = turn->stack_pointer;

    if (turn == crf_running)
        here = __builtin_frame_address(0);
    if (here < turn->bottom || here > turn->top) /* a signal's stack */
        here = turn->bottom;
    return crf_page_of(here);
}

static uint32_t commit_stack(const struct crf_turn *turn, uint16_t *changed,
                             uint32_t count)
{
    uint32_t end = crf_page_of(turn->top - 1) + 1;
    uint32_t firsts = crf_data_pages + crf_stacks_pages();

    for (uint32_t page = lowest_page(turn); page < end; page++)
        if (crf_commit_bytes(page, 0, CRF_PAGE) &&
            (page >= firsts || crf_control->fetched[page]))
            changed[count++] = (uint16_t)page;
    return count;
}

/* Adds the pages of which something was written to `changed`. */
__attribute__((noinline)) uint32_t crf_stack_commit(uint16_t *changed,
                                                    uint32_t count)
{
    const struct crf_turn *turn = crf_turns;

    if (!turn)
        return count;
    do {
        count = commit_stack(turn, changed, count);
        turn = turn->next;
    } while (turn != crf_turns);
    return count;
}

static int is_in_use(uint32_t page)
{
    const struct crf_turn *turn = crf_turns;

    if (!turn)
        return 0;
    do {
        if (page >= lowest_page(turn) && page <= crf_page_of(turn->top - 1))
            return 1;
        turn = turn->next;
    } while (turn != crf_turns);
    return 0;
}

/* Others have written to the stack. */
__attribute__((noinline)) void crf_stack_merge(uint32_t page)
{
    uint16_t self = (uint16_t)page;

    if (!is_in_use(page))
        return;
    if (crf_commit_bytes(page, 0, CRF_PAGE))
        crf_notify(&self, 1);
    crf_merge(page, 0, CRF_PAGE);
}

static void merge_stack(const struct crf_turn *turn)
{
    uint32_t end = crf_page_of(turn->top - 1) + 1;

    for (uint32_t page = lowest_page(turn); page < end; page++)
        if (crf_control->fetched[page] && crf_is_committed(page))
            crf_stack_merge(page);
}

__attribute__((noinline)) void crf_stacks_merge(void)
{
    const struct crf_turn *turn = crf_turns;

    if (!turn)
        return;
    do {
        merge_stack(turn);
        turn = turn->next;
    } while (turn != crf_turns);
}
