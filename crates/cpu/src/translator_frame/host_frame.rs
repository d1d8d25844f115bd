//! The data that generated code and the core exchange: one frame of fixed layout for each core.

use rockcreek_cache::{CodeLines, Refusal};
use rockcreek_defs::{CoreAddr, prefetch};

use super::known_pages::HostPages;
use crate::registers::flags;
use crate::state::core_state::State;
use crate::state::exception::Stop;
use crate::translator_frame::interface::TranslatorFrame;
use crate::translator_frame::packed_counts;

/// The promotion threshold: a page is opened after this many uses in a row while it is its TLB
/// set's most recent one.
pub(crate) const PATIENCE: u32 = 16;
/// The divisor of the threshold's growth that it loses at a checkpoint.
const PATIENCE_DECAY_BY_CHECKPOINT: u32 = 2;

/// The fields that generated code reads and writes besides the state itself. Those used at a stop
/// for a transaction come first.
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub(crate) struct HostFrame {
    /// A block whose most clocks are known must end before this cycle.
    pub end: u64,
    /// Any block may begin, or continue after an unpredicted event, while the cycle count is below
    /// this.
    pub limit: u64,
    /// The cycle at which this stay in translated code ends. While an instruction waits that will
    /// resume here (`SENT`, `FETCHES`): the remaining clocks of the stay.
    pub stay_end: u64,
    /// L2 may serve an access while the cycle count is below this.
    pub reach_limit: u64,
    /// Counts of stays that have not been added to the state, packed.
    pub counts: [u64; 2],
    /// The arithmetic flags as LAHF and SETO give them (AH, AL); 0: they are in the state.
    pub raw_flags: u32,
    /// The state of the pipes, by number.
    pub carried: u32,
    /// The address at which an instruction of translated code resumes after its answer; the
    /// instruction, with `SENT` or `FETCHES`; and the number of its `Translations`. 0: the
    /// interpreter resumes it.
    pub resume: u64,
    pub resume_op: u64,
    pub resume_in: u64,
    /// Physical address of a store that missed every cache; `bus_store` turns it into a bus write.
    /// Top bits: why it was refused (`BEYOND`, `FILLS`, `DISPLACES`, `BUSY`).
    pub beyond: u64,
    /// A store to send after the code has been left, because the run ends for it in any case:
    /// value, and number of bytes; 0: none.
    pub sent_value: u32,
    pub sent_size: u32,
    /// Not zero if the run need not end for a transaction.
    pub answers: u32,
    /// The tag of an MPBT line to request after the code has been left, because the run ends for it
    /// in any case; 0: none.
    pub message_line: u32,
    /// The linear address of a load that waits for its line, with `BEYOND` set if there is one.
    pub fetching: u64,
    /// The origin of that line now, as in `InPlace::origin`; 0 if the load must look for it.
    pub arrived: u64,
    /// The line's number in L1D, if it came as the answer to an MPBT load.
    pub came: Option<u32>,
    /// Stores around L1D not counted yet, the cycles that they waited for each other, and the
    /// cycles of one access to L2.
    pub stores_around: u64,
    pub store_waits: u64,
    pub l2_cycles: u64,
    /// The cycles of an integer that crosses its natural boundary.
    pub misaligned_cycles: u64,
    /// Lines that came from L2, not counted yet.
    pub refills: u64,
    /// Address of the `&mut dyn Bus` of the run; 0 outside translated code.
    pub bus: u64,
    /// `QuickLines` of L1D, and of L2 for stores that go around L1D.
    pub quick: u64,
    pub around: u64,
    /// Address of the branch target buffer's entries.
    pub branch_targets: u64,
    /// The access that is being looked up: clocks of the block before it, size, flags.
    pub how: u32,
    /// The result of an instruction that has waited, as the step's stub returns it.
    pub outcome: u32,
    /// The reason why an instruction did not finish.
    pub stop: Option<Stop>,
    /// Addresses of `Stubs::reach`, `Stubs::resolve` and `Stubs::leave`.
    pub reach_stubs: [u64; 3],
    pub resolve_stub: u64,
    pub leave_stub: u64,
    /// The most cycles of an access that L2 serves.
    pub access_cycles: u64,
    /// Lines that went back to L2, not counted yet.
    pub write_backs: u64,
    /// Not zero: L2 owes cycles for a line that has just gone back for the line to be requested.
    pub owes: u32,
    /// Address of the `CodeCache` that the code belongs to.
    pub code: u64,
    /// The line of the last store into the write-combine buffer, as the linear address of its last
    /// byte, if only such stores and uses of L1D have come since; 0: none. Then: its page's place
    /// among the known pages, the most recent page of its TLB set, and the value of `refills`.
    pub combining: u64,
    pub combining_page: u64,
    pub combining_recent: u64,
    pub combining_refills: u64,
    /// A store that displaces another line from the write-combine buffer, to be merged afterwards:
    /// address, number of bytes, value.
    pub displacing: Option<(CoreAddr, u8, u32)>,
    /// The deadline before which a block could no longer begin.
    pub late_for: u64,
    /// Address of the data TLB's order of use, and the effect of a use of each of four ways.
    pub tlb_uses: u64,
    pub turns: [[u8; 2]; 4],
    /// Addresses of the data TLB's pages (0 if generated code must not fill any), of its entries
    /// and of the large pages' TLB; and the cycles of a walk of both tables.
    pub tlb_pages: u64,
    pub tlb_entries: u64,
    pub large_pages: u64,
    pub walk_cycles: u64,
    /// The number of the data TLB's sets less one, and of L1D's, times 16, the size of a set.
    pub tlb_mask: u32,
    pub set_mask: u32,
    /// The number of the ITLB's sets less one, of L1I's sets, and the addresses of L1I's lines.
    pub code_tlb_mask: u32,
    pub code_sets: u32,
    pub code_lines: CodeLines,
    /// Pages that may be used without a lookup.
    pub pages: HostPages,
    /// The pages for which loads, and stores, have last looked a line up.
    pub asked: [u32; 2],
    /// Uses of a set's most recent page until it is opened (all ones: at the next use), and the
    /// value from which they count.
    pub patience: u32,
    pub patience_anew: u32,
    /// Addresses of the ITLB's order of use and of its entries.
    pub recent_code: u64,
    pub code_entries: u64,
    /// Address of the exit taken, for joining it; 0 for an indirect branch.
    pub exit: u64,
    /// Address of the table of `Targets`.
    pub targets: u64,
    /// The host's own x87 control word, while the guest's is loaded.
    pub control_word: u16,
    /// Memory for FXSAVE and FNSTENV.
    pub x87_image: X87Image,
    /// An operand of the x87 that spans two lines.
    pub split: Split,
    /// The clock before L2 served an access.
    pub clock_before: u64,
    /// The expected state of pipes and x87 after an instruction, by number.
    pub expected: u32,
    /// The address in translated code at which execution continues after an instruction by the
    /// interpreter, if that is not the expected one; 0 if unknown.
    pub onward: u64,
    /// The first value of an instruction that makes two accesses.
    pub held: u32,
    /// Address of the next record of a control transfer (`Core::transfers`).
    pub transfers: u64,
    /// The number of stays that were followed by another at once.
    pub stays: u32,
    /// The permits for which `quick` was filled.
    pub needs: (u8, u8),
    /// True if generated code may look up lines that are not open.
    pub looks_up: bool,
    /// The host addresses of pages' memory, or old ones, by the low bits of the page number.
    pub places: HostPlaces,
}

