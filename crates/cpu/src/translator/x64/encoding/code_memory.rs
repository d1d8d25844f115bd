//! Memory for host code: regions one after another, each aligned to a cache line of the host.
//!
//! If each region had a mapping of its own, the starts of all regions, which are executed most,
//! would fall into the same few sets of the host's instruction cache, and each on a page of its
//! own. Large programs execute code spread over a hundred megabytes; large pages spare the host TLB
//! misses.

use memmap2::{Mmap, MmapMut};

use crate::code_cache::interface::note_denied;

/// The size in bytes of the first mapping, for small programs. A mapping becomes writable for a
/// moment whenever code is put into it, at a cost for each of its pages.
const FIRST_BYTES: usize = 256 << 10;
/// The size in bytes of later mappings: a large page of the host.
const BYTES: usize = 2 << 20;
const HOST_LINE: usize = 64;
const GIVEN: &str = "the host changes the rights to memory that it has let become code";

/// Memory for host code. The memory never moves and is freed as a whole.
#[derive(Debug, Default)]
pub(in crate::translator) struct CodeMemory {
    full: Vec<Mmap>,
    /// The mapping that still has room, after its first `used` bytes.
    last: Option<Mmap>,
    used: usize,
}

impl CodeMemory {
    /// Copies code into the memory; returns its address. `None` if the host provides no memory, or
    /// does not permit it to be executable.
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

    /// Writes code into a mapping, none of whose code may be running; returns its address. `None`
    /// if the host does not permit it to be executable.
    fn write(&mut self, mut memory: MmapMut, from: usize, code: &[u8]) -> Option<u64> {
        let end = from + code.len();
        memory[from..end].copy_from_slice(code);
        let memory = match memory.make_exec() {
            Ok(memory) => memory,
            // The mapping holds no code yet, so it can be given up.
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
    // A host that has no large pages ignores the advice.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Some(memory)
}
