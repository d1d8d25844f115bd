//! Faults: events in the order of events, after all others at their instant.
//!
//! A core that has run past a fault is rolled back to it (`catch_up`), as for a pin. No rollback
//! undoes a fault's effect on a core, because a new window begins with it. From the first fault of
//! a link on, all requests take the path of an observed chip, and no waiting core becomes a stream.

use rockcreek_defs::{CoreId, Ps};
use rockcreek_engine::Key;

use crate::processor::Processor;
use crate::scheduler::chip::{Chip, Event};
use crate::slot::Phase;
use crate::uncore::faults::{CacheName, Fault, FaultRecord};
use crate::uncore::request_path::Flight;
use crate::uncore::wiring::order;

/// What a fault changed: the core's address of a byte in L1D or L2 (0 for other places), and the
/// byte or register before and after.
type Broken = (u64, u32, u32);

impl<P: Processor> Chip<P> {
    /// Schedules a fault at `time`, or now if `time` has passed. `id` distinguishes faults, and
    /// orders those of one instant.
    pub fn add_fault(&mut self, id: u32, time: Ps, fault: Fault) {
        let source = self.slots.len() as u32 + 1;
        let key = Key { time: time.max(self.now), unit: order::FAULT, source, sequence: id.into() };
        self.queue.push(key, Event::Fault { id, fault });
    }

    /// Removes and returns the records of the faults that have occurred since the last call, in
    /// order.
    pub fn take_faults(&mut self) -> Vec<FaultRecord> {
        std::mem::take(&mut self.faults)
    }

    pub(crate) fn perform_fault(&mut self, id: u32, fault: Fault) {
        let found = self.break_it(fault);
        let (address, before, after) = found.unwrap_or_default();
        let time = self.now;
        let happened = found.is_some();
        self.faults.push(FaultRecord { id, time, happened, address, before, after });
    }

    fn break_it(&mut self, fault: Fault) -> Option<Broken> {
        match fault {
            Fault::Die { core } => self.stop_for_good(core, true),
            Fault::Hang { core } => self.stop_for_good(core, false),
            Fault::FlipMpb { tile, offset, bit } => {
                let mpb = &mut self.uncore.tiles[tile.index()].mpb;
                let mut byte = [0];
                mpb.read(offset.into(), &mut byte);
                let after = byte[0] ^ 1 << (bit % 8);
                mpb.write(offset.into(), &[after], 1);
                Some((0, byte[0].into(), after.into()))
            }
            Fault::FlipMemory { controller, offset, bit } => {
                let dram = &mut self.uncore.controllers[usize::from(controller)].dram;
                let mut byte = [0];
                dram.read(offset, &mut byte);
                let after = byte[0] ^ 1 << (bit % 8);
                dram.write(offset, &[after]);
                Some((0, byte[0].into(), after.into()))
            }
            Fault::FlipCache { core, cache, nth, bit } => {
                let level2 = cache == CacheName::L2;
                self.break_core(core, |processor| processor.flip_cached(level2, nth, bit))
            }
            Fault::FlipRegister { core, register, bit } => {
                self.break_core(core, |processor| processor.flip_register(register, bit))
            }
            Fault::Undervoltage { core, register, bit, level } => {
                if self.has_enough(core, level) {
                    return None;
                }
                self.break_core(core, |processor| processor.flip_register(register, bit))
            }
            Fault::Lock { core, stuck } => {
                let topology = &self.uncore.description().topology;
                let (tile, z) = (topology.tile_of(core), topology.z_of(core));
                let before = self.uncore.tiles[tile.index()].registers.stick_lock(z, stuck);
                Some((0, before, stuck.map_or(before, u32::from)))
            }
            Fault::Link { router, direction, health } => {
                self.uncore.faulty_links.set(router, direction, health);
                Some((0, 0, 0))
            }
        }
    }

    /// True if a voltage is high enough for a core's clock: the level `level`, or with `None` the
    /// present level of the core's domain.
    fn has_enough(&self, core: CoreId, level: Option<u8>) -> bool {
        let tile = self.description().topology.tile_of(core);
        let level = level.unwrap_or_else(|| self.level_of(self.description().domain_of(tile)));
        self.needed_by(core).is_some_and(|needed| needed <= level)
    }

    /// Stops a core for good: only a reset starts it again. `known`: true if the run does not wait
    /// for the core's end (it died), false if it does (it hangs). `None`, without any change, if
    /// the core is in reset or has ended.
    fn stop_for_good(&mut self, core: CoreId, known: bool) -> Option<Broken> {
        let slot = &mut self.slots[core.index()];
        if matches!(slot.phase, Phase::Reset | Phase::Ended) {
            return None;
        }
        slot.catch_up(&mut self.workers, self.now);
        slot.phase = if known { Phase::Ended } else { Phase::Lost };
        slot.switch_level2();
        slot.ahead = false;
        self.steps.clear(core.0.into());
        self.running -= usize::from(known);
        Some((0, 0, 0))
    }

    fn break_core(
        &mut self,
        core: CoreId,
        broken: impl FnOnce(&mut P) -> Option<Broken>,
    ) -> Option<Broken> {
        let slot = &mut self.slots[core.index()];
        if matches!(slot.phase, Phase::Reset | Phase::Ended) {
            return None;
        }
        let moved = slot.catch_up(&mut self.workers, self.now);
        let found = broken(&mut slot.processor);
        slot.processor.begin_window();
        slot.ahead = false;
        slot.whole_run = None;
        if moved {
            self.schedule(core);
        }
        found
    }

    /// Sends a core's request into a mesh in which some links are faulty: it may arrive late, or
    /// never.
    pub(crate) fn inject_over_links(&mut self, core: CoreId, key: Key) {
        let Chip { slots, uncore, .. } = self;
        let slot = &mut slots[core.index()];
        slot.processor.before_transaction(|addr| uncore.peek_byte(core, addr));
        let Some(request) = slot.request() else { return };
        let flight = uncore.inject_without_route(core, key.time, slot.clock.period_ps, request);
        match uncore.later_out(core, &flight) {
            Some(ps) => {
                let flight = flight.delayed(ps);
                slot.phase = Phase::Flight(flight);
                self.steps.add(key.source, flight.arrive, flight.order());
            }
            None => self.lose(core),
        }
    }

    /// How much later a response reaches the core because of faulty links, in picoseconds; `None`
    /// if the response is lost, so that the core waits for ever.
    pub(crate) fn later_back(&mut self, core: CoreId, flight: &Flight) -> Option<u64> {
        let later = self.uncore.later_back(core, flight);
        if later.is_none() {
            self.lose(core);
        }
        later
    }

    fn lose(&mut self, core: CoreId) {
        let slot = &mut self.slots[core.index()];
        slot.phase = Phase::Lost;
        slot.ahead = false;
    }
}
