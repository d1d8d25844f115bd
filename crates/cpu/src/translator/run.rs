//! The core's side: when translated code runs, what it asks for, and what it leaves behind.

use rockcreek_cache::{MemoryType, Page};
use rockcreek_defs::CoreAddr;

use super::carried::Carried;
use super::pages::HostPages;
use super::x64::{self, Departure};
use super::{HEAT, Known, MAX_CODE_BYTES, Place, Translations};
use crate::branch_target::{Branch, Entry, misprediction};
use crate::bus::Bus;
use crate::code_cache::{CodeCache, VersionId};
use crate::core::Core;
use crate::exception::{Done, Stop};
use crate::flags;
use crate::op::Op;
use crate::registers::sreg;
use crate::state::State;
use crate::tlb::{Displaced, Entry as TlbEntry, TURN_WAYS, permit};

use super::region::{MAX_BLOCK_CLOCKS, Region, Source};

/// Clocks after which generated code looks up, so that its packed counters cannot overflow.
const STAY_CLOCKS: u64 = 2000;
/// Most blocks take less; when less is left until the deadline, none is begun.
const SHORT_BLOCK_CLOCKS: u64 = 48;
/// Opening a page that is soon closed costs more than not to open it: each time patience doubles, up
/// to so much; in each stay it loses this part of what it has gained.
const MOST_PATIENCE: u32 = 1024;
const PATIENCE_DECAY: u32 = 8;
/// Times that L2 serves one access at most: it takes a victim, and it gives a line.
const MAX_SERVICES: u64 = 2;

