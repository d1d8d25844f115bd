/*
 * mpb.c: where the buffers are, and how headers and lines are written.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

#include "scctalk.h"
#include "window.h"

/* No tile has route 0x36, no tile has a core 2, no packet has 5 bytes. */
static const struct header invalid = {0x36, 2, 5};

mpb_long *own_mpb, *other_mpb;
struct header self;

static mpb_long *map_half(uint32_t tile, uint32_t core)
{
    uint32_t x = tile & 15, y = tile >> 4;
    return (mpb_long *)map_window(
        "/dev/rckmpb", MPB_BASE + ((6 * y + x) << 24) + core * HALF, HALF);
}

/* The core of the launch list that is not this one. */
static int find_other(int me)
{
    int cores, core, other_core = -1;
    FILE *launch = fopen("/proc/rck/launch", "r");

    if (!launch || fscanf(launch, "%d %*s", &cores) != 1)
        return -1;
    while (cores-- > 0 && fscanf(launch, "%d", &core) == 1)
        if (core != me && other_core < 0)
            other_core = core;
    fclose(launch);
    return other_core;
}

/* Maps the buffers and the partner's registers; true if there are two. */
int mpb_open(void)
{
    volatile uint32_t *tile = map_window("/dev/rckncm", CRB_OWN, 4096);
    uint32_t id = tile[CRB_TILEID / 4];
    uint32_t x = id >> 3 & 15, y = id >> 7 & 15;
    int other;

    self = (struct header){(uint16_t)(y << 4 | x), (uint16_t)(id & 7), 0};
    other = find_other((int)(12 * y + 2 * x + self.core));
    if (other < 0)
        return 0;
    x = (uint32_t)other / 2 % 6;
    y = (uint32_t)other / 12;
    own_mpb = map_half(self.tile, self.core);
    other_mpb = map_half(y << 4 | x, (uint32_t)other % 2);
    window_of_partner((uint32_t)other);
    return own_mpb != NULL && other_mpb != NULL;
}

static uint64_t bits_of(struct header header)
{
    return (uint64_t)header.size << 32 | (uint32_t)header.core << 16 |
           header.tile;
}

/* This core's MPB is free. */
void mpb_invalidate(void)
{
    uint64_t line[LONGS_A_LINE] = {0};

    write_header(own_mpb, invalid, line);
}

struct header mpb_header(const mpb_long *half)
{
    uint64_t bits = half[0];

    return (struct header){(uint16_t)bits, (uint16_t)(bits >> 16),
                           (uint32_t)(bits >> 32)};
}

/* While a header is written some of its values may be the new ones. */
int header_is_valid(struct header header)
{
    return header.tile != invalid.tile && header.core != invalid.core &&
           header.size != invalid.size;
}

int header_is_free(struct header header)
{
    return header.tile == invalid.tile && header.core == invalid.core &&
           header.size == invalid.size;
}

/* The way to write an MPB: a whole line, which drains the write-combine
 * buffer. */
void write_line(mpb_long *line, uint64_t first, const uint64_t *rest)
{
    line[0] = first;
    for (size_t i = 1; i < LONGS_A_LINE; i++)
        line[i] = rest[i - 1];
}

/* The header and the 24 bytes of data that share its line. */
void write_header(mpb_long *line, struct header header, const uint64_t *data)
{
    write_line(line, bits_of(header), data);
}
