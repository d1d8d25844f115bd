//! The message-passing buffer: 16 KB of SRAM, 8 KB a core (EAS; RCCE).
//!
//! Modelled: bytes, masked writes. Above its size the buffer repeats through the whole LUT
//! segment; the SCC's Linux reads such aliases to displace L2 lines and ignores what comes back.
//! Left out: ECC. It powers on as zeros.

use rockcreek_defs::LINE_BYTES;
use rockcreek_defs::bus::write_enabled;
use serde::{Deserialize, Serialize};

/// The buffer of one tile. Its size is a power of two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mpb {
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
}

impl Mpb {
    pub fn new(size: usize) -> Mpb {
        assert!(size.is_power_of_two(), "an MPB's size is a power of two");
        Mpb { bytes: vec![0; size] }
    }

    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    #[inline]
    fn index(&self, offset: u64) -> usize {
        offset as usize & (self.bytes.len() - 1)
    }

    /// Fills `out` from `offset` on. An access stays inside one 32-byte line.
    #[inline]
    pub fn read(&self, offset: u64, out: &mut [u8]) {
        let start = self.index(offset);
        out.copy_from_slice(&self.bytes[start..start + out.len()]);
    }

    /// The line that begins at `offset`.
    #[inline]
    pub fn line(&self, offset: u64) -> [u8; LINE_BYTES] {
        let mut line = [0; LINE_BYTES];
        self.read(offset, &mut line);
        line
    }

    /// Writes those bytes of `data` whose bit in `enable` is set.
    #[inline]
    pub fn write(&mut self, offset: u64, data: &[u8], enable: u32) {
        let start = self.index(offset);
        write_enabled(&mut self.bytes[start..start + data.len()], data, enable);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_masked_and_the_buffer_repeats() {
        let mut mpb = Mpb::new(16384);
        mpb.write(0x2000, &[1, 2, 3, 4], 0b0101);
        let mut out = [9; 4];
        mpb.read(0x2000 + 16384, &mut out);
        assert_eq!(out, [1, 0, 3, 0]);
    }
}
