//! The data that translated code and the core exchange: one frame of fixed layout for each core.

use rockcreek_cache::{CodeLines, Refusal};
use rockcreek_defs::{CoreAddr, prefetch};

use super::known_pages::HostPages;
use crate::registers::flags;
use crate::state::core_state::State;
use crate::state::exception::Stop;
use crate::translator_frame::interface::TranslatorFrame;
use crate::translator_frame::packed_counts;

/// The first and least value of the promotion threshold. A page is opened (its lines may be used
/// without a lookup) after this many uses in a row while it is the most recent page of its TLB set.
/// With 4, NPB LU (class S, one core) takes 1.03 times the host's instructions and TinyCC 1.01
/// times, with 64 both as many to 1 % (2026-11-29).
pub(crate) const PATIENCE: u32 = 16;
/// At a checkpoint, the threshold's increase above `PATIENCE` is lowered by 1 part in this number.
const PATIENCE_DECAY_BY_CHECKPOINT: u32 = 2;

/// The fields that translated code reads and writes, in addition to the core's state. Those used at
/// a stop for a transaction come first, to be in the same cache lines of the host.
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub(crate) struct HostFrame {
    /// The core cycle before which a block must end, if the largest number of its clocks is known:
    /// the earlier one of the deadline and `stay_end`.
    pub end: u64,
    /// While the core's cycle count is below this value, any block may begin, or continue after an
    /// event of unknown length: `stay_end`, or `MAX_BLOCK_CLOCKS` before the deadline, if that is
    /// earlier.
    pub limit: u64,
    /// The core cycle at which this stay in translated code ends; waits for transactions put it
    /// off. While an instruction waits that translated code will resume (`SENT`, `FETCHES`): the
    /// clocks that remain of the stay.
    pub stay_end: u64,
    /// While the core's cycle count is below this value, L2 may serve an access without a further
    /// check of the time: `access_cycles` less than `MAX_BLOCK_CLOCKS` before the deadline.
    pub reach_limit: u64,
    /// Counts of executed instructions and accesses, packed (`packed_counts.rs`), that are not yet
    /// in the core's counters.
    pub counts: [u64; 2],
    /// The arithmetic flags as LAHF and SETO return them (in AH and AL), with the marks `RAW_VALID`
    /// and `NO_AUXILIARY`; without `RAW_VALID`: the flags are in the state.
    pub raw_flags: u32,
    /// The state of pipes and x87, as its number in `Carries` (`pipeline_state.rs`).
    pub carried: u32,
    /// `resume`: the host address at which translated code resumes an instruction after its
    /// response; 0: the interpreter resumes it. `resume_op`: the host address of the instruction's
    /// `Op`, plus `SENT`, `FETCHES` or neither. `resume_in`: the number of the `Translations` that
    /// the code belongs to.
    pub resume: u64,
    pub resume_op: u64,
    pub resume_in: u64,
    /// The physical address of a store that the caches refused; `bus_store` turns it into a bus
    /// request. Bits 32 and up: the reason (`BEYOND`, `FILLS`, `DISPLACES`, `BUSY`; 0: another
    /// one).
    pub beyond: u64,
    /// A store for which the core's run ends in any case, to be sent after translated code has been
    /// left: its value, and its number of bytes; 0 bytes: there is none.
    pub sent_value: u32,
    pub sent_size: u32,
    /// Not zero if the bus may perform transactions at once, so that the run need not end for one.
    pub answers: u32,
    /// The linear address of a load that waits for its line, plus `BEYOND`; 0: no load waits.
    pub fetching: u64,
    /// For that load, once its line has arrived: the line's origin as in `InPlace::origin`; 0 if
    /// the load must look the line up.
    pub arrived: u64,
    /// The number of the L1D line that has received the response to a load from an MPBT page;
    /// `None` if the response was another one.
    pub came: Option<u32>,
    /// `stores_around`: stores that bypassed L1D and are not yet in the core's counters.
    /// `store_waits`: the core cycles that they waited for each other. `l2_cycles`: the core cycles
    /// of one access to L2.
    pub stores_around: u64,
    pub store_waits: u64,
    pub l2_cycles: u64,
    /// The core cycles that an access to an integer takes in addition if it crosses its natural
    /// boundary.
    pub misaligned_cycles: u64,
    /// How many lines L1D took from L2 that are not yet in the core's counters.
    pub refills: u64,
    /// The host address of the run's `&mut dyn Bus`; 0 while neither translated code runs nor an
    /// instruction of it resumes.
    pub bus: u64,
    /// The host addresses of the `QuickLines` of L1D (`quick`), and of those of L2 for stores that
    /// bypass L1D (`around`). `quick` is 0 while the addresses are unknown.
    pub quick: u64,
    pub around: u64,
    /// The host address of the branch target buffer's entries.
    pub branch_targets: u64,
    /// The access that a stub is looking up: the clocks of the block before it, its size less one,
    /// and flags (`callbacks.rs`).
    pub how: u32,
    /// The result of an instruction that waited and was then executed: a value of
    /// `Stepped::outcome`, as the stub for single steps returns it.
    pub outcome: u32,
    /// Why an instruction did not finish; `None` if none stopped.
    pub stop: Option<Stop>,
    /// The address of `Stubs::leave`.
    pub leave_stub: u64,
    /// The largest number of core cycles that L2 and the penalties for crossing a natural boundary
    /// can add to one access.
    pub access_cycles: u64,
    /// How many lines L1D wrote back to L2 that are not yet in the core's counters.
    pub write_backs: u64,
    /// Not zero if L2's cycles for a write-back must still be charged; the write-back made room in
    /// L1D for the line to be requested.
    pub owes: u32,
    /// Address of the `CodeCache` that the code belongs to.
    pub code: u64,
    /// The line of the last store into the write-combine buffer, as the linear address of its last
    /// byte, if only stores of this kind and uses of L1D have followed; 0: none. `combining_page`,
    /// `combining_recent`: the host addresses of its page's `HostPage::combines`, and of the most
    /// recent page of its TLB set. `combining_refills`: the value of `refills` at that store.
    pub combining: u64,
    pub combining_page: u64,
    pub combining_recent: u64,
    pub combining_refills: u64,
    /// A store that evicts another line from the write-combine buffer and is merged into the buffer
    /// afterwards: address, number of bytes, value.
    pub displacing: Option<(CoreAddr, u8, u32)>,
    /// A deadline (core cycle) before which no block could end any more. Until then, the
    /// interpreter runs alone.
    pub late_for: u64,
    /// `tlb_uses`: the host address of the data TLB's order of use. `turns`: what a use of each of
    /// a set's four ways does to the set's order.
    pub tlb_uses: u64,
    pub turns: [[u8; 2]; 4],
    /// Host addresses of the data TLB's pages (0 if translated code must not fill any), of its
    /// entries and of the TLB for large pages; and the core cycles of a TLB miss, in which both
    /// page tables are walked.
    pub tlb_pages: u64,
    pub tlb_entries: u64,
    pub large_pages: u64,
    pub walk_cycles: u64,
    /// The number of the data TLB's sets less one, and that of L1D's sets less one, both times 16
    /// (the size of a set in bytes).
    pub tlb_mask: u32,
    pub set_mask: u32,
    /// As `tlb_mask` and `set_mask`, for the ITLB and L1I; and the host addresses of L1I's lines.
    pub code_tlb_mask: u32,
    pub code_sets: u32,
    pub code_lines: CodeLines,
    /// Pages that translated code may use without a TLB lookup.
    pub pages: HostPages,
    /// The linear page number in which a line was last looked up: `[0]` by a store or a
    /// read-modify-write, `[1]` by a load. Accesses to MPBT pages do not change it.
    pub asked: [u32; 2],
    /// `patience`: the number of uses of a set's most recent page until the page is opened (with
    /// bit 31 set: at the next use). `patience_anew`: the promotion threshold, from which
    /// `patience` is counted down again; 0 before the first stay.
    pub patience: u32,
    pub patience_anew: u32,
    /// Host addresses of the ITLB's order of use and of its entries.
    pub recent_code: u64,
    pub code_entries: u64,
    /// The host address of the word in a region's exit table through which the region was left, so
    /// that the exit can be joined to the code that it leads to; 0 if the exit must not be joined,
    /// as after an indirect branch.
    pub exit: u64,
    /// The host address of the `Target` by which a block was reached that may not begin; 0: the
    /// state with which it was reached is `carried`.
    pub came_by: u64,
    /// Address of the table of `Targets`.
    pub targets: u64,
    /// The host's own x87 control word, saved while the guest's is loaded.
    pub control_word: u16,
    /// Memory for FXSAVE and FNSTENV.
    pub x87_image: X87Image,
    /// Memory for an operand in one piece (see `Split`).
    pub split: Split,
    /// The core's cycle count before an access that L2 may serve, for the code that follows the
    /// access; within `Stubs::post`, the caller's RAX.
    pub clock_before: u64,
    /// The state of pipes and x87 that the following code was translated for, as its number in
    /// `Carries`; compared after an instruction that the interpreter executes.
    pub expected: u32,
    /// The host address in translated code at which execution continues after the interpreter has
    /// executed an instruction and the x87 is in another state than expected; 0 if there is none.
    pub onward: u64,
    /// The value that the first of an instruction's two accesses has read.
    pub held: u32,
    /// The host address of the next record of a control transfer (`Core::transfers`).
    pub transfers: u64,
    /// How many stays the stub `Stubs::stay` has begun, modulo 2^32.
    pub stays: u32,
    /// The permits (for loads, and for stores) that pages had to grant when the known pages were
    /// last checked.
    pub needs: (u8, u8),
    /// True if translated code may look up lines of pages that are not open.
    pub looks_up: bool,
    /// Host addresses of pages' memory, for prefetches only; the index is the low bits of the page
    /// number. An address may be out of date; 0: none is known.
    pub places: HostPlaces,
}

