//! Resets, clocks and pins: the effects of writes to a tile's configuration registers on its cores.

use rockcreek_board::Exit;
use rockcreek_boot::EntryState;
use rockcreek_defs::{BusRequest, Clock, CoreId, LINE_BYTES, Ps, TileId};
use rockcreek_tile::{Effect, Requester};

use crate::description::release_jitter;
use crate::processor::Processor;
use crate::scheduler::chip::{Chip, Event, Restart};
use crate::slot::Phase;
use crate::uncore::request_path::Flight;
use crate::uncore::wiring::{Unit, order};

impl<P: Processor> Chip<P> {
    /// Sets the registers and the address with which a core starts when it next leaves reset, after
    /// the host has loaded a kernel. Later starts begin at the reset vector again.
    pub fn set_entry(&mut self, core: CoreId, entry: EntryState) {
        self.slots[core.index()].entry = Some(entry);
    }

    /// Takes a core and its L2 out of reset, as the host does: now, or under jitter a little later.
    pub fn release(&mut self, core: CoreId) {
        self.release_at(core, self.now);
    }

    /// Takes a core and its L2 out of reset at the instant `told` (or now, if that instant has
    /// passed), or under jitter a little later.
    pub fn release_at(&mut self, core: CoreId, told: Ps) {
        let delay_ps = release_jitter::release_delay_ps(self.uncore.description(), core);
        let time = told.max(self.now) + delay_ps;
        if time == self.now {
            self.release_now(core);
        } else {
            self.releasing += 1;
            self.push_board_event(time, order::HOST, Event::Release { core });
        }
    }

    pub(crate) fn release_now(&mut self, core: CoreId) {
        let topology = &self.uncore.description().topology;
        let (tile, z) = (topology.tile_of(core), topology.z_of(core));
        self.uncore.tiles[tile.index()].registers.release(z);
        self.update_resets(tile);
    }

    pub(crate) fn tile_effect(&mut self, tile: TileId, effect: Effect) {
        match effect {
            Effect::Pins(z) => {
                let core = self.uncore.description().topology.core(tile, z);
                self.update_pins(core);
            }
            Effect::Level2(z) => self.update_level2(tile, z),
            Effect::ClocksAndResets => {
                self.update_resets(tile);
                self.request_divider(tile);
            }
        }
    }

    /// Sets the core's pins to the levels in GLCFG, at the present instant.
    pub(crate) fn update_pins(&mut self, core: CoreId) {
        let topology = &self.uncore.description().topology;
        let registers = &self.uncore.tiles[topology.tile_of(core).index()].registers;
        let pins = registers.pins(topology.z_of(core));
        let slot = &mut self.slots[core.index()];
        if pins == slot.pins {
            return;
        }
        slot.pins = pins;
        if matches!(slot.phase, Phase::Reset | Phase::Ended) {
            return;
        }
        let moved = slot.catch_up(&mut self.workers, self.now);
        slot.processor.set_pins(pins);
        if matches!(slot.phase, Phase::Halted) {
            // The core samples its pins again, and may be halted again.
            slot.processor.advance_to(slot.clock.cycle_at_or_after(self.now));
            slot.phase = Phase::Run;
            self.schedule(core);
        } else if moved {
            self.schedule(core);
        }
    }

    /// Call before a read of GLCFG at `time`: brings the cores of that tile to that instant,
    /// because GLCFG shows the levels of their output pins. Does nothing for other reads.
    pub(crate) fn look_at_outputs(&mut self, time: Ps, flight: &Flight, request: &BusRequest) {
        let Unit::Crb(tile) = flight.unit() else { return };
        let bytes = match *request {
            BusRequest::Read { size, .. } => size.into(),
            BusRequest::ReadLine { .. } => LINE_BYTES as u32,
            _ => return,
        };
        let registers = &self.uncore.tiles[tile.index()].registers;
        if registers.reads_outputs(flight.offset as u32, bytes) {
            self.show_outputs(tile, time);
        }
    }

