//! What generated code and the core tell each other: one frame of fixed layout for each core.

use rockcreek_cache::{CodeLines, Refusal};
use rockcreek_defs::{CoreAddr, prefetch};

use super::known_pages::HostPages;
use crate::registers::flags;
use crate::state::core_state::State;
use crate::state::exception::Stop;
use crate::translator_frame::interface::TranslatorFrame;
use crate::translator_frame::packed_counts;

/// A page that is used again is opened after so many uses without a turn of pages.
pub(crate) const PATIENCE: u32 = 16;
/// At a checkpoint the threshold loses this part of what it has gained.
const PATIENCE_DECAY_BY_CHECKPOINT: u32 = 2;

/// What generated code reads and writes besides the state itself; what it looks at when it stops
/// for a transaction comes first.
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub(crate) struct HostFrame {
    /// A block ends before this, if it is known how long it takes at most.
    pub end: u64,
    /// Any block may begin while the cycle count is below this, or go on after what was not
    /// foreseen.
    pub limit: u64,
    /// Where this stay in translated code ends; while an instruction waits with which it is to go
    /// on (`SENT`, `FETCHES`), how many clocks of it are left.
    pub stay_end: u64,
    /// An access may be served by L2 while the cycle count is below this.
    pub reach_limit: u64,
    /// What stays have counted since that was last put into the state, packed.
    pub counts: [u64; 2],
    /// The arithmetic flags as LAHF and SETO give them (AH, AL); 0: they are in the state.
    pub raw_flags: u32,
    /// What the pipes hold, by number.
    pub carried: u32,
    /// Where an instruction of translated code goes on that waits for an answer, and the
    /// instruction, with `SENT` or `FETCHES`; 0: by the interpreter. Of these `Translations`, by
    /// number.
    pub resume: u64,
    pub resume_op: u64,
    pub resume_in: u64,
    /// Where a store goes of which the stub for stores has just found that no cache takes it: what
    /// follows sends it. `BEYOND`, `FILLS` or `DISPLACES` is set if there is one. `BUSY`: see there.
    pub beyond: u64,
    /// A store that is sent when the code has been left, for which the run ends in any case: what,
    /// and how many bytes; 0: there is none.
    pub sent_value: u32,
    pub sent_size: u32,
    /// Not zero: it need not.
    pub answers: u32,
    /// The tag of a line of an MPBT page that is asked for when the code has been left, for which
    /// the run ends in any case; 0: there is none.
    pub message_line: u32,
    /// The linear address of a load that waits for its line. `BEYOND` is set if there is one.
    pub fetching: u64,
    /// Where that line is now, as in `InPlace::origin`; 0 if the load must look for it.
    pub arrived: u64,
    /// Its number in L1D, if it came as the answer to an MPBT load.
    pub came: Option<u32>,
    /// Stores around L1D that are not counted yet, how long they waited for each other, and what a
    /// service of L2 costs.
    pub stores_around: u64,
    pub store_waits: u64,
    pub l2_cycles: u64,
    /// What an integer across its natural boundary costs.
    pub misaligned_cycles: u64,
    /// Lines that came from L2, not counted yet.
    pub refills: u64,
    /// Address of the `&mut dyn Bus` of the run; 0 outside translated code.
    pub bus: u64,
    /// `QuickLines` of L1D, and of L2 for stores that go around L1D.
    pub quick: u64,
    pub around: u64,
    /// The entries of the branch target buffer.
    pub branch_targets: u64,
    /// The access that is being looked up: the clocks of the block before it, its size.
    pub how: u32,
    /// How the instruction that has waited ended, as the step's stub tells it.
    pub outcome: u32,
    /// Why an instruction did not finish.
    pub stop: Option<Stop>,
    /// `Stubs::reach`, `Stubs::resolve` and `Stubs::leave`.
    pub reach_stubs: [u64; 3],
    pub resolve_stub: u64,
    pub leave_stub: u64,
    /// What an access takes at most where L2 serves it.
    pub access_cycles: u64,
    /// Lines that went back to L2, not counted yet.
    pub write_backs: u64,
    /// Not zero: one has just gone back for the line that is asked for next.
    pub owes: u32,
    /// The `CodeCache` that the code belongs to.
    pub code: u64,
    /// The line of the last store into the write-combine buffer, as the linear address of its last
    /// byte, if no more than such stores and uses of L1D has come since; 0: none. Where its page
    /// is among the known ones and the most recent one of its TLB set, and `refills` then.
    pub combining: u64,
    pub combining_page: u64,
    pub combining_recent: u64,
    pub combining_refills: u64,
    /// A store for which another line leaves the write-combine buffer, to be merged there then:
    /// where, how many bytes, which.
    pub displacing: Option<(CoreAddr, u8, u32)>,
    /// The deadline before which a block did not begin any more.
    pub late_for: u64,
    /// How the sets of the data TLB are used, and what a use of a way does where there are four.
    pub tlb_uses: u64,
    pub turns: [[u8; 2]; 4],
    /// Its pages, 0 if generated code can fill none in, and its entries; the pages of the data TLB
    /// of large pages; what a walk of both tables costs.
    pub tlb_pages: u64,
    pub tlb_entries: u64,
    pub large_pages: u64,
    pub walk_cycles: u64,
    /// Its sets less one, and L1D's: times 16, what a set takes there.
    pub tlb_mask: u32,
    pub set_mask: u32,
    /// The same of the ITLB and of L1I, and where the latter's lines are.
    pub code_tlb_mask: u32,
    pub code_sets: u32,
    pub code_lines: CodeLines,
    /// Pages that may be used without asking.
    pub pages: HostPages,
    /// The pages of which loads and stores have last asked for a line, by kind of access.
    pub asked: [u32; 2],
    /// Uses of a page that is its set's most recent one until it is opened, all ones when it is to
    /// be opened now; and how many there are to be.
    pub patience: u32,
    pub patience_anew: u32,
    /// How the sets of the ITLB are used, and its entries.
    pub recent_code: u64,
    pub code_entries: u64,
    /// Address of the exit taken, for joining it; 0 if it was an indirect one.
    pub exit: u64,
    /// The table of `Targets`.
    pub targets: u64,
    /// The host's own x87 control word, while the guest's is loaded.
    pub control_word: u16,
    /// What FXSAVE and FNSTENV write.
    pub x87_image: X87Image,
    /// An operand of the x87 in two lines.
    pub split: Split,
    /// The clock before L2 served an access.
    pub clock_before: u64,
    /// What the pipes and the x87 hold after an instruction, by number.
    pub expected: u32,
    /// Where an instruction that the interpreter has executed goes on in translated code, if that
    /// is not where it was expected to; 0 if it is not known.
    pub onward: u64,
    /// The first value of an instruction that makes two accesses.
    pub held: u32,
    /// Where the next control transfer is noted (`Core::transfers`).
    pub transfers: u64,
    /// Stays that were followed by another at once.
    pub stays: u32,
    /// The privilege and rights that `quick` was filled for.
    pub needs: (u8, u8),
    /// Generated code may look lines up that are not open.
    pub looks_up: bool,
    /// Where the host has the memory of pages, by the lower bits of their numbers, or once had.
    pub places: HostPlaces,
}

