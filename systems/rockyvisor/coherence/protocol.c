/*
 * protocol.c: a core gets a page of the guest, or gives it up.
 *
 * The core that wants a page holds its lock in the directory, asks who has it,
 * and waits; the one that is asked answers without any lock, always and soon. A
 * page that a core gets for an instruction stays until the instruction is done:
 * window.c.
 */
#include "coherence/coherence.h"
#include "scc/cache.h"
#include "common/processor.h"

#define PAGES (GUEST_MAX / PAGE)
#define REFUSED_CYCLES 1000u /* a page moves in 4,000 */
#define KEPT_CYCLES 2000u    /* for each core that had it */
#define KEPT_MOST 1000000    /* more is the time stamp of another age */

extern u32 visor_tables[VISOR_TABLES * 1024];
u32 losses;
static u8 held[PAGES]; /* enum state, and TEXT */
static u32 frames[PAGES];

static u32 guest_address(u32 page)
{
    return GUEST_BASE + page * PAGE;
}

static u32 type_bits(u32 state, bool text)
{
    switch (state) {
    case PRIVATE:
        return PTE_PRESENT | PTE_WRITE;
    case OWNED:
        return PTE_PRESENT | PTE_WRITE | PTE_UNCACHED;
    default:
        return PTE_PRESENT | (text ? 0 : PTE_MPBT);
    }
}

/* The hypervisor's own view of the page. */
static void show(u32 page)
{
    u32 *at = &visor_tables[(guest_address(page) - VISOR_BASE) / PAGE];
    u32 state = held[page] & STATE;

    *at = state ? frames[page] | type_bits(state, false) : 0;
    invalidate_page(guest_address(page));
}

static void hold(u32 page, u32 state, u32 frame)
{
    held[page] = (u8)state;
    frames[page] = frame;
    show(page);
}

/* What this core has of the page, in shadows and in lines of the type that one
 * instruction drops. */
static void let_go(u32 page, u32 state, u32 frame)
{
    shadow_drop_page(page, state == READ ? MAPPINGS : ALL);
    scc_cl1invmb();
    hold(page, state, frame);
    losses++;
}

/* Asked by another core; returns the frame in which the page is current. */
u32 page_given(u32 page, u32 kind)
{
    u32 frame = frames[page], state = held[page] & STATE;

    counts.gave++;
    if (state == PRIVATE) {
        u32 fresh = frame_take();

        frame_copy((const void *)guest_address(page), fresh);
        frame_retire(frame, true);
        frame = fresh;
    }
    let_go(page, kind == GIVE_READ ? READ : UNUSED, frame);
    return frame;
}

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
    u32 owner = e->state >> OWNER_SHIFT, word;

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
        let_go(page, UNUSED, e->frame);
    if (e->state & TEXT) {
        u32 fresh = frame_take();

        frame_copy(frame_look(e->frame), fresh);
        frame_retire(e->frame, false);
        e->frame = fresh;
    }
    return true;
}

static u32 reader_count(const struct entry *e)
{
    return (u32)(__builtin_popcount(e->readers[0]) +
                 __builtin_popcount(e->readers[1]));
}

/* The page is this core's, and the entry says so. A writer keeps it for as long as
 * it had to wait for about: else a core that works on a page gets one
 * instruction done between any two looks of others at it. */
static void take_over(struct entry *e, u32 others, bool write, bool text)
{
    if ((e->state & STATE) == UNUSED) {
        e->state = PRIVATE | core_index << OWNER_SHIFT;
    } else if (write) {
        e->state = OWNED | core_index << OWNER_SHIFT;
        e->kept = (u32)read_tsc() + others * KEPT_CYCLES;
    } else {
        add_reader(e, core_index);
        e->state = READ | (e->state & TEXT) | (text ? TEXT : 0);
    }
}

static bool take(u32 page, struct entry *e, bool write)
{
    u32 was = e->state & STATE;

    if (was == PRIVATE || was == OWNED)
        return take_from_owner(page, e, write);
    return was != READ || !write || take_from_readers(page, e);
}

/* Returns for how many cycles the page cannot be had, 0: this core has it. */
static u32 acquire(u32 page, bool write, bool text)
{
    struct entry e;
    u32 others;
    s32 kept;

    window_open();
    pages_count(page);
    page_lock(page);
    entry_read(page, &e);
    kept = (s32)(e.kept - (u32)read_tsc());
    if ((e.state & STATE) == OWNED && kept > 0 && kept < KEPT_MOST) {
        page_unlock(page);
        return (u32)kept;
    }
    others = 1 + reader_count(&e);
    if (!take(page, &e, write)) {
        entry_write(page, &e);
        page_unlock(page);
        counts.refused++;
        return REFUSED_CYCLES;
    }
    take_over(&e, others, write, text);
    entry_write(page, &e);
    page_unlock(page);
    hold(page, e.state & (STATE | TEXT), e.frame);
    window_add(page);
    if ((e.state & STATE) == OWNED)
        settle_later(page);
    return 0;
}

/* An owner that has kept the page for long uses it through its caches. It may
 * have lost the page, and may lose it while it waits for the lock. */
void page_settle(u32 page)
{
    struct entry e;

    if ((held[page] & STATE) != OWNED)
        return;
    page_lock(page);
    if ((held[page] & STATE) == OWNED) {
        entry_read(page, &e);
        e.state = PRIVATE | core_index << OWNER_SHIFT;
        entry_write(page, &e);
        shadow_drop_page(page, MAPPINGS);
        hold(page, PRIVATE, e.frame);
        counts.settled++;
    }
    page_unlock(page);
}

static bool is_enough(u32 page, bool write, bool text)
{
    u32 state = held[page] & STATE;

    if (options.core_count == 1 && !state)
        hold(page, PRIVATE, first_frame(page));
    else if (state == READ)
        return !write && (!text || (held[page] & TEXT));
    return options.core_count == 1 || state;
}

static void get(u32 page, bool write, bool text)
{
    while (!is_enough(page, write, text)) {
        u32 pause = acquire(page, write, text), begin = (u32)read_tsc();

        while ((u32)read_tsc() - begin < pause)
            serve_while(FOR_ANOTHER);
    }
}

void coherence_init(void)
{
    frames_init();
    if (options.core_count == 1)
        return;
    directory_init();
    if (core_index == 0)
        directory_clear();
    mails_init();
}

/* Where the hypervisor sees the page. It stays until the hypervisor waits. */
void *page_hold(u32 page, bool write)
{
    get(page, write, false);
    return (void *)guest_address(page);
}

/* Bits of an entry of a shadow for the page. */
u32 page_entry(u32 page, bool write, bool text)
{
    get(page, write, text);
    return frames[page] | type_bits(held[page] & STATE, text);
}
