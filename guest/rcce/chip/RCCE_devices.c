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

/* Where /dev/rckmpb shows the buffers of all cores one after the other; only
 * pages that are touched cost anything. */
#define ALL_BUFFERS 0x100000000ll

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
    void *place = physical == SCC_SHARED_BASE ? (void *)SCC_SHARED_BASE : NULL;
    void *map = mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                     (off_t)physical);
    return map == MAP_FAILED ? NULL : map;
}

/* Private memory of zeros, which costs only what is touched of it; NULL if
 * there is none. */
void *rcce_zero_pages(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

/* A write to the cached device flushes the whole L2: WBINVD is privileged
 * and stops at L1. */
int rcce_flush_l2(void)
{
    int fd = open_device(RCCE_CACHED);
    return fd >= 0 && write(fd, "", 0) == 0;
}

static int map_all_buffers(void)
{
    int most = 0, fd = open_device(RCCE_MPBT);

    for (int ue = 0; ue < rcce_ues; ue++)
        if (rcce_core_of[ue] > most)
            most = rcce_core_of[ue];
    t_vcharp map = mmap(NULL, (size_t)(most + 1) * RCCE_BUFF_SIZE_MAX,
                        PROT_READ | PROT_WRITE, MAP_SHARED, fd, ALL_BUFFERS);
    if (fd < 0 || map == MAP_FAILED)
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
        t_vcharp map = rcce_map(RCCE_MPBT, rcce_buffer_of(rcce_core_of[ue]),
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
    volatile uint32_t *crb = rcce_registers(SCC_CRB_OWN);
    if (!crb)
        return -1;
    int core = rcce_core_number(crb);
    munmap((void *)crb, RCCE_CRB_PAGE);
    return core;
}
