//! The register file of the system FPGA (system FPGA guide; `machine/registers/fpga.toml`).
//!
//! Modelled: time stamp, fast clock, private slots, interrupt controller, atomic counters.
//! Plain registers, those of the Ethernet ports among them, keep what is written. Supply voltages
//! are the voltage regulator's, the current of the 3.3 V rail is the power meter's; the other ADCs of
//! the rails and the thermometers always show the same. Undefined offsets, which may hang the real
//! chip, read 0, ignore writes and are counted.
//!
//! An extension serves chips with more than 48 cores: the 64 KB repeat with interrupt controllers
//! and atomic counters alone, once for each group of 48 targets (address bits 19:16) and each group
//! of 48 senders (bits 23:20). Configuration of the lines, the management PC's requests and the
//! counters of a group are with the first senders.

use std::collections::BTreeMap;

use rockcreek_defs::registers::{self, fpga};
use rockcreek_defs::{CoreId, Ps};
use serde::{Deserialize, Serialize};

use crate::Action;
use crate::atomic_counters::{AtomicCounters, COUNTERS};
use crate::global_interrupts::{Block, CORES, GlobalInterrupts, RequestIndex};

/// What a chip description says about the FPGA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FpgaConfig {
    /// The period of the time stamp's clock.
    pub timestamp_period_ps: u64,
    pub fast_clock_mhz: u32,
    pub private_slots: u32,
    pub dimm_sizes: u32,
    pub request_index: RequestIndex,
    pub cores: usize,
}

/// The register file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FpgaRegisters {
    timestamp_period_ps: u64,
    plain: BTreeMap<u32, u32>,
    interrupts: GlobalInterrupts,
    counters: AtomicCounters,
    /// The number of groups of 48 cores that the chip has.
    groups: usize,
    /// Accesses to offsets where no register is.
    pub undefined: u64,
}

/// Bytes of the register file as the guide has it.
const FILE_BYTES: u32 = 1 << 16;
/// The fields of an offset that name the groups.
const GROUP_BITS: u32 = 4;

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

/// Whether a register repeats for a block of groups other than the first.
fn repeats(register: &registers::Register, block: Block) -> bool {
    match register.offset {
        fpga::gic_status::OFFSET
        | fpga::gic_mask::OFFSET
        | fpga::gic_reset::OFFSET
        | fpga::gic_request::OFFSET
        | fpga::gic_config::OFFSET => true,
        fpga::gic_host_request::OFFSET | fpga::counter::OFFSET | fpga::counter_upper::OFFSET => {
            block.senders == 0
        }
        _ => false,
    }
}

impl FpgaRegisters {
    pub fn new(config: &FpgaConfig) -> FpgaRegisters {
        let plain = BTreeMap::from([
            (fpga::fast_clock::OFFSET, config.fast_clock_mhz),
            (fpga::private_slots::OFFSET, config.private_slots),
            (fpga::dimm::OFFSET, config.dimm_sizes),
        ]);
        let groups = GlobalInterrupts::groups(config.cores);
        FpgaRegisters {
            timestamp_period_ps: config.timestamp_period_ps,
            plain,
            interrupts: GlobalInterrupts::new(config.request_index, config.cores),
            counters: AtomicCounters::new(groups),
            groups,
            undefined: 0,
        }
    }

    /// The register at an offset, its index in a row, and the groups that it serves.
    fn find(&self, offset: u32) -> Option<(&'static registers::Register, usize, Block)> {
        let (register, n) = find(offset % FILE_BYTES)?;
        let group =
            |n: u32| ((offset / FILE_BYTES) >> (n * GROUP_BITS)) as usize % (1 << GROUP_BITS);
        let block = Block { targets: group(0), senders: group(1) };
        let there = block == Block::default()
            || block.targets.max(block.senders) < self.groups && repeats(register, block);
        there.then_some((register, n, block))
    }

    fn timestamp(&self, time: Ps) -> u64 {
        time.0 / self.timestamp_period_ps
    }

    /// Reads the 32-bit register at `offset` at `time`.
    pub fn read(&mut self, time: Ps, offset: u32) -> u32 {
        let Some((register, n, block)) = self.find(offset) else {
            self.undefined += 1;
            return 0;
        };
        let first = COUNTERS * block.targets;
        match register.offset {
            fpga::timestamp_low::OFFSET => self.timestamp(time) as u32,
            fpga::timestamp_high::OFFSET => (self.timestamp(time) >> 32) as u32,
            fpga::gic_status::OFFSET => self.interrupts.status(block, n),
            fpga::gic_mask::OFFSET => self.interrupts.mask(block, n),
            fpga::gic_config::OFFSET => self.interrupts.config(block, n),
            fpga::counter::OFFSET => self.counters.read(first + n / 2, n % 2 == 1),
            fpga::counter_upper::OFFSET => {
                self.counters.read(first + COUNTERS / 2 + n / 2, n % 2 == 1)
            }
            _ if register.access == "wo" => 0,
            _ => self.plain.get(&offset).copied().unwrap_or(register.reset as u32),
        }
    }

