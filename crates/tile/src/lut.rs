//! The lookup table of a core: the upper bits of its 32-bit address become a router, a port and
//! the upper bits of a 34-bit address there (EAS: the 46-bit system address).
//!
//! An extension serves segments smaller than the SCC's 16 MB: the bits of the unit's address
//! between 16 MB and the segment are in the entry's upper bits, which the SCC does not have.
//!
//! The table sits behind L2: rewriting an entry does nothing to lines that are already cached.

use rockcreek_defs::registers::lut::lut0;
use rockcreek_defs::{Coord, CoreAddr, SubDest, SystemAddr};
use serde::{Deserialize, Serialize};

/// The number of address bits within a segment of the SCC; the others are those of `SEGMENT`.
const SILICON_SEGMENT_SHIFT: u32 = 24;
/// Bit 31 of an entry is bit 23 of the unit's address, and so on downwards.
const FINE_SHIFT: u32 = 31 - (SILICON_SEGMENT_SHIFT - 1);

/// One entry, as the 22 bits that software reads and writes, and those of the extension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LutEntry(pub u32);

impl LutEntry {
    /// As many ports can be named.
    pub const PORTS: usize = ((lut0::Y | lut0::X | lut0::SUB) >> lut0::SUB_SHIFT) as usize + 1;

    /// An entry for the segment at `address` of the unit at `router`'s port `sub`.
    pub fn new(router: Coord, sub: SubDest, address: u64, bypass: bool) -> LutEntry {
        let field = |value: u32, mask: u32, shift: u32| (value << shift) & mask;
        let segment = (address >> SILICON_SEGMENT_SHIFT) as u32;
        LutEntry(
            field(segment, lut0::SEGMENT, lut0::SEGMENT_SHIFT)
                | (address as u32) << FINE_SHIFT & lut0::SEGMENT_FINE
                | field(sub as u32, lut0::SUB, lut0::SUB_SHIFT)
                | field(router.x.into(), lut0::X, lut0::X_SHIFT)
                | field(router.y.into(), lut0::Y, lut0::Y_SHIFT)
                | field(bypass.into(), lut0::BYPASS, lut0::BYPASS_SHIFT),
        )
    }

    #[inline]
    fn field(self, mask: u32, shift: u32) -> u32 {
        (self.0 & mask) >> shift
    }

    /// The address in the unit's own address space at which the segment begins.
    #[inline]
    pub fn address(self) -> u64 {
        let segment = self.field(lut0::SEGMENT, lut0::SEGMENT_SHIFT);
        let fine = (self.0 & lut0::SEGMENT_FINE) >> FINE_SHIFT;
        u64::from(segment) << SILICON_SEGMENT_SHIFT | u64::from(fine)
    }

    #[inline]
    pub fn sub(self) -> SubDest {
        SubDest::from_bits(self.field(lut0::SUB, lut0::SUB_SHIFT))
    }

    /// Router and port together, as one number below [`LutEntry::PORTS`].
    #[inline]
    pub fn port(self) -> usize {
        self.field(lut0::Y | lut0::X | lut0::SUB, lut0::SUB_SHIFT) as usize
    }

    #[inline]
    pub fn router(self) -> Coord {
        Coord {
            x: self.field(lut0::X, lut0::X_SHIFT) as u8,
            y: self.field(lut0::Y, lut0::Y_SHIFT) as u8,
        }
    }

    #[inline]
    pub fn bypass(self) -> bool {
        self.0 & lut0::BYPASS != 0
    }
}

/// A table as a snapshot holds it, which may be anything.
#[derive(Deserialize)]
struct SavedLut {
    entries: Vec<LutEntry>,
    segment_shift: u32,
}

/// The table of one core.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SavedLut")]
pub struct Lut {
    entries: Vec<LutEntry>,
    segment_shift: u32,
}

impl TryFrom<SavedLut> for Lut {
    type Error = &'static str;

    fn try_from(saved: SavedLut) -> Result<Lut, &'static str> {
        let SavedLut { entries, segment_shift } = saved;
        let covers = segment_shift < 32 && entries.len() as u64 == 1 << (32 - segment_shift);
        if covers { Ok(Lut { entries, segment_shift }) } else { Err("a LUT does not cover 4 GB") }
    }
}

