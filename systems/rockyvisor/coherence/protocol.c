/*
 * protocol.c: a core gets a page of the guest.
 *
 * The core that wants a page holds its lock in the directory, asks who has it,
 * and waits; the one that is asked answers without any lock, always and soon:
 * holding.c. A page that a core gets for an instruction stays until the instruction is done:
 * window.c.
 */
#include "coherence/coherence.h"
#include "scc/cache.h"
#include "common/processor.h"

#define REFUSED_CYCLES 1000u /* a page moves in 4,000 */
#define REFUSED_SHIFTS 4u    /* the pause doubles so often */
#define KEPT_CYCLES 2000u    /* for each core that had it */
#define KEPT_MOST 1000000    /* more is the time stamp of another age */

static bool is_reader(const struct entry *e, u32 index)
{
    return e->readers[index / 32] >> index % 32 & 1;
}

static void add_reader(struct entry *e, u32 index)
{
    e->readers[index / 32] |= 1u << index % 32;
}

/* False: the owner has an older instruction that needs the page. */
static bool take_from_owner(u32 page, struct entry *e, bool write)
{
    u32 owner = (e->state & OWNER) >> OWNER_SHIFT, word;

    counts.asked++;
    ask(owner, MAIL(write ? GIVE_WRITE : GIVE_READ, page));
    word = await_reply(owner);
    if (word == REFUSED)
        return false;
    e->frame = word & -PAGE;
    if (!write)
        add_reader(e, owner);
    return true;
}

/* False: a reader refuses; others have dropped the page. */
static bool drop_by_readers(u32 page, struct entry *e)
{
    bool all = true;

    for (u32 n = 0; n < options.core_count; n++)
        if (n != core_index && is_reader(e, n))
            ask(n, MAIL(DROP, page));
    for (u32 n = 0; n < options.core_count; n++) {
        if (n == core_index || !is_reader(e, n))
            continue;
        if (await_reply(n) == REFUSED)
            all = false;
        else
            e->readers[n / 32] &= ~(1u << n % 32);
    }
    return all;
}

static bool take_from_readers(u32 page, struct entry *e)
{
    if (!drop_by_readers(page, e))
        return false;
    if (is_reader(e, core_index))
        page_let_go(page, UNUSED, e->frame);
    if (e->state & TEXT) {
        u32 fresh = frame_await();

        frame_copy(frame_look(e->frame), fresh);
        frame_retire_everywhere(e->frame);
        e->frame = fresh;
    }
    return true;
}

static u32 reader_count(const struct entry *e)
{
    return (u32)(__builtin_popcount(e->readers[0]) +
                 __builtin_popcount(e->readers[1]));
}

/* Whether no other core has the page afterwards. */
static bool takes_all(const struct entry *e, enum need need)
{
    bool hot = (e->state & STATE) == READ && (e->state & HOT);

    return need == CHANGES || (need == WALKS && hot) || (need == STEPS && !hot);
}

static bool changes(enum need need)
{
    return need == CHANGES || need == STEPS;
}

/* The page is this core's, and the entry says so. A writer keeps it for as long as
 * it had to wait for about: else a core that works on a page gets one
 * instruction done between any two looks of others at it. */
static void take_over(u32 page, struct entry *e, u32 others, enum need need,
                      bool text)
{
    u32 table = (e->state & TABLE) | (need == WALKS ? TABLE : 0);

    if ((e->state & STATE) == UNUSED) {
        e->state = with_owner(PRIVATE | table);
    } else if (takes_all(e, need)) {
        u32 heat = heat_after(e->state, others);

        e->readers[0] = e->readers[1] = 0;
        e->state = with_owner(OWNED | table | heat);
        e->kept = (u32)read_tsc() + others * KEPT_CYCLES;
        if (need == STEPS && heat_is_high(heat) && !table &&
            !is_tracked(page)) {
            e->state = with_owner(READ | HOT);
            add_reader(e, core_index);
            counts.heated++;
        }
    } else {
        add_reader(e, core_index);
        e->state = (e->state & ~STATE) | READ | table;
        if (text && !(e->state & HOT))
            e->state |= TEXT;
    }
}

static bool take(u32 page, struct entry *e, bool all)
{
    u32 was = e->state & STATE;

    if (was == PRIVATE || was == OWNED)
        return take_from_owner(page, e, all);
    return was != READ || !all || take_from_readers(page, e);
}

