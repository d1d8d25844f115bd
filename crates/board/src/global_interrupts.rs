//! The global interrupt controller of the system FPGA (system FPGA guide).
//!
//! For each core a status and a mask of 64 bits. When an unmasked status bit is set and no
//! interrupt is pending, a packet sets LINT0 or LINT1 in the core's GLCFG, and the interrupt
//! stays pending until the core writes its reset register; if an unmasked bit is left then, the
//! next packet goes out. The guide leaves open what indexes a request register; [`RequestIndex`]
//! chooses. Either way the target's status bit is that of the sender.

use rockcreek_defs::CoreId;
use serde::{Deserialize, Serialize};

use crate::Action;

/// Status bits below the inter-core ones: four Ethernet ports, two SATA ports.
const FIRST_IPI_BIT: u32 = 6;
/// The status bit of the management PC: bit 22 of the high word.
const HOST_BIT: u32 = 32 + 22;
/// The widths of the register block; cores beyond have no bit in it.
const CORES: usize = 48;

/// What the number of a request register is; its bits then are the other thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RequestIndex {
    /// As in the management PC's register, bits are targets.
    #[default]
    Sender,
    Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    status: u64,
    mask: u64,
    lint1: bool,
    pending: bool,
}

/// The controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlobalInterrupts {
    lines: Vec<Line>,
    index: RequestIndex,
}

fn word(value: u64, n: usize) -> u32 {
    (value >> (32 * (n % 2))) as u32
}

fn widen(value: u32, n: usize) -> u64 {
    u64::from(value) << (32 * (n % 2))
}

impl GlobalInterrupts {
    pub fn new(index: RequestIndex) -> GlobalInterrupts {
        let line = Line { status: 0, mask: u64::MAX, lint1: false, pending: false };
        GlobalInterrupts { lines: vec![line; CORES], index }
    }

    /// Word `n` of the status registers: two for each core.
    pub fn status(&self, n: usize) -> u32 {
        word(self.lines[n / 2].status, n)
    }

    /// Word `n` of the mask registers.
    pub fn mask(&self, n: usize) -> u32 {
        word(self.lines[n / 2].mask, n)
    }

    pub fn config(&self, core: usize) -> u32 {
        self.lines[core].lint1.into()
    }

    pub fn set_config(&mut self, core: usize, value: u32) {
        self.lines[core].lint1 = value & 1 != 0;
    }

    pub fn set_mask(&mut self, n: usize, value: u32, actions: &mut Vec<Action>) {
        let line = &mut self.lines[n / 2];
        line.mask = line.mask & !widen(u32::MAX, n) | widen(value, n);
        self.deliver(n / 2, actions);
    }

    /// The end of an interrupt: clears bits and lets the next one out.
    pub fn reset(&mut self, n: usize, value: u32, actions: &mut Vec<Action>) {
        let line = &mut self.lines[n / 2];
        line.status &= !widen(value, n);
        line.pending = false;
        self.deliver(n / 2, actions);
    }

    /// Word `n` of the request registers: those of core n/2, low word first.
    pub fn request(&mut self, n: usize, value: u32, actions: &mut Vec<Action>) {
        let (core, half) = (n / 2, n % 2);
        if self.index == RequestIndex::Sender {
            return self.set_status(FIRST_IPI_BIT + core as u32, half, value, actions);
        }
        let senders = widen(value, half) & ((1 << CORES) - 1);
        self.lines[core].status |= senders << FIRST_IPI_BIT;
        self.deliver(core, actions);
    }

    /// Word `n` of the management PC's request register.
    pub fn host_request(&mut self, n: usize, value: u32, actions: &mut Vec<Action>) {
        self.set_status(HOST_BIT, n, value, actions);
    }

    fn set_status(&mut self, bit: u32, half: usize, targets: u32, actions: &mut Vec<Action>) {
        for target in (0..32).filter(|target| targets >> target & 1 != 0) {
            let target = target + 32 * half;
            if target < self.lines.len() {
                self.lines[target].status |= 1 << bit;
                self.deliver(target, actions);
            }
        }
    }

    fn deliver(&mut self, core: usize, actions: &mut Vec<Action>) {
        let line = &mut self.lines[core];
        if line.status & !line.mask != 0 && !line.pending {
            line.pending = true;
            actions.push(Action::Interrupt { core: CoreId(core as u16), lint1: line.lint1 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_packet_until_the_core_resets_its_status() {
        let mut gic = GlobalInterrupts::new(RequestIndex::Sender);
        let mut actions = Vec::new();
        gic.request(2 * 3 + 1, 1 << 15, &mut actions);
        assert!(actions.is_empty(), "masked after reset");
        gic.set_mask(2 * 47, 0, &mut actions);
        let packet = Action::Interrupt { core: CoreId(47), lint1: false };
        assert_eq!(actions, [packet]);
        assert_eq!(gic.status(2 * 47), 1 << 9);
        gic.request(2 * 5 + 1, 1 << 15, &mut actions);
        assert_eq!(actions.len(), 1, "events accumulate while one is pending");
        gic.reset(2 * 47, 1 << 9, &mut actions);
        assert_eq!(actions, [packet, packet]);
        gic.reset(2 * 47, 1 << 11, &mut actions);
        assert_eq!((actions.len(), gic.status(2 * 47)), (2, 0));
    }

    #[test]
    fn the_index_may_be_the_target() {
        let mut gic = GlobalInterrupts::new(RequestIndex::Target);
        let mut actions = Vec::new();
        gic.set_mask(2 * 3 + 1, 0, &mut actions);
        gic.request(2 * 3 + 1, u32::MAX, &mut actions);
        assert_eq!(actions, [Action::Interrupt { core: CoreId(3), lint1: false }]);
        assert_eq!((gic.status(2 * 3), gic.status(2 * 3 + 1)), (0, 0x3F_FFC0));
    }
}
