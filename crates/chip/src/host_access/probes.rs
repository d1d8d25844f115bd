//! What a developer asks of i586 cores: translation on or off, probes, profiles, memory as a core
//! sees it.

use rockcreek_cpu::{Call, CodeCache, Core, ProbeKind, ProfileReport};
use rockcreek_defs::{CoreAddr, CoreId};

use crate::scheduler::chip::Chip;

impl Chip<Core> {
    /// Whether hot code is made host code; results are the same.
    pub fn set_translating(&mut self, on: bool) {
        for code in self.workers.all() {
            code.set_translation(on.then_some(CodeCache::HOT));
        }
    }

    /// Counts how often a core retires the instruction at a linear address; may note its calls.
    pub fn set_probe(&mut self, core: CoreId, linear: u32, kind: ProbeKind) {
        for code in self.workers.all() {
            code.leave_to_interpreter(linear);
        }
        self.slot_mut(core).processor.set_probe(linear, kind);
    }

    /// The calls that a core's probes have noted, in order; only what is past being taken back,
    /// or with `all` everything up to the present time.
    pub fn take_calls(&mut self, core: CoreId, all: bool) -> Vec<Call> {
        if all {
            self.settle();
            let uncore = &self.uncore;
            let memory = |addr| uncore.peek_byte(core, addr);
            self.slots[core.index()].processor.complete_calls(&memory);
        }
        self.slots[core.index()].processor.take_calls(all)
    }

    /// Counts where instructions are executed: by the interpreter or by translated code.
    pub fn set_profiling(&mut self, on: bool) {
        self.workers.all().for_each(|code| code.set_profiling(on));
    }

    /// What was counted since.
    pub fn profile(&mut self) -> ProfileReport {
        let mut report = ProfileReport::default();
        self.workers.all().for_each(|code| code.report(&mut report));
        report
    }

    /// Where a core's page tables have a linear address now; `None` where no page is.
    pub fn translate_linear(&self, core: CoreId, address: u32) -> Option<u32> {
        let memory = |addr: CoreAddr| self.uncore.peek_byte(core, addr);
        let processor = &self.slot(core).processor;
        processor.peek_translate(address, &memory).map(|addr| addr.0)
    }

    /// What a core would read at a linear address now, whatever its privilege, in zero time;
    /// `None` where no page or no memory is.
    pub fn read_linear(&self, core: CoreId, address: u32, length: usize) -> Option<Vec<u8>> {
        let memory = |addr: CoreAddr| self.uncore.peek_byte(core, addr);
        let processor = &self.slot(core).processor;
        (0..length as u32)
            .map(|n| processor.peek_linear(address.wrapping_add(n), &memory))
            .collect()
    }
}
