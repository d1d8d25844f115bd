/*
 * directory.c: the state of each page of the guest, in uncached memory behind
 * all four controllers, each page under a test-and-set register.
 */
#include "coherence/coherence.h"
#include "scc/lock.h"
#include "scc/memory_map.h"
#include "scc/registers.h"
#include "service.h"
#include "common/processor.h"

#define LONG 256u /* turns of a loop */
#define PAGES_A_PART (GUEST_MAX / PAGE / CONTROLLERS)
#define ENTRY_WORDS 4u
#define PART_PAGES (PAGES_A_PART * ENTRY_WORDS * 4 / PAGE)
_Static_assert((PART_PAGES + 1) * PAGE + 2 * SERVICE_MESSAGE + 4 * PAGE < KEPT,
               "there is room for all");

static u32 parts[CONTROLLERS]; /* where each is seen */
static scc_lock *locks[CORES];

/* Behind the directory's first part is a page that all cores see, past their
 * caches. */
volatile void *common_words(void)
{
    return (volatile void *)device_page(SCC_SHARED_BASE + PART_PAGES * PAGE);
}

/* And behind that page what emulate/service.c sends to the host. */
u32 common_messages(void)
{
    return SCC_SHARED_BASE + (PART_PAGES + 1) * PAGE;
}

/* The lines of emulate/console.c, behind the messages and a page of input. */
u32 common_lines(void)
{
    return common_messages() + 2 * SERVICE_MESSAGE + PAGE;
}

static u32 tile_registers(u32 core)
{
    return SCC_CRB_BASE + core / 2 * SCC_CRB_BASE_STRIDE;
}

void directory_init(void)
{
    for (u32 core = 0; core < CORES; core++)
        locks[core] = (scc_lock *)device_page(tile_registers(core) +
                                              SCC_CRB_LOCK(core % 2));
    for (u32 n = 0; n < CONTROLLERS; n++) {
        u32 part = SCC_SHARED_BASE + n * PART;

        parts[n] = device_pages(part, PART_PAGES * PAGE);
    }
}

static volatile u32 *words(u32 page)
{
    return (volatile u32 *)(parts[page % CONTROLLERS] +
                            page / CONTROLLERS * ENTRY_WORDS * 4);
}

/* By the first core, before any other is started. */
void directory_clear(void)
{
    for (u32 page = 0; page < options.memory / PAGE; page++)
        *words(page) = UNUSED;
}

/* Who waits for a register serves all others meanwhile, since the register's
 * holder may wait for an answer of this core. */
void page_lock(u32 page)
{
    u32 pause = 16, began = (u32)read_tsc();

    awaited_page = page;
    while (!scc_lock_try(locks[page % CORES])) {
        serve_while(FOR_ANOTHER);
        if (pause < LONG) {
            scc_pause(pause);
            pause *= 2;
            continue;
        }
        rest(NAP);
        began = silence_of_any(began);
    }
}

void page_unlock(u32 page)
{
    awaited_page = NO_PAGE;
    scc_lock_give(locks[page % CORES]);
}

void entry_read(u32 page, struct entry *entry)
{
    volatile u32 *at = words(page);

    entry->state = at[0];
    entry->kept = (entry->state & STATE) == OWNED ? at[1] : 0;
    if ((entry->state & STATE) == READ) {
        entry->readers[0] = at[1];
        entry->readers[1] = at[2];
    } else {
        entry->readers[0] = entry->readers[1] = 0;
    }
    entry->frame = (entry->state & STATE) == UNUSED ? first_frame(page) : at[3];
}

void entry_write(u32 page, const struct entry *entry)
{
    volatile u32 *at = words(page);

    at[3] = entry->frame;
    if ((entry->state & STATE) == READ) {
        at[1] = entry->readers[0];
        at[2] = entry->readers[1];
    } else {
        at[1] = entry->kept;
    }
    at[0] = entry->state;
}

/* Of a hot page, whose owner is the core that has written it last: whether that
 * was this core. From now on it is. */
bool entry_is_mine(u32 page)
{
    volatile u32 *at = words(page);
    u32 state = at[0], mine = with_owner(state);

    if (state != mine)
        at[0] = mine;
    return state == mine;
}

/* How many pages that core alone has, and the first of them. */
u32 pages_of(u32 index, u32 *first)
{
    u32 count = 0;

    for (u32 page = 0; page < options.memory / PAGE; page++) {
        u32 state = *words(page);

        if (((state & STATE) == PRIVATE || (state & STATE) == OWNED) &&
            (state & OWNER) >> OWNER_SHIFT == index && !count++)
            *first = page;
    }
    return count;
}
