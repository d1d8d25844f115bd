/* rck_power_open.c: where the registers are. */
#include "rck_power_private.h"

#include "RCCE_lib.h"
#include "scc/host_channel.h"
#include "scc/map.h"

/* The regulator numbers the domains otherwise: 2 and 6 are not cores'. */
static const int hardware[RCK_POWER_DOMAINS] = {4, 5, 7, 0, 1, 3};

volatile uint32_t *rck_power_fpga, *rck_power_regulator, *rck_power_host;
static volatile uint32_t *clocks[RCK_POWER_TILES];

static volatile uint32_t *map(uint32_t address, size_t bytes)
{
    uint32_t page = address & ~(SCC_PAGE - 1);
    char *at = scc_map(SCC_UNCACHED, page, bytes + (address - page));

    return at ? (volatile uint32_t *)(void *)(at + (address - page)) : NULL;
}

int rck_power_open(void)
{
    int missing;

    if (rck_power_fpga)
        return RCCE_SUCCESS;
    rck_power_regulator = map(SCC_VRC_BASE, SCC_PAGE);
    rck_power_host = map(SCC_HOST_CHANNEL_OF((uint32_t)RC_MY_COREID),
                         SCC_HOST_CHANNEL_STRIDE);
    missing = !rck_power_regulator || !rck_power_host;
    for (int t = 0; t < RCK_POWER_TILES; t++) {
        volatile uint32_t *tile = scc_registers(2 * t);

        clocks[t] = tile ? tile + SCC_CRB_GCBCFG / 4 : NULL;
        missing |= !clocks[t];
    }
    if (missing || !scc_fpga(0))
        return RCCE_ERROR_MALLOC;
    rck_power_fpga = scc_fpga(0);
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
