//! The management PC's part of a start: a kernel and its modules into a core's private memory.

use rockcreek_boot::{ImageError, Memory, Module, load};
use rockcreek_defs::{CoreAddr, CoreId};

use crate::chip::Chip;
use crate::processor::Processor;
use crate::uncore::Uncore;

struct CoreMemory<'a> {
    uncore: &'a mut Uncore,
    core: CoreId,
}

impl Memory for CoreMemory<'_> {
    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.uncore.poke(self.core, CoreAddr(address), bytes)
    }
}

impl<P: Processor> Chip<P> {
    /// Loads a multiboot kernel; the core enters it at its next release.
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
        Ok(())
    }
}