/// What generated code reads and writes besides the state itself.
#[repr(C)]
#[derive(Clone, Debug, Default)]
pub(crate) struct HostFrame {
    /// A block ends before this, if it is known how long it takes at most.
    pub end: u64,
    /// Any block may begin while the cycle count is below this, or go on after what was not foreseen.
    pub limit: u64,
    /// The deadline before which a block did not begin any more.
    pub late_for: u64,
    /// An access may be served by L2 while the cycle count is below this.
    pub reach_limit: u64,
    /// Where this stay in translated code ends.
    pub stay_end: u64,
    /// `QuickLines` of L1D, and of L2 for stores that go around L1D.
    pub quick: u64,
    pub around: u64,
    /// Stores around L1D that are not counted yet, and what each costs.
    pub stores_around: u64,
    pub l2_cycles: u64,
    /// The data TLB's pages used last and their places, by set; its trees; what a use of a way does
    /// to a tree.
    pub recent_data: u64,
    pub recent_index: u64,
    pub trees: u64,
    pub turns: [[u32; 2]; TURN_WAYS],
    /// Its sets and its ways less one; L1D's sets less one.
    pub tlb_mask: u32,
    pub tlb_way_mask: u32,
    pub set_mask: u32,
    /// L1I's sets less one, and its tags.
    pub code_sets: u32,
    pub code_tags: u64,
    /// Pages that may be used without asking.
    pub pages: HostPages,
    /// Lines that came from L2 and went back to it, not counted yet.
    pub refills: u64,
    pub write_backs: u64,
    /// `Stubs::reach`.
    pub reach_stubs: [u64; 3],
    /// The access that is being looked up: the clocks of the block before it, its size.
    pub how: u32,
    /// The pages of which loads and stores have last asked for a line, by kind of access.
    pub asked: [u32; 2],
    /// Uses of a page that is its set's most recent one until it is opened, all ones when it is to
    /// be opened now; and how many there are to be.
    pub patience: u32,
    pub patience_anew: u32,
    /// The entries of the branch target buffer.
    pub branch_targets: u64,
    /// The pages used last in the sets of the ITLB.
    pub recent_code: u64,
    /// The arithmetic flags as LAHF and SETO give them (AH, AL); 0: they are in the state.
    pub raw_flags: u32,
    /// Address of the exit taken, for joining it; 0 if it was an indirect one.
    pub exit: u64,
    /// The table of `Targets`.
    pub targets: u64,
    /// What the last stay has counted, packed.
    pub counts: u64,
    /// Second instructions of pairs, and address stalls, packed.
    pub pairs: u32,
    /// x87 instructions and floating-point operations, packed.
    pub x87s: u32,
    /// The host's own x87 control word, while the guest's is loaded.
    pub control_word: u16,
    /// What FXSAVE and FNSTENV write.
    pub x87_image: X87Image,
    /// The clock before L2 served an access.
    pub clock_before: u64,
    /// What the pipes and the x87 hold after an instruction, by number.
    pub expected: u32,
    /// The `Translations` that the code belongs to.
    pub translations: u64,
    /// Where an instruction that the interpreter has executed goes on in translated code, if that
    /// is not where it was expected to; 0 if it is not known.
    pub onward: u64,
    /// What the pipes hold, by number.
    pub carried: u32,
    /// The branch to be looked up.
    pub from: u32,
    /// The first value of an instruction that makes two accesses.
    pub held: u32,
    /// Stays that were followed by another at once.
    pub stays: u32,
    /// Why an instruction did not finish.
    pub stop: Option<Stop>,
    /// Where an instruction of translated code goes on that waits for an answer, and the
    /// instruction; 0: by the interpreter. Of these `Translations`, by number.
    pub resume: u64,
    pub resume_op: u64,
    pub resume_in: u64,
    /// Where a store goes of which the stub for stores has just found that no cache takes it: the
    /// step that follows performs it.
    pub beyond: Option<CoreAddr>,
    /// How the instruction that has waited ended, as the step's stub tells it.
    pub outcome: u32,
    /// Address of the `&mut dyn Bus` of the run; 0 outside translated code.
    pub bus: u64,
    /// The privilege and rights that `quick` was filled for.
    needs: (u8, u8),
    /// Generated code may look lines up that are not open.
    looks_up: bool,
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

/// AH after LAHF has this bit always set.
const RAW_VALID: u32 = 1 << 9;
/// AF is 0, whatever AH says: a bit of AH that is always clear after LAHF, and that SAHF ignores.
pub(super) const NO_AUXILIARY: u32 = 1 << 13;

impl HostFrame {
    /// Whom translated code asks for transactions.
    pub(crate) fn bus<'a>(&self) -> &'a mut dyn Bus {
        // SAFETY: `CodeCache::enter_at` has put the address there, of what it borrows until
        // translated code returns; only one call from there at a time uses it.
        unsafe { &mut **(self.bus as *mut &mut dyn Bus) }
    }

    /// LAHF and SETO as flags.
    fn image(raw: u32) -> u32 {
        let auxiliary = if raw & NO_AUXILIARY == 0 { flags::AF } else { 0 };
        let low = raw >> 8 & (flags::CF | flags::PF | auxiliary | flags::ZF | flags::SF);
        low | if raw & 1 != 0 { flags::OF } else { 0 }
    }
}

impl Core {
    /// Flat 32-bit segments, nothing that looks at single instructions.
    fn translatable(&self) -> bool {
        let segments = &self.state.segments;
        let flat = |number: usize| {
            let segment = &segments[number];
            segment.base == 0 && segment.open_read() && segment.open_write()
        };
        let code = &segments[sreg::CS];
        code.base == 0
            && code.big()
            && code.open_read()
            && flat(sreg::SS)
            && segments[sreg::SS].big()
            && flat(sreg::DS)
            && flat(sreg::ES)
            && self.state.armed == 0
    }

