/*
 * svm_alloc.c: segments of shared pages: their place, their first owners.
 *
 * All cores compute the same answer, so nothing but the arguments is compared.
 */
#include "svm_private.h"

#include <string.h>
#include <sys/mman.h>

#include "owner/owner.h"

struct svm_segment svm_segments[SVM_SEGMENTS];
int svm_segment_count;

/* Where the next pages behind each controller may lie, as offsets in the shared
 * memory; 0: at the begin of its part. */
static uint32_t next[SVM_SLOTS];
static uint32_t pages_taken;

/* Ends the program if the UEs do not agree about a collective call. */
void svm_agree(const char *call, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t mine[3] = {a, b, c};

    if (!svm_control)
        svm_fail("call svm_init first", "%s before svm_init", call);
    if (svm_rank == 0)
        for (int n = 0; n < 3; n++)
            svm_control->call[n] = mine[n];
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int n = 0; n < 3; n++)
        if (svm_control->call[n] != mine[n])
            svm_fail("all UEs must give the same arguments",
                     "%s: argument %d is %u here and %u on UE 0", call, n + 1,
                     (unsigned)mine[n], (unsigned)svm_control->call[n]);
    RCCE_barrier(&RCCE_COMM_WORLD);
}

struct svm_segment *svm_find(const void *address)
{
    const char *at = address;

    for (int n = 0; n < svm_segment_count; n++) {
        struct svm_segment *segment = &svm_segments[n];

        if (at >= segment->start &&
            at < segment->start + segment->pages * SVM_PAGE)
            return segment;
    }
    return NULL;
}

/* The first page of part `part` of `parts`. */
static uint32_t part_start(uint32_t pages, int part, int parts)
{
    return (uint32_t)((uint64_t)pages * (uint32_t)part / (uint32_t)parts);
}

/* Maps pages from..to, which lie behind one controller from physical on: in
 * the strong model only those of this core can be touched. */
static void map_part(const struct svm_segment *segment, uint32_t from,
                     uint32_t to, uint32_t physical)
{
    uint32_t own = segment->pages, own_end = segment->pages;
    uint32_t borders[3];

    if (segment->model == SVM_STRONG) {
        own = part_start(segment->pages, svm_rank, svm_ranks);
        own_end = part_start(segment->pages, svm_rank + 1, svm_ranks);
    }
    borders[0] = own;
    borders[1] = own_end;
    borders[2] = to;
    for (int n = 0; n < 3; n++) {
        uint32_t end = borders[n] < to ? borders[n] : to;
        int open = segment->model == SVM_LAZY || n == 1;

        if (end <= from)
            continue;
        svm_map(SCC_MPBT, segment->start + from * SVM_PAGE, physical,
                (end - from) * SVM_PAGE,
                open ? PROT_READ | PROT_WRITE : PROT_NONE);
        physical += (end - from) * SVM_PAGE;
        from = end;
    }
}

static void take_first_pages(const struct svm_segment *segment)
{
    uint32_t end = part_start(segment->pages, svm_rank + 1, svm_ranks);

    for (uint32_t page = part_start(segment->pages, svm_rank, svm_ranks);
         page < end; page++) {
        svm_control->waiting[segment->first + page][0] = 0;
        svm_control->waiting[segment->first + page][1] = 0;
        svm_control->owner[segment->first + page] = (uint32_t)svm_rank;
    }
}

/* Whole pages from `*at` on, in one piece, before `end`: 0 if there are none.
 * What others claim or plan lies between. */
static uint32_t free_pages(uint32_t *at, uint32_t end)
{
    uint32_t bytes, skew;

    while ((bytes = scc_claim_gap(SCC_SHARED, at, end, NAME))) {
        skew = -*at % SVM_PAGE;
        *at += skew;
        if (bytes >= skew + SVM_PAGE)
            return (bytes - skew) / SVM_PAGE;
        *at += bytes - skew;
    }
    return 0;
}

static uint32_t all_free_pages(uint32_t at, uint32_t end)
{
    uint32_t pages = 0, piece;

    while ((piece = free_pages(&at, end))) {
        pages += piece;
        at += piece * SVM_PAGE;
    }
    return pages;
}

