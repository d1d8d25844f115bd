//! Snapshots: files, and contents behind a right checksum.

use std::io::{Read, Write};
use std::sync::OnceLock;

use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use rockcreek_chip::{Companion, SnapshotError};
use rockcreek_cpu::Core;
use rockcreek_defs::{CoreId, Ps};
use xxhash_rust::xxh3::xxh3_128;

use crate::small::{self, Machine};
use crate::texts::multiboot_kernel;

/// Magic, version, hash of the description, length of the contents; a checksum follows.
const HEAD_BYTES: usize = 8 + 4 + 16 + 8;
const CHECKSUM_BYTES: usize = 16;
/// How far a chip runs whose state is anybody's guess.
const RUN: Ps = Ps(2_000_000);
const EVENTS: u32 = 2_000;

fn restore(bytes: &[u8]) -> Result<(Machine, Companion), SnapshotError> {
    Machine::restore(bytes, |description, core| Core::new(core, &description.cpu))
}

/// Two cores that count and print, at some time.
fn saved(at: Ps) -> Vec<u8> {
    let mut chip = small::chip();
    // l: inc eax; mov [80000000h], eax; mov [esp], eax; mov dx, 3F8h; out dx, al; jmp l
    let code = [
        0xBC, 0, 0, 0x20, 0, 0x40, 0xA3, 0, 0, 0, 0x80, 0x89, 0x04, 0x24, 0x66, 0xBA, 0xF8, 0x03,
        0xEE, 0xEB, 0xF0,
    ];
    for core in [0, 1] {
        chip.load(CoreId(core), &multiboot_kernel(&code), "", &[]).expect("a kernel");
        chip.release(CoreId(core));
    }
    chip.run(Some(at), || true);
    let description = small::text().into();
    chip.save(Companion { description, note: "a note".into(), ..Companion::default() })
}

fn examples() -> &'static [Vec<u8>] {
    static EXAMPLES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    EXAMPLES.get_or_init(|| vec![saved(Ps(0)), saved(Ps(3_000_000))])
}

/// Restores a file and, if that goes, lets the chip run a little and saves it again.
pub fn file(data: &[u8]) {
    let Ok((mut chip, companion)) = restore(data) else { return };
    let mut left = EVENTS;
    let until = Ps(chip.now().0.saturating_add(RUN.0));
    chip.run(Some(until), || {
        left = left.saturating_sub(64);
        left > 0
    });
    chip.save(companion);
}

pub fn file_examples() -> Vec<Vec<u8>> {
    examples().to_vec()
}

/// What a file with such contents would be.
fn packed(contents: &[u8]) -> Vec<u8> {
    let mut file = examples()[0][..HEAD_BYTES - 8].to_vec();
    file.extend((contents.len() as u64).to_le_bytes());
    let mut frame = FrameEncoder::new(Vec::new());
    frame.write_all(contents).expect("a Vec takes everything");
    let frame = frame.finish().expect("a Vec takes everything");
    file.extend(xxh3_128(&[&file[..], &frame].concat()).to_le_bytes());
    file.extend(frame);
    file
}

/// Contents that somebody has changed and signed again.
pub fn contents(data: &[u8]) {
    file(&packed(data));
}

pub fn contents_examples() -> Vec<Vec<u8>> {
    let unpacked = |file: &Vec<u8>| {
        let mut contents = Vec::new();
        let frame = &file[HEAD_BYTES + CHECKSUM_BYTES..];
        FrameDecoder::new(frame).read_to_end(&mut contents).expect("a whole frame");
        contents
    };
    examples().iter().map(unpacked).collect()
}