/* Caches allocate nothing on a write, and who writes a page first will write most
 * of it. */
static void fill_caches(u32 page)
{
    for (u32 at = 0; at < PAGE; at += SCC_LINE_SIZE)
        read_register(page_address(page) + at);
}

/* Returns for how many cycles the page cannot be had, 0: this core has it. */
static u32 acquire(u32 page, enum need need, bool text, u32 *refusals)
{
    struct entry e;
    u32 others;
    s32 kept;

    hot_close();
    window_open();
    page_lock(page);
    entry_read(page, &e);
    kept = (s32)(e.kept - (u32)read_tsc());
    if ((e.state & STATE) == OWNED && kept > 0 && kept < KEPT_MOST) {
        page_unlock(page);
        return (u32)kept;
    }
    others = 1 + reader_count(&e);
    if (!take(page, &e, takes_all(&e, need))) {
        entry_write(page, &e);
        page_unlock(page);
        counts.refused++;
        return REFUSED_CYCLES
               << (*refusals < REFUSED_SHIFTS ? (*refusals)++ : REFUSED_SHIFTS);
    }
    take_over(page, &e, others, need, text);
    entry_write(page, &e);
    page_unlock(page);
    page_held(page, e.state, e.frame);
    window_add(page);
    if ((e.state & STATE) == OWNED)
        settle_later(page);
    else if ((e.state & STATE) == PRIVATE && changes(need))
        fill_caches(page);
    return 0;
}

/* An owner that has kept the page for long uses it through its caches. It may
 * have lost the page, and may lose it while it waits for the lock. */
void page_settle(u32 page)
{
    struct entry e;

    if ((page_state(page) & STATE) != OWNED)
        return;
    page_lock(page);
    if ((page_state(page) & STATE) == OWNED) {
        entry_read(page, &e);
        e.state = with_owner((e.state & ~STATE) | PRIVATE);
        entry_write(page, &e);
        shadow_drop_page(page, MAPPINGS);
        page_held(page, PRIVATE, e.frame);
        counts.settled++;
    }
    page_unlock(page);
}

static bool is_enough(u32 page, enum need need, bool text)
{
    u32 state = page_state(page);

    if (!state && options.core_count == 1)
        page_held(page, PRIVATE, first_frame(page));
    else if (!state)
        return false;
    else if (state & HOT)
        return need == LOOKS || need == STEPS;
    else if ((state & STATE) == READ)
        return !changes(need) && (!text || (state & TEXT));
    return true;
}

static void get(u32 page, enum need need, bool text)
{
    u64 began;
    u32 refusals = 0;

    if (is_enough(page, need, text))
        return;
    began = read_tsc();
    while (!is_enough(page, need, text)) {
        u32 pause = acquire(page, need, text, &refusals);
        u32 begin = (u32)read_tsc(), passed = 0;

        while (passed < pause) {
            serve_while(FOR_ANOTHER);
            rest(pause - passed);
            passed = (u32)read_tsc() - begin;
        }
    }
    pages_count(page, changes(need), read_tsc() - began);
}

void coherence_init(void)
{
    frames_init();
    if (options.core_count == 1)
        return;
    flush_init();
    directory_init();
    if (core_index == 0)
        directory_clear();
    silence_init();
    mails_init();
}

/* Where the hypervisor sees the page. It stays until the hypervisor waits. */
void *page_hold(u32 page, bool write)
{
    get(page, write ? CHANGES : LOOKS, false);
    return (void *)page_address(page);
}

/* A table of the guest's. */
void *page_walk(u32 page)
{
    get(page, WALKS, false);
    return (void *)page_address(page);
}

bool page_is_hot(u32 page)
{
    return (page_state(page) & HOT) != 0;
}

/* Bits of an entry of a shadow for the page; `steps`: an instruction of the guest
 * writes it. */
u32 page_entry(u32 page, bool write, bool text, bool steps)
{
    get(page, !write ? LOOKS : steps ? STEPS : CHANGES, text);
    if (write && steps && page_is_hot(page) && !hot_open(page))
        get(page, CHANGES, text);
    return page_bits(page, text) | (hot_is_open(page) ? PTE_WRITE : 0);
}
