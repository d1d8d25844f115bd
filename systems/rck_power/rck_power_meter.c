/* rck_power_meter.c: energy, power, marks. */
#include "rck_power_private.h"

#include "scc/registers.h"

/* The board's sensors: 0.25 mV and 6.249 mA a count. */
#define VOLTAGE_UV 250u
#define CURRENT_UA 6249u

/* What a mark's upper 8 bits mean to the meter. */
#define BEGIN 0xB0000000u
#define END 0xE0000000u
#define NUMBER 0x00FFFFFFu

/* Another core's look may come between the two words. */
static uint64_t read_wide(volatile uint32_t *low)
{
    uint32_t high, again, value;

    do {
        high = low[1];
        value = low[0];
        again = low[1];
    } while (high != again);
    return (uint64_t)high << 32 | value;
}

static uint64_t energy(int meter)
{
    return read_wide(rck_power_fpga + SCC_FPGA_ENERGY(2 * meter) / 4);
}

int rck_power_domain_energy(int domain, uint64_t *femtojoules)
{
    if (domain < 0 || domain >= RCK_POWER_DOMAINS)
        return RCCE_ERROR_ID;
    *femtojoules = energy(rck_power_hardware_domain(domain));
    return RCCE_SUCCESS;
}

uint64_t rck_power_chip_energy(void)
{
    return energy(RCK_POWER_CHIP);
}

uint64_t rck_power_time(void)
{
    return read_wide(rck_power_fpga + SCC_FPGA_METER_TIME(0) / 4);
}

/* Another core may have the meter look again between the two. */
void rck_power_chip_look(uint64_t *femtojoules, uint64_t *picoseconds)
{
    do {
        *picoseconds = rck_power_time();
        *femtojoules = energy(RCK_POWER_CHIP);
    } while (rck_power_time() != *picoseconds);
}

unsigned rck_power_chip_milliwatts(void)
{
    uint64_t current = rck_power_fpga[SCC_FPGA_ADC_CURRENT_3V3 / 4];
    uint64_t voltage = rck_power_fpga[SCC_FPGA_ADC_VOLTAGE_3V3 / 4];

    return (unsigned)(current * CURRENT_UA * (voltage * VOLTAGE_UV) /
                      1000000000u);
}

static void mark(uint32_t word)
{
    rck_power_host[SCC_HOST_MARK / 4] = word;
}

void rck_power_begin(unsigned region)
{
    mark(BEGIN | (region & NUMBER));
}

void rck_power_end(unsigned region)
{
    mark(END | (region & NUMBER));
}

void rck_power_mark(unsigned number)
{
    mark(number & NUMBER);
}