/// The number of pages for which the host address of their memory is kept.
pub(crate) const HOST_PLACES: usize = 1024;

/// Host addresses used only to prefetch memory that will be needed soon.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct HostPlaces(pub [u64; HOST_PLACES]);

impl Default for HostPlaces {
    fn default() -> HostPlaces {
        HostPlaces([0; HOST_PLACES])
    }
}

/// Memory for an operand in one piece (`operand`): one that spans two lines (of the x87, or an
/// integer load), or the value of an x87 store that `Core::post_x87` sends.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Split {
    /// The host addresses of the last eight bytes of the first line and of the first eight bytes of
    /// the second.
    pub places: [u64; 2],
    pub operand: [u64; 2],
}

/// Memory for the state of the host's x87.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct X87Image([u8; 512]);

impl Default for X87Image {
    fn default() -> X87Image {
        X87Image([0; 512])
    }
}

/// A clone has only the fields that belong to the core's state (`counts`, `raw_flags`), because the
/// others are host addresses of one core's data, or can be found anew.
impl Clone for HostFrame {
    fn clone(&self) -> HostFrame {
        let HostFrame { counts, raw_flags, .. } = *self;
        HostFrame { counts, raw_flags, ..HostFrame::default() }
    }
}

/// Marks in `HostFrame::beyond`, above the 32 address bits: why the store was refused. `BEYOND`: no
/// cache has the line. `FILLS`: the store completes the write-combine buffer's line. `DISPLACES`:
/// the write-combine buffer holds another line.
pub(crate) const BEYOND: u64 = 1 << 32;
pub(crate) const FILLS: u64 = 2 << 32;
pub(crate) const DISPLACES: u64 = 3 << 32;
/// Mark in `HostFrame::beyond`: L2 would take the store, but the store would wait for the previous
/// one while an x87 instruction is in progress.
pub(crate) const BUSY: u64 = 4 << 32;
/// Mark in `HostFrame::resume_op`: the instruction waits only for the response, and translated code
/// does the rest of it.
pub(crate) const SENT: u64 = 1;
/// Mark in `HostFrame::resume_op`: the response is a load's line, or makes room for one; translated
/// code then tries the load again.
pub(crate) const FETCHES: u64 = 2;

