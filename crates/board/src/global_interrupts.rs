//! The global interrupt controller of the system FPGA (system FPGA guide).
//!
//! For each core a status and a mask of 64 bits. When an unmasked status bit is set and no
//! interrupt is pending, a packet sets LINT0 or LINT1 in the core's GLCFG, and the interrupt
//! stays pending until the core writes its reset register; if an unmasked bit is left then, the
//! next packet goes out. The guide leaves open what indexes a request register; [`RequestIndex`]
//! chooses. Either way the target's status bit is that of the sender.
//!
//! The registers are made for 48 cores. An extension serves larger chips by the same rule: the
//! cores form groups of 48, and each pair of a group of targets and a group of senders has a block
//! of registers, and a controller behind it, of its own. Cores are numbered inside their groups.

use rockcreek_defs::CoreId;
use serde::{Deserialize, Serialize};

use crate::Action;

/// Status bits below the inter-core ones: four Ethernet ports, two SATA ports.
const FIRST_IPI_BIT: u32 = 6;
/// The status bit of the management PC: bit 22 of the high word.
const HOST_BIT: u32 = 32 + 22;
/// The width of a register block: the cores of a group.
pub(crate) const CORES: usize = 48;

/// The meaning of a request register's number: the sender (its bits are targets), or the target
/// (its bits are senders).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RequestIndex {
    /// The bits are targets, as in the management PC's register.
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

/// A block of registers: the interrupts that a group of senders asks for in a group of targets.
/// Everything else, such as requests of the management PC, counts with the first senders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub targets: usize,
    pub senders: usize,
}

/// The controller, or on larger chips all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlobalInterrupts {
    /// The lines of the cores of each block, by group of targets, then of senders.
    lines: Vec<Line>,
    request_index: RequestIndex,
    cores: usize,
}

fn word(value: u64, n: usize) -> u32 {
    (value >> (32 * (n % 2))) as u32
}

fn widen(value: u32, n: usize) -> u64 {
    u64::from(value) << (32 * (n % 2))
}

impl GlobalInterrupts {
    pub fn new(request_index: RequestIndex, cores: usize) -> GlobalInterrupts {
        let line = Line { status: 0, mask: u64::MAX, lint1: false, pending: false };
        let groups = GlobalInterrupts::groups(cores);
        GlobalInterrupts { lines: vec![line; groups * groups * CORES], request_index, cores }
    }

    /// The number of groups of 48 cores into which `cores` cores are divided.
    pub fn groups(cores: usize) -> usize {
        cores.div_ceil(CORES)
    }

    fn index(&self, block: Block, core: usize) -> usize {
        let groups = GlobalInterrupts::groups(self.cores);
        (block.targets * groups + block.senders) * CORES + core
    }

    fn line(&mut self, block: Block, core: usize) -> &mut Line {
        let index = self.index(block, core);
        &mut self.lines[index]
    }

    /// Word `n` of the status registers: two for each core.
    pub fn status(&self, block: Block, n: usize) -> u32 {
        word(self.lines[self.index(block, n / 2)].status, n)
    }

    /// Word `n` of the mask registers.
    pub fn mask(&self, block: Block, n: usize) -> u32 {
        word(self.lines[self.index(block, n / 2)].mask, n)
    }

    pub fn config(&self, block: Block, core: usize) -> u32 {
        self.lines[self.index(block, core)].lint1.into()
    }

    pub fn set_config(&mut self, block: Block, core: usize, value: u32) {
        self.line(block, core).lint1 = value & 1 != 0;
    }

    pub fn set_mask(&mut self, block: Block, n: usize, value: u32, actions: &mut Vec<Action>) {
        let line = self.line(block, n / 2);
        line.mask = line.mask & !widen(u32::MAX, n) | widen(value, n);
        self.deliver(block, n / 2, actions);
    }

    /// The end of an interrupt: clears bits and lets the next one out.
    pub fn reset(&mut self, block: Block, n: usize, value: u32, actions: &mut Vec<Action>) {
        let line = self.line(block, n / 2);
        line.status &= !widen(value, n);
        line.pending = false;
        self.deliver(block, n / 2, actions);
    }

    /// Word `n` of the request registers: those of core n/2, low word first.
    pub fn request(&mut self, block: Block, n: usize, value: u32, actions: &mut Vec<Action>) {
        let (core, half) = (n / 2, n % 2);
        if self.request_index == RequestIndex::Sender {
            let bit = FIRST_IPI_BIT + core as u32;
            return self.set_status(block, bit, half, value, actions);
        }
        let senders = widen(value, half) & ((1 << CORES) - 1);
        self.line(block, core).status |= senders << FIRST_IPI_BIT;
        self.deliver(block, core, actions);
    }

