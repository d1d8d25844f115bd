//! CL1INVMB (0F 0A), the SCC's own instruction: drops all L1D lines of MPBT pages.
//!
//! Unprivileged; nothing is written back, so a dirty line of that type is lost
//! (`partheymueller-2011`, `barrelfish-tn005`).

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op};
use crate::instruction::shape::Shape;
use crate::state::exception::Done;

impl Core {
    pub(crate) fn invalidate_message_lines(&mut self) {
        if self.watches_accesses() {
            self.note_drops(&self.caches.dirty_message_lines());
        }
        self.caches.cl1invmb();
        self.state.counters.message_buffer_invalidations += 1;
    }
}

fn invalidate_message_lines(core: &mut Core, _: &Op) -> Done {
    core.invalidate_message_lines();
    Ok(())
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    (shape.mnemonic == Mnemonic::Cl1invmb).then_some(invalidate_message_lines)
}
