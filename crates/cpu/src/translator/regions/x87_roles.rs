//! The effect of each instruction on the x87's state while a region is collected: the clocks that
//! it adds, the results for which it waits, and the effect of a longer access.

use rockcreek_x87::{Format, Op as Operation};

use super::collect::{Item, Source};
use super::pipeline_state::Carried;
use super::x87_misaligned::Skew;
use super::x87_state::{Floating, PRECISIONS};
use crate::execute::isa::x87::{form_of, is_x87};
use crate::timing::pairing::traits;
use crate::translator::x64;

/// The effect of an instruction on the known state of the x87.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum X87Role {
    None,
    /// An x87 instruction that is executed in place, on the host's x87.
    InPlace,
    /// An instruction that the interpreter executes and after which the x87's state is unknown.
    Hides,
}

/// Where in translated code an x87 store that no cache takes may wait: for the bus unit, or for the
/// previous store to its line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Posts {
    /// At its own place in the code: no x87 instruction is in progress after it.
    Here,
    /// In a block of its own, if the wait takes `least` clocks or more, so that no x87 instruction
    /// is in progress afterwards. `retry` is the state of pipes and x87 for which the store is
    /// tried again.
    Elsewhere { least: u64, retry: u32 },
}

/// The longest wait for x87 instructions in progress, in core clocks, that translated code handles.
const LONGEST_PENDING: u64 = 64;

impl Source<'_> {
    /// How an x87 store that is done in place may be posted; `None` if the interpreter must do it.
    /// `before`: the state of pipes and x87 before it.
    pub fn posts(&mut self, item: &Item, before: Carried) -> Option<Posts> {
        let paired = item.notes_bank || item.checks_bank;
        if !item.stores_from_x87() || paired || item.skew == Skew::Always {
            return None;
        }
        let form = form_of(item.op());
        if !matches!(form.op, Operation::Store { format: Format::F32 | Format::F64, .. }) {
            return None;
        }
        let (x87, waits) = (before.x87?, item.store_waits(before)?);
        if item.outlasts_all() {
            return Some(Posts::Here);
        }
        let after = |clocks: u64| {
            let mut after = x87;
            after.loaded = true;
            after.pass(waits + clocks);
            after
        };
        let least = (1..=LONGEST_PENDING).find(|&clocks| after(clocks).is_settled())?;
        let mut retried = before;
        retried.x87 = Some(after(least));
        let retry = self.carries.number(retried);
        Some(Posts::Elsewhere { least, retry })
    }

    /// The states of pipes and x87 (numbers in `Carries`) with which execution continues after L2
    /// has served the access once, or twice, while an x87 instruction was in progress. For a load,
    /// the load itself is then executed in a block of its own; for a store, the code after it.
    /// `None` if no x87 instruction is in progress, or the instruction accesses no memory.
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

    /// For FLDCW done in place: the states of pipes and x87 after it has loaded each of
    /// [`PRECISIONS`] (numbers in `Carries`); `None` for other instructions.
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
    /// True if the instruction stores an x87 value in place.
    pub fn stores_from_x87(&self) -> bool {
        self.x87_role == X87Role::InPlace && form_of(self.op()).write_bytes > 0
    }

    /// The core clocks for which an x87 store in place waits for its value; `before` is the state
    /// of pipes and x87 before it. `None` for other instructions.
    pub fn store_waits(&self, before: Carried) -> Option<u64> {
        if !self.stores_from_x87() {
            return None;
        }
        let (mut x87, cost) = (before.x87?, form_of(self.op()).cost.alone());
        x87.issue(self.op())?.checked_sub(u64::from(cost))
    }

    /// True if an x87 instruction is in progress before this one.
    pub fn meets_pending(&self) -> bool {
        self.x87.0.is_some_and(|x87| !x87.is_settled())
    }

    /// True if the instruction stores an x87 value and no x87 instruction is in progress after it:
    /// the store may then take longer, and the code after it is valid as translated.
    pub fn outlasts_all(&self) -> bool {
        self.stores_from_x87() && self.x87.1.is_some_and(|x87| x87.is_settled())
    }

    /// Adds the clocks that the x87 costs to the instruction's, sets its role, and changes `state`
    /// (`None`: unknown) to the x87's state after it. `misaligned_cycles`: the penalty of an
    /// operand that crosses its natural boundary.
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
