//! Probes: how often an instruction was retired, and what a function was called with. They cost
//! no simulated time, and code without probes runs as if there were none: the interpreter looks at
//! lines of code that hold a probed address instruction by instruction, and translated code leaves
//! it the probed instruction alone.
//!
//! A call is what lies at the top of the stack when a probed instruction begins, the first of a
//! function: the return address and, by the i386 convention, the arguments. A word that neither
//! L1D nor L2 holds is in memory, which this crate does not see; it cannot change before the
//! core's next transaction (a store that misses goes to memory), so the chip adds it then. A core
//! that is taken back behind that transaction meets the same calls again and keeps what was added.

use std::collections::BTreeMap;

use rockcreek_defs::{CoreAddr, LINE_BYTES};

use crate::core::parts::Core;
use crate::memory::paging::{LARGE_PAGE_BYTES, PAGE_BYTES};
use crate::observe::debug_memory::ReadMemory;
use crate::registers::register_file::{cr0, gpr, sreg};

/// Bits of the filter that tells most lines apart from all probed ones.
const FILTER_BITS: usize = 4096;
/// The return address and seven arguments.
pub const CALL_WORDS: usize = 8;

/// What a probe notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbeKind {
    /// In ring 3 alone.
    pub user_only: bool,
    /// Besides the count, the words at the top of the stack.
    pub calls: bool,
}

/// One probed address.
#[derive(Clone, Copy, Debug, Default)]
struct Probe {
    count: u64,
    at_window: u64,
    kind: ProbeKind,
}

/// A call of a probed function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Linear address of the function.
    pub address: u32,
    /// Where `words` begin. A function that was jumped to, as the last act of another one, has the
    /// same as that.
    pub stack: u32,
    /// The return address and the words above it; 0 where nothing is mapped.
    pub words: [u32; CALL_WORDS],
}

#[derive(Clone, Copy, Debug)]
struct Noted {
    call: Call,
    /// Bits of the words that lie in memory.
    missing: u8,
}

/// The probes of one core.
#[derive(Clone, Debug)]
pub(crate) struct Probes {
    by_address: BTreeMap<u32, Probe>,
    filter: Box<[u64]>,
    calls: Vec<Noted>,
    /// The next call's place in `calls`; behind it are those to be met again after a rollback.
    next: usize,
    next_at_window: usize,
    /// Calls up to this one have all their words.
    complete: usize,
}

impl Default for Probes {
    fn default() -> Probes {
        let filter = vec![0; FILTER_BITS / 64].into_boxed_slice();
        Probes {
            by_address: BTreeMap::new(),
            filter,
            calls: Vec::new(),
            next: 0,
            next_at_window: 0,
            complete: 0,
        }
    }
}

fn filter_bit(linear: u32) -> (usize, u32) {
    let bit = linear as usize / LINE_BYTES % FILTER_BITS;
    (bit / 64, bit as u32 % 64)
}

impl Probes {
    pub fn begin_window(&mut self) {
        for probe in self.by_address.values_mut() {
            probe.at_window = probe.count;
        }
        self.next_at_window = self.next;
    }

    pub fn rollback(&mut self) {
        for probe in self.by_address.values_mut() {
            probe.count = probe.at_window;
        }
        self.next = self.next_at_window;
        self.calls.truncate(self.complete.max(self.next));
    }

    /// Whether nothing has been counted since the window began.
    pub fn unchanged(&self) -> bool {
        self.by_address.values().all(|probe| probe.count == probe.at_window)
    }

    /// Whether a probe may be in the line of this address.
    #[inline]
    pub fn near(&self, linear: u32) -> bool {
        let (word, bit) = filter_bit(linear);
        self.filter[word] >> bit & 1 != 0
    }

    fn note(&mut self, noted: Noted) {
        if self.next == self.calls.len() {
            self.calls.push(noted);
        }
        self.next += 1;
    }

    /// Counts a retired instruction; true if its call is to be noted.
    fn retire(&mut self, linear: u32, cpl: u8) -> bool {
        match self.by_address.get_mut(&linear) {
            Some(probe) if cpl == 3 || !probe.kind.user_only => {
                probe.count += 1;
                probe.kind.calls
            }
            _ => false,
        }
    }
}

