//! The effects of an access on other parts than its unit: pins, clocks and resets of tiles, packets
//! of the board, calls of the host.

use rockcreek_board::Action;
use rockcreek_defs::{CoreId, Ps};
use rockcreek_engine::Key;

use crate::processor::Processor;
use crate::scheduler::chip::{Chip, Event};
use crate::uncore::wiring::{Unit, order};

impl<P: Processor> Chip<P> {
    /// Performs the effects that the last access to a unit had outside the unit: on tiles, on the
    /// board, on the voltage regulator. Does nothing if it had none.
    pub(crate) fn perform_effects(&mut self) {
        if self.effects.are_none() {
            return;
        }
        self.end_all_streams();
        let mut effects = std::mem::take(&mut self.effects);
        for (tile, effect) in effects.tiles.drain(..) {
            self.tile_effect(tile, effect);
        }
        for action in effects.board.drain(..) {
            self.board_action(action);
        }
        if let Some(time) = effects.voltage_step.take() {
            self.push_board_event(time, order::unit(Unit::Voltage), Event::VoltageStep);
        }
        self.effects = effects;
    }

    pub(crate) fn board_action(&mut self, action: Action) {
        match action {
            Action::Interrupt { core, lint1 } => {
                let tile = self.uncore.description().topology.tile_of(core);
                let time = self.uncore.send_interrupt(tile, self.now);
                let unit = order::unit(Unit::Crb(tile));
                self.push_board_event(time, unit, Event::Interrupt { core, lint1 });
            }
            Action::HostCall { core, service } => {
                let reply = self.call_host(core, service);
                self.uncore.board.host.hold_reply(core, reply);
                let time = self.now + self.uncore.description().timing.host_service_ps;
                self.push_board_event(time, order::HOST, Event::HostReply { core });
            }
            Action::Marked { core } => self.note_mark(core),
            Action::Ended { core } => self.end_core(core),
        }
    }

    /// The management PC interrupts a core, by the FPGA's controller.
    pub fn interrupt(&mut self, core: CoreId) {
        let mut actions = Vec::new();
        self.uncore.board.interrupt(core, &mut actions);
        for action in actions {
            self.board_action(action);
        }
    }

    fn call_host(&mut self, core: CoreId, service: u32) -> Option<Vec<u8>> {
        let (addr, length) = self.uncore.board.host.request(core)?;
        let mut request = vec![0; length];
        if !self.uncore.peek(core, addr, &mut request) {
            return None;
        }
        self.host.as_mut()?.call(core, service, &request)
    }

    /// Adds an event of the board to the queue. It comes after all cores' events at its time and
    /// unit.
    pub(crate) fn push_board_event(&mut self, time: Ps, unit: u32, event: Event) {
        self.board_sequence += 1;
        let source = self.slots.len() as u32;
        self.queue.push(Key { time, unit, source, sequence: self.board_sequence }, event);
    }
}
