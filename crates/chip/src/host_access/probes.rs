//! Developers' access to i586 cores: translation on or off, probes, profiles, memory as a core
//! reads it.

use rockcreek_cpu::{Call, CodeCache, Core, ProbeKind, ProfileReport, Snapshot, Unequal};
use rockcreek_defs::{CoreAddr, CoreId};

use crate::scheduler::chip::Chip;

impl Chip<Core> {
    /// Turns the translation of frequent guest code to host code on or off. Results do not depend
    /// on it.
    pub fn set_translating(&mut self, on: bool) {
        for code in self.workers.all() {
            code.set_translation(on.then_some(CodeCache::HOT));
        }
    }

    /// Starts counting how often a core retires the instruction at a linear address. `kind` may ask
    /// that each retirement be recorded as a call, with registers and stack.
    pub fn set_probe(&mut self, core: CoreId, linear: u32, kind: ProbeKind) {
        for code in self.workers.all() {
            code.leave_to_interpreter(linear);
        }
        self.slot_mut(core).processor.set_probe(linear, kind);
    }

    /// Removes and returns the calls that a core's probes have recorded, in order: with `all` those
    /// up to the present, otherwise only those that no rollback can undo.
    pub fn take_calls(&mut self, core: CoreId, all: bool) -> Vec<Call> {
        if all {
            self.settle();
            let uncore = &self.uncore;
            let memory = |addr| uncore.peek_byte(core, addr);
            self.slots[core.index()].processor.complete_calls(&memory);
        }
        self.slots[core.index()].processor.take_calls(all)
    }

    /// What a core had counted at its probes' snapshots, with their times, in order.
    pub fn snapshots(&mut self, core: CoreId) -> Vec<Snapshot> {
        self.settle();
        let uncore = &self.uncore;
        let memory = |addr| uncore.peek_byte(core, addr);
        let slot = &mut self.slots[core.index()];
        let clock = slot.clock;
        slot.processor.complete_calls(&memory);
        slot.processor.date_snapshots(&|cycle| clock.time_of(cycle.max(clock.epoch_cycle)).0);
        slot.processor.snapshots()
    }

    /// Turns the host's profile on or off: for each place in the guest's code, how many
    /// instructions were interpreted and how many translated.
    pub fn set_profiling(&mut self, on: bool) {
        self.workers.all().for_each(|code| code.set_profiling(on));
    }

    /// The counts of the profile of execution since the profile was turned on, and where counted and
    /// executed instructions have differed since the chip was made.
    pub fn profile(&mut self) -> ProfileReport {
        let mut report = ProfileReport::default();
        self.workers.all().for_each(|code| code.report(&mut report));
        for slot in &self.slots {
            let Unequal { skipped, undone } = slot.processor.unequal();
            report.unequal.skipped += skipped;
            report.unequal.undone += undone;
        }
        report
    }

    /// The physical address that a core's page tables now give for a linear address; `None` if no
    /// page is mapped.
    pub fn translate_linear(&self, core: CoreId, address: u32) -> Option<u32> {
        let memory = |addr: CoreAddr| self.uncore.peek_byte(core, addr);
        let processor = &self.slot(core).processor;
        processor.peek_translate(address, &memory).map(|addr| addr.0)
    }

    /// The bytes that a core would now read at a linear address, whatever its privilege, in zero
    /// simulated time. `None` if no page or no memory is there.
    pub fn read_linear(&self, core: CoreId, address: u32, length: usize) -> Option<Vec<u8>> {
        let memory = |addr: CoreAddr| self.uncore.peek_byte(core, addr);
        let processor = &self.slot(core).processor;
        (0..length as u32)
            .map(|n| processor.peek_linear(address.wrapping_add(n), &memory))
            .collect()
    }
}
