//! Single instructions that the interpreter executes from within translated code, and further
//! functions that translated code calls.

use rockcreek_cache::Refusal;
use rockcreek_defs::{CoreAddr, LINE_BYTES};

use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::instruction::shape::Branch;
use crate::state::exception::Stop;
use crate::state::fetched_lines::VersionId;
use crate::timing::pipeline::misprediction;
use crate::translator::{CodeCache, Translations};

/// The result of an instruction that the interpreter executed from within translated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stepped {
    /// The instruction faults or waits.
    Stopped,
    /// The x87 is in the state that the following code was translated for, or that code does not
    /// depend on it.
    AsExpected,
    /// The x87 is in another state than the following code was translated for. `HostFrame::onward`
    /// is the address of code for this state, if known.
    Otherwise,
}

impl Core {
    /// Executes the instruction at EIP with the interpreter; `linear`: the address of its access,
    /// if it has one. Returns false if the instruction waits or faults; `HostFrame::stop` is then
    /// the reason.
    fn step_for_translated(&mut self, op: &Op, linear: Option<u32>) -> bool {
        let eip = self.state.eip;
        self.state.next_eip = eip.wrapping_add(u32::from(op.length));
        self.log.clear();
        let (refusal, addr) = self.host.take_beyond();
        let aligned = addr.0.is_multiple_of(u32::from(op.extra as u8).max(1));
        let sends = refusal == Refusal::InNoCache && op.only_stores() && aligned;
        if self.refused {
            // The search for the line has already shown that the run must end for the load.
            self.host.fetching = 0;
            self.host.stop = Some(Stop::Wait);
            return false;
        }
        let (begun, stack) = (self.state.cycles, self.stack_if_probed());
        let done = match sends {
            true => self.store_beyond(op, addr, self.host.bus()),
            false => self.perform_with(op, self.host.bus()),
        };
        if let Err(stop) = done {
            self.host.stop = Some(stop);
            return false;
        }
        // A wait, in which no event is counted, prolongs the stay; the instruction's own clocks do
        // not: a stay of such instructions alone would otherwise never end, and its counts overflow.
        self.host.stay_end += self.state.cycles - begun;
        self.retire::<false>(eip, op, 0);
        self.retire_if_probed(eip, stack);
        self.refresh_quick();
        if let Some(linear) = linear {
            self.admit(linear);
        }
        self.set_limits();
        true
    }

    /// Executes the instruction at EIP with the interpreter (as `step_for_translated`), and
    /// compares the x87's state with the one that the following code was translated for.
    pub(crate) fn step_amid(
        &mut self,
        translations: &Translations,
        op: &Op,
        linear: Option<u32>,
    ) -> Stepped {
        self.x87_is_clear = false;
        if let Some(x87) = &translations.carries.get(self.host.carried).x87 {
            x87.put_timing(&mut self.state);
        }
        if !self.step_for_translated(op, linear) {
            return Stepped::Stopped;
        }
        self.expect_x87(translations)
    }

    /// Compares the x87's state, after an instruction by the interpreter, with the state that the
    /// following code was translated for (`HostFrame::expected`). Stores the number of the actual
    /// state in `HostFrame::carried`, if it has one, and the code for it in `HostFrame::onward`.
    pub(crate) fn expect_x87(&mut self, translations: &Translations) -> Stepped {
        let carries = &translations.carries;
        if carries.get(self.host.carried).x87.is_none() {
            return Stepped::AsExpected;
        }
        self.host.carried = self.host.expected;
        self.host.onward = 0;
        let expected = carries.get(self.host.expected).x87.as_ref();
        if expected.is_some_and(|expected| expected.is(&self.state)) {
            return Stepped::AsExpected;
        }
        if let Some(carried) = carries.find_with_x87(self.host.expected, &self.state) {
            let user = self.state.cpl == 3;
            self.host.carried = carried;
            self.host.onward = translations.targets.get(self.state.eip, user, carried).unwrap_or(0);
        }
        Stepped::Otherwise
    }

    /// Looks up ITLB and L1I for a line of code, without a page walk or a transaction. Returns
    /// false if they do not give this version of the line; a second lookup then has no further
    /// effect.
    pub(crate) fn fetch_for_translated(&mut self, linear: u32, version: VersionId) -> bool {
        self.fetch_at_once(linear) == Some(version)
    }

    /// Looks up ITLB and L1I for a line of code, which may also need a page walk in L1D or come
    /// from L2, as in `fetch_soon`. `None` if the line is not this version or cannot be fetched so;
    /// otherwise true if the fetch has taken time, so that the pipes have emptied.
    #[inline]
    pub(crate) fn refetch_for_translated(
        &mut self,
        code: &CodeCache,
        linear: u32,
        version: VersionId,
    ) -> Option<bool> {
        let known = |line: CoreAddr, bytes: &[u8; LINE_BYTES]| {
            code.decoded.is_version(version, line, bytes).then_some(version)
        };
        self.fetch_soon(linear, Some(version), known).map(|(_, gap)| gap)
    }

    /// Records a branch from `from` to the core's EIP in the branch target buffer, and counts hits
    /// and mispredictions. `second`: the branch is executed in V. Returns the core clocks of a
    /// misprediction, 0 if it was predicted correctly.
    pub(crate) fn resolve_for_translated(
        &mut self,
        taken: bool,
        kind: Branch,
        second: bool,
        from: u32,
    ) -> u64 {
        let outcome = self.branches.resolve(from, taken, self.state.eip);
        let counters = &mut self.state.counters;
        // The count may be below zero for a moment: translated code subtracts before it adds.
        counters.branch_target_hits =
            counters.branch_target_hits.wrapping_add(u64::from(outcome.hit));
        counters.branch_target_hits_not_taken += u64::from(outcome.hit && !taken);
        counters.pipeline_flushes += u64::from(!outcome.foreseen);
        if outcome.foreseen { 0 } else { misprediction(kind, second) }
    }
}
