/*
 * RCCE_power_management.c: clock and voltage of the caller's domain.
 *
 * A voltage domain is 2 x 2 tiles, 8 cores; every tile has a clock divider
 * of its own (GCBCFG). The lowest rank of a domain, its master, acts for
 * all. The regulator takes one command at a time: a second write waits until
 * the first has been carried out, which is how RCCE_wait_power waits
 * [rcce-2010]. The hardware checks nothing; the order "voltage up before
 * clock up, clock down before voltage down" is kept here.
 */
#include "RCCE_lib.h"

#define COLUMNS 6
#define TILES 24
#define TILES_PER_DOMAIN 4
#define GLOBAL_CLOCK_MHZ 1600
#define DIVIDER_MIN 2
#define DIVIDER_MAX 16
#define DEFAULT_LEVEL 4
#define DEFAULT_DIVIDER 3
/* The router's ratio field is this many times the divider. */
#define ROUTER_RATIO 7

/* The fastest clock a level bears, and the regulator's code in steps of
 * 6.25 mV [rcce-2010]. */
static const struct {
    int megahertz;
    uint32_t vid;
} levels[] = {
    {460, 0x80}, {598, 0x80},  {644, 0x90},  {748, 0xA0},
    {875, 0xB0}, {1024, 0xC0}, {1198, 0xD0},
};

/* The regulator numbers the domains otherwise: 2 and 6 are not cores'. */
static const uint32_t regulator_domain[] = {4, 5, 7, 0, 1, 3};

static int level = DEFAULT_LEVEL;
static int divider = DEFAULT_DIVIDER;
static int active;

int rcce_domain_of(int core)
{
    int tile = core / 2;

    return tile % COLUMNS / 2 + 3 * (tile / COLUMNS / 2);
}

int RCCE_power_domain(void)
{
    return rcce_domain_of(rcce_core_of[rcce_my_rank]);
}

int RCCE_power_domain_master(void)
{
    int ue = 0;

    while (rcce_domain_of(rcce_core_of[ue]) != RCCE_power_domain())
        ue++;
    return ue;
}

int RCCE_power_domain_size(void)
{
    int size = 0;

    for (int ue = 0; ue < rcce_ues; ue++)
        size += rcce_domain_of(rcce_core_of[ue]) == RCCE_power_domain();
    return size;
}

/* The lowest level for a divider; -1 when none bears it. */
static int level_for(int wanted)
{
    for (int n = 0; n < (int)(sizeof levels / sizeof levels[0]); n++)
        if (levels[n].megahertz >= GLOBAL_CLOCK_MHZ / wanted)
            return n;
    return -1;
}

static int clip(int wanted)
{
    if (wanted < DIVIDER_MIN)
        return DIVIDER_MIN;
    return wanted > DIVIDER_MAX ? DIVIDER_MAX : wanted;
}

static volatile uint32_t *clock_register(int tile)
{
    static volatile uint32_t *pages[TILES];

    if (!pages[tile])
        pages[tile] =
            rcce_registers(SCC_CRB_BASE + (uint32_t)tile * SCC_CRB_BASE_STRIDE);
    return pages[tile] ? pages[tile] + SCC_CRB_GCBCFG / 4 : NULL;
}

/* The four tiles of the own domain. */
static int set_dividers(int wanted)
{
    int first = RCCE_power_domain() % 3 * 2 + RCCE_power_domain() / 3 * 12;

    for (int n = 0; n < TILES_PER_DOMAIN; n++) {
        volatile uint32_t *clock =
            clock_register(first + n % 2 + n / 2 * COLUMNS);
        if (!clock)
            return RCCE_ERROR_RPC_INTERNAL;
        uint32_t word = *clock & ~(uint32_t)(SCC_CRB_GCBCFG_DIVIDER |
                                             SCC_CRB_GCBCFG_ROUTER_RATIO);
        word |= (uint32_t)(wanted - 1) << SCC_CRB_GCBCFG_DIVIDER_SHIFT;
        word |= (uint32_t)(wanted * ROUTER_RATIO)
                << SCC_CRB_GCBCFG_ROUTER_RATIO_SHIFT;
        *clock = word;
    }
    divider = wanted;
    return RCCE_SUCCESS;
}

