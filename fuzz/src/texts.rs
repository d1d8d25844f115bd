//! Readers of images and texts: ELF and multiboot, memory images, LUT data, chip descriptions.

use rockcreek_boot::{Kernel, Memory, Module, load, parse_lut_data, parse_memory_object};
use rockcreek_chip::Description;

use crate::small;

/// Memory of a core that takes what fits.
struct Flat {
    bytes: u64,
    written: u64,
}

impl Memory for Flat {
    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.written += bytes.len() as u64;
        u64::from(address) + bytes.len() as u64 <= self.bytes
    }

    fn clear(&mut self, address: u32, bytes: u32) {
        let end = u64::from(address) + u64::from(bytes);
        assert!(end <= self.bytes, "what is cleared lies in memory");
    }
}

const PRIVATE_BYTES: u64 = 64 << 20;

pub fn elf(data: &[u8]) {
    let _ = Kernel::parse(data);
    let mut memory = Flat { bytes: PRIVATE_BYTES, written: 0 };
    let module = Module { bytes: &data[..data.len() / 2], name: "module" };
    if let Ok(entry) = load(data, "command line", &[module], PRIVATE_BYTES, &mut memory) {
        assert!(u64::from(entry.ebx) < PRIVATE_BYTES, "the information lies in memory");
        assert!(memory.written < 2 * PRIVATE_BYTES, "more was written than there is");
    }
}

/// A multiboot kernel of one segment at 1 MB, by hand.
pub fn multiboot_kernel(code: &[u8]) -> Vec<u8> {
    const BASE: u32 = 0x10_0000;
    const HEADER: u32 = 0x1BAD_B002;
    let bytes = 12 + code.len() as u32;
    let mut file = vec![0x7F, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3, 0];
    let mut words = |words: &[u32]| file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    words(&[1, BASE + 12, 52, 0, 0, 32 << 16 | 52, 40 << 16 | 1, 0]);
    words(&[1, 84, BASE, BASE, bytes, bytes, 7, 4]);
    words(&[HEADER, 0, 0u32.wrapping_sub(HEADER)]);
    file.extend(code);
    file
}

pub fn elf_examples() -> Vec<Vec<u8>> {
    vec![multiboot_kernel(&[0xF4; 40])]
}

pub fn memory_object(data: &[u8]) {
    let mut chip = small::chip();
    let loaded = chip.load_memory_object(0, data);
    assert!(parse_memory_object(data).is_ok() || loaded.is_err());
}

pub fn memory_object_examples() -> Vec<Vec<u8>> {
    let text = "/origin 4000\n00000001 00000002 00000003 a0b0c0d0\n5 6\r\n\n/origin 3C0000\n\
                deadbeef 0 0 0\n/eof\n";
    vec![text.into(), b"/origin 0fffffff\n1 2 3 4\n/eof".to_vec()]
}

pub fn lut_data(data: &[u8]) {
    let mut chip = small::chip();
    let loaded = chip.load_lut_data(data);
    assert!(parse_lut_data(data).is_ok() || loaded.is_err());
}

pub fn lut_data_examples() -> Vec<Vec<u8>> {
    vec![b"# core 0\n0x00 2 0x0ff8 0x00004bf4\n\n00 2 1000 3f\n".to_vec()]
}

pub fn description(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(description) = Description::parse(&text) {
        assert!(description.cores() > 0);
    }
}

pub fn description_examples() -> Vec<Vec<u8>> {
    vec![small::text().into(), small::SCC.into()]
}
