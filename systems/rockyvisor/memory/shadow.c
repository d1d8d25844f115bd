/*
 * shadow.c: the page tables that the core uses: a shadow of each of the
 * guest's tables, filled by faults, and kept while the guest uses another one.
 *
 * A shadow is kept right by noticing writes: a page of the guest that has a
 * shadow is mapped read-only here, and a core that loses the page empties its
 * shadows. As an emulated TLB (options.flushes_tables) nothing is noticed, and
 * the guest's flushes empty all, as they do in a processor's own TLB.
 * Every entry of the shadows for a page is in the page's list.
 */
#include "memory/tables.h"
#include "common/processor.h"

#define SHADOWS 512
#define SLOT(shadow, index) ((u32)((shadow) - shadows) << 10 | (index))
#define NONE 0xFFFFFFFFu
#define ERROR_WRITE 2u
#define INSTRUCTION_MOST 15u /* bytes */
#define WRITTEN 9u /* entries on both sides that an instruction may reach */

extern u32 boot_directory[1024];
static struct shadow shadows[SHADOWS];
static u32 shadow_count;
static u16 shadow_of[LEVELS][TABLE_KEYS]; /* number + 1 */
static u32 listed[GUEST_PAGES];           /* first entry for a page */
static struct shadow *root;               /* in CR3 */

void shadow_init(void)
{
    memset(listed, 0xFF, sizeof(listed));
}

void flush_tlb(void)
{
    write_cr3(root ? physical_of(root->entries) : physical_of(boot_directory));
}

static void unlist(struct shadow *s, u32 index)
{
    u32 *at = &listed[s->pages[index]], slot = SLOT(s, index);

    while (*at != slot)
        at = &shadows[*at >> 10].links[*at & 1023];
    *at = s->links[index];
}

static void clear_entry(struct shadow *s, u32 index)
{
    if (!s->entries[index])
        return;
    if (s->level == TABLE)
        unlist(s, index);
    s->entries[index] = 0;
    s->used--;
}

static void clear(struct shadow *s)
{
    u32 end = s->level == ROOT ? DIRECTORY_VISOR : 1024;

    for (u32 n = 0; n < end && s->used; n++)
        clear_entry(s, n);
    s->tracked = false;
}

static void clear_all(void)
{
    for (u32 n = 0; n < shadow_count; n++)
        clear(&shadows[n]);
    counts.flushes++;
    flush_tlb();
}

/* Shadows of tables that lie in this page are emptied, and it may be written:
 * until one of them is filled again. */
void shadow_drop_tables(u32 page)
{
    for (u32 level = TABLE; level < LEVELS; level++)
        if (shadow_of[level][page])
            clear(&shadows[shadow_of[level][page] - 1]);
    flush_tlb();
}

/* Whether writes to the page are noticed here. */
bool is_tracked(u32 page)
{
    for (u32 level = TABLE; level < LEVELS; level++)
        if (shadow_of[level][page] &&
            shadows[shadow_of[level][page] - 1].tracked)
            return true;
    return false;
}

/* This core loses the page, or may only read it from now on. */
void shadow_drop_page(u32 page, enum dropped what)
{
    u32 slot;

    if (what == ALL)
        shadow_drop_tables(page);
    slot = listed[page];
    while (slot != NONE) {
        struct shadow *s = &shadows[slot >> 10];
        u32 index = slot & 1023;

        slot = s->links[index];
        if (what == WRITES)
            s->entries[index] &= ~(u32)PTE_WRITE;
        else
            clear_entry(s, index);
    }
    flush_tlb();
}

static void track(struct shadow *s)
{
    s->tracked = true;
    if (s->key < GUEST_PAGES && !options.flushes_tables)
        shadow_drop_page(s->key, WRITES);
}

static struct shadow *new_shadow(u32 key, enum level level)
{
    struct shadow *s = &shadows[shadow_count];

    s->entries = shadow_count < SHADOWS ? pool_page() : NULL;
    s->links = s->entries ? pool_page() : NULL;
    s->pages = s->links ? pool_page() : NULL;
    if (!s->pages)
        stop("no memory for the shadows of page tables");
    shadow_count++;
    s->key = key;
    s->level = level;
    if (level == ROOT)
        memcpy(s->entries + DIRECTORY_VISOR, boot_directory + DIRECTORY_VISOR,
               VISOR_TABLES * 4);
    return s;
}

static struct shadow *victim(enum level level)
{
    static u32 next;

    for (;;) {
        struct shadow *s = &shadows[next++ % shadow_count];

        if (s->level == level && s != root)
            return s;
    }
}

/* When all SHADOWS are in use, all are emptied, and one is given to this key. */
static struct shadow *find(u32 key, enum level level)
{
    u16 *number = &shadow_of[level][key];
    struct shadow *s;

