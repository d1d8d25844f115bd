//! Records, for an observer, accesses to memory that other cores can reach. Recording costs no
//! simulated time and changes nothing in the simulation.
//!
//! The data TLBs' entries for watched pages do not permit the fast path, as for uncached pages.
//! Each access to a watched page therefore takes the slow path, also in translated code; all other
//! accesses run as without an observer. The saved and hashed form of a TLB does not show the
//! difference.
//!
//! Invariants: each access is recorded once, when it is done or its last transaction is requested;
//! a rollback of a window removes the records that the window made.

use rockcreek_cache::{MemoryType, ReadMiss, Step, StoreBeyond};
use std::sync::Arc;

use rockcreek_defs::{
    Access, AccessKind, BusRequest, CoreAddr, ProgramMemory, STACK_WORDS, ServedBy, TOP_WORDS,
};

use crate::core::parts::Core;
use crate::memory::access_path::Intent;
use crate::memory::paging::{PAGE_BYTES, is_cacheable};
use crate::registers::register_file::{gpr, sreg};
use crate::state::observers::accesses::Accesses;
use crate::state::tlbs::Tlbs;
use crate::translator_frame::interface::TranslatorFrame;
use crate::units::tlb::{Entry, permit};

/// Properties of an access that must be read before the access is performed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beforehand {
    pub addr: CoreAddr,
    pub linear: u32,
    pub shared: bool,
    pub program: bool,
    pub size: u8,
    pub locked: bool,
    pub memory_type: MemoryType,
    /// True if L1D has the line before the access.
    pub in_l1: bool,
}

/// Stands for the access in records of events that are no access (marks, drops, interrupts).
const NOWHERE: Beforehand = Beforehand {
    addr: CoreAddr(0),
    linear: 0,
    shared: true,
    program: false,
    size: 4,
    locked: false,
    memory_type: MemoryType::Uncached,
    in_l1: false,
};
/// Words of the stack as the caches have them.
#[derive(Default)]
struct StackTop {
    words: [u32; STACK_WORDS],
    /// Bit n is set if no cache has word n.
    missing: u8,
    /// The address of word 0; words that may be missing lie in one page.
    at: CoreAddr,
}

impl Core {
    /// Starts recording accesses to the given segments of the LUT (one flag for each). The number
    /// is the size of a segment in bytes, a power of two. Records not taken yet and the program's
    /// memory are kept. `None`: stops recording and drops them.
    pub fn watch_accesses(&mut self, segments: Option<(&[bool], u64)>) {
        let before = self.accesses.take();
        let (noted, program) =
            before.map(|before| (before.noted, before.program)).unwrap_or_default();
        self.accesses = segments.map(|(segments, bytes)| {
            let shift = bytes.trailing_zeros();
            Box::new(Accesses { segments: segments.to_vec(), shift, program, noted })
        });
        self.watch_anew();
    }

    /// Also records what the program's own code does to memory that its threads share, if accesses
    /// are recorded at all.
    pub fn watch_program(&mut self, memory: &Arc<ProgramMemory>) {
        if let Some(accesses) = &mut self.accesses {
            accesses.program = Some(memory.clone());
            self.watch_anew();
        }
    }

    fn watch_anew(&mut self) {
        let watched = self.accesses.as_deref();
        let watched = |page: u32, addr| {
            watched.is_some_and(|watched| {
                watched.watch(addr) || watched.watch_linear(page.wrapping_mul(PAGE_BYTES))
            })
        };
        mark_pages(&mut self.tlbs, watched);
        mark_pages(&mut self.saved.tlbs, watched);
        self.forget_resumption();
        self.host.forget_pages();
        self.look_up();
    }

    /// True if accesses are recorded.
    pub fn watches_accesses(&self) -> bool {
        self.accesses.is_some()
    }

    /// A copy of the TLBs as they would be without recording: with the permits for the fast path,
    /// which recording withholds from watched pages.
    pub(crate) fn tlbs_of_nobody_watching(&self) -> Tlbs {
        let mut tlbs = self.tlbs.clone();
        if self.watches_accesses() {
            mark_pages(&mut tlbs, |_, _| false);
        }
        tlbs
    }

    /// Replaces the contents of `into` by the records, which are removed here. The caller makes
    /// sure that no rollback can undo them afterwards.
    pub fn take_accesses(&mut self, into: &mut Vec<Access>) {
        into.clear();
        if let Some(accesses) = &mut self.accesses {
            std::mem::swap(&mut accesses.noted, into);
        }
        self.saved.accesses = 0;
    }

    /// True if L1D has a dirty copy of the line of `addr`.
    pub fn holds_dirty(&self, addr: CoreAddr) -> bool {
        self.caches.l1d_line(addr).is_some_and(|line| line.dirty)
    }

    #[inline]
    pub(crate) fn is_watched(&self, addr: CoreAddr) -> bool {
        self.accesses.as_ref().is_some_and(|accesses| accesses.watch(addr))
    }