impl Lut {
    /// A table of zeros. `entries` segments of `segment_bytes` cover the 4 GB.
    pub fn new(entries: usize, segment_bytes: u64) -> Lut {
        assert!(entries as u64 * segment_bytes == 1 << 32, "the LUT covers 4 GB");
        assert!(segment_bytes.is_power_of_two(), "a segment's size is a power of two");
        Lut {
            entries: vec![LutEntry::default(); entries],
            segment_shift: segment_bytes.trailing_zeros(),
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn entry(&self, index: usize) -> LutEntry {
        self.entries[index]
    }

    /// Stores the bits that exist: of `SEGMENT_FINE` those above the segment's size.
    pub fn set(&mut self, index: usize, entry: LutEntry) {
        let fine_bits = SILICON_SEGMENT_SHIFT.saturating_sub(self.segment_shift);
        let absent = lut0::SEGMENT_FINE & u32::MAX >> fine_bits;
        self.entries[index] = LutEntry(entry.0 & !absent);
    }

    /// The entry of an address, and the address in its segment.
    #[inline]
    pub fn find(&self, addr: CoreAddr) -> (LutEntry, u32) {
        let entry = self.entries[(addr.0 >> self.segment_shift) as usize];
        (entry, addr.0 & ((1 << self.segment_shift) - 1))
    }

    /// 32 bits to 46: the segment's number becomes the upper bits of the unit's own address.
    pub fn translate(&self, addr: CoreAddr) -> SystemAddr {
        let (entry, within) = self.find(addr);
        SystemAddr {
            router: entry.router(),
            sub: entry.sub(),
            offset: entry.address() | u64::from(within),
            bypass: entry.bypass(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The composition rule of sccKit: 0x2000 * route + 0x400 * sub-destination + offset.
    #[test]
    fn an_entry_has_the_published_layout() {
        let route = 0x25;
        let entry = LutEntry::new(Coord { x: 5, y: 2 }, SubDest::East, 0x1EC << 24, false);
        assert_eq!(entry.0, 0x2000 * route + 0x400 * 4 + 0x1EC);
        assert_eq!(entry.router(), Coord { x: 5, y: 2 });
        assert_eq!(entry.sub(), SubDest::East);
        assert!(LutEntry::new(Coord::default(), SubDest::Mpb, 0, true).0 >> 21 == 1);
    }

    #[test]
    fn thirty_two_bits_become_thirty_four() {
        let mut lut = Lut::new(256, 1 << 24);
        lut.set(
            0x28,
            LutEntry(
                0xFFC0_0000
                    | LutEntry::new(Coord { x: 0, y: 2 }, SubDest::West, 0x3FF << 24, false).0,
            ),
        );
        assert_eq!(lut.entry(0x28).0 >> 22, 0, "only 22 bits exist");
        let system = lut.translate(CoreAddr(0x2812_3456));
        assert_eq!(system.offset, 0x3_FF12_3456);
        assert_eq!((system.router, system.sub), (Coord { x: 0, y: 2 }, SubDest::West));
    }

    /// Segments of 4 MB: two more bits of the address, and no other of the upper ones.
    #[test]
    fn smaller_segments_reach_all_of_a_unit() {
        let mut lut = Lut::new(1024, 1 << 22);
        for address in [0x3_FFC0_0000, 0x1_0080_0000, 0x40_0000] {
            lut.set(1023, LutEntry::new(Coord { x: 15, y: 15 }, SubDest::East, address, false));
            assert_eq!(lut.translate(CoreAddr(0xFFC1_2345)).offset, address | 0x1_2345);
        }
        lut.set(0, LutEntry(u32::MAX));
        assert_eq!(lut.entry(0).0, 0xC03F_FFFF);
    }

    /// A snapshot that somebody has changed must not make a table that some address leads out of.
    #[test]
    fn only_whole_tables_are_restored() {
        let restored = |count: usize, shift: u32| {
            let entries = vec!["0"; count].join(", ");
            let text = format!("segment_shift = {shift}\nentries = [{entries}]");
            toml::from_str::<Lut>(&text).is_ok()
        };
        assert!(restored(256, 24) && restored(1024, 22));
        assert!(!restored(256, 14) && !restored(255, 24) && !restored(0, 32) && !restored(1, 64));
    }
}
