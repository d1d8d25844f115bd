/* rck_power_open.c: where the registers are. */
#include "rck_power_private.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "RCCE_lib.h"
#include "scc/host_channel.h"
#include "scc/registers.h"

#define PAGE 4096u
/* The regulator numbers the domains otherwise: 2 and 6 are not cores'. */
static const int hardware[RCK_POWER_DOMAINS] = {4, 5, 7, 0, 1, 3};

volatile uint32_t *rck_power_fpga, *rck_power_regulator, *rck_power_host;
static volatile uint32_t *clocks[RCK_POWER_TILES];

static volatile uint32_t *map(int fd, uint32_t address, size_t bytes)
{
    uint32_t page = address & ~(PAGE - 1);
    char *at = mmap(NULL, bytes + (address - page), PROT_READ | PROT_WRITE,
                    MAP_SHARED, fd, (off_t)page);

    return at == MAP_FAILED
               ? NULL
               : (volatile uint32_t *)(void *)(at + (address - page));
}

int rck_power_open(void)
{
    int fd;

    if (rck_power_fpga)
        return RCCE_SUCCESS;
    fd = open("/dev/rckncm", O_RDWR | O_SYNC);
    if (fd < 0)
        return RCCE_ERROR_MALLOC;
    rck_power_regulator = map(fd, SCC_VRC_BASE, PAGE);
    rck_power_host = map(fd, SCC_HOST_CHANNEL_OF((uint32_t)RC_MY_COREID),
                         SCC_HOST_CHANNEL_STRIDE);
    int missing = !rck_power_regulator || !rck_power_host;
    for (int t = 0; t < RCK_POWER_TILES; t++) {
        clocks[t] = map(fd,
                        SCC_CRB_BASE + (uint32_t)t * SCC_CRB_BASE_STRIDE +
                            SCC_CRB_GCBCFG,
                        sizeof(uint32_t));
        missing |= !clocks[t];
    }
    volatile uint32_t *fpga = map(fd, SCC_FPGA_BASE, 3 * PAGE + 0x8000);
    close(fd);
    if (missing || !fpga)
        return RCCE_ERROR_MALLOC;
    rck_power_fpga = fpga;
    return RCCE_SUCCESS;
}

volatile uint32_t *rck_power_clock(int tile)
{
    return clocks[tile];
}

int rck_power_hardware_domain(int domain)
{
    return hardware[domain];
}

int rck_power_tile_of(int domain, int n)
{
    int first = domain % 3 * 2 + domain / 3 * 2 * RCK_POWER_COLUMNS;

    return first + n % 2 + n / 2 * RCK_POWER_COLUMNS;
}

int rck_power_domain_of_tile(int tile)
{
    return tile % RCK_POWER_COLUMNS / 2 + 3 * (tile / RCK_POWER_COLUMNS / 2);
}
