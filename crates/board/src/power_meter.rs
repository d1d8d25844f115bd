//! The power meter behind the FPGA's ADC registers: what it held at its last conversion.
//!
//! A read of a current, or of a low word of the exact registers beside it, converts if the last
//! conversion is old enough. The chip then adds up the energy of all units until that instant
//! ([`PowerMeter::convert`]) before the read takes effect; other reads get what is held. The
//! current is the mean since the conversion before, at the 3.3 V rail's nominal voltage; the exact
//! registers (an extension of Rockcreek's own) hold the energy of each domain since power-on.

use rockcreek_defs::Ps;
use rockcreek_defs::registers::fpga::{adc_current_3v3, energy, meter_time};
use serde::{Deserialize, Serialize};

use crate::voltage_regulator::DOMAINS;

/// The regulator's domains, and the rails that it does not regulate.
pub const METERED: usize = DOMAINS + 1;
/// The voltage of the 3.3 V rail, as ADC_VOLTAGE_3V3 shows it.
const RAIL_MILLIVOLTS: u64 = 3_300;
/// The current of one step of a current register.
const ADC_NANOAMPERES: u64 = 6_249_025;
/// Bits of a register.
const WORD: u32 = 32;

/// The meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PowerMeter {
    conversion_ps: u64,
    time: Ps,
    /// Femtojoules since power-on.
    energy: [u64; METERED],
    /// The mean power over the last interval.
    microwatts: u64,
    pub conversions: u64,
}

impl PowerMeter {
    pub fn new(conversion_ps: u64) -> PowerMeter {
        PowerMeter {
            conversion_ps,
            time: Ps(0),
            energy: [0; METERED],
            microwatts: 0,
            conversions: 0,
        }
    }

    /// True if a read of `bytes` bytes at `offset` of the FPGA's register file starts a conversion.
    pub fn converts(&self, now: Ps, offset: u32, bytes: u32) -> bool {
        let words = (offset & !3..offset.saturating_add(bytes)).step_by(4);
        let due = self.conversions == 0 || now.0 - self.time.0 >= self.conversion_ps;
        due && words.into_iter().any(starts_conversion)
    }

    /// The chip has added up the energies until now.
    pub fn convert(&mut self, now: Ps, energy: [u64; METERED]) {
        let sum = |of: &[u64]| of.iter().sum::<u64>();
        let (passed_ps, used) =
            (now.0 - self.time.0, sum(&energy).saturating_sub(sum(&self.energy)));
        // 1 fJ in 1 ps is 1 mW.
        let microwatts = u128::from(used) * 1_000 / u128::from(passed_ps.max(1));
        self.microwatts = u64::try_from(microwatts).unwrap_or(u64::MAX);
        (self.time, self.energy) = (now, energy);
        self.conversions += 1;
    }

    pub fn time(&self) -> Ps {
        self.time
    }

    pub fn energy(&self) -> &[u64; METERED] {
        &self.energy
    }

    pub fn microwatts(&self) -> u64 {
        self.microwatts
    }

    /// The value of the register at `offset`; `None` if it is not one of the meter's.
    pub fn read(&self, offset: u32) -> Option<u32> {
        let half = |value: u64, n: u32| (value >> (WORD * (n % 2))) as u32;
        if offset == adc_current_3v3::OFFSET {
            let nanoamperes = self.microwatts * 1_000_000 / RAIL_MILLIVOLTS;
            return Some(((nanoamperes + ADC_NANOAMPERES / 2) / ADC_NANOAMPERES) as u32);
        }
        if let Some(n) = index(offset, energy::OFFSET, energy::COUNT) {
            let whole = self.energy.iter().sum();
            return Some(half(*self.energy.get(n as usize / 2).unwrap_or(&whole), n));
        }
        index(offset, meter_time::OFFSET, meter_time::COUNT).map(|n| half(self.time.0, n))
    }
}

/// The number of a register in a row of words.
fn index(offset: u32, first: u32, count: u32) -> Option<u32> {
    let at = offset.checked_sub(first)?;
    (at % 4 == 0 && at / 4 < count).then_some(at / 4)
}

fn starts_conversion(offset: u32) -> bool {
    let low = |first, count| index(offset, first, count).is_some_and(|n| n % 2 == 0);
    offset == adc_current_3v3::OFFSET
        || low(energy::OFFSET, energy::COUNT)
        || low(meter_time::OFFSET, meter_time::COUNT)
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    #[test]
    fn the_current_is_the_mean_since_the_conversion_before() {
        let mut meter = PowerMeter::new(100 * US);
        meter.convert(Ps(500 * US), [1_000_000; METERED]);
        // 31.6 W for 200 us: 6.32 mJ.
        let mut energy = [1_000_000; METERED];
        energy[3] += 6_320_000_000_000;
        meter.convert(Ps(700 * US), energy);
        assert_eq!(meter.microwatts(), 31_600_000);
        let amperes = meter.read(0x8424).unwrap() as f64 * 0.006_249_025;
        assert!((3.3 * amperes - 31.6).abs() < 0.011, "half a step");
        let exact = |n: u32| {
            let (low, high) = (0x8600 + 8 * n, 0x8604 + 8 * n);
            u64::from(meter.read(low).unwrap()) | u64::from(meter.read(high).unwrap()) << 32
        };
        assert_eq!((exact(3), exact(8)), (energy[3], 1_000_000));
        assert_eq!(exact(9), energy.iter().sum());
        assert_eq!(exact(10), 700 * US, "the time");
        assert_eq!((meter.read(0x8658), meter.read(0x85FC)), (None, None));
    }

    #[test]
    fn only_low_words_convert_and_not_too_often() {
        let mut meter = PowerMeter::new(100 * US);
        assert!(meter.converts(Ps(0), 0x8424, 4), "the first one");
        meter.convert(Ps(7), [0; METERED]);
        assert!(!meter.converts(Ps(6 + 100 * US), 0x8424, 4));
        let due = Ps(7 + 100 * US);
        for (offset, bytes, converts) in [
            (0x8424, 4, true),
            (0x8426, 1, true),
            (0x8600, 4, true),
            (0x8604, 4, false),
            (0x8604, 8, true),
            (0x8650, 4, true),
            (0x8654, 4, false),
            (0x8658, 4, false),
            (0x841C, 4, false),
            (0x8400, 32, false),
            (0x8420, 32, true),
        ] {
            assert_eq!(meter.converts(due, offset, bytes), converts, "{offset:#x} {bytes}");
        }
    }
}