    /// Runs translated code from here if there is some; true if it ran. The interpreter then goes
    /// on wherever the core is.
    pub(crate) fn run_translated(
        &mut self,
        code: &mut CodeCache,
        bus: &mut dyn Bus,
    ) -> Result<bool, Stop> {
        let late = self.state.cycles + MAX_BLOCK_CLOCKS >= self.deadline;
        if late && self.host.late_for == self.deadline {
            return Ok(false);
        }
        let Some(entry) = code.translated(self) else { return Ok(false) };
        if !self.translatable() {
            return Ok(false);
        }
        let (eip, instructions) = (self.state.eip, self.state.counters.instructions);
        let carried = self.host.carried;
        self.enter_translated(code, entry, bus)?;
        let ran = self.state.counters.instructions != instructions;
        if !ran && self.state.cycles < self.host.limit {
            code.forget_target(eip, carried);
        } else if !ran {
            self.host.late_for = self.deadline;
        }
        Ok(ran)
    }

    fn enter_translated(
        &mut self,
        code: &mut CodeCache,
        mut entry: u64,
        bus: &mut dyn Bus,
    ) -> Done {
        self.bank = self.state.pipeline.bank;
        self.note_tables();
        loop {
            self.refresh_quick();
            self.begin_stay(self.state.cycles);
            if self.state.cycles + SHORT_BLOCK_CLOCKS >= self.host.end {
                return Ok(());
            }
            let departure = code.enter(self, entry, bus);
            match self.depart(code, departure)? {
                Some(next) => entry = next,
                None => return Ok(()),
            }
        }
    }

    /// Goes on in translated code with the instruction that has waited, if it can.
    pub(crate) fn resume_translated(
        &mut self,
        code: &mut CodeCache,
        limit: u64,
        bus: &mut dyn Bus,
    ) -> Option<Done> {
        let at = std::mem::take(&mut self.host.resume);
        if at == 0 || !self.state.in_progress || !code.is_number(self.host.resume_in) {
            return None;
        }
        // SAFETY: the translations that the instruction is of still are.
        let op = unsafe { &*(self.host.resume_op as *const Op) };
        let deadline = self.deadline_within(limit)?;
        if !self.is_fetched(u32::from(op.length)) {
            return None;
        }
        self.deadline = deadline;
        self.state.in_progress = false;
        self.log.restart();
        let eip = self.state.eip;
        self.state.next_eip = eip.wrapping_add(u32::from(op.length));
        self.note_tables();
        let done = match self.has_stored(op) {
            true => self.finish_store(op),
            false => self.perform_with(op, bus),
        };
        if let Err(stop) = done {
            self.host.resume = at;
            return Some(Err(stop));
        }
        self.retire::<false>(eip, op, 0);
        Some(self.go_on_translated(code, at, bus))
    }

    /// The instruction that has waited is done: on with what is behind it.
    fn go_on_translated(&mut self, code: &mut CodeCache, at: u64, bus: &mut dyn Bus) -> Done {
        self.refresh_quick();
        self.begin_stay(self.state.cycles);
        let stepped = self.expect_x87(code.translated_code());
        self.host.outcome = stepped.outcome();
        code.note_resumption();
        let departure = code.enter_at(self, at, None, bus);
        match self.depart(code, departure)? {
            Some(next) => self.enter_translated(code, next, bus),
            None => Ok(()),
        }
    }

    /// After a stay in translated code: where another goes on, if one does.
    fn depart(&mut self, code: &mut CodeCache, departure: Departure) -> Result<Option<u64>, Stop> {
        code.note_stay(departure == Departure::Stopped);
        self.settle_flags();
        self.settle_pipes(code, departure);
        if departure != Departure::Stopped {
            self.log.clear();
            self.state.next_eip = self.state.eip;
        }
        match departure {
            Departure::Stopped => {
                // The log keeps what the instruction has done so far.
                let stop = self.host.stop.take().expect("a stop was noted");
                if stop != Stop::Wait {
                    self.host.resume = 0;
                }
                Err(stop)
            }
            Departure::Interpret => Ok(None),
            Departure::Link | Departure::Again if self.state.cycles >= self.deadline => Ok(None),
            Departure::Link | Departure::Again => Ok(code.link(self)),
        }
    }

