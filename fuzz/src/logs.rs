//! Commit logs: files, and blocks whose checksums somebody has made right.

use std::path::Path;

use rockcreek_chip::Stopped;
use rockcreek_defs::{CoreId, Ps};
use rockcreek_observe::{LogReader, compare};
use xxhash_rust::xxh3::xxh3_64;

use crate::small;
use crate::texts::multiboot_kernel;

/// Magic and version; then blocks of a length, a checksum and contents.
const START_BYTES: usize = START.len() + 2;
const START: &[u8] = b"RCKLOG";
const BLOCK_HEAD: usize = 4 + 8;
/// Records beyond these bring nothing new.
const MOST_RECORDS: usize = 10_000;

fn read(path: &Path) {
    let Ok(mut log) = LogReader::open(path) else { return };
    for _ in 0..MOST_RECORDS {
        match log.next_record() {
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => break,
        }
    }
    let _ = compare(path, path);
}

/// The file with correct checksums, as far as blocks can be separated.
fn signed(data: &[u8]) -> Vec<u8> {
    let mut file = data.to_vec();
    let mut at = START_BYTES;
    while let Some(head) = file.get(at..at + BLOCK_HEAD) {
        let length = u32::from_le_bytes(*head.first_chunk().expect("four bytes")) as usize;
        let start = at + BLOCK_HEAD;
        let Some(end) = start.checked_add(length).filter(|end| *end <= file.len()) else { break };
        let sum = xxh3_64(&file[start..end]);
        file[at + 4..start].copy_from_slice(&sum.to_le_bytes());
        at = end;
    }
    file
}

pub fn file(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    for (name, bytes) in [("as-is", data.to_vec()), ("signed", signed(data))] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a temporary file");
        read(&path);
    }
}

pub fn file_examples() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("log");
    let mut chip = small::chip();
    // fld1; l: inc eax; mov [80000000h], eax; jmp l
    let code = [0xD9, 0xE8, 0x40, 0xA3, 0, 0, 0, 0x80, 0xEB, 0xF8];
    chip.load(CoreId(0), &multiboot_kernel(&code), "", &[]).expect("a kernel");
    let file = std::fs::File::create(&path).expect("a file");
    chip.start_log(file, "a log").expect("a log");
    chip.release(CoreId(0));
    assert_eq!(chip.run(Some(Ps(20_000_000)), || true), Stopped::Until);
    chip.finish_log().expect("a log");
    vec![std::fs::read(&path).expect("a log")]
}
