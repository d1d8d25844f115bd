/*
 * pool.c: kernel memory: pages, and small things of 32 to 512 bytes.
 *
 * The boot loader's memory behind kernel and modules begins with the pool.
 * Each piece is charged to a factory, so that a program that creates without
 * end uses up its own share. Pages that were cut into small pieces stay cut.
 */
#include "kernel/kernel.h"
#include "scc/cache.h"

#define SIZES 5
#define SMALLEST 32

struct piece {
    struct piece *next;
};

static u32 base, next_page, end, cut_at;
static struct piece *pages, *smalls[SIZES];

/* A store to a line that no cache has goes to memory alone [intel-eas]; one
 * read brings all 32 bytes of it. */
static void fetch(const void *place, u32 bytes)
{
    for (u32 at = 0; at < bytes; at += SCC_LINE_SIZE)
        (void)*(volatile const u32 *)((const char *)place + at);
}

void pool_init(u32 physical, u32 bytes)
{
    base = physical;
    next_page = POOL_BASE;
    end = POOL_BASE + bytes;
    fetch(pool_tables, bytes / PAGE * 4);
    for (u32 at = 0; at < bytes; at += PAGE)
        pool_tables[at / PAGE] = (physical + at) | PTE_PRESENT | PTE_WRITE;
}

/* The place may lie in the pool or in the kernel's image. */
u32 pool_physical(const void *address)
{
    u32 at = (u32)address;

    return at >= POOL_BASE ? at - POOL_BASE + base : at - KERNEL_BASE;
}

static bool charge(struct factory *payer, u32 bytes)
{
    if (payer->left < bytes)
        return false;
    payer->left -= bytes;
    return true;
}

static void *take_page(void)
{
    struct piece *page = pages;

    if (page) {
        pages = page->next;
    } else if (next_page < end) {
        page = (struct piece *)next_page;
        next_page += PAGE;
    }
    return page;
}

/* Null if the share, or the pool, is used up. */
void *pool_page(struct factory *payer)
{
    void *page;

    if (!charge(payer, PAGE))
        return NULL;
    page = take_page();
    if (!page) {
        payer->left += PAGE;
        return NULL;
    }
    fetch(page, PAGE);
    return memset(page, 0, PAGE);
}

static u32 size_class(u32 bytes)
{
    u32 class = 0;

    while (bytes > (u32)SMALLEST << class)
        class++;
    return class;
}

/* A new piece of the page that is being cut up. Pieces of all sizes share
 * pages, so what is made together lies together: few TLB entries. */
static void *cut(u32 size)
{
    void *piece;

    if (cut_at % PAGE == 0 || PAGE - cut_at % PAGE < size)
        cut_at = (u32)take_page();
    if (!cut_at)
        return NULL;
    piece = (void *)cut_at;
    cut_at += size;
    return piece;
}

void *pool_small(struct factory *payer, u32 bytes)
{
    u32 class = size_class(bytes), size = SMALLEST << class;
    struct piece *piece;

    if (!charge(payer, size))
        return NULL;
    piece = smalls[class];
    if (piece)
        smalls[class] = piece->next;
    else
        piece = cut(size);
    if (!piece) {
        payer->left += size;
        return NULL;
    }
    fetch(piece, size);
    return memset(piece, 0, size);
}

void pool_page_back(struct factory *payer, void *page)
{
    struct piece *piece = page;

    piece->next = pages;
    pages = piece;
    payer->left += PAGE;
}

void pool_small_back(struct factory *payer, void *place, u32 bytes)
{
    u32 class = size_class(bytes);
    struct piece *piece = place;

    piece->next = smalls[class];
    smalls[class] = piece;
    payer->left += SMALLEST << class;
}

u32 pool_bytes(void)
{
    return end - POOL_BASE;
}
