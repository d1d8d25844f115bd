/*
 * pipeline_open.c: the memory of a pipeline.
 *
 * The queue is what RCCE_shmalloc gives: it lies at its physical address,
 * uncached. A cached queue is the same memory mapped a second time, so that
 * a program chooses when it runs, not when it is compiled.
 */
#include "pipeline.h"

#include "scc/map.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE SCC_PAGE

int pipeline_is_shared(const struct pipeline *p)
{
    return p->memory == PIPELINE_UNCACHED || p->memory == PIPELINE_CACHED;
}

static unsigned char *map_cached(t_vcharp at, size_t bytes)
{
    uint32_t first = (uint32_t)(uintptr_t)at & ~(PAGE - 1);
    size_t before = (uint32_t)(uintptr_t)at - first;
    unsigned char *map = scc_map(SCC_CACHED, first, before + bytes);

    return map ? map + before : NULL;
}

/* Pages appear at their first touch: now, not while chunks wait. */
static void touch(volatile unsigned char *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += PAGE)
        (void)memory[i];
}

static int open_queue(struct pipeline *p)
{
    size_t bytes = p->room * (size_t)p->slots;

    p->shared = RCCE_shmalloc(bytes);
    if (!p->shared)
        return RCCE_ERROR_MALLOC;
    p->chunks = (unsigned char *)p->shared;
    if (p->memory == PIPELINE_CACHED)
        p->chunks = map_cached(p->shared, bytes);
    if (!p->chunks) {
        RCCE_shfree(p->shared);
        return RCCE_ERROR_MALLOC;
    }
    touch(p->chunks, bytes);
    return RCCE_SUCCESS;
}

static int open_private(struct pipeline *p)
{
    size_t bytes = p->memory == PIPELINE_APART ? 2 * p->room : p->room;

    p->chunks = malloc(bytes);
    if (!p->chunks)
        return RCCE_ERROR_MALLOC;
    memset(p->chunks, 0, bytes);
    return RCCE_SUCCESS;
}

/* Each UE has one stage. */
static int take_order(struct pipeline *p, const int *ues)
{
    int seen[RCCE_MAXNP] = {0};

    if (!ues)
        pipeline_place(p->ues, PIPELINE_TRIVIAL);
    for (int s = 0; s < p->stages; s++) {
        int ue = ues ? ues[s] : p->ues[s];

        if (ue < 0 || ue >= p->stages || seen[ue]++)
            return RCCE_ERROR_ID;
        p->ues[s] = ue;
        if (ue == RCCE_ue())
            p->stage = s;
    }
    return RCCE_SUCCESS;
}

int pipeline_open(struct pipeline *p, enum pipeline_memory memory, size_t room,
                  int slots, const int *ues)
{
    *p = (struct pipeline){.memory = memory, .stages = RCCE_num_ues()};
    if (p->stages < 2 || p->stages > RCCE_MAXNP)
        return RCCE_ERROR_NUM_UES;
    if (room == 0 || room > RCCE_SHM_SIZE_MAX)
        return RCCE_ERROR_MESSAGE_LENGTH;
    p->room = (room + RCCE_LINE_SIZE - 1) & ~(size_t)(RCCE_LINE_SIZE - 1);
    int error = take_order(p, ues);
    if (error)
        return error;
    if (!pipeline_is_shared(p))
        return open_private(p);
    if (slots < 1 || slots >= p->stages)
        return RCCE_ERROR_VAL_UNDEFINED;
    p->slots = slots;
    return open_queue(p);
}

void pipeline_close(struct pipeline *p)
{
    if (!pipeline_is_shared(p)) {
        free(p->chunks);
        return;
    }
    if (p->memory == PIPELINE_CACHED)
        munmap((void *)((uintptr_t)p->chunks & ~(uintptr_t)(PAGE - 1)),
               p->room * (size_t)p->slots);
    RCCE_shfree(p->shared);
}
