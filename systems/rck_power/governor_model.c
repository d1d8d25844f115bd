/*
 * governor_model.c: what another divider would cost.
 *
 * Computing takes the same cycles at any clock. Of waiting, 40 cycles of each
 * access are in the core's clock [marc-2011, DVFS model]; the rest is in that
 * of mesh and memory. A core's energy is that of the chip's power model: per
 * cycle with the square of the voltage, leakage with its cube; the constants
 * are that model's at 1.1 V.
 */
#include "rck_governor.h"

#define FAST_HZ 1600e6
#define ACCESS_CYCLES 40.0
#define CORES 8
#define NOMINAL_MV 1100.0
#define LEAKAGE_W 96.9e-3
#define CYCLE_J 0.903e-9
/* An instruction with its accesses; they are in computing cycles. */
#define COMPUTING_J 0.3e-9

struct rck_governor_guess
rck_governor_guess(const struct rck_governor_sample *sample, int divider)
{
    double computing = sample->cycles - sample->waiting;
    double core = sample->accesses * ACCESS_CYCLES;

    if (core > sample->waiting)
        core = sample->waiting;
    double outside = (sample->waiting - core) * sample->divider;
    double cycles = computing + core + outside / divider;
    double seconds = cycles * divider / FAST_HZ;
    double volts = rck_power_needs(divider) / NOMINAL_MV;
    double joules =
        volts * volts * volts * LEAKAGE_W * seconds +
        volts * volts * (CYCLE_J * cycles + COMPUTING_J * computing);

    return (struct rck_governor_guess){seconds, CORES * joules};
}
