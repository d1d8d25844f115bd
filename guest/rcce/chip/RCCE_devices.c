/*
 * RCCE_devices.c: how the library reaches the chip through the kernel.
 */
#include "RCCE_lib.h"

#include <sys/mman.h>

#include "scc/claim.h"

#define OWNER "RCCE"
#define SHARED "RCCE_shmalloc"

/* Line 0 is scc_push's; the mailboxes' lines are RCCE's in a program that is
 * built without them. */
SCC_PLAN(plan, SCC_MPB_LINE, SCC_ALONE, 1,
         RCCE_BUFFER_BYTES / RCCE_LINE_SIZE - RCCE_MAXNP, OWNER);

/* NULL if the kernel refuses. Shared memory has the same pointer on every UE,
 * if nothing lies there. */
void *rcce_map(enum scc_memory memory, uint32_t physical, size_t bytes)
{
    void *at = physical == SCC_SHARED_BASE ? (void *)SCC_SHARED_BASE : NULL;

    return scc_map_at(memory, physical, bytes, at, SCC_RATHER,
                      PROT_READ | PROT_WRITE);
}

/* Private memory of zeros, which costs only what is touched of it; NULL if
 * there is none. */
void *rcce_zero_pages(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

int rcce_flush_l2(void)
{
    return scc_flush_l2();
}

static int map_all_buffers(void)
{
    int most = 0;

    for (int ue = 0; ue < rcce_ues; ue++)
        if (rcce_core_of[ue] > most)
            most = rcce_core_of[ue];
    t_vcharp map = scc_map_all_buffers(most);
    if (!map)
        return 0;
    for (int ue = 0; ue < rcce_ues; ue++)
        rcce_buffer[ue] =
            map + rcce_core_of[ue] * RCCE_BUFF_SIZE_MAX + RCCE_LINE_SIZE;
    return 1;
}

/* Maps the MPB half of every UE; 0 when the kernel refuses. */
int rcce_map_buffers(void)
{
    if (rcce_ues > RCCE_MAXNP)
        return map_all_buffers();
    for (int ue = 0; ue < rcce_ues; ue++) {
        t_vcharp map = rcce_map(SCC_MPBT, scc_mpb_of(rcce_core_of[ue]),
                                RCCE_BUFF_SIZE_MAX);
        if (!map)
            return 0;
        rcce_buffer[ue] = map + RCCE_LINE_SIZE;
    }
    return 1;
}

/* -1 when the register is out of reach. */
int rcce_read_core_id(void)
{
    return scc_own_core();
}

void rcce_claim_buffers(void)
{
    size_t bytes = RCCE_BUFFER_BYTES;

    if (rcce_switches & RCCE_SWITCH_MAILBOX)
        bytes -= RCCE_MAILBOX_BYTES;
    scc_claim(SCC_MPB_LINE, SCC_TOGETHER, 0, 1, OWNER);
    scc_claim(SCC_MPB_LINE, SCC_ALONE, 1, (uint32_t)bytes / RCCE_LINE_SIZE,
              OWNER);
}

void rcce_claim_lut(uint32_t first, uint32_t count)
{
    scc_claim(SCC_LUT_ENTRY, SCC_ALONE, first, count, SHARED);
}

void rcce_claim_all_locks(void)
{
    for (int ue = 0; ue < rcce_ues; ue++)
        scc_claim(SCC_LOCK, SCC_ALONE, (uint32_t)rcce_core_of[ue], 1,
                  "RCCE_tas_barrier");
}

void rcce_claim_counter(uint32_t number)
{
    scc_claim(SCC_COUNTER, SCC_ALONE, number, 1, "iRCCE");
}

/* All that nobody else has or will have; the rest counts as allocated. */
void rcce_claim_shared(struct rcce_space *space)
{
    uint32_t end = (uint32_t)space->size, behind = 0, first = 0, count;

    while ((count = scc_claim_gap(SCC_SHARED, &first, end, SHARED))) {
        if (first > behind)
            rcce_space_reserve(space, behind, first - behind);
        scc_claim(SCC_SHARED, SCC_ALONE, first, count, SHARED);
        behind = first += count;
    }
    if (behind < end)
        rcce_space_reserve(space, behind, end - behind);
}
