/*
 * rck_power_set.c: clock and voltage. The hardware checks nothing: the order
 * is kept here, and what is asked for is checked before anything changes.
 */
#include "rck_power_private.h"

#include "scc/registers.h"

#define STEP_UV 6250
#define LEAST_MV 600
#define MOST_MV 1300
/* A count of the board's voltage registers, in nanovolts; they do not show
 * hardware domain 6. */
#define COUNT_NV 25177u
/* The router's ratio field is this many times the divider. */
#define ROUTER_RATIO 7
#define TILES_IN_DOMAIN 4

static int is_domain(int domain)
{
    return domain >= 0 && domain < RCK_POWER_DOMAINS;
}

int rck_power_needs(int divider)
{
    static const int first[] = {0, 0, 1100, 800, 700};

    if (divider < RCK_POWER_FASTEST || divider > RCK_POWER_SLOWEST)
        return 0;
    return divider < 5 ? first[divider] : LEAST_MV;
}

int rck_power_millivolts(int domain)
{
    if (!is_domain(domain))
        return 0;
    int hardware = rck_power_hardware_domain(domain);
    uint32_t count =
        rck_power_fpga[SCC_FPGA_VCC(hardware == 7 ? 6 : hardware) / 4];

    /* Rounded: a count is less than a step. */
    return (int)(((uint64_t)count * COUNT_NV + 500000) / 1000000);
}

void rck_power_command(int domain, int millivolts)
{
    rck_power_regulator[SCC_VRC_COMMAND / 4] =
        SCC_VRC_COMMAND_COMMAND |
        (uint32_t)rck_power_hardware_domain(domain)
            << SCC_VRC_COMMAND_DOMAIN_SHIFT |
        (uint32_t)(millivolts * 1000 / STEP_UV) << SCC_VRC_COMMAND_VID_SHIFT;
}

int rck_power_divider(int tile)
{
    uint32_t word = *rck_power_clock(tile);

    return (int)((word & SCC_CRB_GCBCFG_DIVIDER) >>
                 SCC_CRB_GCBCFG_DIVIDER_SHIFT) +
           1;
}

static void set_tile(int tile, int divider)
{
    volatile uint32_t *clock = rck_power_clock(tile);
    uint32_t word = *clock & ~(uint32_t)(SCC_CRB_GCBCFG_DIVIDER |
                                         SCC_CRB_GCBCFG_ROUTER_RATIO);

    word |= (uint32_t)(divider - 1) << SCC_CRB_GCBCFG_DIVIDER_SHIFT;
    word |= (uint32_t)(divider * ROUTER_RATIO)
            << SCC_CRB_GCBCFG_ROUTER_RATIO_SHIFT;
    *clock = word;
}

int rck_power_set_tile(int tile, int divider)
{
    int needed = rck_power_needs(divider);

    if (tile < 0 || tile >= RCK_POWER_TILES)
        return RCCE_ERROR_ID;
    if (!needed)
        return RCCE_ERROR_FDIVIDER;
    if (divider < rck_power_divider(tile) &&
        rck_power_millivolts(rck_power_domain_of_tile(tile)) < needed)
        return RCCE_ERROR_FREQUENCY_EXCEEDED;
    set_tile(tile, divider);
    return RCCE_SUCCESS;
}

static int fastest(int domain)
{
    int divider = RCK_POWER_SLOWEST;

    for (int n = 0; n < TILES_IN_DOMAIN; n++) {
        int own = rck_power_divider(rck_power_tile_of(domain, n));

        divider = own < divider ? own : divider;
    }
    return divider;
}

int rck_power_set_millivolts(int domain, int millivolts)
{
    if (!is_domain(domain))
        return RCCE_ERROR_ID;
    if (millivolts < LEAST_MV || millivolts > MOST_MV ||
        millivolts < rck_power_needs(fastest(domain)))
        return RCCE_ERROR_VAL_UNDEFINED;
    rck_power_command(domain, millivolts);
    return RCCE_SUCCESS;
}

int rck_power_set(int domain, int divider)
{
    int needed = rck_power_needs(divider);

    if (!is_domain(domain))
        return RCCE_ERROR_ID;
    if (!needed)
        return RCCE_ERROR_FDIVIDER;
    int slower = divider >= fastest(domain);
    for (int n = 0; slower && n < TILES_IN_DOMAIN; n++)
        set_tile(rck_power_tile_of(domain, n), divider);
    rck_power_command(domain, needed);
    if (slower)
        return RCCE_SUCCESS;
    /* A repeated command is accepted when the first is done, and done itself
     * when the third is accepted. */
    rck_power_command(domain, needed);
    rck_power_command(domain, needed);
    for (int n = 0; n < TILES_IN_DOMAIN; n++)
        set_tile(rck_power_tile_of(domain, n), divider);
    return RCCE_SUCCESS;
}
