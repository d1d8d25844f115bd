//! What instructions have to do with the x87 while a region is collected: what they add to it, what
//! they wait for, and what becomes of that when an access takes longer.

use rockcreek_x87::Op as Operation;

use super::collect::{Item, Source};
use super::pipeline_state::Carried;
use super::x87_misaligned::Skew;
use super::x87_state::{Floating, PRECISIONS};
use crate::execute::isa::x87::{form_of, is_x87};
use crate::timing::pairing::traits;
use crate::translator::x64;

/// What an instruction has to do with what is known of the x87.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum X87Role {
    None,
    /// An x87 instruction that is done in place.
    InPlace,
    /// Behind it nothing is known.
    Hides,
}

impl Source<'_> {
    /// A load waits, then the instruction executes, in a block of its own; a store is done, and
    /// what follows waits.
    pub fn late(&mut self, item: &Item, before: Carried, after: Carried) -> Option<[u32; 2]> {
        let pending = before.x87.is_some_and(|x87| !x87.is_settled());
        if !pending || !item.decoding.pipe.has(traits::MEMORY) {
            return None;
        }
        let stores = item.stores_from_x87() || x64::is_moved(item);
        let mut carried = if stores { after } else { before };
        let in_place = item.x87_role == X87Role::InPlace;
        let l2_cycles = self.l2_cycles;
        let mut later = || {
            let x87 = carried.x87.as_mut()?;
            x87.loaded |= in_place;
            x87.pass(l2_cycles);
            Some(self.carries.number(carried))
        };
        Some([later()?, later()?])
    }

    /// What the pipes and the x87 hold behind a load of the control word with each of
    /// [`PRECISIONS`].
    pub fn precisions(&mut self, item: &Item, after: Carried) -> Option<[u32; 3]> {
        let in_place = item.x87_role == X87Role::InPlace;
        if !in_place || form_of(item.op()).op != Operation::LoadControl {
            return None;
        }
        Some(PRECISIONS.map(|precision| {
            let mut after = after;
            if let Some(x87) = &mut after.x87 {
                x87.precision = precision;
            }
            self.carries.number(after)
        }))
    }
}

impl Item {
    /// It stores a value of the x87 in place.
    pub fn stores_from_x87(&self) -> bool {
        self.x87_role == X87Role::InPlace && form_of(self.op()).write_bytes > 0
    }

    /// Something is in progress in the x87 before it.
    pub fn meets_pending(&self) -> bool {
        self.x87.0.is_some_and(|x87| !x87.is_settled())
    }

    /// Adds the clocks that the x87 costs, and says how it is behind the instruction.
    pub fn meet_x87(&mut self, state: &mut Option<Floating>, misaligned_cycles: u64) {
        let Some(x87) = state else { return };
        if is_x87(self.shape().code) {
            let issued = match x64::can_float(self) && !self.probed {
                true if self.skew == Skew::Always => x87.issue_skewed(self.op(), misaligned_cycles),
                true => x87.issue(self.op()),
                false => None,
            };
            let Some(more) = issued else {
                self.x87_role = X87Role::Hides;
                *state = None;
                return;
            };
            self.x87_role = X87Role::InPlace;
            self.clocks += more;
        } else if x64::waits_for_multiplier(self) {
            self.clocks += x87.holds_multiplier();
        } else if !self.decoding.ends_block && !x64::is_in_place(self) {
            x87.loaded = false;
        }
        x87.pass(self.clocks);
    }
}
