/*
 * pages.c: pages of message buffers and of shared memory. This server has a
 * page once for each memory type that was asked for, and gives it on from
 * there as often as it is wanted.
 */
#include "servers/io/io.h"

#include "scc/memory_map.h"
#include "scc/registers.h"

#define PAGE 4096u
#define SHARED 0x10000000u /* where the pages of the first type appear */
#define BUFFERS (SHARED + SCC_SHARED_SIZE)
#define TYPE_STRIDE 0x08000000u        /* from those of one type to the next */
#define TILES (SCC_CRB_BASE_COUNT + 1) /* and the own one once more */
#define TILE_PAGES (2 * SCC_MPB_SIZE_PER_CORE / PAGE)
#define PAGES (SCC_SHARED_SIZE / PAGE + TILES * TILE_PAGES)

static const uint8_t types[] = {L4_TYPE_WRITE_BACK, L4_TYPE_WRITE_THROUGH,
                                L4_TYPE_UNCACHED, L4_TYPE_MESSAGE};
static uint32_t taken[sizeof(types)][(PAGES + 31) / 32];

/* The page's number among those that are given; PAGES: it is none of them. */
static uint32_t number_of(uint32_t physical)
{
    uint32_t tile = (physical - SCC_MPB_BASE) >> 24;
    uint32_t page = (physical & 0x00FFFFFF) / PAGE;

    if (physical - SCC_SHARED_BASE < SCC_SHARED_SIZE)
        return (physical - SCC_SHARED_BASE) / PAGE;
    if (physical < SCC_MPB_BASE || tile >= TILES || page >= TILE_PAGES)
        return PAGES;
    return SCC_SHARED_SIZE / PAGE + tile * TILE_PAGES + page;
}

static int type_of(uint32_t bits)
{
    for (uint32_t n = 0; n < sizeof(types); n++)
        if (types[n] == (bits & L4_TYPE_BITS))
            return (int)n;
    return -1;
}

static void explain(void)
{
    static int said;

    if (!said)
        say("uncached and MPBT together is refused: reads of such a page "
            "repeat 8 bytes\n");
    said = 1;
}

/* Fills the reply's item. */
int32_t page_give(uint32_t physical, uint32_t bits)
{
    uint32_t number = number_of(physical & -PAGE), at;
    int type = type_of(bits);
    int32_t result;

    if (type < 0) {
        explain();
        return L4_BAD_ARGUMENT;
    }
    if (number == PAGES)
        return L4_NO_RIGHT;
    at = SHARED + (uint32_t)type * TYPE_STRIDE + number * PAGE;
    if (!(taken[type][number / 32] & 1u << number % 32)) {
        result =
            take_pages_at(physical & -PAGE, at, 1, (bits & L4_TYPE_BITS) | 2);
        if (result)
            return result;
        taken[type][number / 32] |= 1u << number % 32;
    }
    l4_utcb()->items[0] = at | (bits & 2 ? L4_ITEM_WRITE : 0);
    l4_utcb()->items[1] = 1;
    return L4_OK;
}
