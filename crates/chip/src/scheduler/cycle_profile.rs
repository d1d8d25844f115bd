//! The cycle profile of a run: each core's cycles by instruction and cause.
//!
//! A core charges cycles to its instructions and reports the addresses of transactions. The unit
//! behind an address is looked up in the core's LUT when the charges are taken, before the LUT can
//! change.

use std::collections::HashMap;

use rockcreek_cpu::{Charge, Spent};
use rockcreek_defs::registers::crb::lock;
use rockcreek_defs::{CoreAddr, CoreId};

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::uncore::Uncore;
use crate::uncore::wiring::Unit;

/// The cause of a core's cycles: what the core did, or which unit it waited for.
/// `docs/guide/profile.md` explains each cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    Compute,
    Level2,
    Stores,
    Dram,
    Mpb,
    Lock,
    Registers,
    Board,
    Nowhere,
    Halted,
}

impl Cause {
    /// The cause's name in the results of `rck profile`.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Compute => "compute",
            Cause::Level2 => "l2",
            Cause::Stores => "stores",
            Cause::Dram => "dram",
            Cause::Mpb => "mpb",
            Cause::Lock => "lock",
            Cause::Registers => "registers",
            Cause::Board => "board",
            Cause::Nowhere => "nowhere",
            Cause::Halted => "halted",
        }
    }
}

/// For one core: the number of core cycles by instruction address (linear), ring (true: ring 3),
/// cause, and number of snapshots that the core had taken, at most [`PARTS`].
pub type CoreProfile = HashMap<(u32, bool, Cause, u32), u64>;
/// From this number of snapshots of a core on, its cycles are kept apart no more.
pub const PARTS: u32 = 1 << 10;

impl Uncore {
    fn cause(&self, core: CoreId, spent: Spent) -> Cause {
        match spent {
            Spent::Pipes => Cause::Compute,
            Spent::Level2 => Cause::Level2,
            Spent::Stores => Cause::Stores,
            Spent::Bus(addr) => self.cause_of_address(core, addr),
            Spent::Port => Cause::Board,
            Spent::Halted => Cause::Halted,
        }
    }

    fn cause_of_address(&self, core: CoreId, addr: CoreAddr) -> Cause {
        let home = self.places.home(core);
        let lut = self.tiles[home.tile.index()].registers.lut(home.z);
        let (entry, within) = lut.find(addr);
        match self.places.unit(Some(entry)) {
            Unit::Mpb(_) => Cause::Mpb,
            Unit::Memory(_) => Cause::Dram,
            Unit::Crb(_) => {
                let offset = (entry.address() as u32 | within).wrapping_sub(lock::OFFSET);
                let row = offset / lock::STRIDE;
                let locks = self.description().topology.cores_per_tile;
                if row < locks && offset % lock::STRIDE < 4 {
                    Cause::Lock
                } else {
                    Cause::Registers
                }
            }
            Unit::System | Unit::Voltage => Cause::Board,
            Unit::Nowhere => Cause::Nowhere,
        }
    }
}

impl<P: Processor> Chip<P> {
    /// Starts charging each core's cycles to its instructions.
    pub fn start_cycle_profile(&mut self) {
        self.cycle_profile = Some(vec![CoreProfile::default(); self.slots.len()]);
        for slot in &mut self.slots {
            slot.processor.record_cycles(true);
        }
    }

    /// Ends the profile. Returns, for each core, its cycles by instruction and cause, and its cycle
    /// count; an empty list if no profile was started.
    pub fn finish_cycle_profile(&mut self) -> Vec<(CoreProfile, u64)> {
        self.settle();
        for n in 0..self.slots.len() {
            self.slots[n].processor.charge_all();
            self.take_charges(CoreId(n as u16));
            self.slots[n].processor.record_cycles(false);
        }
        let profile = self.cycle_profile.take().unwrap_or_default();
        profile.into_iter().zip(self.slots.iter().map(|slot| slot.processor.cycles())).collect()
    }

    /// Moves a core's charges into its profile. The caller makes sure that no rollback can undo
    /// them afterwards.
    fn take_charges(&mut self, core: CoreId) {
        let Chip { slots, uncore, cycle_profile, .. } = self;
        let Some(profile) = cycle_profile else { return };
        let profile = &mut profile[core.index()];
        slots[core.index()].processor.take_charges(&mut |charge: &Charge| {
            let cause = uncore.cause(core, charge.spent);
            let key = (charge.address, charge.user, cause, charge.part.min(PARTS));
            *profile.entry(key).or_default() += charge.cycles;
        });
    }

    /// Takes the retired instructions and charges of a core. The caller makes sure that no rollback
    /// can undo them afterwards.
    pub(crate) fn take_records(&mut self, core: CoreId) {
        self.log_core(core);
        self.take_charges(core);
    }

    /// True while a commit log or a cycle profile is on: no waiting is skipped then, and windows
    /// are short.
    pub(crate) fn is_recording(&self) -> bool {
        self.log.is_some() || self.cycle_profile.is_some()
    }
}