    if (*number)
        return &shadows[*number - 1];
    if (shadow_count < SHADOWS) {
        s = new_shadow(key, level);
    } else {
        clear_all(); /* roots point to their tables */
        s = victim(level);
        shadow_of[level][s->key] = 0;
        s->key = key;
    }
    *number = (u16)(s - shadows + 1);
    return s;
}

/* CR3 has been loaded, or paging switched. */
void shadow_use_root(struct vcpu *v)
{
    bool paging = v->cr0 >> 31;

    if (paging && !is_guest_memory(v->cr3))
        give_up("the guest's CR3 is beyond its memory", v->cr3);
    if (options.flushes_tables)
        clear_all();
    root = find(paging ? v->cr3 / PAGE : FLAT_ROOT, ROOT);
    counts.roots++;
    flush_tlb();
}

static void fill(struct shadow *s, u32 index, u32 entry, u32 page)
{
    if (!s->tracked)
        track(s);
    clear_entry(s, index);
    s->entries[index] = entry;
    s->used++;
    if (s->level == ROOT)
        return;
    s->pages[index] = page;
    s->links[index] = listed[page];
    listed[page] = SLOT(s, index);
}

/* Empties what an instruction may have changed that wrote near an index. */
void shadow_clear_around(u32 page, u32 index)
{
    u32 first = index < WRITTEN ? 0 : index - WRITTEN;

    for (u32 level = TABLE; level < LEVELS; level++) {
        u32 number = shadow_of[level][page];
        u32 end = level == ROOT ? DIRECTORY_VISOR : 1024;

        for (u32 n = first; number && n < end && n <= first + 2 * WRITTEN; n++)
            clear_entry(&shadows[number - 1], n);
    }
    shadow_drop_page(page, WRITES);
}

/* Whether the page is likely to be executed: read-only, or it is now, maybe by an
 * instruction that begins in the page before. */
static bool is_text(const struct vcpu *v, u32 address, const struct walked *w)
{
    const struct frame *f = &v->frame;
    u32 at = f->flags & FLAG_VM ? (f->cs << 4) + f->eip : f->eip;

    return !(w->entry & PTE_WRITE) || address - at < INSTRUCTION_MOST ||
           ((at ^ address) & -(u32)PAGE) == 0;
}

/* A page fault at an address below VISOR_BASE: the guest's own (`error` is
 * made its), of memory that is not there (`gpa`), or done. */
enum outcome shadow_fault(struct vcpu *v, u32 address, u32 *error, u32 *gpa)
{
    struct walked w;
    struct shadow *table;
    u32 entry, page, rights, seen, write = *error & ERROR_WRITE;
    bool tracked;

    do { /* anew if a page is lost while another one is awaited */
        seen = losses;
        if (!walk(v, address, error, &w))
            return GUEST_FAULT;
        *gpa = (w.entry & -PAGE) | address % PAGE;
        if (!is_guest_memory(*gpa))
            return NO_MEMORY;
        page = *gpa / PAGE;
        entry = page_entry(page, write, is_text(v, address, &w),
                           error == &v->frame.error) |
                (w.entry & PTE_USER);
        tracked = is_tracked(page) && !options.flushes_tables;
        if (write && tracked)
            tracked = !may_write_once(v, page, address, &w);
    } while (seen != losses);
    rights = w.directory_entry & w.entry & PTE_WRITE;
    if (write && !rights)
        entry &= ~(u32)PTE_USER; /* ring 1 with its WP off */
    else if (!rights || !(w.entry & PTE_DIRTY) || tracked)
        entry &= ~(u32)PTE_WRITE;
    table = find(w.table, TABLE);
    if (!(root->entries[address >> 22] & PTE_PRESENT))
        fill(root, address >> 22,
             physical_of(table->entries) | PTE_PRESENT | PTE_WRITE |
                 (w.directory_entry & PTE_USER),
             0);
    fill(table, address >> 12 & 1023, entry, page);
    invalidate_page(address);
    return DONE;
}

/* INVLPG. */
void shadow_forget(struct vcpu *v, u32 address)
{
    u32 key = v->cr0 >> 31 ? 0 : FLAT_PAGE(address >> 22);

    if (address >= VISOR_BASE)
        return;
    if (!key && (root->entries[address >> 22] & PTE_PRESENT)) {
        /* The shadow is found by its own address. */
        u32 physical = root->entries[address >> 22] & -PAGE;

        for (u32 n = 0; n < shadow_count; n++)
            if (physical_of(shadows[n].entries) == physical)
                clear_entry(&shadows[n], address >> 12 & 1023);
        if (options.flushes_tables)
            clear_entry(root, address >> 22);
    }
    invalidate_page(address);
}
