/*
 * link_map.c: where boards and receive buffers are, and of which memory type.
 *
 * Off-die, each core has a page for its board and two for its buffer, in the
 * second megabyte from the end of the shared memory; in the variant `mpb` the
 * buffer is the first 7 KB of its MPB half. Sizes are MetalSVM's
 * [marc-2011, section VII].
 */
#include "link.h"
#include "scc/memory_map.h"
#include "scc/registers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096u
#define CORE_PAGES 3u
#define PLACE (SCC_SHARED_BASE + SCC_SHARED_SIZE - 0x200000u)

static const struct variant variants[] = {
    {"mpb", "/dev/rckmpb", 0, 7 * 1024},
    {"l1", "/dev/rckmpb", 1, 8 * 1024},
    {"uncached", "/dev/rckncm", 1, 8 * 1024},
};
const struct variant *link_variant = &variants[0];

static volatile uint8_t *boards[MOST_RANKS], *buffers[MOST_RANKS];
static volatile uint8_t *locks[MOST_RANKS], *interrupts;
static volatile uint32_t *own_mpb;

/* RCCE lays out the message buffers itself: both cannot have them. */
extern int RCCE_init(int *, char ***) __attribute__((weak));

void link_choose(void)
{
    const char *name = getenv("TCPIP_BUFFERS");
    size_t n = RCCE_init ? 1 : 0; /* l1 */

    if (name)
        for (n = 0; n < 3 && strcmp(name, variants[n].name); n++)
            ;
    if (n == 3)
        link_refuse("TCPIP_BUFFERS names no kind of receive buffers",
                    "one of mpb, l1, uncached");
    if (n == 0 && RCCE_init)
        link_refuse("receive buffers in the MPB, which RCCE has",
                    "TCPIP_BUFFERS=l1 or uncached in a program with RCCE");
    link_variant = &variants[n];
}

static volatile uint8_t *map(const char *device, uint32_t address,
                             uint32_t bytes)
{
    int fd = open(device, O_RDWR | O_SYNC);
    void *place = MAP_FAILED;

    if (fd >= 0)
        place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                     (off_t)address);
    if (place == MAP_FAILED)
        link_refuse("the kernel maps no more of the chip's memory",
                    "this needs /dev/rckncm and /dev/rckmpb");
    close(fd);
    return place;
}

static volatile uint8_t *once(volatile uint8_t **place, const char *device,
                              uint32_t address, uint32_t bytes)
{
    if (!*place)
        *place = map(device, address, bytes);
    return *place;
}

static uint32_t tile(int rank)
{
    return (uint32_t)link_cores[rank] / 2 * SCC_CRB_BASE_STRIDE;
}

volatile struct board *link_board(int rank)
{
    uint32_t core = (uint32_t)link_cores[rank];

    return (volatile struct board *)once(
        &boards[rank], "/dev/rckncm", PLACE + core * CORE_PAGES * PAGE, PAGE);
}

volatile uint8_t *link_buffer(int rank)
{
    uint32_t core = (uint32_t)link_cores[rank];
    uint32_t mpb = SCC_MPB_BASE + tile(rank) + core % 2 * SCC_MPB_SIZE_PER_CORE;
    uint32_t off_die = PLACE + (core * CORE_PAGES + 1) * PAGE;

    return once(&buffers[rank], link_variant->device,
                link_variant->off_die ? off_die : mpb, 2 * PAGE);
}

volatile uint32_t *link_lock(int rank)
{
    volatile uint8_t *page =
        once(&locks[rank], "/dev/rckncm", SCC_CRB_BASE + tile(rank), PAGE);

    return (volatile uint32_t *)(page + SCC_CRB_LOCK(link_cores[rank] % 2));
}

volatile uint32_t *link_interrupts(void)
{
    return (volatile uint32_t *)once(&interrupts, "/dev/rckncm", SCC_FPGA_BASE,
                                     0x10000);
}

/* A store to another line of type MPBT drains the write-combine buffer: the
 * last line of the own MPB half, which no buffer has. */
void link_push(void)
{
    if (link_variant->device != variants[0].device)
        return;
    if (!own_mpb)
        own_mpb =
            (volatile uint32_t *)(map("/dev/rckmpb",
                                      SCC_MPB_OWN + (uint32_t)link_my_core % 2 *
                                                        SCC_MPB_SIZE_PER_CORE,
                                      2 * PAGE) +
                                  2 * PAGE - SCC_LINE_SIZE);
    *own_mpb = 0;
}

/* Two records fit at once [marc-2011, section VII]. */
size_t link_most(void)
{
    return link_variant->bytes / 2 - SCC_LINE_SIZE;
}
