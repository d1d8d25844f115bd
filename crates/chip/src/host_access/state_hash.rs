//! The hash of the whole chip's state.
//!
//! The hash covers everything that can ever matter to a guest, and nothing else. Of the pending
//! events, it covers only the board's, because a core's next step follows from its phase.

use rockcreek_defs::{Clock, Pins, Ps};
use rockcreek_engine::{StateHash, state_hash};
use serde::Serialize;

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::slot::{ClockedCycles, Phase};

#[derive(Serialize)]
struct CoreView<S> {
    state: S,
    clock: Clock,
    phase: Phase,
    pins: Pins,
    level2: Option<bool>,
    placed: bool,
    released: bool,
    clocked: ClockedCycles,
}

impl<P: Processor> Chip<P> {
    /// The hash of the state at [`Chip::now`]. Cores that ran ahead are first rolled back to that
    /// instant.
    pub fn state_hash(&mut self) -> StateHash {
        self.settle();
        let whole = state_hash(&(self.now, &self.uncore, &self.queue, self.board_sequence));
        let cores: Vec<u128> = self
            .slots
            .iter()
            .map(|slot| {
                let view = CoreView {
                    state: slot.processor.state(),
                    clock: slot.clock,
                    phase: slot.phase,
                    pins: slot.pins,
                    level2: slot.level2,
                    placed: slot.placed,
                    released: slot.released,
                    clocked: slot.clocked,
                };
                state_hash(&view).0
            })
            .collect();
        let plain = state_hash(&(Ps(0), whole.0, cores));
        let chip = match self.description().choices() {
            Some(choices) => state_hash(&(plain.0, choices)),
            None => plain,
        };
        match &self.uncore.board.other_ports {
            ports if ports.are_there() => state_hash(&(chip.0, ports)),
            _ => chip,
        }
    }
}