/// A bit of AH that LAHF always sets: `raw_flags` holds flags.
pub(crate) const RAW_VALID: u32 = 1 << 9;

/// A mark in `raw_flags` that AF is 0, whatever AH shows: a bit of AH that LAHF always clears and
/// SAHF ignores.
pub(crate) const NO_AUXILIARY: u32 = 1 << 13;

impl HostFrame {
    /// Records in `beyond` why a store was refused, and its address.
    pub(crate) fn note_beyond(&mut self, refusal: Refusal, addr: CoreAddr) {
        let mark = match refusal {
            Refusal::InNoCache => BEYOND,
            Refusal::Fills => FILLS,
            Refusal::Displaces => DISPLACES,
            Refusal::Otherwise => 0,
        };
        self.beyond = mark | u64::from(addr.0);
    }

    /// The physical address of the refused store, if its line is in no cache; otherwise `None`.
    pub(crate) fn nowhere(&self) -> Option<CoreAddr> {
        (self.beyond & !u64::from(u32::MAX) == BEYOND).then_some(CoreAddr(self.beyond as u32))
    }

    /// Returns why the last store was refused, and its physical address, and clears the record. The
    /// reason `BUSY` is returned as `Refusal::Otherwise`.
    pub(crate) fn take_beyond(&mut self) -> (Refusal, CoreAddr) {
        let beyond = std::mem::take(&mut self.beyond);
        let addr = CoreAddr(beyond as u32);
        match beyond - u64::from(addr.0) {
            BEYOND => (Refusal::InNoCache, addr),
            FILLS => (Refusal::Fills, addr),
            DISPLACES => (Refusal::Displaces, addr),
            _ => (Refusal::Otherwise, addr),
        }
    }

