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

void *rcce_map(enum scc_memory memory, uint32_t physical, size_t bytes)
{
    (void)memory;
    (void)bytes;
    return (void *)physical;
}

void *rcce_zero_pages(size_t bytes)
{
    return calloc(1, bytes);
}

/* WBINVD empties L1; L2 knows no such command. What is read is private
 * memory from its beginning. */
int rcce_flush_l2(void)
{
    __asm__ volatile("wbinvd" ::: "memory");
    for (uint32_t at = SCC_PAGE; at < ROUNDS * L2_BYTES + SCC_PAGE;
         at += RCCE_LINE_SIZE)
        (void)*(volatile uint32_t *)at;
    __asm__ volatile("wbinvd" ::: "memory");
    return 1;
}

int rcce_map_buffers(void)
{
    for (int ue = 0; ue < rcce_ues; ue++) {
        uint32_t physical = scc_mpb_of(rcce_core_of[ue]);
        rcce_buffer[ue] = (t_vcharp)(physical + RCCE_LINE_SIZE);
    }
    return 1;
}

void rcce_claim_buffers(void)
{
}

void rcce_claim_lut(uint32_t first, uint32_t count)
{
    (void)first;
    (void)count;
}

void rcce_claim_all_locks(void)
{
}

void rcce_claim_counter(uint32_t number)
{
    (void)number;
}

void rcce_claim_shared(struct rcce_space *space)
{
    (void)space;
}

int rcce_read_core_id(void)
{
    return scc_core_number(rcce_registers(SCC_CRB_OWN));
}
