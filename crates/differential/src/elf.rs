//! The test program as a file: a static i386 ELF (`sysv-abi-i386`, `tis-elf-1995`).

use crate::layout;

const HEADER_BYTES: u32 = 52;
const PROGRAM_HEADER_BYTES: u32 = 32;
const PAGE: u32 = 4096;
const READ: u32 = 4;
const WRITE: u32 = 2;
const EXECUTE: u32 = 1;

struct Segment<'a> {
    address: u32,
    bytes: &'a [u8],
    memory_bytes: u32,
    flags: u32,
}

/// The file of a program of `cases` cases.
pub fn write(start: u32, text: &[u8], slots: &[u8], inputs: &[u8], cases: u32) -> Vec<u8> {
    let segment = |address, bytes: &'static [u8], memory_bytes, flags| Segment {
        address,
        bytes,
        memory_bytes,
        flags,
    };
    let outputs = cases * layout::RECORD_BYTES as u32;
    let segments = [
        Segment { bytes: text, ..segment(layout::TEXT, &[], 0, READ | EXECUTE) },
        segment(layout::DATA, &[], layout::DATA_BYTES, READ | WRITE),
        Segment { bytes: inputs, ..segment(layout::INPUTS, &[], 0, READ) },
        segment(layout::OUTPUTS, &[], outputs, READ | WRITE),
        segment(layout::SCRATCH, &[], layout::SCRATCH_BYTES, READ | WRITE),
        Segment { bytes: slots, ..segment(layout::CODE, &[], 0, READ | EXECUTE) },
    ];
    let mut file = header(start, segments.len() as u16);
    let mut offset = PAGE;
    for segment in &segments {
        let length = segment.bytes.len() as u32;
        let memory = segment.memory_bytes.max(length);
        let fields =
            [1, offset, segment.address, segment.address, length, memory, segment.flags, PAGE];
        fields.iter().for_each(|field: &u32| file.extend(field.to_le_bytes()));
        offset += length.next_multiple_of(PAGE);
    }
    for segment in &segments {
        file.resize(file.len().next_multiple_of(PAGE as usize), 0);
        file.extend(segment.bytes);
    }
    file
}

fn header(start: u32, segments: u16) -> Vec<u8> {
    // 32-bit, little-endian, version 1.
    let mut file = b"\x7FELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    // An executable for the 80386.
    for half in [2u16, 3] {
        file.extend(half.to_le_bytes());
    }
    for word in [1, start, HEADER_BYTES, 0, 0] {
        file.extend(u32::to_le_bytes(word));
    }
    for half in [HEADER_BYTES as u16, PROGRAM_HEADER_BYTES as u16, segments, 0, 0, 0] {
        file.extend(half.to_le_bytes());
    }
    file
}
