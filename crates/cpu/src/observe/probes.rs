//! Probes: counts of how often an instruction was retired, and the arguments with which a function
//! was called. Probes cost no simulated time, and code without probes runs at full speed: the
//! interpreter checks instruction by instruction only in lines that hold a probed address, and
//! translated code leaves the probed instruction to the interpreter.
//!
//! A call is recorded as the words at the top of the stack when the first instruction of a probed
//! function begins: the return address and, by the i386 convention, the arguments. A word that
//! neither L1D nor L2 holds is in memory, which this crate cannot read. The word cannot change
//! before the core's next transaction (a store that misses goes to memory), so the chip adds it
//! then. If the core is rolled back to before that transaction, it records the same calls again and
//! keeps the added words.

use rockcreek_defs::{AccessKind, CoreAddr};

use crate::core::parts::Core;
use crate::memory::paging::{LARGE_PAGE_BYTES, PAGE_BYTES};
use crate::observe::debug_memory::ReadMemory;
use crate::registers::register_file::{cr0, gpr, sreg};
use crate::state::observers::probes::{
    CALL_WORDS, Call, Noted, Probe, ProbeKind, ProbeNote, filter_bit,
};
use crate::state::observers::snapshots::{Snapshot, Taken};

impl Core {
    /// Starts counting how often the instruction at a linear address retires; an existing probe
    /// there begins again at 0, and keeps what it records besides. The code cache must know the
    /// address too (`CodeCache::leave_to_interpreter`).
    pub fn set_probe(&mut self, linear: u32, kind: ProbeKind) {
        let probes = self.probes.get_or_insert_default();
        let (word, bit) = filter_bit(linear);
        probes.filter[word] |= 1 << bit;
        let probe = probes.by_address.entry(linear).or_default();
        let before = probe.kind;
        *probe = Probe { kind, ..Probe::default() };
        probe.kind.note = kind.note.or(before.note);
        probe.kind.snapshot |= before.snapshot;
    }

    /// Address and count of each probe, in order of address.
    pub fn probe_counts(&self) -> Vec<(u32, u64)> {
        let probes = self.probes.iter().flat_map(|probes| &probes.by_address);
        probes.map(|(&address, probe)| (address, probe.count)).collect()
    }

    /// Address and core cycle of the last count of each probe that has counted, in order of
    /// address.
    pub fn probe_cycles(&self) -> Vec<(u32, u64)> {
        let probes = self.probes.iter().flat_map(|probes| &probes.by_address);
        let counted = probes.filter(|(_, probe)| probe.count > 0);
        counted.map(|(&address, probe)| (address, probe.last)).collect()
    }

    /// For each probe that has counted: its address, and how many steps (see [`ProbeKind`]) the
    /// core has made since its last count. In order of address.
    pub fn probe_steps(&self) -> Vec<(u32, u64)> {
        let Some(probes) = &self.probes else { return Vec::new() };
        let counted = probes.by_address.iter().filter(|(_, probe)| probe.count > 0);
        counted.map(|(&address, probe)| (address, probes.steps - probe.steps)).collect()
    }

    /// True if all words of all recorded calls are known; false if some must still be read from
    /// memory.
    #[inline]
    pub fn calls_are_complete(&self) -> bool {
        self.probes.as_ref().is_none_or(|probes| {
            probes.complete >= probes.next
                && probes.snapshots.complete == probes.snapshots.all.len()
        })
    }

    /// Reads from memory the missing words of recorded calls. The chip calls this function when the
    /// core's next transaction leaves.
    #[inline]
    pub fn complete_calls(&mut self, memory: ReadMemory<'_>) {
        if !self.calls_are_complete() {
            self.read_words_of_calls(memory);
        }
    }

    fn read_words_of_calls(&mut self, memory: ReadMemory<'_>) {
        let Some(mut probes) = self.probes.take() else { return };
        let (complete, next) = (probes.complete.min(probes.next), probes.next);
        for noted in &mut probes.calls[complete..next] {
            for n in (0..CALL_WORDS).filter(|n| noted.missing >> n & 1 != 0) {
                let at = noted.call.stack.wrapping_add(4 * n as u32);
                let byte = |i: u32| self.peek_linear(at.wrapping_add(i), memory).unwrap_or(0);
                noted.call.words[n] = u32::from_le_bytes([0, 1, 2, 3].map(byte));
            }
        }
        probes.complete = probes.complete.max(next);
        let snapshots = &mut probes.snapshots;
        for taken in &mut snapshots.all[snapshots.complete..] {
            if let Some(at) = taken.missing.take() {
                let byte = |i: u32| self.peek_linear(at.wrapping_add(i), memory).unwrap_or(0);
                taken.snapshot.word = u32::from_le_bytes([0, 1, 2, 3].map(byte));
            }
        }
        snapshots.complete = snapshots.all.len();
        self.probes = Some(probes);
    }

    /// Removes and returns recorded calls, in order: those that no rollback can undo, or with `all`
    /// every one (call `complete_calls` before, and roll back to no earlier point afterwards).
    pub fn take_calls(&mut self, all: bool) -> Vec<Call> {
        let Some(probes) = &mut self.probes else { return Vec::new() };
        let end = if all { probes.next } else { probes.next_at_window.min(probes.complete) };
        let taken = probes.calls.drain(..end).map(|noted| noted.call).collect();
        probes.next -= end;
        probes.next_at_window -= end.min(probes.next_at_window);
        probes.complete -= end.min(probes.complete);
        taken
    }

