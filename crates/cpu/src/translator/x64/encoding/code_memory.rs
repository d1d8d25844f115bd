//! Where host code lies: one region behind another, each from the beginning of a host line on.
//!
//! A mapping of its own for each region would put all their beginnings, which are what is executed
//! most, into the same few sets of the host's instruction cache, and each on a page of its own.
//! Large programs execute code all over a hundred megabytes, which the host finds sooner if its
//! pages are large.

use memmap2::{Mmap, MmapMut};

use crate::code_cache::interface::note_denied;

/// Code lives in mappings of so many bytes: one is writable for a moment whenever something is put
/// into it, which costs as much as it has pages. The first one is for programs that are small.
const FIRST_BYTES: usize = 256 << 10;
/// A large page of the host.
const BYTES: usize = 2 << 20;
const HOST_LINE: usize = 64;
const GIVEN: &str = "the host changes the rights to memory that it has let become code";

/// Never moves, and is given back as a whole.
#[derive(Debug, Default)]
pub(in crate::translator) struct CodeMemory {
    full: Vec<Mmap>,
    /// There is room behind what is used of it.
    last: Option<Mmap>,
    used: usize,
}

impl CodeMemory {
    /// The address of a copy of this code; `None` if the host gives no memory for it, or lets none
    /// become code.
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

    /// No code that lies there runs now.
    fn write(&mut self, mut memory: MmapMut, from: usize, code: &[u8]) -> Option<u64> {
        let end = from + code.len();
        memory[from..end].copy_from_slice(code);
        let memory = match memory.make_exec() {
            Ok(memory) => memory,
            // Nothing lies there yet that is executed.
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
    // A host that has no large pages does with small ones.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Some(memory)
}