    /// Notes where generated code finds the TLB and the tables of lines.
    fn note_tables(&mut self) {
        if !self.caches.quick_lines_are([self.host.quick, self.host.around]) {
            self.host.quick = 0;
        }
        let (tlb, host) = (&self.tlbs.data, &mut self.host);
        host.recent_data = tlb.recent_pages().as_ptr() as u64;
        host.recent_index = tlb.recent_index.as_ptr() as u64;
        host.trees = tlb.trees.as_ptr() as u64;
        if host.patience_anew == 0 {
            host.patience_anew = x64::PATIENCE;
            host.turns = tlb.turns();
            let (sets, ways) = tlb.shape();
            (host.tlb_mask, host.tlb_way_mask) = (sets, ways - 1);
            host.set_mask = self.config.cache.l1d.sets() - 1;
            host.l2_cycles = u64::from(self.config.cache.l2_hit_cycles);
        }
    }

    /// Translated code may go on for a while from `cycles`; true if it may begin a block there.
    pub(crate) fn begin_stay(&mut self, cycles: u64) -> bool {
        self.host.stay_end = cycles + STAY_CLOCKS;
        let more = self.host.patience_anew.saturating_sub(x64::PATIENCE);
        self.host.patience_anew -= more.div_ceil(PATIENCE_DECAY);
        self.set_limits();
        cycles < self.host.limit
    }

    pub(crate) fn set_limits(&mut self) {
        let latest = self.deadline.saturating_sub(MAX_BLOCK_CLOCKS);
        self.host.end = self.deadline.min(self.host.stay_end);
        self.host.limit = latest.min(self.host.stay_end);
        self.host.reach_limit = latest.saturating_sub(MAX_SERVICES * u64::from(self.l2_cycles()));
    }

    /// What one service of L2 costs.
    pub(crate) fn l2_cycles(&self) -> u32 {
        self.config.cache.l2_hit_cycles
    }

    /// Puts what the pipes and the x87 hold where the interpreter has them.
    fn settle_pipes(&mut self, code: &mut CodeCache, departure: Departure) {
        let carried = code.carried(self.host.carried);
        self.state.pipeline = carried.pipeline(self.bank);
        match departure {
            Departure::Stopped => {}
            Departure::Again => {
                self.host.carried = code.carried_with_x87(self);
                self.host.exit = 0;
            }
            Departure::Interpret | Departure::Link => {
                if let Some(x87) = carried.x87 {
                    x87.put_timing(&mut self.state);
                }
            }
        }
    }

    /// Puts the flags where the interpreter has them.
    pub(crate) fn settle_flags(&mut self) {
        if self.host.raw_flags & RAW_VALID != 0 {
            self.state.flags.load(HostFrame::image(self.host.raw_flags));
        }
        self.host.raw_flags = 0;
    }

    /// The flags in the form of LAHF and SETO.
    pub(crate) fn raw_flags(&self) -> u32 {
        if self.host.raw_flags & RAW_VALID != 0 {
            return self.host.raw_flags;
        }
        let image = self.state.flags.image();
        let low = image & (flags::CF | flags::PF | flags::AF | flags::ZF | flags::SF);
        (low | flags::ALWAYS_ONE) << 8 | u32::from(image & flags::OF != 0)
    }

    /// Forgets the lines that may no longer be used in place.
    pub(crate) fn refresh_quick(&mut self) {
        let needs = (self.state.need_read, self.state.need_write);
        let (displaced, closed) = (self.tlbs.data.take_displaced(), self.tlbs.data.take_closed());
        if closed != Displaced::None {
            self.host.patience_anew = (2 * self.host.patience_anew).min(MOST_PATIENCE);
        }
        let nothing = displaced == Displaced::None && closed == Displaced::None;
        if nothing && self.host.needs == needs && self.host.quick != 0 {
            return;
        }
        if self.host.quick == 0 && !self.note_lines() {
            return;
        }
        let same = std::mem::replace(&mut self.host.needs, needs) == needs;
        let (Some(forget), Some(close)) = (displaced.pages().filter(|_| same), closed.pages())
        else {
            self.host.pages.forget_all();
            self.caches.close_all();
            return;
        };
        for page in forget.into_iter().flatten() {
            if self.host.pages.forget(page << 12) {
                self.caches.forget_page(page << 12);
            }
        }
        // What was not open needs no closing: an open page that is displaced is closed first.
        close.into_iter().flatten().for_each(|page| self.caches.close_page(page << 12));
    }

