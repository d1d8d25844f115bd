/*
 * RCCE_devices.c for bare metal: addresses are physical.
 *
 * The program's start code has set up what the hardware needs: pages that
 * map every address to itself, message buffers as MPBT (PMB and PWT),
 * registers and shared memory uncached.
 */
#include "../RCCE_lib.h"

/* Ways of 64 KB: a read of each set of every way displaces the L2, twice for
 * a replacement that is not exact LRU (barrelfish-tn005). */
#define L2_BYTES 0x40000u
#define ROUNDS 2

t_vcharp rcce_buffer[RCCE_MAXNP];
extern t_vcharp RCCE_comm_buffer[RCCE_MAXNP]
    __attribute__((alias("rcce_buffer")));

void *rcce_map(enum rcce_memory memory, uint32_t physical, size_t bytes)
{
    (void)memory;
    (void)bytes;
    return (void *)physical;
}

/* WBINVD empties L1; L2 knows no such command. What is read is private
 * memory from its beginning. */
int rcce_flush_l2(void)
{
    __asm__ volatile("wbinvd" ::: "memory");
    for (uint32_t at = RCCE_CRB_PAGE; at < ROUNDS * L2_BYTES + RCCE_CRB_PAGE;
         at += RCCE_LINE_SIZE)
        (void)*(volatile uint32_t *)at;
    __asm__ volatile("wbinvd" ::: "memory");
    return 1;
}

int rcce_map_buffers(void)
{
    for (int ue = 0; ue < rcce_ues; ue++) {
        uint32_t core = (uint32_t)rcce_core_of[ue];
        rcce_buffer[ue] =
            (t_vcharp)(RCCE_MPB_BASE + (core / 2 << RCCE_TILE_SHIFT) +
                       core % 2 * RCCE_BUFF_SIZE_MAX + RCCE_LINE_SIZE);
    }
    return 1;
}

/* TILEID: bits 2:0 core, 6:3 column, 10:7 row (rcce-2010). */
int rcce_read_core_id(void)
{
    uint32_t id = *rcce_registers(SCC_CRB_OWN + SCC_CRB_TILEID);
    int column = (int)(id >> 3 & 15), row = (int)(id >> 7 & 15);

    return 12 * row + 2 * column + (int)(id & 7);
}
