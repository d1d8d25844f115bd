//! The register file of the system FPGA (system FPGA guide; `machine/registers/fpga.toml`).
//!
//! Modelled: time stamp, fast clock, private slots, interrupt controller, atomic counters.
//! Plain registers, those of the Ethernet ports among them, keep what is written. The ADCs
//! of the rails and the thermometers always show the same: neither power nor temperature is
//! modelled; supply voltages are the voltage regulator's. Undefined offsets, which may hang the
//! real chip, read 0, ignore writes and are counted.

use std::collections::BTreeMap;

use rockcreek_defs::Ps;
use rockcreek_defs::registers::{self, fpga};
use serde::{Deserialize, Serialize};

use crate::Action;
use crate::atomic_counters::AtomicCounters;
use crate::global_interrupts::{GlobalInterrupts, RequestIndex};

/// What a chip description says about the FPGA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FpgaConfig {
    /// Of the time stamp's clock.
    pub timestamp_period_ps: u64,
    pub fast_clock_mhz: u32,
    pub private_slots: u32,
    pub dimm_sizes: u32,
    pub request_index: RequestIndex,
}

/// The register file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FpgaRegisters {
    timestamp_period_ps: u64,
    plain: BTreeMap<u32, u32>,
    interrupts: GlobalInterrupts,
    counters: AtomicCounters,
    /// Accesses to offsets where no register is.
    pub undefined: u64,
}

/// The register and its index in a row, at an offset of the 64 KB window.
fn find(offset: u32) -> Option<(&'static registers::Register, usize)> {
    let here = |block: &&registers::Block| matches!(block.name, "fpga" | "emac");
    let mut all = registers::BLOCKS.iter().filter(here).flat_map(|block| block.registers);
    all.find_map(|register| {
        let at = offset.checked_sub(register.offset)?;
        match register.stride {
            0 => (at == 0).then_some((register, 0)),
            stride => (at % stride == 0 && at / stride < register.count)
                .then_some((register, (at / stride) as usize)),
        }
    })
}

impl FpgaRegisters {
    pub fn new(config: &FpgaConfig) -> FpgaRegisters {
        let plain = BTreeMap::from([
            (fpga::fast_clock::OFFSET, config.fast_clock_mhz),
            (fpga::private_slots::OFFSET, config.private_slots),
            (fpga::dimm::OFFSET, config.dimm_sizes),
        ]);
        FpgaRegisters {
            timestamp_period_ps: config.timestamp_period_ps,
            plain,
            interrupts: GlobalInterrupts::new(config.request_index),
            counters: AtomicCounters::default(),
            undefined: 0,
        }
    }

    fn timestamp(&self, time: Ps) -> u64 {
        time.0 / self.timestamp_period_ps
    }

    /// Reads the 32-bit register at `offset` at `time`.
    pub fn read(&mut self, time: Ps, offset: u32) -> u32 {
        let Some((register, n)) = find(offset) else {
            self.undefined += 1;
            return 0;
        };
        match register.offset {
            fpga::timestamp_low::OFFSET => self.timestamp(time) as u32,
            fpga::timestamp_high::OFFSET => (self.timestamp(time) >> 32) as u32,
            fpga::gic_status::OFFSET => self.interrupts.status(n),
            fpga::gic_mask::OFFSET => self.interrupts.mask(n),
            fpga::gic_config::OFFSET => self.interrupts.config(n),
            fpga::counter::OFFSET => self.counters.read(n / 2, n % 2 == 1),
            fpga::counter_upper::OFFSET => {
                self.counters.read(fpga::counter::COUNT as usize / 2 + n / 2, n % 2 == 1)
            }
            _ if register.access == "wo" => 0,
            _ => self.plain.get(&offset).copied().unwrap_or(register.reset as u32),
        }
    }

