//! What a debugger, or `rck set`, does to a paused chip.
//!
//! Everything happens at [`Chip::now`]: the cores are settled first, and what is changed cannot be
//! taken back by a rollback, because a new window begins there.

use rockcreek_cpu::{Core, Registers, Watchpoint};
use rockcreek_defs::{CoreAddr, CoreId, TileId};

use crate::processor::Processor;
use crate::scheduler::chip::Chip;

impl Chip<Core> {
    /// Changes a core at this instant.
    pub fn change<T>(&mut self, core: CoreId, change: impl FnOnce(&mut Core) -> T) -> T {
        self.settle();
        let slot = &mut self.slots[core.index()];
        let result = change(&mut slot.processor);
        Processor::begin_window(&mut slot.processor);
        slot.ahead = false;
        result
    }

    /// A breakpoint of one core, set or removed.
    pub fn set_breakpoint(&mut self, core: CoreId, linear: u32, on: bool) {
        self.change(core, |processor| processor.set_breakpoint(linear, on));
    }

    /// A watchpoint of one core, set or removed.
    pub fn set_watchpoint(&mut self, core: CoreId, watchpoint: Watchpoint, on: bool) {
        self.change(core, |processor| processor.set_watchpoint(watchpoint, on));
    }

    /// Whether the core is to stop after its next instruction.
    pub fn set_step(&mut self, core: CoreId, on: bool) {
        self.change(core, |processor| processor.set_step(on));
    }

    /// The debugger has gone.
    pub fn clear_breaks(&mut self) {
        for core in 0..self.slots.len() {
            self.change(CoreId(core as u16), Core::clear_breaks);
        }
    }

    /// Sets a core's registers; the TLBs forget what they hold.
    pub fn set_registers(&mut self, core: CoreId, registers: &Registers) {
        self.change(core, |processor| processor.set_registers(registers));
    }

    /// Changes what this core sees at a linear address: memory, and its own caches where they
    /// hold the bytes; other cores' caches stay stale, as ever. False where nothing is mapped.
    pub fn write_linear(&mut self, core: CoreId, linear: u32, bytes: &[u8]) -> bool {
        self.settle();
        (linear..).zip(bytes).all(|(at, byte)| {
            let uncore = &self.uncore;
            let memory = |addr: CoreAddr| {
                let mut byte = [0];
                uncore.peek(core, addr, &mut byte).then_some(byte[0])
            };
            let Some(addr) = self.slot(core).processor.peek_translate(at, &memory) else {
                return false;
            };
            let there = self.uncore.poke(core, addr, &[*byte]);
            if there {
                self.change(core, |processor| processor.poke_cached(addr, *byte));
            }
            there
        })
    }

    /// Writes a tile's configuration register, with all that follows: pins, clocks, resets.
    pub fn write_register(&mut self, tile: TileId, offset: u32, value: u32) {
        self.settle();
        self.uncore.forget_courses_of(tile);
        let registers = &mut self.uncore.tiles[tile.index()].registers;
        if let Some(effect) = registers.write_register(offset, value, u32::MAX) {
            self.tile_effect(tile, effect);
        }
    }
}
