//! The clocks of each instruction: `machine/isa/x87.toml`, turned into a table when the crate is
//! built. The code holds no clock count of its own.

use iced_x86::Code;

/// The clocks of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Latency in core clocks by precision control: 24, 53 and 64 bits. All equal except for the
    /// divisions.
    pub clocks: [u16; 3],
    /// The number of last clocks that an integer instruction may overlap.
    pub integer_overlap: u16,
    /// The number of last clocks that another x87 instruction may overlap.
    pub fp_overlap: u16,
    /// The rule by which the instruction executes together with FXCH.
    pub pairing: Pairing,
    /// `Some` for a multiplication: how many of its last clocks another one may overlap.
    pub multiplier: Option<u16>,
    /// Integer multiplications may not overlap it.
    pub holds_multiplier: bool,
}

/// How an instruction shares a clock with FXCH, the only one that the V pipe takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Not at all.
    Alone,
    /// In the U pipe, with FXCH behind it.
    WithExchange,
    /// FXCH itself.
    Exchange,
}

impl Cost {
    /// The latency under this control word.
    #[inline]
    pub fn clocks(&self, control: u16) -> u32 {
        u32::from(self.clocks[Cost::column(control)])
    }

    /// The clocks in which nothing else executes; for divisions the same at every precision.
    #[inline]
    pub fn alone(&self) -> u32 {
        u32::from(self.clocks[2] - self.integer_overlap)
    }

    #[inline]
    fn column(control: u16) -> usize {
        match control >> 8 & 3 {
            0 => 0,
            2 => 1,
            _ => 2,
        }
    }
}

include!(concat!(env!("OUT_DIR"), "/cost_table.rs"));