/// The number of pages whose memory's address is kept.
pub(crate) const HOST_PLACES: usize = 1024;

/// Hints for prefetching memory that will be needed soon.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct HostPlaces(pub [u64; HOST_PLACES]);

impl Default for HostPlaces {
    fn default() -> HostPlaces {
        HostPlaces([0; HOST_PLACES])
    }
}

/// Memory in which translated code assembles an operand that spans two lines.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Split {
    /// The last eight bytes of the first line, the first eight of the second: their addresses.
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

/// A clone has only what belongs to the state, because the rest points into one core.
impl Clone for HostFrame {
    fn clone(&self) -> HostFrame {
        let HostFrame { counts, raw_flags, .. } = *self;
        HostFrame { counts, raw_flags, ..HostFrame::default() }
    }
}

/// Marks in `HostFrame::beyond`, above the address: `Refusal::InNoCache`, `Fills`, `Displaces`.
pub(crate) const BEYOND: u64 = 1 << 32;
pub(crate) const FILLS: u64 = 2 << 32;
pub(crate) const DISPLACES: u64 = 3 << 32;
/// Mark in `HostFrame::beyond` of a store that L2 would take, but that would wait for the previous
/// one while an x87 instruction is in progress.
pub(crate) const BUSY: u64 = 4 << 32;
/// Mark in `HostFrame::resume_op`: the instruction has waited only for the answer, and translated
/// code does the rest of it.
pub(crate) const SENT: u64 = 1;
/// Mark in `HostFrame::resume_op`: the answer is the line of a load, or makes room for one;
/// translated code then tries the load again.
pub(crate) const FETCHES: u64 = 2;

/// A bit of AH that is always set after LAHF.
pub(crate) const RAW_VALID: u32 = 1 << 9;

/// A mark that AF is 0, whatever AH says: a bit of AH that is always clear after LAHF, and that
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

    /// The address in `beyond`, if the store is in no cache.
    pub(crate) fn nowhere(&self) -> Option<CoreAddr> {
        (self.beyond & !u64::from(u32::MAX) == BEYOND).then_some(CoreAddr(self.beyond as u32))
    }

    /// Takes the record in `beyond`.
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

    /// Lowers the promotion threshold by its growth divided by `part`.
    pub(crate) fn lower_patience(&mut self, part: u32) {
        let raised = self.patience_anew.saturating_sub(PATIENCE);
        self.patience_anew -= raised.div_ceil(part);
    }

    /// The flags that LAHF and SETO gave, at their places in EFLAGS.
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
        // No access needs all bits, so `refresh_quick` refills the tables.
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
