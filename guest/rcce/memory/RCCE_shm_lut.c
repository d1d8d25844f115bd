/*
 * RCCE_shm_lut.c: more shared memory (SHMADD), by rewriting the own LUT.
 *
 * The default LUT sends the four 16 MB segments from 0x80000000 on to one
 * slot of each memory controller (intel-eas). Between that slot and the
 * slots that cores boot from, each controller has some that no core uses:
 * seven of them with 8 GB a controller. They become the segments behind the
 * first four, the controllers in turn as there, so 28 entries make 512 MB
 * in all. Every core writes its own LUT and gets the same map.
 */
#include "RCCE_lib.h"

#define FIRST_ENTRY (SCC_SHARED_BASE >> SCC_SEGMENT_SHIFT)
#define CONTROLLERS 4
#define MORE_SLOTS 7
/* Of a controller's slots 64 for each GB; the last 12 are for booting. */
#define SLOTS_PER_GB 64
#define BOOT_SLOTS 12
#define BOOT_ENTRY 0xFF

static volatile uint32_t *own_lut(void)
{
    int second = rcce_core_of[rcce_my_rank] % 2;
    uint32_t offset = second ? SCC_LUT_LUT1(0) : SCC_LUT_LUT0(0);
    uint32_t page = offset & ~(uint32_t)(SCC_PAGE - 1);
    volatile uint32_t *registers = rcce_registers(SCC_CRB_OWN + page);

    return registers ? registers + (offset - page) / 4 : NULL;
}

static uint32_t slot(uint32_t entry)
{
    return (entry & SCC_LUT_LUT0_SEGMENT) >> SCC_LUT_LUT0_SEGMENT_SHIFT;
}

/* Bytes that were added behind the first 64 MB: 0 if the LUT is out of
 * reach, has no such slots or is not the SCC's. An entry is 8 bytes. */
size_t rcce_extend_shared(void)
{
    volatile uint32_t *lut = scc_chip.extended ? NULL : own_lut();

    if (!lut)
        return 0;
    uint32_t shared = slot(lut[2 * FIRST_ENTRY]);
    uint32_t gigabytes = slot(lut[2 * BOOT_ENTRY]) / SLOTS_PER_GB + 1;
    uint32_t boot = gigabytes * SLOTS_PER_GB - BOOT_SLOTS;
    uint32_t count = boot > shared + 1 ? boot - shared - 1 : 0;

    if (count > MORE_SLOTS)
        count = MORE_SLOTS;
    rcce_claim_lut(FIRST_ENTRY + CONTROLLERS, count * CONTROLLERS);
    for (uint32_t n = 1; n <= count; n++)
        for (uint32_t c = 0; c < CONTROLLERS; c++)
            lut[2 * (FIRST_ENTRY + CONTROLLERS * n + c)] =
                lut[2 * (FIRST_ENTRY + c)] + n;
    return (size_t)count * CONTROLLERS << SCC_SEGMENT_SHIFT;
}
