//! What each instruction costs: `machine/isa/x87.toml`, turned into a table when the crate is
//! built. The code holds no clock count of its own.

use iced_x86::Code;

/// The clocks of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Latency in core clocks by precision control: 24, 53 and 64 bits. All equal except for the
    /// divisions.
    pub clocks: [u16; 3],
    /// How many of the last clocks an integer instruction may overlap.
    pub integer_overlap: u16,
    /// How many of the last clocks another x87 instruction may overlap.
    pub fp_overlap: u16,
}

impl Cost {
    /// The latency under this control word.
    #[inline]
    pub fn clocks(&self, control: u16) -> u32 {
        let column = match control >> 8 & 3 {
            0 => 0,
            2 => 1,
            _ => 2,
        };
        u32::from(self.clocks[column])
    }
}

include!(concat!(env!("OUT_DIR"), "/cost_table.rs"));
