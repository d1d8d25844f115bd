/*
 * RCCE_devices.c: how the library reaches the chip.
 *
 * The kernel offers the chip's address space as three devices that differ
 * in the memory type of what they map (scc-linux-2011): rckncm uncached,
 * rckmpb MPBT, rckdcm cached. The offset of mmap is the core-physical
 * address; the LUT behind it leads to MPB, CRB or DRAM.
 */
#define _GNU_SOURCE
#include "RCCE_lib.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

t_vcharp rcce_buffer[RCCE_MAXNP];
extern t_vcharp RCCE_comm_buffer[RCCE_MAXNP]
    __attribute__((alias("rcce_buffer")));

static const char *const device_name[] = {
    [RCCE_UNCACHED] = "/dev/rckncm",
    [RCCE_MPBT] = "/dev/rckmpb",
    [RCCE_CACHED] = "/dev/rckdcm",
};
static int device[3] = {-1, -1, -1};

static int open_device(enum rcce_memory memory)
{
    if (device[memory] < 0)
        device[memory] = open(device_name[memory], O_RDWR | O_SYNC);
    return device[memory];
}

/* Maps `bytes` at core-physical address `physical`; NULL if that fails. The
 * address is offered as the place to map it, so that a block of shared
 * memory has the same pointer on every UE. */
void *rcce_map(enum rcce_memory memory, uint32_t physical, size_t bytes)
{
    int fd = open_device(memory);
    if (fd < 0)
        return NULL;
    void *place = physical == RCCE_SHM_BASE ? (void *)RCCE_SHM_BASE : NULL;
    void *map = mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                     (off_t)physical);
    return map == MAP_FAILED ? NULL : map;
}

/* A write to the cached device flushes the whole L2: WBINVD is privileged
 * and stops at L1. */
int rcce_flush_l2(void)
{
    int fd = open_device(RCCE_CACHED);
    return fd >= 0 && write(fd, "", 0) == 0;
}

/* Maps the MPB half of every UE; 0 when the kernel refuses. */
int rcce_map_buffers(void)
{
    for (int ue = 0; ue < rcce_ues; ue++) {
        uint32_t tile = (uint32_t)rcce_core_of[ue] / 2;
        uint32_t half = (uint32_t)rcce_core_of[ue] % 2;
        uint32_t physical = RCCE_MPB_BASE + (tile << RCCE_TILE_SHIFT) +
                            half * RCCE_BUFF_SIZE_MAX;
        t_vcharp map = rcce_map(RCCE_MPBT, physical, RCCE_BUFF_SIZE_MAX);
        if (!map)
            return 0;
        rcce_buffer[ue] = map + RCCE_LINE_SIZE;
    }
    return 1;
}

/* The number of the core that runs this code, from TILEID: bits 2:0 core,
 * 6:3 column, 10:7 row (rcce-2010). -1 when the register is out of reach. */
int rcce_read_core_id(void)
{
    volatile uint32_t *crb = rcce_registers(SCC_CRB_OWN);
    if (!crb)
        return -1;
    uint32_t id = crb[SCC_CRB_TILEID / 4];
    munmap((void *)crb, RCCE_CRB_PAGE);
    int column = (int)(id >> 3 & 15), row = (int)(id >> 7 & 15);
    return 12 * row + 2 * column + (int)(id & 7);
}
