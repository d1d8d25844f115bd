/*
 * governor_model.c: what another divider would cost.
 *
 * Computing takes the same cycles at any clock. Waiting is a part in the
 * core's clock (40 cycles of an access) and a part in that of mesh and
 * memory, taken as 60 ns [marc-2011, DVFS model]. A core's energy is that of
 * the chip's power model: per cycle with the square of the voltage, leakage
 * with its cube; the constants are that model's at 1.1 V.
 */
#include "rck_governor.h"

#define FAST_HZ 1600e6
#define ACCESS_CYCLES 40.0
#define ACCESS_FAST 96.0 /* 60 ns of 1600 MHz */
#define CORES 8
#define NOMINAL_MV 1100.0
#define LEAKAGE_W 96.9e-3
#define CYCLE_J 0.903e-9
/* An instruction with its accesses; they are in computing cycles. */
#define COMPUTING_J 0.3e-9

struct rck_governor_guess rck_governor_guess(double cycles, double waiting,
                                             int now, int divider)
{
    double computing = cycles - waiting;
    double access_now = ACCESS_CYCLES + ACCESS_FAST / now;
    double access = ACCESS_CYCLES + ACCESS_FAST / divider;
    double then = computing + waiting * access / access_now;
    double seconds = then * divider / FAST_HZ;
    double volts = rck_power_needs(divider) / NOMINAL_MV;
    double joules = volts * volts * volts * LEAKAGE_W * seconds +
                    volts * volts * (CYCLE_J * then + COMPUTING_J * computing);

    return (struct rck_governor_guess){seconds, CORES * joules};
}
