//! The i586 core behind the scheduler's interface to a core.

use std::sync::Arc;

use rockcreek_boot::EntryState;
use rockcreek_cpu::{
    Bus, Charge, CodeCache, Core, CoreSnapshot, Exit, NoBus, Round, Segment, ShutdownCause, Taken,
    Transfer, cr0, gpr, sreg,
};
use rockcreek_defs::{
    Access, BusRequest, BusResponse, CoreAddr, OutputPins, Pins, ProgramMemory, Retired,
};
use rockcreek_observe::{Instruction, Statistic, value_hash};

use crate::processor::{CoreActivity, Processor, Stop};

/// The bit of EFLAGS that is always 1.
const EFLAGS_FIXED: u32 = 1 << 1;
/// The x87 tag word of an empty stack.
const EMPTY_TAGS: u16 = 0xFFFF;

impl Processor for Core {
    type Shared = CodeCache;
    type State = CoreSnapshot;
    type Round = Round;

    fn reset(&mut self, level2: bool) {
        Core::reset(self);
        if level2 {
            self.caches_mut().reset_l2();
        }
    }

    fn enter(&mut self, entry: &EntryState) {
        let mut registers = self.registers();
        registers.general = [0; 8];
        registers.general[gpr::EAX] = entry.eax;
        registers.general[gpr::EBX] = entry.ebx;
        registers.eip = entry.eip;
        registers.eflags = EFLAGS_FIXED;
        registers.segments = [Segment::flat(0, false); 6];
        registers.segments[sreg::CS] = Segment::flat(0, true);
        registers.cr0 |= cr0::PE;
        self.set_registers(&registers);
    }

    #[inline]
    fn cycles(&self) -> u64 {
        Core::cycles(self)
    }

    fn sends_from(&self) -> u64 {
        Core::sends_from(self)
    }

    fn await_bus(&mut self) {
        Core::await_bus(self);
    }

    fn advance_to(&mut self, cycle: u64) {
        Core::advance_to(self, cycle);
    }

    fn run(&mut self, shared: &mut CodeCache, limit: u64) -> Stop {
        Processor::run_with(self, shared, limit, &mut NoBus)
    }

    #[inline]
    fn run_with(&mut self, shared: &mut CodeCache, limit: u64, bus: &mut dyn Bus) -> Stop {
        match self.run_to_stop(shared, limit, bus) {
            None | Some(Exit::Bus(_)) => Stop::Bus,
            Some(Exit::Limit) => Stop::Limit,
            Some(Exit::Halted) => Stop::Halted,
            Some(Exit::Shutdown(_)) => Stop::Shutdown,
            Some(Exit::Break) => Stop::Break,
        }
    }

    #[inline(always)]
    fn complete(&mut self, cycle: u64, response: &BusResponse) {
        Core::complete(self, cycle, response);
    }

    #[inline]
    fn waiting_for(&self) -> Option<&BusRequest> {
        Core::waiting_for(self)
    }

    fn recurs(&mut self) -> Option<Round> {
        Core::recurs(self)
    }

    fn repeat(&mut self, round: &Round, rounds: u64, cycle: u64, waited: u64) {
        Core::repeat(self, round, rounds, cycle, waited);
    }

    fn set_delay_passing(&mut self, on: bool) {
        Core::set_delay_passing(self, on);
    }

    fn pass_break(&mut self) {
        Core::pass_break(self);
    }

    fn set_pins(&mut self, pins: Pins) {
        Core::set_pins(self, pins);
    }

    fn output_pins(&self) -> OutputPins {
        Core::output_pins(self)
    }

    fn last_fault(&self) -> (u8, u32) {
        match self.shutdown_cause() {
            Some(ShutdownCause::TripleFault { vector, eip }) => (vector, eip),
            None => (0, 0),
        }
    }

    fn set_level2(&mut self, enabled: bool) {
        self.caches_mut().set_l2_enabled(enabled);
    }

    fn next_timer_cycle(&self) -> Option<u64> {
        Core::next_timer_cycle(self)
    }

    fn begin_window(&mut self) {
        Core::begin_window(self);
    }

    fn rollback(&mut self) {
        Core::rollback(self);
    }

    fn state(&self) -> CoreSnapshot {
        self.snapshot()
    }