    /// Notes where generated code finds the lines; false if it cannot.
    fn note_lines(&mut self) -> bool {
        let code_tags = self.caches.code_tags();
        let Some(tables) = self.caches.quick_lines() else { return false };
        let host = &mut self.host;
        [host.quick, host.around] =
            tables.each_ref().map(|table| std::ptr::from_ref(*table) as u64);
        (host.code_tags, host.code_sets) = code_tags.unwrap_or_default();
        host.looks_up = tables[0].usable != 0 && code_tags.is_some();
        true
    }

    /// After an access at `linear`: the next one may be done in place.
    pub(crate) fn admit(&mut self, linear: u32) {
        let need_read = self.state.need_read;
        let Some(entry) = self.tlbs.data.recent(linear >> 12).copied() else { return };
        if entry.permit & need_read != need_read {
            return;
        }
        self.tlbs.data.open_recent(linear >> 12);
        let page = self.page_in_use(linear, &entry, true);
        let addr = rockcreek_defs::CoreAddr(entry.frame | linear & 0xFFF);
        self.caches.admit(addr, &page, entry.memory_type);
    }

    /// The page of an access that the TLB's most recent entry of its set allows; generated code may
    /// use it from now on.
    #[inline]
    pub(crate) fn page_in_use(&mut self, linear: u32, entry: &TlbEntry, settled: bool) -> Page {
        let State { need_read, need_write, .. } = self.state;
        let writable = entry.permit & need_write == need_write;
        let readable = entry.permit & need_read == need_read;
        if self.host.looks_up && readable && entry.memory_type == MemoryType::WriteBack {
            let index = self.tlbs.data.recent_index_of(linear >> 12);
            let left = self.host.pages.put(linear, entry.frame, index, writable);
            if let Some(page) = left {
                self.caches.forget_page(page);
            }
        }
        Page { linear: linear & !0xFFF, settled, writable }
    }

    /// One instruction by the interpreter, at EIP. False if it did not finish.
    fn step_for_translated(&mut self, op: &Op, linear: Option<u32>) -> bool {
        let eip = self.state.eip;
        self.state.next_eip = eip.wrapping_add(u32::from(op.length));
        self.log.clear();
        let beyond = self.host.beyond.take().filter(|_| op.only_stores());
        if self.refused {
            // Reaching for its line has shown already that the run must end for it.
            self.host.stop = Some(Stop::Wait);
            return false;
        }
        let begun = self.state.cycles;
        let done = match beyond {
            Some(addr) => self.store_beyond(op, addr, self.host.bus()),
            None => self.perform_with(op, self.host.bus()),
        };
        if let Err(stop) = done {
            self.host.stop = Some(stop);
            return false;
        }
        self.retire::<false>(eip, op, 0);
        // Nothing is counted while an instruction waits.
        self.host.stay_end += self.state.cycles - begun;
        self.refresh_quick();
        if let Some(linear) = linear {
            self.admit(linear);
        }
        self.set_limits();
        true
    }
}

/// How a step of the interpreter within translated code ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stepped {
    /// The instruction faults or waits.
    Stopped,
    /// What follows was translated for what the x87 now is.
    AsExpected,
    /// It was not; `HostFrame::onward` has what was, if that is known.
    Otherwise,
}