    /// The management PC asks for an interrupt of a core, as by its request register.
    pub fn request_of_host(&mut self, core: CoreId, actions: &mut Vec<Action>) {
        let (targets, n) = (core.index() / CORES, core.index() % CORES);
        let block = Block { targets, senders: 0 };
        self.interrupts.host_request(block, n / 32, 1 << (n % 32), actions);
    }

    /// Writes the 32-bit register at `offset`.
    pub fn write(&mut self, offset: u32, value: u32, actions: &mut Vec<Action>) {
        let Some((register, n, block)) = self.find(offset) else {
            self.undefined += 1;
            return;
        };
        let first = COUNTERS * block.targets;
        match register.offset {
            fpga::gic_mask::OFFSET => self.interrupts.set_mask(block, n, value, actions),
            fpga::gic_reset::OFFSET => self.interrupts.reset(block, n, value, actions),
            fpga::gic_request::OFFSET => self.interrupts.request(block, n, value, actions),
            fpga::gic_host_request::OFFSET => {
                self.interrupts.host_request(block, n, value, actions);
            }
            fpga::gic_config::OFFSET => self.interrupts.set_config(block, n, value),
            fpga::counter::OFFSET => self.counters.write(first + n / 2, n % 2 == 1, value),
            fpga::counter_upper::OFFSET => {
                self.counters.write(first + COUNTERS / 2 + n / 2, n % 2 == 1, value);
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
        registers_for(48)
    }

    fn registers_for(cores: usize) -> FpgaRegisters {
        FpgaRegisters::new(&FpgaConfig {
            timestamp_period_ps: 8000,
            fast_clock_mhz: 1600,
            private_slots: 41,
            dimm_sizes: 0,
            request_index: RequestIndex::Sender,
            cores,
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
        assert_eq!((read(0x841C) / 4, read(0x8420) / 8), (3_300, 1_500));
        assert_eq!(read(0x8428) * 3_171_325 / 1_000_000, 3_000, "a guess");
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

    #[test]
    fn the_management_pc_interrupts_a_core_that_lets_it() {
        let (mut fpga, mut actions) = (registers_for(96), Vec::new());
        fpga.request_of_host(CoreId(33), &mut actions);
        assert!(actions.is_empty(), "masked after reset");
        fpga.write(0xD204 + 8 * 33, !(1 << 22), &mut actions);
        assert_eq!(actions, [Action::Interrupt { core: CoreId(33), lint1: false }]);
        assert_eq!(fpga.read(Ps(0), 0xD004 + 8 * 33), 1 << 22);
        fpga.write(0x1_D204 + 8, 0, &mut actions);
        fpga.request_of_host(CoreId(49), &mut actions);
        assert_eq!(actions[1..], [Action::Interrupt { core: CoreId(49), lint1: false }]);
    }

    #[test]
    fn larger_chips_have_registers_for_every_48_cores() {
        let (mut fpga, mut actions) = (registers_for(512), Vec::new());
        // Core 49 asks for core 500.
        fpga.write(0x001A_D200 + 8 * 20, 0, &mut actions);
        fpga.write(0x001A_D600 + 8, 1 << 20, &mut actions);
        let core = rockcreek_defs::CoreId(500);
        assert_eq!(actions, [Action::Interrupt { core, lint1: false }]);
        assert_eq!(fpga.read(Ps(0), 0x001A_D000 + 8 * 20), 1 << 7);
        assert_eq!((fpga.read(Ps(0), 0xA_E008), fpga.read(Ps(0), 0xA_E00C)), (0, 1));
        assert_eq!((fpga.read(Ps(0), 0xE00C), fpga.undefined), (0, 0));
        // No time stamp, no counters of senders, no group 11, and none of it on the SCC.
        for offset in [0xA_8224, 0x10_E000, 0xB_E000, 0xB0_D000] {
            assert_eq!(fpga.read(Ps(0), offset), 0);
        }
        let mut scc = registers();
        assert_eq!((scc.read(Ps(0), 0x1_E000), scc.undefined, fpga.undefined), (0, 1, 4));
    }
}
