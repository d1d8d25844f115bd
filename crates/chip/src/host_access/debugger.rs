//! Actions of a debugger, or of `rck set`, on a paused chip.
//!
//! All actions happen at [`Chip::now`]: all cores are first brought to that instant. A rollback
//! cannot undo a change, because each change begins a new window.

use rockcreek_board::HostService;
use rockcreek_cpu::{Core, Registers, Watchpoint};
use rockcreek_defs::{CoreAddr, CoreId, TileId};

use crate::processor::Processor;
use crate::scheduler::chip::Chip;

impl Chip<Core> {
    /// Calls `change` on a core that stands at the present instant, and returns its result. No
    /// rollback undoes the change.
    pub fn change<T>(&mut self, core: CoreId, change: impl FnOnce(&mut Core) -> T) -> T {
        self.settle();
        let slot = &mut self.slots[core.index()];
        let result = change(&mut slot.processor);
        Processor::begin_window(&mut slot.processor);
        slot.ahead = false;
        result
    }

    /// Sets (`on`) or removes a breakpoint of one core at a linear address.
    pub fn set_breakpoint(&mut self, core: CoreId, linear: u32, on: bool) {
        self.change(core, |processor| processor.set_breakpoint(linear, on));
    }

    /// Sets (`on`) or removes a watchpoint of one core.
    pub fn set_watchpoint(&mut self, core: CoreId, watchpoint: Watchpoint, on: bool) {
        self.change(core, |processor| processor.set_watchpoint(watchpoint, on));
    }

    /// Sets (`on`) or removes a stop of the core after its next instruction.
    pub fn set_step(&mut self, core: CoreId, on: bool) {
        self.change(core, |processor| processor.set_step(on));
    }

    /// Removes all breakpoints, watchpoints and steps, after the debugger has disconnected.
    pub fn clear_breaks(&mut self) {
        for core in 0..self.slots.len() {
            self.change(CoreId(core as u16), Core::clear_breaks);
        }
    }

    /// Takes the service that answers the guest's calls out of the chip, to put another before it.
    pub fn take_host_service(&mut self) -> Option<Box<dyn HostService>> {
        self.host.take()
    }

    /// Sets a core's registers, and empties its TLBs.
    pub fn set_registers(&mut self, core: CoreId, registers: &Registers) {
        self.change(core, |processor| processor.set_registers(registers));
    }

    /// Changes the bytes that this core reads at a linear address: in memory, and in those of the
    /// core's own caches that hold the line. Other cores' caches keep their copies. False if a page
    /// is not mapped or there is no memory; earlier bytes have then been changed.
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

    /// Writes a tile's configuration register, with all its effects on pins, clocks and resets.
    pub fn write_register(&mut self, tile: TileId, offset: u32, value: u32) {
        self.settle();
        self.uncore.forget_routes_of(tile);
        let registers = &mut self.uncore.tiles[tile.index()].registers;
        if let Some(effect) = registers.write_register(offset, value, u32::MAX) {
            self.tile_effect(tile, effect);
        }
    }
}