/// Pages whose memory is found ahead.
pub(crate) const HOST_PLACES: usize = 1024;

/// No more than hints of what will be needed soon.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct HostPlaces(pub [u64; HOST_PLACES]);

impl Default for HostPlaces {
    fn default() -> HostPlaces {
        HostPlaces([0; HOST_PLACES])
    }
}

/// Where translated code puts an operand together that lies in two lines.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Split {
    /// The last eight bytes of the first line, the first eight of the second.
    pub places: [u64; 2],
    pub operand: [u64; 2],
}

/// Room for the state of the host's x87.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct X87Image([u8; 512]);

impl Default for X87Image {
    fn default() -> X87Image {
        X87Image([0; 512])
    }
}

/// What is here points into one core: a copy has nothing but what belongs to the state.
impl Clone for HostFrame {
    fn clone(&self) -> HostFrame {
        let HostFrame { counts, raw_flags, .. } = *self;
        HostFrame { counts, raw_flags, ..HostFrame::default() }
    }
}

/// In `HostFrame::beyond`, above the address: `Refusal::InNoCache`, `Fills`, `Displaces`.
pub(crate) const BEYOND: u64 = 1 << 32;
pub(crate) const FILLS: u64 = 2 << 32;
pub(crate) const DISPLACES: u64 = 3 << 32;
/// There, of a store that L2 would take, but that would wait for the one before it while something is
/// in progress in the x87.
pub(crate) const BUSY: u64 = 4 << 32;
/// In `HostFrame::resume_op`: the answer is all that the instruction has waited for, and translated
/// code does the rest of it.
pub(crate) const SENT: u64 = 1;
/// There, too: the answer is the line of a load, or makes room for one: then translated code tries
/// the load again.
pub(crate) const FETCHES: u64 = 2;

/// AH after LAHF has this bit always set.
pub(crate) const RAW_VALID: u32 = 1 << 9;

/// AF is 0, whatever AH says: a bit of AH that is always clear after LAHF, and that SAHF ignores.
pub(crate) const NO_AUXILIARY: u32 = 1 << 13;

impl HostFrame {
    /// Notes at `beyond` why a store was refused, and where it goes.
    pub(crate) fn note_beyond(&mut self, refusal: Refusal, addr: CoreAddr) {
        let mark = match refusal {
            Refusal::InNoCache => BEYOND,
            Refusal::Fills => FILLS,
            Refusal::Displaces => DISPLACES,
            Refusal::Otherwise => 0,
        };
        self.beyond = mark | u64::from(addr.0);
    }

    /// What is noted there, of a store that is in no cache.
    pub(crate) fn nowhere(&self) -> Option<CoreAddr> {
        (self.beyond & !u64::from(u32::MAX) == BEYOND).then_some(CoreAddr(self.beyond as u32))
    }

    /// Takes what is noted there.
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

    /// The promotion threshold sinks by this part of what has raised it.
    pub(crate) fn lower_patience(&mut self, part: u32) {
        let raised = self.patience_anew.saturating_sub(PATIENCE);
        self.patience_anew -= raised.div_ceil(part);
    }

    /// LAHF and SETO as flags.
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
        // No access needs all bits: `refresh_quick` sees that it must look again.
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
