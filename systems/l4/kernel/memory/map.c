/*
 * map.c: pages travel from space to space and are taken back.
 */
#include "kernel/kernel.h"
#include "common/processor.h"

static void drop(struct node *node)
{
    struct page_node *page = (struct page_node *)node;

    space_drop_entry(page->space, page->address);
    *space_node(page->space, page->address) = NULL;
    pool_small_back(page->space->payer, page, sizeof(*page));
}

/* Makes room for a page: nothing was there, or one that nobody else has. */
static s32 make_room(struct space *space, u32 address)
{
    struct page_node *old;
    s32 result = space_reach(space, address);

    if (result)
        return result;
    old = *space_node(space, address);
    if (!old)
        return *space_entry(space, address) ? L4_NO_ROOM : L4_OK;
    if (old->node.child)
        return L4_NO_ROOM;
    tree_remove(&old->node);
    drop(&old->node);
    return L4_OK;
}

static s32 put(struct space *space, u32 address, u32 entry, struct node *parent)
{
    struct page_node *page = pool_small(space->payer, sizeof(*page));
    s32 result;

    if (!page)
        return L4_NO_MEMORY;
    result = tree_add(parent, &page->node);
    if (result) {
        pool_small_back(space->payer, page, sizeof(*page));
        return result;
    }
    page->space = space;
    page->address = address;
    *space_node(space, address) = page;
    *space_entry(space, address) = entry;
    return L4_OK;
}

/* The first page of a tree: for the task that owns all memory. */
s32 map_root(struct space *space, u32 address, u32 physical, u32 bits)
{
    s32 result = make_room(space, address);

    if (result)
        return result;
    return put(space, address, physical | PTE_PRESENT | PTE_USER | bits, NULL);
}

static s32 map_page(struct space *from, u32 source, struct space *to,
                    u32 target, bool grant)
{
    struct page_node **node = space_node(from, source & -PAGE);
    struct page_node *given = node ? *node : NULL;
    u32 entry;
    s32 result;

    if (!given || (from == to && (source & -PAGE) == target))
        return L4_BAD_ARGUMENT;
    entry = *space_entry(from, source & -PAGE);
    if (!(source & L4_ITEM_WRITE))
        entry &= ~(u32)PTE_WRITE;
    result = make_room(to, target);
    if (result)
        return result;
    if (!grant)
        return put(to, target, entry, &given->node);
    result = put(to, target, entry, NULL);
    if (result)
        return result;
    tree_replace(&given->node, &(*space_node(to, target))->node);
    drop(&given->node);
    return L4_OK;
}

/* `source` is an address, with L4_ITEM_WRITE if the pages may be written. */
s32 map_pages(struct space *from, u32 source, struct space *to, u32 target,
              u32 pages, bool grant)
{
    s32 result = L4_OK;

    if (target % PAGE || pages > L4_PAGES_MAX)
        return L4_BAD_ARGUMENT;
    for (u32 n = 0; n < pages && !result; n++)
        result =
            map_page(from, source + n * PAGE, to, target + n * PAGE, grant);
    return result;
}

/* All who have these pages through this space lose them. A page of which
 * nothing is to be taken costs no step: each repetition gets further. */
s32 unmap_pages(struct space *space, u32 address, u32 pages, bool self)
{
    u32 steps = STEPS;

    for (u32 n = 0; n < pages; n++) {
        struct page_node **node = space_node(space, address + n * PAGE);

        if (!node || !*node || (!self && !(*node)->node.child))
            continue;
        if (steps == 0)
            return AGAIN;
        steps--;
        if (!tree_prune(&(*node)->node, self, drop, &steps))
            return AGAIN;
    }
    return L4_OK;
}
