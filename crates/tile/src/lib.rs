//! One tile around its two cores: message-passing buffer, configuration registers, lookup
//! tables, test-and-set registers and the mesh interface.
//!
//! Nothing here knows a clock: the chip says when an access takes effect. Any core may reach any
//! tile's units, there is no protection.

pub mod config_registers;
pub mod lut;
pub mod mesh_interface;
pub mod mpb;
pub mod test_and_set;

use rockcreek_defs::Coord;
use serde::{Deserialize, Serialize};

pub use config_registers::{ConfigRegisters, Effect, Requester};
pub use lut::{Lut, LutEntry};
pub use mesh_interface::{InterfaceTiming, MeshInterface, Packet};
pub use mpb::Mpb;
pub use test_and_set::TestAndSet;

/// The sizes that a chip description gives to every tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TileConfig {
    pub cores: usize,
    pub locks_start_free: bool,
    pub mpb_bytes: usize,
    pub lut_entries: usize,
    pub lut_segment_bytes: u64,
    /// The tile clock is the fast clock divided by this after power-on.
    pub divider: u32,
    /// The mesh clock is the fast clock divided by this.
    pub mesh_divider: u32,
    /// The counts of the two thermal sensors over 1024 pulses of their gate.
    pub sensor_counts: [u32; 2],
    /// The values of the registers that describe a chip other than the SCC to software.
    pub extension: Option<Extension>,
}

/// The words of the registers CHIP, MPB_WINDOWS and CRB_WINDOWS, which the SCC does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extension {
    pub chip: u32,
    pub mpb_windows: u32,
    pub crb_windows: u32,
}

/// One tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tile {
    pub coord: Coord,
    pub mpb: Mpb,
    pub registers: ConfigRegisters,
    pub interface: MeshInterface,
}

impl Tile {
    pub fn new(coord: Coord, config: &TileConfig) -> Tile {
        Tile {
            coord,
            mpb: Mpb::new(config.mpb_bytes),
            registers: ConfigRegisters::new(coord, config),
            interface: MeshInterface::default(),
        }
    }

    /// Bytes of the MPB, LUTs, entries of a LUT.
    pub fn size(&self) -> (usize, usize, usize) {
        let (luts, entries) = self.registers.lut_counts();
        (self.mpb.size(), luts, entries)
    }
}