    /// Writes the 32-bit register at `offset`.
    pub fn write(&mut self, offset: u32, value: u32, actions: &mut Vec<Action>) {
        let Some((register, n)) = find(offset) else {
            self.undefined += 1;
            return;
        };
        match register.offset {
            fpga::gic_mask::OFFSET => self.interrupts.set_mask(n, value, actions),
            fpga::gic_reset::OFFSET => self.interrupts.reset(n, value, actions),
            fpga::gic_request::OFFSET => self.interrupts.request(n, value, actions),
            fpga::gic_host_request::OFFSET => self.interrupts.host_request(n, value, actions),
            fpga::gic_config::OFFSET => self.interrupts.set_config(n, value),
            fpga::counter::OFFSET => self.counters.write(n / 2, n % 2 == 1, value),
            fpga::counter_upper::OFFSET => {
                let first = fpga::counter::COUNT as usize / 2;
                self.counters.write(first + n / 2, n % 2 == 1, value);
            }
            _ if register.access == "rw" => {
                self.plain.insert(offset, value);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers() -> FpgaRegisters {
        FpgaRegisters::new(&FpgaConfig {
            timestamp_period_ps: 8000,
            fast_clock_mhz: 1600,
            private_slots: 41,
            dimm_sizes: 0,
            request_index: RequestIndex::Sender,
        })
    }

    #[test]
    fn the_time_stamp_counts_at_125_mhz() {
        let mut fpga = registers();
        assert_eq!(fpga.read(Ps(7_999), 0x8224), 0);
        assert_eq!(fpga.read(Ps(8000 << 32), 0x8228), 1);
        assert_eq!(fpga.read(Ps(8000 * ((1 << 32) + 5)), 0x8224), 5);
    }

    #[test]
    fn configuration_is_read_and_read_only() {
        let (mut fpga, mut actions) = (registers(), Vec::new());
        assert_eq!(fpga.read(Ps(0), 0x8014), 0xA5A5_A5A5);
        fpga.write(0x8230, 7, &mut actions);
        assert_eq!(fpga.read(Ps(0), 0x8230), 1600);
        assert_eq!(fpga.read(Ps(0), 0x8244), 41);
        fpga.write(0x8014, 7, &mut actions);
        assert_eq!(fpga.read(Ps(0), 0x8014), 7);
        assert_eq!((fpga.read(Ps(0), 0x1234), fpga.undefined), (0, 1));
    }

    /// A port's registers are there for each core; what the port itself moves stays 0.
    #[test]
    fn ethernet_registers_are_plain() {
        let (mut fpga, mut actions) = (registers(), Vec::new());
        for offset in [0x3200, 0x63FC, 0x7E04, 0x815C, 0x9000, 0x9104 + 4 * 46, 0xCE00 + 4 * 47] {
            fpga.write(offset, offset, &mut actions);
            assert_eq!(fpga.read(Ps(0), offset), offset);
        }
        for offset in [0x7000, 0x8020, 0x9200, 0xCA00] {
            fpga.write(offset, offset, &mut actions);
            assert_eq!(fpga.read(Ps(0), offset), 0);
        }
        assert_eq!((fpga.undefined, actions.len()), (0, 0));
        assert_eq!((fpga.read(Ps(0), 0x9F00), fpga.undefined), (0, 1));
    }

    /// Software computes volts and watts from them (mV and mA here, rounded).
    #[test]
    fn measurements_are_plausible() {
        let (mut fpga, mut actions) = (registers(), Vec::new());
        let mut read = |offset| {
            fpga.write(offset, 1, &mut actions);
            u64::from(fpga.read(Ps(0), offset))
        };
        assert_eq!((read(0x841C) / 4, read(0x8420) / 4), (3_300, 1_500));
        let (rail_mv, rail_ua) = (read(0x841C) / 4, read(0x8424) * 6_249);
        assert!((31_000_000..32_000_000).contains(&(rail_mv * rail_ua / 1_000)), "31.6 W idle");
        assert_eq!((read(0x8554), read(0x8558)), (45, 50));
        assert_eq!(read(0x842C), 1, "the configuration is plain");
        assert_eq!(fpga.undefined, 0);
    }

    #[test]
    fn both_rows_of_counters_are_reached() {
        let (mut fpga, mut actions) = (registers(), Vec::new());
        assert_eq!((fpga.read(Ps(0), 0xE008), fpga.read(Ps(0), 0xE00C)), (0, 1));
        fpga.write(0xF004, 9, &mut actions);
        assert_eq!((fpga.read(Ps(0), 0xF000), fpga.read(Ps(0), 0xF004)), (9, 10));
        assert_eq!(fpga.read(Ps(0), 0xE004), 0);
    }
}