/* Stalls this core while the regulator still carries out a command. */
static int command_voltage(int wanted)
{
    static volatile uint32_t *regulator;

    if (!regulator)
        regulator = rcce_registers(SCC_VRC_BASE);
    if (!regulator)
        return RCCE_ERROR_RPC_INTERNAL;
    regulator[SCC_VRC_COMMAND / 4] =
        SCC_VRC_COMMAND_COMMAND |
        regulator_domain[RCCE_power_domain()] << SCC_VRC_COMMAND_DOMAIN_SHIFT |
        levels[wanted].vid << SCC_VRC_COMMAND_VID_SHIFT;
    return RCCE_SUCCESS;
}

static int is_master(void)
{
    return rcce_my_rank == RCCE_power_domain_master();
}

int RCCE_iset_power(int Fdiv, RCCE_REQUEST *request, int *newFdiv,
                    int *newVlevel)
{
    if (!request)
        return rcce_fail(rcce_debug_rpc, RCCE_ERROR_RPC_NOT_ALLOCATED);
    if (!newFdiv || !newVlevel)
        return rcce_fail(rcce_debug_rpc, RCCE_ERROR_VAL_UNDEFINED);
    if (!is_master())
        return RCCE_SUCCESS;
    if (active)
        return rcce_fail(rcce_debug_rpc, RCCE_ERROR_MULTIPLE_RPC_REQUESTS);

    *newFdiv = clip(Fdiv);
    *newVlevel = level_for(*newFdiv);
    if (*newVlevel < 0)
        return rcce_fail(rcce_debug_rpc, RCCE_ERROR_FDIVIDER);
    *request = (RCCE_REQUEST){0, level, *newVlevel, divider, *newFdiv, 0};
    int error = RCCE_SUCCESS;
    if (*newFdiv >= divider)
        error = set_dividers(*newFdiv);
    request->start_cycle = (long long)scc_cycles();
    if (!error)
        error = command_voltage(*newVlevel);
    active = !error;
    return error ? rcce_fail(rcce_debug_rpc, error) : RCCE_SUCCESS;
}

int RCCE_wait_power(RCCE_REQUEST *request)
{
    if (!request)
        return rcce_fail(rcce_debug_rpc, RCCE_ERROR_RPC_NOT_ALLOCATED);
    if (!is_master())
        return RCCE_SUCCESS;
    if (!active)
        return rcce_fail(rcce_debug_rpc, RCCE_ERROR_NO_ACTIVE_RPC_REQUEST);
    if (request->release)
        return rcce_fail(rcce_debug_rpc, RCCE_ERROR_STALE_RPC_REQUEST);

    /* A repeated command is accepted when the first is done, and done itself
     * when the third is accepted. */
    int error = command_voltage(request->new_voltage_level);
    if (!error)
        error = command_voltage(request->new_voltage_level);
    if (!error)
        level = request->new_voltage_level;
    if (!error && request->new_frequency_divider < divider)
        error = set_dividers(request->new_frequency_divider);
    active = 0;
    request->release = 1;
    return error ? rcce_fail(rcce_debug_rpc, error) : RCCE_SUCCESS;
}

int RCCE_set_frequency_divider(int Fdiv, int *newFdiv)
{
    if (!newFdiv)
        return rcce_fail(rcce_debug_rpc, RCCE_ERROR_VAL_UNDEFINED);
    if (!is_master())
        return RCCE_SUCCESS;
    if (active)
        return rcce_fail(rcce_debug_rpc, RCCE_ERROR_MULTIPLE_RPC_REQUESTS);

    int wanted = clip(Fdiv);
    int needed = level_for(wanted);
    if (needed < 0 || needed > level)
        return rcce_fail(rcce_debug_rpc, RCCE_ERROR_FDIVIDER);
    *newFdiv = wanted;
    int error = set_dividers(wanted);
    return error ? rcce_fail(rcce_debug_rpc, error) : RCCE_SUCCESS;
}

/* Not in the header; programs of the original declare it themselves. */
void print_dividers(void);
void print_dividers(void)
{
    for (int tile = 0; tile < TILES; tile++) {
        volatile uint32_t *clock = clock_register(tile);
        uint32_t field = clock ? *clock & SCC_CRB_GCBCFG_DIVIDER : 0;
        printf("tile %d: clock divider %u\n", tile,
               (field >> SCC_CRB_GCBCFG_DIVIDER_SHIFT) + 1);
    }
}