    /// Brings a tile's cores to `time`, and stores the levels of their output pins, which GLCFG
    /// shows.
    fn show_outputs(&mut self, tile: TileId, time: Ps) {
        for core in self.tile_cores(tile) {
            // A core that is brought to an instant no longer waits as a stream.
            self.end_stream(core);
            let slot = &mut self.slots[core.index()];
            if slot.catch_up(&mut self.workers, time) {
                self.schedule(core);
            }
            let pins = self.slots[core.index()].processor.output_pins();
            let z = self.uncore.description().topology.z_of(core);
            self.uncore.tiles[tile.index()].registers.show_outputs(z, pins);
        }
    }

    /// The value that a read of a tile's configuration register by the tile's first core would
    /// return now; has no side effects (a free lock stays free).
    pub fn peek_register(&mut self, tile: TileId, offset: u32) -> u32 {
        self.show_outputs(tile, self.now);
        let registers = &self.uncore.tiles[tile.index()].registers;
        registers.peek_register(Requester { sub: 0 }, offset)
    }

    /// Switches a core's L2 on or off as L2CFG asks, at the present instant.
    fn update_level2(&mut self, tile: TileId, z: usize) {
        let core = self.uncore.description().topology.core(tile, z);
        let enabled = self.uncore.tiles[tile.index()].registers.level2_enabled(z);
        let slot = &mut self.slots[core.index()];
        let moved = slot.catch_up(&mut self.workers, self.now);
        if matches!(slot.phase, Phase::Inject | Phase::Flight(..) | Phase::Answer(..)) {
            slot.level2 = Some(enabled);
        } else {
            slot.processor.set_level2(enabled);
        }
        if moved {
            self.schedule(core);
        }
    }

    /// Applies the reset bits of GCBCFG to the cores of a tile.
    fn update_resets(&mut self, tile: TileId) {
        for z in 0..self.uncore.description().topology.cores_per_tile as usize {
            let core = self.uncore.description().topology.core(tile, z);
            let registers = &self.uncore.tiles[tile.index()].registers;
            let (pins, level2) = (registers.pins(z), registers.level2_reset(z));
            let phase = self.slots[core.index()].phase;
            if pins.reset && phase != Phase::Reset {
                self.hold(core, level2);
            } else if pins.reset && level2 {
                self.slots[core.index()].processor.reset(true);
            } else if !pins.reset && phase == Phase::Reset {
                self.start(core);
            }
        }
    }

    /// Puts a core into reset, and with `level2` its L2. What the core has done up to now stays;
    /// its request in progress is dropped.
    fn hold(&mut self, core: CoreId, level2: bool) {
        let slot = &mut self.slots[core.index()];
        slot.catch_up(&mut self.workers, self.now);
        if let Some(trace) = &mut self.trace {
            trace.take(core, slot, true);
        }
        let ended = slot.phase == Phase::Ended;
        slot.note_reset(self.now);
        slot.phase = Phase::Reset;
        slot.switch_level2();
        slot.ahead = false;
        self.steps.clear(core.0.into());
        slot.processor.reset(level2);
        if slot.released && !ended {
            self.running -= 1;
        }
        slot.released = false;
    }

    /// Resets a core after a triple fault. It starts again at its reset vector; the caller has
    /// checked that it began there.
    pub(crate) fn restart(&mut self, core: CoreId) {
        let (vector, eip) = self.slots[core.index()].processor.last_fault();
        self.restarts.push(Restart { core, time: self.now, vector, eip });
        self.hold(core, false);
        self.start(core);
    }

    /// Removes and returns the records of triple faults since the last call.
    pub fn take_restarts(&mut self) -> Vec<Restart> {
        std::mem::take(&mut self.restarts)
    }