    #[inline]
    fn add_to(&self, state: &mut State) {
        if self.counts != [0; 2] {
            packed_counts::settle(&mut state.counters, self.counts, state.cpl == 3);
        }
        if self.raw_flags & RAW_VALID != 0 {
            state.flags.load(HostFrame::image(self.raw_flags));
        }
    }

    /// Lowers the promotion threshold: its increase above `PATIENCE` is reduced by 1/`part`,
    /// rounded up.
    pub(crate) fn lower_patience(&mut self, part: u32) {
        let raised = self.patience_anew.saturating_sub(PATIENCE);
        self.patience_anew -= raised.div_ceil(part);
    }

    /// The flags in `raw_flags` at their bit positions in EFLAGS.
    pub(crate) fn image(raw: u32) -> u32 {
        let auxiliary = if raw & NO_AUXILIARY == 0 { flags::AF } else { 0 };
        let low = raw >> 8 & (flags::CF | flags::PF | auxiliary | flags::ZF | flags::SF);
        low | if raw & 1 != 0 { flags::OF } else { 0 }
    }
}

impl TranslatorFrame for HostFrame {
    #[inline]
    fn flush(&mut self, state: &mut State) {
        self.add_to(state);
        self.counts = [0; 2];
    }

    fn flushed(&self, mut state: State) -> State {
        self.add_to(&mut state);
        state
    }

    fn is_flushed(&self) -> bool {
        (self.counts, self.raw_flags) == ([0; 2], 0)
    }

    #[inline]
    fn forget_resumption(&mut self) {
        self.resume = 0;
        self.raw_flags = 0;
    }

    fn forget_pages(&mut self) {
        // No access needs all permit bits, so this value makes `refresh_quick` refill the tables.
        self.needs = (u8::MAX, u8::MAX);
    }

    #[inline]
    fn record_message_line(&mut self, line: usize) {
        self.came = Some(line as u32);
    }

    #[inline]
    fn next_transfer(&self) -> u64 {
        self.transfers
    }

    #[inline]
    fn set_next_transfer(&mut self, next: u64) {
        self.transfers = next;
    }

    #[inline]
    fn begin_checkpoint(&mut self) {
        self.lower_patience(PATIENCE_DECAY_BY_CHECKPOINT);
    }

    #[inline]
    fn prefetch(&self) {
        prefetch(&self.end);
        prefetch(&self.l2_cycles);
        prefetch(&self.stop);
        prefetch(&self.leave_stub);
        prefetch(&self.displacing);
        prefetch(&self.patience_anew);
    }
}
