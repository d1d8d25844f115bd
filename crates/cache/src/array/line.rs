//! One cache line: its tag word and its 32 bytes.
//!
//! A tag word is the line's core-physical address (32-byte aligned) with the state bits in the
//! five low bits, so that one masked compare answers "valid and this line".

use rockcreek_defs::{CoreAddr, LINE_BYTES};

/// The bytes of one cache line (32), in the order of their addresses.
pub(crate) type LineData = [u8; LINE_BYTES];

/// Flag of a tag word: the line holds data.
pub const VALID: u32 = 1 << 0;
/// Flag of a tag word: the line has been written and is newer than the next level (L2 or memory),
/// so it must be written back before it is replaced.
pub const DIRTY: u32 = 1 << 1;
/// Flag of a tag word: the line was filled from an MPBT page (L1D only).
pub const MESSAGE_BUFFER: u32 = 1 << 2;

/// Mask of a tag word for lookups: the line's address and VALID, without the other flags.
pub const COMPARED: u32 = !(LINE_BYTES as u32 - 1) | VALID;

/// True if `tag` is a valid line with the address of `addr`.
#[inline(always)]
pub(crate) fn matches(tag: u32, addr: CoreAddr) -> bool {
    tag & COMPARED == (addr.line().0 | VALID)
}

/// A bit for each of four tags, set if the tag is a valid line with the address of `addr`. The code
/// has no branches, because the host cannot predict which tag matches.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn matching(tags: &[u32; 4], addr: CoreAddr) -> u32 {
    use std::arch::x86_64::{
        _mm_and_si128, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_movemask_ps, _mm_set_epi32,
        _mm_set1_epi32,
    };
    let [first, second, third, fourth] = tags.map(u32::cast_signed);
    let (mask, wanted) = (COMPARED.cast_signed(), (addr.line().0 | VALID).cast_signed());
    // SAFETY: every x86-64 has SSE2, and these instructions need nothing else.
    let hits = unsafe {
        let compared =
            _mm_and_si128(_mm_set_epi32(fourth, third, second, first), _mm_set1_epi32(mask));
        _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(compared, _mm_set1_epi32(wanted))))
    };
    hits.cast_unsigned()
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn matching(tags: &[u32; 4], addr: CoreAddr) -> u32 {
    (0..4).fold(0, |hits, way| hits | u32::from(matches(tags[way], addr)) << way)
}

/// A bit for each of four tags, set if the tag is a valid line.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn valid(tags: &[u32; 4]) -> u32 {
    use std::arch::x86_64::{_mm_castsi128_ps, _mm_movemask_ps, _mm_set_epi32, _mm_slli_epi32};
    const TO_SIGN: i32 = VALID.leading_zeros().cast_signed();
    let [first, second, third, fourth] = tags.map(u32::cast_signed);
    // SAFETY: every x86-64 has SSE2, and these instructions need nothing else.
    let bits = unsafe {
        let tags = _mm_set_epi32(fourth, third, second, first);
        _mm_movemask_ps(_mm_castsi128_ps(_mm_slli_epi32::<TO_SIGN>(tags)))
    };
    bits.cast_unsigned()
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn valid(tags: &[u32; 4]) -> u32 {
    (0..4).fold(0, |bits, way| bits | u32::from(tags[way] & VALID != 0) << way)
}

/// The address of the line's first byte, without the flags of its tag word.
pub(crate) fn address(tag: u32) -> CoreAddr {
    CoreAddr(tag).line()
}

/// Reads `size` (1..=8) bytes at `offset` as a little-endian number.
#[inline(always)]
pub(crate) fn load(data: &LineData, offset: usize, size: u8) -> u64 {
    debug_assert!(offset + usize::from(size) <= LINE_BYTES, "an access stays inside one line");
    match size {
        1 => u64::from(data[offset]),
        2 => u64::from(u16::from_le_bytes(fixed(data, offset))),
        4 => u64::from(u32::from_le_bytes(fixed(data, offset))),
        8 => u64::from_le_bytes(fixed(data, offset)),
        _ => {
            let mut bytes = [0; 8];
            let size = usize::from(size);
            bytes[..size].copy_from_slice(&data[offset..offset + size]);
            u64::from_le_bytes(bytes)
        }
    }
}

/// Writes the low `size` (1..=8) bytes of `value` at `offset`, little-endian.
#[inline(always)]
pub(crate) fn store(data: &mut LineData, offset: usize, size: u8, value: u64) {
    debug_assert!(offset + usize::from(size) <= LINE_BYTES, "an access stays inside one line");
    let bytes = value.to_le_bytes();
    match size {
        1 => data[offset] = bytes[0],
        2 => data[offset..offset + 2].copy_from_slice(&bytes[..2]),
        4 => data[offset..offset + 4].copy_from_slice(&bytes[..4]),
        8 => data[offset..offset + 8].copy_from_slice(&bytes),
        _ => {
            let size = usize::from(size);
            data[offset..offset + size].copy_from_slice(&bytes[..size]);
        }
    }
}

#[inline(always)]
fn fixed<const N: usize>(data: &LineData, offset: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&data[offset..offset + N]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_every_size_go_in_and_come_out() {
        for size in 1..=8u8 {
            for offset in 0..=LINE_BYTES - usize::from(size) {
                let mut data = [0xEE; LINE_BYTES];
                let value = 0x8877_6655_4433_2211u64;
                store(&mut data, offset, size, value);
                let kept = if size == 8 { value } else { value & ((1 << (8 * size)) - 1) };
                assert_eq!(load(&data, offset, size), kept);
                let touched = data.iter().filter(|&&byte| byte != 0xEE).count();
                assert_eq!(touched, usize::from(size));
            }
        }
    }

    #[test]
    fn state_bits_do_not_disturb_the_compare() {
        let tag = 0x8000_1240 | VALID | DIRTY | MESSAGE_BUFFER;
        assert!(matches(tag, CoreAddr(0x8000_125F)));
        assert!(!matches(tag, CoreAddr(0x8000_1260)));
        assert!(!matches(tag & !VALID, CoreAddr(0x8000_1240)));
        assert_eq!(address(tag), CoreAddr(0x8000_1240));
    }

    #[test]
    fn four_tags_are_compared_as_one_is() {
        let tags = [0x1241, 0x1240, 0x1247, 0x8000_1241];
        for addr in [0x1240, 0x125F, 0x1260, 0x8000_1250].map(CoreAddr) {
            let one = |way: usize| u32::from(matches(tags[way], addr)) << way;
            assert_eq!(matching(&tags, addr), (0..4).map(one).sum());
        }
    }
}
