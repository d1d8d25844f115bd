//! The management PC's part of a start: loads a kernel and its modules into a core's private
//! memory, raw images through a core's LUT, memory images into controllers, LUT data into tiles.

use rockcreek_boot::{ImageError, Memory, Module, TextError, load};
use rockcreek_boot::{parse_lut_data, parse_memory_object};
use rockcreek_defs::registers::lut::lut0;
use rockcreek_defs::{CoreAddr, CoreId};

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::uncore::Uncore;

/// Memory is cleared in pieces of this size in bytes, since what was never written is zero.
const PAGE: u64 = 4096;

struct CoreMemory<'a> {
    uncore: &'a mut Uncore,
    core: CoreId,
}

impl Memory for CoreMemory<'_> {
    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.uncore.poke(self.core, CoreAddr(address), bytes)
    }

    fn clear(&mut self, address: u32, bytes: u32) {
        let end = u64::from(address) + u64::from(bytes);
        let mut at = u64::from(address);
        while at < end {
            let next = (at / PAGE + 1) * PAGE;
            let addr = CoreAddr(at as u32);
            if self.uncore.touched(self.core, addr) {
                let zeros = &[0; PAGE as usize][..(next.min(end) - at) as usize];
                self.uncore.poke(self.core, addr, zeros);
            }
            at = next;
        }
    }
}

impl<P: Processor> Chip<P> {
    /// Loads a multiboot kernel, its command line and its modules into the core's private memory.
    /// The core starts the kernel at its next release from reset.
    pub fn load(
        &mut self,
        core: CoreId,
        kernel: &[u8],
        command_line: &str,
        modules: &[Module],
    ) -> Result<(), ImageError> {
        let description = self.description();
        let slots = u64::from(description.address_map.private_slots);
        let private_bytes = slots * description.tile.lut_segment_bytes;
        let mut memory = CoreMemory { uncore: &mut self.uncore, core };
        let entry = load(kernel, command_line, modules, private_bytes, &mut memory)?;
        self.set_entry(core, entry);
        self.uncore.board.host.forget_exit(core);
        Ok(())
    }

    /// Writes an image to the memory to which the core's LUT maps `addr`. `Err` if the image would
    /// end beyond 4 GB (nothing is written then), or if there is no memory at an address (the bytes
    /// before it have been written then).
    pub fn place(&mut self, core: CoreId, addr: CoreAddr, image: &[u8]) -> Result<(), ImageError> {
        let room = (1u64 << 32) - u64::from(addr.0);
        if image.len() as u64 > room {
            let (what, bytes) = ("the image".into(), image.len() as u64);
            return Err(ImageError::TooLarge { what, bytes, free: room });
        }
        let there = self.uncore.poke(core, addr, image);
        if there { Ok(()) } else { Err(ImageError::NoMemory(addr.0)) }
    }

    /// Loads a memory image made by sccKit's merge tool into the memory of controller number
    /// `controller`. `Err`, with nothing written, if the file is malformed or does not fit into the
    /// memory.
    pub fn load_memory_object(&mut self, controller: usize, file: &[u8]) -> Result<(), TextError> {
        let pieces = parse_memory_object(file)?;
        let dram = &mut self.uncore.controllers[controller].dram;
        if let Some(piece) = pieces.iter().find(|piece| piece.end() > dram.bytes()) {
            let (end, bytes) = (piece.end(), dram.bytes());
            let what = format!("data up to {end:#x}; the controller has {bytes:#x} bytes");
            return Err(TextError { line: piece.line, what });
        }
        for piece in pieces {
            dram.write(piece.address, &piece.bytes);
        }
        Ok(())
    }

    /// Writes LUT data made by sccKit's merge tool into the tiles' registers. `Err` if the file is
    /// malformed (nothing is written then), names a router without a tile (the lines before have
    /// been written then), or if this chip's LUTs do not have 256 entries.
    pub fn load_lut_data(&mut self, file: &[u8]) -> Result<(), TextError> {
        let entries = self.description().tile.lut_entries;
        for write in parse_lut_data(file)? {
            let tables = lut0::COUNT as usize;
            if entries != tables {
                let what =
                    format!("LUT data are for tables of {tables} entries, here are {entries}");
                return Err(TextError { line: write.line, what });
            }
            let tile = self.description().topology.tile_at(write.router).ok_or_else(|| {
                let what = format!("there is no tile at router {}", write.router);
                TextError { line: write.line, what }
            })?;
            self.uncore.forget_routes_of(tile);
            let registers = &mut self.uncore.tiles[tile.index()].registers;
            registers.write_register(write.offset, write.value, u32::MAX);
        }
        Ok(())
    }
}