    /// Counts an instruction retired at a linear address, and makes the record that its probe asks
    /// for; `stack` is the stack pointer before the instruction.
    pub(crate) fn retire_probed(&mut self, linear: u32, stack: u32) {
        let (cpl, cycle) = (self.state.cpl, self.state.cycles);
        let probes = self.probes.as_mut();
        let Some(kind) = probes.and_then(|probes| probes.retire(linear, cpl, cycle)) else {
            return;
        };
        if kind.snapshot {
            self.take_snapshot(linear, stack);
        }
        match kind.note {
            Some(ProbeNote::Call) => self.note_call(linear, stack),
            Some(ProbeNote::Release) => self.note_mark(AccessKind::Release, stack),
            Some(ProbeNote::Acquire) => self.note_mark(AccessKind::Acquire, stack),
            Some(ProbeNote::Returned) => self.note_mark(AccessKind::Returned, stack),
            Some(ProbeNote::Event) => self.note_event(stack),
            Some(ProbeNote::Entered) => self.note_border(AccessKind::Entered, linear, stack),
            Some(ProbeNote::Left) => self.note_border(AccessKind::Left, linear, stack),
            None => {}
        }
    }

    /// The recorded snapshots, in order; of each probe and word at least the first and the last.
    pub fn snapshots(&self) -> Vec<Snapshot> {
        let taken = self.probes.iter().flat_map(|probes| &probes.snapshots.all);
        taken.map(|taken| taken.snapshot).collect()
    }

    /// Sets the time of each snapshot that has none. Call before the core's clock changes, and
    /// before the snapshots are read. `time_of`: the time in picoseconds of a cycle.
    pub fn date_snapshots(&mut self, time_of: &dyn Fn(u64) -> u64) {
        let all = self.probes.iter_mut().flat_map(|probes| &mut probes.snapshots.all);
        for taken in all {
            let cycle = taken.snapshot.cycle;
            taken.snapshot.time_ps.get_or_insert_with(|| time_of(cycle));
        }
    }

    #[inline(never)]
    fn take_snapshot(&mut self, address: u32, stack: u32) {
        let at = stack.wrapping_add(4);
        let known = self.cached_word(at);
        let number = self.probes.as_ref().map_or(0, |probes| probes.snapshots.taken);
        let snapshot = Snapshot {
            number,
            address,
            word: known.unwrap_or(0),
            cycle: self.state.cycles,
            time_ps: None,
            counters: self.counters(),
            caches: *self.caches.stats(),
        };
        let missing = known.is_none().then_some(at);
        if let Some(probes) = &mut self.probes {
            let snapshots = &mut probes.snapshots;
            snapshots.taken = number.saturating_add(1);
            if missing.is_none() && snapshots.complete == snapshots.all.len() {
                snapshots.complete += 1;
            }
            snapshots.all.push(Taken { snapshot, missing });
        }
    }

    /// Call before the interpreter executes an instruction for translated code. Returns the stack
    /// pointer if there may be a probe at the instruction, otherwise `None`.
    #[inline]
    pub(crate) fn stack_if_probed(&self) -> Option<u32> {
        self.probed_here().then(|| self.stack_address())
    }

    /// Call after the interpreter has executed an instruction for translated code. Counts the
    /// instruction at `linear` if `stack` is the result of `stack_if_probed` before it; does
    /// nothing for `None`.
    #[inline]
    pub(crate) fn retire_if_probed(&mut self, linear: u32, stack: Option<u32>) {
        if let Some(stack) = stack {
            self.retire_probed(linear, stack);
        }
    }

    /// The stack pointer as a linear address.
    pub(crate) fn stack_address(&self) -> u32 {
        let base = self.state.segments[sreg::SS].base;
        base.wrapping_add(self.state.general[gpr::ESP])
    }

    #[inline(never)]
    fn note_call(&mut self, address: u32, stack: u32) {
        let mut words = [0; CALL_WORDS];
        let mut missing = 0;
        for (n, word) in words.iter_mut().enumerate() {
            match self.cached_word(stack.wrapping_add(4 * n as u32)) {
                Some(held) => *word = held,
                None => missing |= 1 << n,
            }
        }
        if let Some(probes) = &mut self.probes {
            probes.note(Noted { call: Call { address, stack, words }, missing });
        }
    }

    /// The 4-byte word at a linear address; `None` if neither L1D nor L2 has its line, or if neither
    /// the TLB nor the caches have the page's translation.
    pub(crate) fn cached_word(&self, linear: u32) -> Option<u32> {
        if linear.is_multiple_of(4) {
            return self.caches.peek_word(self.held_translation(linear)?);
        }
        let mut bytes = [0; 4];
        for (i, byte) in bytes.iter_mut().enumerate() {
            let linear = linear.wrapping_add(i as u32);
            *byte = self.caches.peek(self.held_translation(linear)?)?;
        }
        Some(u32::from_le_bytes(bytes))
    }

    /// The physical address of a linear address: from the TLB, or else from the page tables if the
    /// caches have the entries.
    pub(crate) fn held_translation(&self, linear: u32) -> Option<CoreAddr> {
        if self.state.cr0 & cr0::PG == 0 {
            return Some(CoreAddr(linear));
        }
        let within = |tlb: &crate::units::tlb::Tlb, bytes: u32| {
            let entry = tlb.find(linear / bytes)?;
            Some(CoreAddr(entry.frame | linear & (bytes - 1)))
        };
        within(&self.tlbs.data, PAGE_BYTES)
            .or_else(|| within(&self.tlbs.data_large, LARGE_PAGE_BYTES))
            .or_else(|| self.peek_translate(linear, &|_| None))
    }
}