    /// Takes a core out of reset. Its cycle count, and so its TSC, restart at 0.
    fn start(&mut self, core: CoreId) {
        let topology = &self.uncore.description().topology;
        let registers = &self.uncore.tiles[topology.tile_of(core).index()].registers;
        let pins = registers.pins(topology.z_of(core));
        let period_ps = self.divided_period_ps(registers.divider());
        let slot = &mut self.slots[core.index()];
        let reset_until = slot.clock.cycle_at_or_after(self.now);
        slot.processor.reset(false);
        slot.placed = slot.entry.is_some();
        if let Some(entry) = slot.entry.take() {
            slot.processor.enter(&entry);
        }
        slot.clock =
            Clock { epoch_time: self.now, epoch_cycle: slot.processor.cycles(), period_ps };
        slot.note_start(reset_until);
        slot.processor.set_pins(pins);
        slot.pins = pins;
        slot.phase = Phase::Run;
        slot.reached = self.now;
        slot.released = true;
        self.running += 1;
        self.schedule(core);
        self.check_voltage(self.uncore.description().topology.tile_of(core));
    }

    /// Ends a core that has reported its end to the host: it executes no further instruction.
    pub(crate) fn end_core(&mut self, core: CoreId) {
        let slot = &mut self.slots[core.index()];
        slot.wake(&mut self.workers);
        if slot.released && slot.phase != Phase::Ended {
            slot.phase = Phase::Ended;
            slot.ahead = false;
            self.steps.clear(core.0.into());
            self.running -= 1;
            let exit = self.uncore.board.host.exit(core);
            self.core_failed |= exit.is_some_and(|exit| exit.reason != Exit::ORDINARY);
        }
    }

    pub(crate) fn divided_period_ps(&self, divider: u32) -> u64 {
        self.uncore.description().clocks.fast_period_ps * u64::from(divider)
    }

    pub(crate) fn tile_cores(&self, tile: TileId) -> impl Iterator<Item = CoreId> + use<P> {
        let first = self.uncore.description().topology.core(tile, 0).0;
        let count = self.uncore.description().topology.cores_per_tile as u16;
        (first..first + count).map(CoreId)
    }

    /// If GCBCFG has a new divider of the tile's clock, schedules the change. It takes effect some
    /// cycles of the old clock later.
    fn request_divider(&mut self, tile: TileId) {
        let divider = self.uncore.tiles[tile.index()].registers.divider();
        let period_ps = self.divided_period_ps(divider);
        let mut cores = self.tile_cores(tile);
        let old = cores.find_map(|core| {
            let clock = &self.slots[core.index()].clock;
            (clock.period_ps != period_ps).then_some(clock.period_ps)
        });
        if let Some(old_period_ps) = old {
            let cycles = self.uncore.description().clocks.divider_change_core_cycles;
            let time = Ps(self.now.0 + u64::from(cycles) * old_period_ps);
            self.push_board_event(time, order::clock(tile.index()), Event::Divider { tile });
        }
    }

    /// Sets the tile's clock to the divider in GCBCFG, at the present instant.
    pub(crate) fn change_divider(&mut self, tile: TileId) {
        let divider = self.uncore.tiles[tile.index()].registers.divider();
        let period_ps = self.divided_period_ps(divider);
        for core in self.tile_cores(tile) {
            let slot = &mut self.slots[core.index()];
            if slot.clock.period_ps == period_ps {
                continue;
            }
            slot.catch_up(&mut self.workers, self.now);
            if let Some(trace) = &mut self.trace {
                trace.take(core, slot, true);
            }
            let clock = slot.clock;
            slot.processor.date_snapshots(&|cycle| clock.time_of(cycle).0);
            slot.clock.change_period(self.now, period_ps);
            match slot.phase {
                // An idle core's cycle count continues, and must not lie before the new clock's
                // start.
                Phase::Halted => slot.processor.advance_to(slot.clock.epoch_cycle),
                // Only while a core waits for a response may its own time lie before the new
                // clock's start.
                Phase::Run | Phase::Inject => {
                    debug_assert!(slot.processor.cycles() >= slot.clock.epoch_cycle);
                }
                _ => {}
            }
            if !matches!(slot.phase, Phase::Reset | Phase::Flight(..)) {
                self.schedule(core);
            }
        }
        self.note_conditions();
        self.check_voltage(tile);
    }
}
