/*
 * iRCCE_atomic.c: the atomic counters of the system FPGA.
 *
 * Two blocks of 48; a counter has two registers: a read of the first returns
 * the value and adds 1, the second is the value itself [intel-sysfpga-2011].
 */
#include "iRCCE_lib.h"

#define PER_BLOCK 48
#define COUNTERS (2 * PER_BLOCK)

static iRCCE_AIR counters[COUNTERS];
static int used;

static int map_block(int first)
{
    uint32_t page = SCC_FPGA_BASE +
                    (first ? SCC_FPGA_COUNTER_UPPER(0) : SCC_FPGA_COUNTER(0));
    volatile uint32_t *registers = rcce_registers(page);

    if (!registers)
        return 0;
    for (int n = 0; n < PER_BLOCK; n++) {
        counters[first + n].counter = (volatile int *)(registers + 2 * n);
        counters[first + n].init = (volatile int *)(registers + 2 * n + 1);
    }
    return 1;
}

/* The first UE sets it to 0; nobody uses it before. */
int iRCCE_atomic_alloc(iRCCE_AIR **counter)
{
    if (!counter)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    if (used == COUNTERS)
        return iRCCE_ERROR;
    if (used % PER_BLOCK == 0 && !map_block(used))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_MALLOC);
    rcce_claim_counter((uint32_t)used);
    *counter = &counters[used++];
    if (rcce_my_rank == 0)
        *(*counter)->init = 0;
    return rcce_world_barrier ? rcce_world_barrier() : iRCCE_ERROR;
}

static int check(iRCCE_AIR *counter, const int *value)
{
    if (!counter || !counter->counter || !value)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    return iRCCE_SUCCESS;
}

int iRCCE_atomic_inc(iRCCE_AIR *counter, int *value)
{
    int error = check(counter, value);
    if (!error)
        *value = *counter->counter;
    return error;
}

int iRCCE_atomic_read(iRCCE_AIR *counter, int *value)
{
    int error = check(counter, value);
    if (!error)
        *value = *counter->init;
    return error;
}

int iRCCE_atomic_write(iRCCE_AIR *counter, int value)
{
    int error = check(counter, &value);
    if (!error)
        *counter->init = value;
    return error;
}