impl Core {
    /// Looks up ITLB and L1I for a line whose set has been used for another one. False if what is
    /// there is not this version; then nothing is lost by looking again.
    pub(crate) fn fetch_for_translated(&mut self, linear: u32, version: VersionId) -> bool {
        let user = self.state.cpl == 3;
        let need = if user { permit::USER } else { 0 };
        let Some(entry) = self.tlbs.code.lookup(linear >> 12) else { return false };
        let ty = self.effective_type(entry.memory_type);
        let addr = rockcreek_defs::CoreAddr(entry.frame | linear & 0xFFF);
        if entry.permit & need != need || !self.caches.fetch_version(addr, ty, version) {
            return false;
        }
        self.fetched.set(linear, user, version);
        true
    }

    /// One instruction by the interpreter, at EIP, with what translated code knows of the x87.
    pub(crate) fn step_amid(
        &mut self,
        translations: &Translations,
        op: &Op,
        linear: Option<u32>,
    ) -> Stepped {
        if let Some(x87) = &translations.carries.get(self.host.carried).x87 {
            x87.put_timing(&mut self.state);
        }
        if !self.step_for_translated(op, linear) {
            return Stepped::Stopped;
        }
        self.expect_x87(translations)
    }

    /// After an instruction by the interpreter: whether the x87 is what is expected.
    fn expect_x87(&mut self, translations: &Translations) -> Stepped {
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

    /// The branch at `from` has been executed, EIP is where it went: what it costs not to have
    /// foreseen it. Notes in `memo` where to look the next time.
    pub(crate) fn resolve_for_translated(
        &mut self,
        from: u32,
        taken: bool,
        kind: Branch,
        second: bool,
        memo: &mut BranchMemo,
    ) -> u64 {
        let outcome = self.branches.resolve(from, taken, self.state.eip);
        match outcome.entry {
            Some(at) => memo.entry = (at * size_of::<Entry>()) as u64,
            None => memo.absent = self.branches.generation,
        }
        let counters = &mut self.state.counters;
        // Generated code may have subtracted what it has not yet added.
        counters.branch_target_hits =
            counters.branch_target_hits.wrapping_add(u64::from(outcome.hit));
        counters.branch_target_hits_not_taken += u64::from(outcome.hit && !taken);
        counters.pipeline_flushes += u64::from(!outcome.foreseen);
        if outcome.foreseen { 0 } else { misprediction(kind, second) }
    }
}

/// What generated code remembers of a branch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BranchMemo {
    /// Offset of its entry in the branch target buffer, or of another's.
    pub entry: u64,
    /// The generation of the buffer in which it had none.
    pub absent: u64,
}

impl CodeCache {
    /// The entry of translated code at the core's EIP, translating it once it is hot.
    #[inline]
    fn translated(&mut self, core: &mut Core) -> Option<u64> {
        let (eip, user) = (core.state.eip, core.state.cpl == 3);
        let translations = self.translations.as_mut()?;
        let place = eip as usize % HEAT;
        let heat = &mut translations.heat[place];
        if *heat < translations.hot {
            *heat += 1;
            return None;
        }
        let guess = &mut translations.carried_last[place];
        *guess = translations.carries.number_of(&core.state, *guess);
        let carried = *guess;
        core.host.carried = carried;
        if let Some(entry) = translations.targets.get(eip, user, carried) {
            return Some(entry);
        }
        let version = core.fetched.version(eip, user)?;
        let entry = self.entry(core, Place { eip, user, version, carried });
        let translations = self.translations.as_mut()?;
        match entry {
            Some(entry) => translations.targets.put(eip, user, carried, entry),
            None => translations.heat[eip as usize % HEAT] = 0,
        }
        entry
    }

    fn entry(&mut self, core: &mut Core, place: Place) -> Option<u64> {
        let translations = self.translations.as_mut()?;
        match translations.places.get(&place) {
            Some(Known::Compiled(index)) => Some(translations.compiled[*index as usize].entry),
            Some(Known::Refused) => None,
            None => self.translate(core, place),
        }
    }