    /// True if some accesses to the page may have to be recorded.
    #[inline]
    pub(crate) fn is_page_watched(&self, linear: u32, frame: u32) -> bool {
        self.accesses.as_ref().is_some_and(|accesses| {
            accesses.watch(CoreAddr(frame)) || accesses.watch_linear(linear)
        })
    }

    /// The properties of an access, read before it is performed; `None` if it need not be recorded.
    /// `intent`: locked or not.
    #[inline]
    pub(crate) fn beforehand(
        &self,
        linear: u32,
        addr: CoreAddr,
        size: u32,
        intent: Intent,
        memory_type: MemoryType,
    ) -> Option<Beforehand> {
        let accesses = self.accesses.as_ref()?;
        let shared = accesses.watch(addr) && memory_type.rules().read_miss != ReadMiss::FirstBytes;
        let program = accesses.watch_linear(linear) && self.is_programs_own();
        (shared || program).then(|| Beforehand {
            addr,
            linear,
            shared,
            program,
            size: size as u8,
            locked: intent.has(Intent::LOCKED),
            memory_type,
            in_l1: self.caches.l1d_line(addr).is_some(),
        })
    }

    /// True if the current instruction belongs to the program's own code, not to a library.
    fn is_programs_own(&self) -> bool {
        let Some(program) = self.accesses.as_ref().and_then(|all| all.program.as_ref()) else {
            return false;
        };
        self.state.cpl == 3 && program.watches_code(self.instruction_address())
    }

    fn instruction_address(&self) -> u32 {
        self.state.segments[sreg::CS].base.wrapping_add(self.state.eip)
    }

    /// Records a load that is done, or whose last transaction is requested.
    pub(crate) fn note_load(&mut self, before: Option<Beforehand>, step: &Step<u64>) {
        let Some(before) = before else { return };
        let (served_by, value) = match step {
            Step::Done { value, .. } if before.in_l1 && !before.locked => (ServedBy::L1, *value),
            Step::Done { value, .. } => (ServedBy::L2, *value),
            Step::Need { finishes: true, .. } => (ServedBy::Bus, 0),
            Step::Need { .. } => return,
        };
        self.note(AccessKind::Load, before, served_by, value);
    }

    /// Records a store that is done, or whose last transaction is requested.
    pub(crate) fn note_store<T>(&mut self, before: Option<Beforehand>, step: &Step<T>, value: u64) {
        let Some(before) = before else { return };
        let rules = before.memory_type.rules();
        let (back, combines) = (rules.writes_back, rules.store_beyond == StoreBeyond::Combine);
        let served_by = match step {
            Step::Need { finishes: false, .. } => return,
            Step::Need { request: BusRequest::Write { .. }, .. } => ServedBy::Bus,
            _ if before.in_l1 && back && !before.locked => ServedBy::L1,
            _ if combines => ServedBy::WriteCombine,
            _ => ServedBy::L2,
        };
        self.note(AccessKind::Store, before, served_by, value);
    }

    /// The words at the top of the stack (`top`: the stack pointer), then the return addresses of
    /// the frames that the frame pointers lead to. A word is 0 if no cache of this core holds it; if the
    /// word is one of the top words, its bit in `missing` is set.
    fn stack_words(&self, top: u32) -> StackTop {
        let mut stack = StackTop::default();
        let words = &mut stack.words;
        let within = top % PAGE_BYTES <= PAGE_BYTES - 4 * TOP_WORDS as u32 && top.is_multiple_of(4);
        // All words are in one page, so its translation is looked up only once.
        let first = if within { self.held_translation(top) } else { None };
        stack.at = first.unwrap_or_default();
        for (n, word) in words[..TOP_WORDS].iter_mut().enumerate() {
            let distance = 4 * n as u32;
            let held = match first {
                Some(first) => self.caches.peek_word(CoreAddr(first.0 + distance)),
                None if within => None,
                None => self.cached_word(top.wrapping_add(distance)),
            };
            *word = held.unwrap_or(0);
            stack.missing |= u8::from(first.is_some() && held.is_none()) << n;
        }
        let mut frame = self.state.general[gpr::EBP];
        for word in &mut words[TOP_WORDS..] {
            let Some(back) = self.cached_word(frame.wrapping_add(4)) else { break };
            *word = back;
            // Callers' frames are above.
            match self.cached_word(frame) {
                Some(outer) if outer > frame => frame = outer,
                _ => break,
            }
        }
        stack
    }

    /// Records a mark of the program, or the return of a call; EAX holds the address of an object.
    /// `stack` is the stack pointer before the instruction.
    pub(crate) fn note_mark(&mut self, kind: AccessKind, stack: u32) {
        if self.accesses.is_some() {
            let object = self.state.general[gpr::EAX].into();
            self.note_with(kind, NOWHERE, ServedBy::Bus, object, stack);
        }
    }

