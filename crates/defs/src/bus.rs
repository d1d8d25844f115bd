//! The requests that a core's bus unit sends through the tile's mesh interface, and the responses.
//!
//! A request carries a core-physical address; the LUT of the requesting core turns it into a
//! [`crate::SystemAddr`] outside the core. The core never sees the mesh.

use serde::{Deserialize, Serialize};

use crate::address::{CoreAddr, LINE_BYTES};

/// The reason why a whole line is read. Statistics distinguish the reasons; the hardware does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FillKind {
    /// Into L2 and L1D (write-back or write-through page).
    Data,
    /// Into L2 and L1I.
    Code,
    /// MPBT page: into L1D only, tagged.
    Mpbt,
}

/// The reason why a line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DrainKind {
    /// A dirty victim of L1D that missed L2.
    L1Victim,
    /// A dirty victim of L2.
    L2Victim,
    /// The write-combine buffer, full or displaced.
    WriteCombine,
}

/// One transaction of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BusRequest {
    /// Read the 32-byte line at `addr` (line-aligned).
    ReadLine { addr: CoreAddr, kind: FillKind },
    /// Uncached read of `size` (1..=8) bytes that do not cross a line.
    Read { addr: CoreAddr, size: u8 },
    /// Write of `size` (1..=8) bytes that no cache takes; `posted`: the core does not wait for it.
    Write { addr: CoreAddr, size: u8, data: u64, posted: bool },
    /// Write the bytes of the line at `addr` whose bit in `enable` is set.
    WriteLine { addr: CoreAddr, data: [u8; LINE_BYTES], enable: u32, kind: DrainKind },
    /// IN: `size` is 1, 2 or 4.
    IoRead { port: u16, size: u8 },
    /// OUT: `size` is 1, 2 or 4.
    IoWrite { port: u16, size: u8, data: u32 },
}

/// Writes those bytes of `data` over `target`, which is as long, whose bit in `enable` is set.
#[inline]
pub fn write_enabled(target: &mut [u8], data: &[u8], enable: u32) {
    // The commonest, without a call that copies.
    if enable & 0xF == 0xF
        && let (Ok(target), Ok(data)) = (<&mut [u8; 4]>::try_from(&mut *target), data.try_into())
    {
        *target = data;
        return;
    }
    let mut left = u64::from(enable) & ((1 << data.len()) - 1);
    while left != 0 {
        let start = left.trailing_zeros() as usize;
        let count = (left >> start).trailing_ones() as usize;
        target[start..start + count].copy_from_slice(&data[start..start + count]);
        left &= u64::MAX.checked_shl((start + count) as u32).unwrap_or(0);
    }
}

/// The answer to a [`BusRequest`]. Its bytes stand at the place of a word, so that it is copied by
/// words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u64)]
pub enum BusResponse {
    /// The bytes of a `ReadLine`.
    Line([u8; LINE_BYTES]),
    /// The little-endian value of a `Read` or `IoRead`.
    Value(u64),
    /// A write has been acknowledged.
    Acknowledge,
}

impl BusRequest {
    /// True for requests that read.
    #[inline]
    pub fn is_read(&self) -> bool {
        matches!(self, Self::ReadLine { .. } | Self::Read { .. } | Self::IoRead { .. })
    }

    /// True for writes that the core does not wait for: stores to cacheable memory. They only keep
    /// its bus unit busy.
    #[inline]
    pub fn is_posted(&self) -> bool {
        self.posted_to().is_some()
    }

    /// The address of a posted write; `None` for other requests.
    #[inline]
    pub fn posted_to(&self) -> Option<CoreAddr> {
        match *self {
            Self::Write { addr, posted: true, .. } => Some(addr),
            _ => None,
        }
    }

    /// The core-physical address, or `None` for port I/O.
    #[inline]
    pub fn addr(&self) -> Option<CoreAddr> {
        match *self {
            Self::ReadLine { addr, .. }
            | Self::Read { addr, .. }
            | Self::Write { addr, .. }
            | Self::WriteLine { addr, .. } => Some(addr),
            Self::IoRead { .. } | Self::IoWrite { .. } => None,
        }
    }
}
