/*
 * memory.c: the program's memory: regions, and pages that appear when they
 * are touched. Every page is this server's first, and the program has it
 * from here; so the server reads and writes it, and takes it back.
 */
#include "posix/posix.h"

#define REGIONS 64
#define POOL 0x80000000u /* where the server has the program's pages */
#define PRESENT 1u
#define CHUNK 16 /* pages that are asked for at once */

static struct {
    uint32_t start, end;
    int write;
} regions[REGIONS];
static uint32_t region_count;

static uint32_t *tables[USER_END >> 22]; /* user page -> own address | bits */
static uint32_t next_page = POOL, chunk_left, free_pages;

static uint32_t page_new(void)
{
    uint32_t page = free_pages;

    if (page) {
        free_pages = *(uint32_t *)page;
        memset((void *)page, 0, PAGE);
        return page;
    }
    if (!chunk_left) {
        if (take_pages(next_page, CHUNK))
            return 0;
        chunk_left = CHUNK;
    }
    chunk_left--;
    page = next_page;
    next_page += PAGE;
    return page;
}

static uint32_t *entry_of(uint32_t user)
{
    uint32_t **table = &tables[user >> 22];

    if (user >= USER_END)
        return NULL;
    if (!*table)
        *table = (uint32_t *)page_new();
    return *table ? &(*table)[user / PAGE % 1024] : NULL;
}

static int overlaps(uint32_t start, uint32_t end)
{
    for (uint32_t n = 0; n < region_count; n++)
        if (start < regions[n].end && regions[n].start < end)
            return 1;
    return 0;
}

/* 0, or an error: it overlaps another one, or there are too many. */
int region_add(uint32_t start, uint32_t end, int write)
{
    if (start >= end || end > USER_END || overlaps(start, end))
        return EINVAL;
    if (region_count == REGIONS)
        return ENOMEM;
    regions[region_count].start = start;
    regions[region_count].end = end;
    regions[region_count++].write = write;
    return 0;
}

/* The region loses its right to be written; its pages stay. */
void region_seal(uint32_t start)
{
    for (uint32_t n = 0; n < region_count; n++)
        if (regions[n].start == start)
            regions[n].write = 0;
}

static void give_back(uint32_t start, uint32_t end)
{
    for (uint32_t user = start; user < end; user += PAGE) {
        uint32_t *entry = tables[user >> 22] ? entry_of(user) : NULL;
        uint32_t own = entry ? *entry & -PAGE : 0;

        if (!own)
            continue;
        l4_do(L4_SLOT_TASK, L4_TASK_UNMAP, own, 1, 0);
        *entry = 0;
        if (own >= POOL) { /* else the module's own page */
            *(uint32_t *)own = free_pages;
            free_pages = own;
        }
    }
}

/* What lies there goes; a region may lose a part. */
int region_remove(uint32_t start, uint32_t end)
{
    for (uint32_t n = 0; n < region_count; n++) {
        uint32_t from = regions[n].start, to = regions[n].end;
        int write = regions[n].write;

        if (start >= to || from >= end)
            continue;
        if (region_count == REGIONS && from < start && end < to)
            return ENOMEM;
        regions[n--] = regions[--region_count];
        give_back(from > start ? from : start, to < end ? to : end);
        if (from < start)
            region_add(from, start, write);
        if (end < to)
            region_add(end, to, write);
        /* The parts that stay stand at the end and do not match again. */
    }
    return 0;
}

/* The highest free place below MMAP_TOP; 0: there is none. */
uint32_t region_find(uint32_t bytes)
{
    uint32_t end = MMAP_TOP;

    for (uint32_t n = 0; n < region_count; n++) {
        if (bytes > end || !overlaps(end - bytes, end))
            break;
        for (uint32_t k = 0; k < region_count; k++)
            if (end - bytes < regions[k].end && regions[k].start < end) {
                end = regions[k].start;
                break;
            }
    }
    if (bytes > end || overlaps(end - bytes, end))
        return 0;
    return end - bytes;
}

int memory_write_allowed(uint32_t user)
{
    for (uint32_t n = 0; n < region_count; n++)
        if (user >= regions[n].start && user < regions[n].end)
            return regions[n].write;
    return 0;
}

/* A page of the program's that is a page of its file. */
void memory_share(uint32_t user, const void *page)
{
    uint32_t *entry = entry_of(user);

    if (entry)
        *entry = (uint32_t)page | PRESENT;
}

/* This server's address of that byte, or null: the program may not touch it
 * so, or there is no memory. */
uint8_t *memory_at(uint32_t user, int write)
{
    uint32_t *entry;

    if (!overlaps(user, user + 1) || (write && !memory_write_allowed(user)))
        return NULL;
    entry = entry_of(user);
    if (!entry)
        return NULL;
    if (!*entry) {
        uint32_t page = page_new();

        if (!page)
            return NULL;
        *entry = page | PRESENT;
    }
    return (uint8_t *)(*entry & -PAGE) + user % PAGE;
}

static uint32_t part(uint32_t user, uint32_t bytes)
{
    uint32_t left = PAGE - user % PAGE;

    return bytes < left ? bytes : left;
}

int memory_out(uint32_t user, const void *from, uint32_t bytes)
{
    const uint8_t *source = from;

    while (bytes) {
        uint32_t some = part(user, bytes);
        uint8_t *to = memory_at(user, 1);

        if (!to)
            return EFAULT;
        memcpy(to, source, some);
        user += some, source += some, bytes -= some;
    }
    return 0;
}

int memory_in(void *to, uint32_t user, uint32_t bytes)
{
    uint8_t *target = to;

    while (bytes) {
        uint32_t some = part(user, bytes);
        const uint8_t *from = memory_at(user, 0);

        if (!from)
            return EFAULT;
        memcpy(target, from, some);
        user += some, target += some, bytes -= some;
    }
    return 0;
}