    /// Records an event of the program's threads with the values of EAX, EDX and ECX.
    pub(crate) fn note_event(&mut self, stack: u32) {
        if self.accesses.is_some() {
            let [low, high, linear] =
                [gpr::EAX, gpr::EDX, gpr::ECX].map(|register| self.state.general[register]);
            let value = u64::from(low) | u64::from(high) << 32;
            let nowhere = Beforehand { linear, size: 8, ..NOWHERE };
            self.note_with(AccessKind::Event, nowhere, ServedBy::Bus, value, stack);
        }
    }

    /// Records that the function whose first or last instruction is at `at` begins or returns.
    /// `stack` is the stack pointer before that instruction. The value is EAX and, above it, the word
    /// to which the first argument points, 0 if no cache has that.
    pub(crate) fn note_border(&mut self, kind: AccessKind, at: u32, stack: u32) {
        let first = self.cached_word(stack.wrapping_add(4));
        let left = first.and_then(|pointer| self.cached_word(pointer)).unwrap_or(0);
        let value = u64::from(self.state.general[gpr::EAX]) | u64::from(left) << 32;
        let nowhere = Beforehand { linear: stack, shared: false, size: 8, ..NOWHERE };
        self.note_with(kind, nowhere, ServedBy::Bus, value, stack);
        if let Some(last) = self.accesses.as_mut().and_then(|accesses| accesses.noted.last_mut()) {
            last.eip = at;
        }
    }

    /// The number of recorded accesses that no caller has taken yet; 0 if accesses are not
    /// recorded.
    pub fn noted_accesses(&self) -> usize {
        self.accesses.as_ref().map_or(0, |accesses| accesses.noted.len())
    }

    fn note(&mut self, kind: AccessKind, before: Beforehand, served_by: ServedBy, value: u64) {
        self.note_with(kind, before, served_by, value, self.stack_address());
    }

    fn note_with(
        &mut self,
        kind: AccessKind,
        before: Beforehand,
        served_by: ServedBy,
        value: u64,
        stack: u32,
    ) {
        let store = kind == AccessKind::Store;
        let uncached = before.memory_type == MemoryType::Uncached;
        let rules = before.memory_type.rules();
        let message_buffer = rules.read_miss == ReadMiss::MessageLine;
        let eip = self.instruction_address();
        // For the program's own code, the instruction's address is enough to name the place: the
        // record needs no words of the stack.
        let alone = matches!(kind, AccessKind::Load | AccessKind::Store)
            && !before.shared
            && self
                .accesses
                .as_ref()
                .and_then(|all| all.program.as_ref())
                .is_some_and(|program| program.is_code(eip));
        let stack = if alone { StackTop::default() } else { self.stack_words(stack) };
        let access = Access {
            kind,
            served_by,
            size: before.size,
            locked: before.locked,
            through: store
                && before.in_l1
                && !before.locked
                && !uncached
                && served_by != ServedBy::L1,
            cached: rules.in_l1d && !message_buffer,
            message_buffer,
            user: self.state.cpl == 3,
            addr: before.addr,
            shared: before.shared,
            program: before.program,
            linear: before.linear,
            eip,
            value: if before.size < 8 { value & ((1 << (8 * before.size)) - 1) } else { value },
            cycle: self.state.cycles,
            stack: stack.words,
            missing: stack.missing,
            stack_at: stack.at,
        };
        if let Some(accesses) = &mut self.accesses {
            accesses.noted.push(access);
        }
    }

    /// Records that CL1INVMB or INVD will drop these dirty lines, as far as they are watched.
    #[cold]
    pub(crate) fn note_drops(&mut self, lines: &[CoreAddr]) {
        for addr in lines.iter().filter(|addr| self.is_watched(**addr)).copied().collect::<Vec<_>>()
        {
            self.note(AccessKind::Drop, Beforehand { addr, ..NOWHERE }, ServedBy::L1, 0);
        }
    }

    /// Records that the core takes a maskable interrupt.
    pub(crate) fn note_interrupt(&mut self) {
        if self.accesses.is_some() {
            self.note(AccessKind::Interrupt, NOWHERE, ServedBy::Bus, 0);
        }
    }
}

/// Gives the permit for the fast path to the TLB entries of all pages that L1D may cache, except
/// watched pages, from which it takes the permit.
fn mark_pages(tlbs: &mut Tlbs, watched: impl Fn(u32, CoreAddr) -> bool) {
    let mark = |page: u32, entry: &mut Entry| {
        let frame = CoreAddr(entry.frame);
        let quick = is_cacheable(entry.frame, entry.memory_type) && !watched(page, frame);
        match quick {
            true => entry.permit |= permit::CACHED,
            false => entry.permit &= !permit::CACHED,
        }
    };
    for tlb in [&mut tlbs.data, &mut tlbs.data_large, &mut tlbs.code] {
        // An empty entry has a memory type that L1D does not cache, so it stays without the permit.
        tlb.entries.iter_mut().zip(&tlb.pages).for_each(|(entry, page)| mark(*page, entry));
        tlb.changed = true;
    }
}