impl Core {
    /// Counts from now on how often the instruction at a linear address retires. The code cache
    /// must know (`CodeCache::leave_to_interpreter`).
    pub fn set_probe(&mut self, linear: u32, kind: ProbeKind) {
        let probes = self.probes.get_or_insert_default();
        let (word, bit) = filter_bit(linear);
        probes.filter[word] |= 1 << bit;
        probes.by_address.insert(linear, Probe { kind, ..Probe::default() });
    }

    /// Address and count of each probe, in order of address.
    pub fn probe_counts(&self) -> Vec<(u32, u64)> {
        let probes = self.probes.iter().flat_map(|probes| &probes.by_address);
        probes.map(|(&address, probe)| (address, probe.count)).collect()
    }

    /// Whether no call lacks words that lie in memory.
    #[inline]
    pub fn calls_are_complete(&self) -> bool {
        self.probes.as_ref().is_none_or(|probes| probes.complete >= probes.next)
    }

    /// Reads the words of calls that lie in memory. To be called when the core's next transaction
    /// leaves it.
    #[inline]
    pub fn complete_calls(&mut self, memory: ReadMemory<'_>) {
        if !self.calls_are_complete() {
            self.read_words_of_calls(memory);
        }
    }

    fn read_words_of_calls(&mut self, memory: ReadMemory<'_>) {
        let Some(mut probes) = self.probes.take() else { return };
        for noted in &mut probes.calls[probes.complete..probes.next] {
            for n in (0..CALL_WORDS).filter(|n| noted.missing >> n & 1 != 0) {
                let at = noted.call.stack.wrapping_add(4 * n as u32);
                let byte = |i: u32| self.peek_linear(at.wrapping_add(i), memory).unwrap_or(0);
                noted.call.words[n] = u32::from_le_bytes([0, 1, 2, 3].map(byte));
            }
        }
        probes.complete = probes.next;
        self.probes = Some(probes);
    }

    /// Takes the calls noted so far, in order: those that cannot be taken back. With `all` (after
    /// `complete_calls`) all of them: there will be no rollback.
    pub fn take_calls(&mut self, all: bool) -> Vec<Call> {
        let Some(probes) = &mut self.probes else { return Vec::new() };
        let end = if all { probes.next } else { probes.next_at_window.min(probes.complete) };
        let taken = probes.calls.drain(..end).map(|noted| noted.call).collect();
        probes.next -= end;
        probes.next_at_window -= end.min(probes.next_at_window);
        probes.complete -= end.min(probes.complete);
        taken
    }

    /// An instruction at a linear address has retired; before it the stack pointer was `stack`.
    pub(crate) fn retire_probed(&mut self, linear: u32, stack: u32) {
        let cpl = self.state.cpl;
        if self.probes.as_mut().is_some_and(|probes| probes.retire(linear, cpl)) {
            self.note_call(linear, stack);
        }
    }

    /// Before an instruction that translated code has left to the interpreter: where the stack
    /// pointer is, if there may be a probe.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn stack_if_probed(&self) -> Option<u32> {
        self.probed_here().then(|| self.stack_address())
    }

    /// After it.
    #[cfg(target_arch = "x86_64")]
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

    /// A word that the TLB translates and L1D or L2 holds.
    fn cached_word(&self, linear: u32) -> Option<u32> {
        let mut bytes = [0; 4];
        for (i, byte) in bytes.iter_mut().enumerate() {
            let linear = linear.wrapping_add(i as u32);
            *byte = self.caches.peek(self.held_translation(linear)?)?;
        }
        Some(u32::from_le_bytes(bytes))
    }

    fn held_translation(&self, linear: u32) -> Option<CoreAddr> {
        if self.state.cr0 & cr0::PG == 0 {
            return Some(CoreAddr(linear));
        }
        let within = |tlb: &crate::units::tlb::Tlb, bytes: u32| {
            let entry = tlb.find(linear / bytes)?;
            Some(CoreAddr(entry.frame | linear & (bytes - 1)))
        };
        within(&self.tlbs.data, PAGE_BYTES)
            .or_else(|| within(&self.tlbs.data_large, LARGE_PAGE_BYTES))
    }
}