    #[cold]
    fn translate(&mut self, core: &mut Core, place: Place) -> Option<u64> {
        core.refresh_quick();
        let mut carries = std::mem::take(&mut self.translations.as_mut()?.carries);
        let fetched = &core.fetched;
        let l2_cycles = u64::from(core.l2_cycles());
        let source =
            Source { code: self, fetched, carries: &mut carries, l2_cycles, user: place.user };
        let region = Region::collect(source, place.eip, place.carried);
        let translations = self.translations.as_mut()?;
        translations.carries = carries;
        if region.blocks.is_empty() {
            // A line of it is not there at the moment.
            return None;
        }
        let worth = region
            .blocks
            .first()
            .is_some_and(|block| !block.items.is_empty() || block.last.is_some());
        let possible = worth && core.host.quick != 0 && translations.code_bytes < MAX_CODE_BYTES;
        let compiled = if possible {
            x64::compile(core, region, &translations.stubs, &translations.carries)
        } else {
            None
        };
        let Some(compiled) = compiled else {
            translations.places.insert(place, Known::Refused);
            self.note_translation(None);
            return None;
        };
        let (entry, index) = (compiled.entry, translations.compiled.len() as u32);
        let bytes = compiled.bytes;
        translations.code_bytes += bytes;
        translations.compiled.push(compiled);
        translations.places.insert(place, Known::Compiled(index));
        self.note_translation(Some(bytes));
        Some(entry)
    }

    fn enter(&self, core: &mut Core, entry: u64, bus: &mut dyn Bus) -> Departure {
        let x87 = self.translated_code().carries.get(core.host.carried).x87;
        let loaded = x87.filter(|x87| x87.loaded).map(|x87| x87.top);
        self.enter_at(core, entry, loaded, bus)
    }

    /// Runs translated code from an address on; `loaded`: with the x87 registers in the host's.
    fn enter_at(
        &self,
        core: &mut Core,
        entry: u64,
        loaded: Option<u8>,
        mut bus: &mut dyn Bus,
    ) -> Departure {
        let translations = self.translated_code();
        let host = &mut core.host;
        host.translations = std::ptr::from_ref(translations) as u64;
        host.targets = translations.targets.address();
        host.branch_targets = core.branches.entries().as_ptr() as u64;
        host.recent_code = core.tlbs.code.recent_pages().as_ptr() as u64;
        host.resume_in = translations.number;
        host.bus = &raw mut bus as u64;
        let departure = translations.stubs.enter(core, entry, loaded);
        core.host.bus = 0;
        departure
    }

    fn translated_code(&self) -> &Translations {
        self.translations.as_ref().expect("code was translated")
    }

    /// Whether these are still the translations of that number.
    fn is_number(&self, number: u64) -> bool {
        self.translations.as_ref().is_some_and(|translations| translations.number == number)
    }

    /// The code that was known there is no longer what is there.
    #[cold]
    fn forget_target(&mut self, eip: u32, carried: u32) {
        if let Some(translations) = &mut self.translations {
            translations.targets.forget(eip, carried);
        }
    }

    fn carried(&self, number: u32) -> &Carried {
        self.translations.as_ref().expect("code was translated").carries.get(number)
    }

    /// The number of what the pipes held where translated code was left, with the core's x87.
    fn carried_with_x87(&mut self, core: &Core) -> u32 {
        let translations = self.translations.as_mut().expect("code was translated");
        translations.carries.number_with_x87(core.host.carried, &core.state)
    }

    /// The entry of the code that begins where the core left, and the exit joined to it. What
    /// follows hot code is translated at once.
    fn link(&mut self, core: &mut Core) -> Option<u64> {
        let user = core.state.cpl == 3;
        let version = core.fetched.version(core.state.eip, user)?;
        let place = Place { eip: core.state.eip, user, version, carried: core.host.carried };
        let entry = self.entry(core, place)?;
        if core.host.exit == 0 {
            let translations = self.translations.as_mut()?;
            translations.targets.put(place.eip, place.user, place.carried, entry);
        } else {
            x64::join(core.host.exit, entry);
        }
        Some(entry)
    }
}