    fn restore(&mut self, state: &CoreSnapshot) {
        Core::restore(self, state);
    }

    fn statistics(&self) -> Statistic {
        let part = |statistic: Result<Statistic, _>| statistic.expect("counters are integers");
        Statistic::group([
            ("core", part(Statistic::of(&self.counters()))),
            ("cache", part(Statistic::of(self.caches().stats()))),
        ])
    }

    fn activity(&self) -> CoreActivity {
        let (counters, caches) = (self.counters(), self.caches().stats());
        CoreActivity {
            instructions: counters.instructions.saturating_sub(counters.x87_instructions),
            x87_instructions: counters.x87_instructions,
            l1_accesses: counters.loads + counters.stores,
            l2_accesses: caches.l1d_fills_from_l2
                + caches.l1i_fills_from_l2
                + caches.l1d_writebacks_to_l2
                + caches.writes_to_l2
                + caches.locked_l2_accesses
                + caches.l2_fills
                + caches.l2_writebacks,
            halted_cycles: counters.halted_cycles,
        }
    }

    #[inline]
    fn before_transaction(&mut self, memory: impl Fn(CoreAddr) -> Option<u8>) {
        if !self.calls_are_complete() {
            self.complete_calls(&memory);
        }
    }

    #[inline]
    fn fetch_ahead(&self, enters: bool) {
        match enters {
            true => self.fetch_request_ahead(),
            false => self.fetch_state_ahead(),
        }
    }

    fn flip_cached(&mut self, level2: bool, nth: u32, bit: u8) -> Option<(u64, u32, u32)> {
        let (address, before, after) = Core::flip_cached(self, level2, nth, bit)?;
        Some((address.0.into(), before.into(), after.into()))
    }

    fn flip_register(&mut self, register: u8, bit: u8) -> Option<(u64, u32, u32)> {
        let (before, after) = Core::flip_register(self, register, bit)?;
        Some((0, before, after))
    }

    fn watch_accesses(&mut self, segments: Option<(&[bool], u64)>) {
        Core::watch_accesses(self, segments);
    }

    fn watch_program(&mut self, memory: &Arc<ProgramMemory>) {
        Core::watch_program(self, memory);
    }

    fn take_accesses(&mut self, into: &mut Vec<Access>) {
        Core::take_accesses(self, into);
    }

    fn noted_accesses(&self) -> usize {
        Core::noted_accesses(self)
    }

    fn recorded_instructions(&self) -> usize {
        self.recorded_commits()
    }

    fn take_retired(&mut self, into: &mut Vec<Retired>) {
        into.extend(self.drain_commits().iter().map(|record| Retired {
            cycle: record.cycle,
            eip: record.eip,
            eflags: record.eflags,
            general: record.general,
            x87_status: record.x87_status,
            user: record.user,
        }));
    }

    fn holds_dirty(&self, addr: CoreAddr) -> bool {
        Core::holds_dirty(self, addr)
    }

    fn date_snapshots(&mut self, time_of: &dyn Fn(u64) -> u64) {
        Core::date_snapshots(self, time_of);
    }

    fn take_transfers(&mut self, what: Taken, into: &mut Vec<Transfer>) {
        Core::take_transfers(self, what, into);
    }

    fn record_cycles(&mut self, on: bool) {
        Core::record_cycles(self, on);
    }

    fn charge_all(&mut self) {
        Core::charge_all(self);
    }

    fn take_charges(&mut self, sink: &mut dyn FnMut(&Charge)) {
        Core::take_charges(self).iter().for_each(sink);
    }

    fn record(&mut self, on: bool) {
        self.record_commits(on);
    }

    fn drain(&mut self, sink: &mut dyn FnMut(&Instruction)) {
        for record in self.drain_commits() {
            let untouched = (record.x87_status, record.x87_tags) == (0, EMPTY_TAGS);
            let mut x87 = [0; 4];
            x87[..2].copy_from_slice(&record.x87_status.to_le_bytes());
            x87[2..].copy_from_slice(&record.x87_tags.to_le_bytes());
            sink(&Instruction {
                cycle: record.cycle,
                eip: record.eip,
                flags: record.eflags,
                registers: record.general,
                x87: if untouched { 0 } else { value_hash(&x87) },
            });
        }
    }
}
