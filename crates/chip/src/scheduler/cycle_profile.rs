//! The cycle profile of a run: where each core's cycles went, by instruction and cause.
//!
//! A core charges cycles to its instructions and tells addresses of transactions; what is behind
//! an address is asked of its LUT when the charges are taken, before anything may change that.

use std::collections::HashMap;

use rockcreek_cpu::{Charge, Spent};
use rockcreek_defs::registers::crb::lock;
use rockcreek_defs::{CoreAddr, CoreId};

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::uncore::Uncore;
use crate::uncore::wiring::Unit;

/// What cycles went by for.
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
    /// As results name it.
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

/// Cycles by linear address, ring 3 or not, and cause.
pub type CoreProfile = HashMap<(u32, bool, Cause), u64>;

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
    /// Charges from now on each core's cycles to its instructions.
    pub fn start_cycle_profile(&mut self) {
        self.cycle_profile = Some(vec![CoreProfile::default(); self.slots.len()]);
        for slot in &mut self.slots {
            slot.processor.record_cycles(true);
        }
    }

    /// Ends that: by core all charges, and its cycles.
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

    /// What a core has charged can no longer be taken back.
    fn take_charges(&mut self, core: CoreId) {
        let Chip { slots, uncore, cycle_profile, .. } = self;
        let Some(profile) = cycle_profile else { return };
        let profile = &mut profile[core.index()];
        slots[core.index()].processor.take_charges(&mut |charge: &Charge| {
            let key = (charge.address, charge.user, uncore.cause(core, charge.spent));
            *profile.entry(key).or_default() += charge.cycles;
        });
    }

    /// What a core has retired and charged can no longer be taken back.
    pub(crate) fn take_records(&mut self, core: CoreId) {
        self.log_core(core);
        self.take_charges(core);
    }

    /// Cores run for a commit log or a cycle profile: nothing is passed, windows end soon.
    pub(crate) fn is_recording(&self) -> bool {
        self.log.is_some() || self.cycle_profile.is_some()
    }
}
