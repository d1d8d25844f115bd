/*
 * link_map.c: where boards and receive buffers are, and of which memory type.
 *
 * Off-die, each core has a page for its board and two for its buffer, in the
 * second megabyte from the end of the shared memory; in the variant `mpb` the
 * buffer is the first 7 KB of its MPB half. Sizes are MetalSVM's
 * [marc-2011, section VII].
 */
#include "link.h"
#include "scc/claim.h"

#include <stdlib.h>
#include <string.h>

#define CORE_PAGES 3u
#define OFFSET (SCC_SHARED_SIZE - 0x200000u)
#define OFF_DIE_BYTES (MOST_RANKS * CORE_PAGES * SCC_PAGE)
#define MPB_BYTES (7u * 1024)
/* In the variant `mpb` no other line is free of the buffer's data. */
#define LAST_LINE (SCC_MPB_LINES - 1)

SCC_PLAN(place, SCC_SHARED, SCC_ALONE, OFFSET, OFF_DIE_BYTES, NAME);

static const struct variant variants[] = {
    {"mpb", SCC_MPBT, 0, MPB_BYTES},
    {"l1", SCC_MPBT, 1, 8 * 1024},
    {"uncached", SCC_UNCACHED, 1, 8 * 1024},
};
const struct variant *tcpip_link_variant = &variants[0];

static volatile uint8_t *boards[MOST_RANKS], *buffers[MOST_RANKS];
static volatile void *drain;

/* Who has lines of the receive buffer in the MPB, or will have them. The line
 * that scc_drain gives is the layer's and not in the way: it is planned because
 * the variants off-die push there, but in the MPB the push goes to LAST_LINE. */
static const struct scc_claim *others_lines(void)
{
    return scc_claim_in_the_way(SCC_MPB_LINE, SCC_ALONE, 0,
                                MPB_BYTES / SCC_LINE_SIZE, "scc");
}

static void claim(void)
{
    scc_claim(SCC_SHARED, SCC_ALONE, OFFSET, OFF_DIE_BYTES, NAME);
    scc_claim(SCC_LOCK, SCC_TOGETHER, 0, MOST_RANKS, NAME);
    if (tcpip_link_variant->off_die)
        return;
    scc_claim(SCC_MPB_LINE, SCC_ALONE, 0, MPB_BYTES / SCC_LINE_SIZE, NAME);
    scc_claim(SCC_MPB_LINE, SCC_ALONE, LAST_LINE, 1, NAME);
}

void tcpip_link_choose(void)
{
    const struct scc_claim *other = others_lines();
    const char *name = getenv("TCPIP_BUFFERS");
    size_t n = other ? 1 : 0; /* l1 */

    if (name)
        for (n = 0; n < 3 && strcmp(name, variants[n].name); n++)
            ;
    if (n == 3)
        scc_fail(NAME, "one of mpb, l1, uncached",
                 "TCPIP_BUFFERS names no kind of receive buffers");
    if (n == 0 && other)
        scc_fail(NAME, "TCPIP_BUFFERS=l1 or uncached in this program",
                 "receive buffers in the MPB, which %s has", other->owner);
    tcpip_link_variant = &variants[n];
    claim();
}

static volatile uint8_t *map(enum scc_memory memory, uint32_t address,
                             uint32_t bytes)
{
    void *mapped = scc_map(memory, address, bytes);

    if (!mapped)
        scc_fail(NAME, "this needs /dev/rckncm and /dev/rckmpb",
                 "the kernel maps no more of the chip's memory");
    return mapped;
}

static volatile uint8_t *once(volatile uint8_t **place, enum scc_memory memory,
                              uint32_t address, uint32_t bytes)
{
    if (!*place)
        *place = map(memory, address, bytes);
    return *place;
}

static uint32_t off_die(int rank)
{
    return SCC_SHARED_BASE + OFFSET +
           (uint32_t)tcpip_link_core(rank) * CORE_PAGES * SCC_PAGE;
}

volatile struct board *tcpip_link_board(int rank)
{
    return (volatile struct board *)once(&boards[rank], SCC_UNCACHED,
                                         off_die(rank), SCC_PAGE);
}

volatile uint8_t *tcpip_link_buffer(int rank)
{
    return once(&buffers[rank], tcpip_link_variant->memory,
                tcpip_link_variant->off_die ? off_die(rank) + SCC_PAGE
                                            : scc_mpb_of(tcpip_link_core(rank)),
                2 * SCC_PAGE);
}

void tcpip_link_push(void)
{
    if (tcpip_link_variant->memory != SCC_MPBT)
        return;
    if (!drain && tcpip_link_variant->off_die)
        drain = scc_drain();
    else if (!drain)
        drain =
            tcpip_link_buffer(tcpip_link_my_rank) + LAST_LINE * SCC_LINE_SIZE;
    scc_push(drain);
}

/* Two records fit at once [marc-2011, section VII]. */
size_t tcpip_link_most(void)
{
    return tcpip_link_variant->bytes / 2 - SCC_LINE_SIZE;
}