    /// Word `n` of the management PC's request register.
    pub fn host_request(&mut self, block: Block, n: usize, value: u32, actions: &mut Vec<Action>) {
        self.set_status(block, HOST_BIT, n, value, actions);
    }

    fn set_status(
        &mut self,
        block: Block,
        bit: u32,
        half: usize,
        targets: u32,
        actions: &mut Vec<Action>,
    ) {
        for target in (0..32).filter(|target| targets >> target & 1 != 0) {
            let target = target + 32 * half;
            if target < CORES {
                self.line(block, target).status |= 1 << bit;
                self.deliver(block, target, actions);
            }
        }
    }

    /// Registers of cores that the chip does not have interrupt nobody.
    fn deliver(&mut self, block: Block, core: usize, actions: &mut Vec<Action>) {
        let target = CORES * block.targets + core;
        let there = target < self.cores;
        let line = self.line(block, core);
        if there && line.status & !line.mask != 0 && !line.pending {
            line.pending = true;
            actions.push(Action::Interrupt { core: CoreId(target as u16), lint1: line.lint1 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Block = Block { targets: 0, senders: 0 };

    #[test]
    fn one_packet_until_the_core_resets_its_status() {
        let mut gic = GlobalInterrupts::new(RequestIndex::Sender, 48);
        let mut actions = Vec::new();
        gic.request(FIRST, 2 * 3 + 1, 1 << 15, &mut actions);
        assert!(actions.is_empty(), "masked after reset");
        gic.set_mask(FIRST, 2 * 47, 0, &mut actions);
        let packet = Action::Interrupt { core: CoreId(47), lint1: false };
        assert_eq!(actions, [packet]);
        assert_eq!(gic.status(FIRST, 2 * 47), 1 << 9);
        gic.request(FIRST, 2 * 5 + 1, 1 << 15, &mut actions);
        assert_eq!(actions.len(), 1, "events accumulate while one is pending");
        gic.reset(FIRST, 2 * 47, 1 << 9, &mut actions);
        assert_eq!(actions, [packet, packet]);
        gic.reset(FIRST, 2 * 47, 1 << 11, &mut actions);
        assert_eq!((actions.len(), gic.status(FIRST, 2 * 47)), (2, 0));
    }

    #[test]
    fn the_index_may_be_the_target() {
        let mut gic = GlobalInterrupts::new(RequestIndex::Target, 48);
        let mut actions = Vec::new();
        gic.set_mask(FIRST, 2 * 3 + 1, 0, &mut actions);
        gic.request(FIRST, 2 * 3 + 1, u32::MAX, &mut actions);
        assert_eq!(actions, [Action::Interrupt { core: CoreId(3), lint1: false }]);
        assert_eq!((gic.status(FIRST, 2 * 3), gic.status(FIRST, 2 * 3 + 1)), (0, 0x3F_FFC0));
    }

    /// Core 500 is number 20 of the group 10, core 49 number 1 of the group 1.
    #[test]
    fn larger_chips_have_a_block_for_each_pair_of_groups() {
        let mut gic = GlobalInterrupts::new(RequestIndex::Sender, 512);
        let mut actions = Vec::new();
        let block = Block { targets: 10, senders: 1 };
        for n in 0..96 {
            gic.set_mask(block, n, 0, &mut actions);
        }
        gic.request(block, 2, 1 << 20, &mut actions);
        assert_eq!(actions, [Action::Interrupt { core: CoreId(500), lint1: false }]);
        assert_eq!((gic.status(block, 40), gic.status(FIRST, 40)), (1 << 7, 0));
        gic.request(block, 3, u32::MAX, &mut actions);
        assert_eq!(actions.len(), 1, "the group's last cores are 511 and nobody");
    }

    #[test]
    fn nobody_is_interrupted_where_no_core_is() {
        let mut gic = GlobalInterrupts::new(RequestIndex::Sender, 8);
        let mut actions = Vec::new();
        gic.set_mask(FIRST, 2 * 40, 0, &mut actions);
        gic.request(FIRST, 1, 1 << 8, &mut actions);
        assert_eq!((gic.status(FIRST, 80), actions.len()), (1 << 6, 0));
    }
}
