//! Memory for host code: one region after another, each beginning at a cache line of the host.
//!
//! A mapping of its own for each region would put the beginnings of all regions, which are executed
//! most, into the same few sets of the host's instruction cache, and each on a page of its own.
//! Large programs execute code all over a hundred megabytes, which the host finds sooner with large
//! pages.

use memmap2::{Mmap, MmapMut};

use crate::code_cache::interface::note_denied;

/// The size of a mapping. A mapping becomes writable for a moment whenever code is put into it, at
/// a cost for each of its pages. The first one is for small programs.
const FIRST_BYTES: usize = 256 << 10;
/// The size of later mappings: a large page of the host.
const BYTES: usize = 2 << 20;
const HOST_LINE: usize = 64;
const GIVEN: &str = "the host changes the rights to memory that it has let become code";

/// Memory for code, which never moves and is freed as a whole.
#[derive(Debug, Default)]
pub(in crate::translator) struct CodeMemory {
    full: Vec<Mmap>,
    /// The mapping with room after its first `used` bytes.
    last: Option<Mmap>,
    used: usize,
}

impl CodeMemory {
    /// Copies code into the memory; returns its address. `None` if the host gives no memory, or
    /// does not let it become code.
    pub fn put(&mut self, code: &[u8]) -> Option<u64> {
        let from = self.used.next_multiple_of(HOST_LINE);
        let end = from + code.len();
        match self.last.take() {
            Some(last) if end <= last.len() => {
                self.write(last.make_mut().expect(GIVEN), from, code)
            }
            last => {
                let least = if last.is_some() { BYTES } else { FIRST_BYTES };
                self.full.extend(last);
                self.write(mapping(least, code.len())?, 0, code)
            }
        }
    }

    /// Writes code into a mapping; no code in it may be running.
    fn write(&mut self, mut memory: MmapMut, from: usize, code: &[u8]) -> Option<u64> {
        let end = from + code.len();
        memory[from..end].copy_from_slice(code);
        let memory = match memory.make_exec() {
            Ok(memory) => memory,
            // The mapping holds no code that is in use yet.
            Err(_) if from == 0 => {
                note_denied();
                return None;
            }
            Err(error) => panic!("{GIVEN}: {error}"),
        };
        self.used = end;
        let address = memory.as_ptr() as u64 + from as u64;
        self.last = Some(memory);
        Some(address)
    }
}

fn mapping(least: usize, bytes: usize) -> Option<MmapMut> {
    let fits = bytes <= least;
    let memory =
        MmapMut::map_anon(if fits { least } else { bytes.next_multiple_of(BYTES) }).ok()?;
    // A host without large pages uses small ones.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Some(memory)
}
