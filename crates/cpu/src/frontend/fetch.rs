//! Fetching code: the lookup of ITLB and L1I for each line, then of the decoded block at EIP, and
//! the limits of code segments.
//!
//! Decoded code belongs to a version of a line's bytes, and changed code is another version. What
//! is executed therefore depends on the fetch alone.

use rockcreek_cache::Step;
use rockcreek_defs::{CoreAddr, LINE_BYTES};

use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::frontend::decoded_code::{Block, DecodedCode};
use crate::registers::register_file::sreg;
use crate::state::exception::{Done, Stop};
use crate::state::fetched_lines::VersionId;
use crate::state::transaction::Target;

const LINE: u32 = LINE_BYTES as u32;

impl Core {
    #[inline(always)]
    pub(crate) fn enter_block(&mut self, code: &mut DecodedCode) -> Result<Block, Stop> {
        let segment = &self.state.segments[sreg::CS];
        let big = segment.big();
        let linear = segment.base.wrapping_add(self.state.eip);
        let version = self.fetch(code, linear)?;
        match code.block(version, linear % LINE, big) {
            Some(block) => Ok(block),
            None => self.enter_straddling(code, linear, version, big),
        }
    }

    #[inline(never)]
    fn enter_straddling(
        &mut self,
        code: &mut DecodedCode,
        linear: u32,
        version: VersionId,
        big: bool,
    ) -> Result<Block, Stop> {
        let next_line = (linear | (LINE - 1)).wrapping_add(1);
        let next = self.fetch(code, next_line)?;
        Ok(code.straddling(version, next, linear % LINE, big))
    }

    /// Looks up ITLB and L1I for the line of linear address `linear`; returns the version (the id)
    /// of its bytes. `Err` if the fetch must wait or faults.
    #[inline(always)]
    fn fetch(&mut self, code: &mut DecodedCode, linear: u32) -> Result<VersionId, Stop> {
        // A line fetched at this privilege level may be fetched again: a change of rights clears
        // `fetched`.
        if let Some(version) = self.fetched.version(linear, self.state.cpl == 3)
            && self.tlbs.code.recent(linear >> 12).is_some()
        {
            return Ok(version);
        }
        self.fetch_slow(code, linear)
    }

    #[inline(never)]
    fn fetch_slow(&mut self, code: &mut DecodedCode, linear: u32) -> Result<VersionId, Stop> {
        let (addr, memory_type) = self.translate_code(linear)?;
        let step = self.caches.fetch(addr, memory_type);
        if !matches!(step, Step::Done { cycles: 0, .. }) {
            // The instructions in the pipes have completed during the fetch.
            self.state.pipeline.drain();
        }
        let line = self.finish(step, Target::Fetch)?;
        let uncached = line.slot >= rockcreek_cache::PREFETCH_SLOT;
        let mut version = line.version;
        if version == 0 {
            version =
                code.version(CoreAddr(addr.0 & !(LINE - 1)), self.caches.code_bytes(line.slot));
            self.caches.set_code_version(line.slot, version);
        }
        if !uncached {
            self.fetched.set(linear, self.state.cpl == 3, version);
        }
        Ok(version)
    }

    /// Executes one instruction of a code segment that has a limit. A near branch to a target
    /// beyond the limit raises #GP and changes no register.
    #[inline(never)]
    pub(crate) fn execute_limited(&mut self, op: &Op) -> Done {
        self.check_code_limit(op)?;
        let general = self.state.general;
        let behind = self.state.next_eip;
        self.perform(op)?;
        let target = self.state.next_eip;
        let near = target != behind && self.state.task_load.is_none();
        if near && !self.state.segments[sreg::CS].contains(target, 1) {
            self.state.general = general;
            return Err(self.protection());
        }
        Ok(())
    }

    fn check_code_limit(&mut self, op: &Op) -> Done {
        let segment = &self.state.segments[sreg::CS];
        if segment.contains(self.state.eip, u32::from(op.length)) {
            Ok(())
        } else {
            Err(self.protection())
        }
    }

    /// Call after a store: if the store dropped a line of code from L1I, ends the block that is
    /// being executed, so that the following code is fetched anew.
    #[inline(always)]
    pub(crate) fn note_code_change(&mut self) {
        if self.caches.stats().l1i_snoop_invalidations != self.code_invalidations {
            self.leave_changed_code();
        }
    }

    #[cold]
    fn leave_changed_code(&mut self) {
        self.code_invalidations = self.caches.stats().l1i_snoop_invalidations;
        self.fetched.forget();
        self.look_up();
    }
}