static void begin_slot(int slot)
{
    uint32_t control = (uint32_t)SVM_CONTROL_SIZE;

    if (next[slot])
        return;
    next[slot] = (uint32_t)slot * SVM_SLOT;
    if ((uint32_t)slot == svm_control_at / SVM_SLOT)
        next[slot] = svm_control_at + control;
}

/* Pages from..to behind one controller, in as many pieces as others leave. */
static void place_part(const struct svm_segment *segment, uint32_t from,
                       uint32_t to, int slot)
{
    uint32_t end = ((uint32_t)slot + 1) * SVM_SLOT, had;

    begin_slot(slot);
    had = all_free_pages(next[slot], end);
    if (to - from > had)
        svm_fail("spread it over four controllers, or ask for less",
                 "svm_alloc: %u KB do not fit behind controller %d: %u KB "
                 "of 16384 are taken",
                 (unsigned)((to - from) * (SVM_PAGE / 1024)), slot,
                 (unsigned)((SVM_SLOT - had * SVM_PAGE) / 1024));
    while (from < to) {
        uint32_t piece = free_pages(&next[slot], end);

        if (piece > to - from)
            piece = to - from;
        map_part(segment, from, from + piece, SCC_SHARED_BASE + next[slot]);
        next[slot] += piece * SVM_PAGE;
        from += piece;
    }
}

static void place(const struct svm_segment *segment, int controllers)
{
    for (int slot = 0; slot < controllers; slot++)
        place_part(segment, part_start(segment->pages, slot, controllers),
                   part_start(segment->pages, slot + 1, controllers), slot);
}

void *svm_alloc(size_t bytes, enum svm_model model, int controllers)
{
    struct svm_segment *segment = &svm_segments[svm_segment_count];

    svm_agree("svm_alloc", (uint32_t)bytes, model, (uint32_t)controllers);
    if (bytes == 0 || bytes > SVM_SLOT * SVM_SLOTS)
        svm_fail("there are 64 MB", "svm_alloc of %zu bytes", bytes);
    if (controllers != 1 && controllers != SVM_SLOTS)
        svm_fail("one or four", "svm_alloc over %d controllers", controllers);
    if (svm_segment_count == SVM_SEGMENTS)
        svm_fail("use larger segments", "svm_alloc: %d segments are in use",
                 SVM_SEGMENTS);
    *segment = (struct svm_segment){
        .pages = (uint32_t)((bytes + SVM_PAGE - 1) / SVM_PAGE),
        .first = pages_taken,
        .model = model,
    };
    /* With a page on each side that nobody may touch. */
    segment->start = mmap(NULL, (segment->pages + 2) * SVM_PAGE, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (segment->start == MAP_FAILED)
        svm_fail("ask for less", "svm_alloc: no %zu bytes of addresses", bytes);
    segment->start += SVM_PAGE;
    place(segment, controllers);
    pages_taken += segment->pages;
    svm_owner_pages.pages = pages_taken;
    if (model == SVM_STRONG)
        take_first_pages(segment);
    svm_segment_count++;
    RCCE_barrier(&RCCE_COMM_WORLD);
    return segment->start;
}

void svm_read_only(void *start, size_t bytes)
{
    struct svm_segment *segment = svm_find(start);
    uint32_t from, to;

    svm_agree("svm_read_only", (uint32_t)(uintptr_t)start, (uint32_t)bytes, 0);
    if (!segment)
        svm_fail("give an address that svm_alloc gave",
                 "svm_read_only: %p is in no shared segment", start);
    from = (uint32_t)((char *)start - segment->start) / SVM_PAGE;
    to = from + (uint32_t)((bytes + SVM_PAGE - 1) / SVM_PAGE);
    if ((uintptr_t)start % SVM_PAGE || bytes == 0 || to > segment->pages ||
        segment->read_only_to)
        svm_fail("whole pages, once a segment",
                 "svm_read_only: %zu bytes at %p of a segment of %u pages",
                 bytes, start, (unsigned)segment->pages);
    svm_flush();
    RCCE_barrier(&RCCE_COMM_WORLD); /* all have written */
    svm_invalidate();
    segment->read_only_from = from;
    segment->read_only_to = to;
    if (mprotect(start, (to - from) * SVM_PAGE, PROT_READ))
        svm_fail("fewer mappings", "svm_read_only: mprotect failed");
    RCCE_barrier(&RCCE_COMM_WORLD);
}
