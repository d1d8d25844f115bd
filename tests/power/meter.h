/* The FPGA's power meter and clock, from a program. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "scc/registers.h"

#define METERED 10

static volatile uint32_t *page_of(uint32_t address)
{
    int fd = open("/dev/rckncm", O_RDWR | O_SYNC);
    void *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                      (off_t)(address & ~4095u));

    return page == MAP_FAILED ? NULL : page;
}

static volatile uint32_t *registers;

static int open_meter(void)
{
    registers = page_of(0xF9008000u);
    return registers != NULL;
}

static inline uint32_t fpga(uint32_t offset)
{
    return registers[(offset - 0x8000) / 4];
}

static inline uint64_t pair(uint32_t low)
{
    uint64_t value = fpga(low);

    return value | (uint64_t)fpga(low + 4) << 32;
}

/* Energies of the domains, the fixed rails and the chip; returns the instant. */
static inline uint64_t read_meter(uint64_t energy[METERED])
{
    uint64_t time = pair(SCC_FPGA_METER_TIME(0));

    for (int n = 0; n < METERED; n++)
        energy[n] = pair(SCC_FPGA_ENERGY(2 * n));
    return time;
}
