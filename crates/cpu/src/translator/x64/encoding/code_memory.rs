//! Memory for host code: in each mapping the fast parts of regions lie one after another from the
//! beginning on, and their seldom parts from the end down, each aligned to a cache line of the host.
//!
//! If each region had a mapping of its own, the starts of all regions, which are executed most,
//! would fall into the same few sets of the host's instruction cache, and each on a page of its
//! own. Large programs execute code spread over a hundred megabytes; large pages spare the host TLB
//! misses.

use memmap2::{Mmap, MmapMut};

use super::assembler::{Assembler, Parts};
use crate::code_cache::interface::note_denied;

/// The size in bytes of the first mapping, for small programs. A mapping becomes writable for a
/// moment whenever code is put into it, at a cost for each of its pages.
const FIRST_BYTES: usize = 256 << 10;
/// The size in bytes of later mappings: a large page of the host.
const BYTES: usize = 2 << 20;
const HOST_LINE: usize = 64;
/// A mapping that begins farther than this from the first one is far: a call's distance has 31 bits.
const NEAR_BYTES: u64 = 1 << 30;
const GIVEN: &str = "the host changes the rights to memory that it has let become code";

/// Memory for host code. The memory never moves and is freed as a whole.
#[derive(Debug, Default)]
pub(in crate::translator) struct CodeMemory {
    /// The address of the first mapping. The code that is called from elsewhere lies there.
    first: Option<u64>,
    full: Vec<Mmap>,
    /// The mapping that still has room, between `bottom` and `top`.
    last: Option<Mmap>,
    bottom: usize,
    top: usize,
}

impl CodeMemory {
    /// Puts assembled code into the memory; returns the addresses of its parts, and what `labels`
    /// returns for them before references are resolved. `None` if the host provides no memory, or
    /// does not permit it to be executable.
    pub fn put<T>(
        &mut self,
        asm: Assembler,
        labels: impl FnOnce(&Assembler, Parts<u64>) -> T,
    ) -> Option<T> {
        let (memory, at) = match self.last.take() {
            Some(last) => match within(self.bottom, self.top, asm.lengths(self.is_far(&last))) {
                Some(at) => (last.make_mut().expect(GIVEN), at),
                None => {
                    self.full.push(last);
                    self.anew(BYTES, &asm)?
                }
            },
            None => self.anew(FIRST_BYTES, &asm)?,
        };
        let (start, far) = (memory.as_ptr() as u64, self.is_far(&memory));
        self.first.get_or_insert(start);
        let places = Parts { fast: start + at.fast as u64, seldom: start + at.seldom as u64 };
        let found = labels(&asm, places);
        self.write(memory, at, &asm.link(places, far))?;
        Some(found)
    }

    fn is_far(&self, memory: &[u8]) -> bool {
        self.first.is_some_and(|first| first.abs_diff(memory.as_ptr() as u64) > NEAR_BYTES)
    }

    /// A new mapping of `least` bytes, or of more if the code needs it, and the offsets of the
    /// code's parts.
    fn anew(&self, least: usize, asm: &Assembler) -> Option<(MmapMut, Parts<usize>)> {
        let needed = asm.lengths(true);
        let memory = mapping(least, needed.fast + needed.seldom + HOST_LINE)?;
        let at = within(0, memory.len(), asm.lengths(self.is_far(&memory)));
        Some((memory, at.expect("the mapping is large enough")))
    }

    /// Writes code into a mapping, none of whose code may be running, at these offsets. `None` if
    /// the host does not permit it to be executable.
    fn write(
        &mut self,
        mut memory: MmapMut,
        at: Parts<usize>,
        code: &Parts<Vec<u8>>,
    ) -> Option<()> {
        let end = at.fast + code.fast.len();
        memory[at.fast..end].copy_from_slice(&code.fast);
        memory[at.seldom..][..code.seldom.len()].copy_from_slice(&code.seldom);
        let memory = match memory.make_exec() {
            Ok(memory) => memory,
            // The mapping holds no code yet, so it can be given up.
            Err(_) if at.fast == 0 => {
                note_denied();
                return None;
            }
            Err(error) => panic!("{GIVEN}: {error}"),
        };
        (self.bottom, self.top) = (end, at.seldom);
        self.last = Some(memory);
        Some(())
    }
}

/// The offsets for parts of these lengths in the room from `bottom` to `top`; `None` if they do not
/// fit.
fn within(bottom: usize, top: usize, lengths: Parts<usize>) -> Option<Parts<usize>> {
    let fast = bottom.next_multiple_of(HOST_LINE);
    let seldom = top.checked_sub(lengths.seldom)? / HOST_LINE * HOST_LINE;
    (fast + lengths.fast <= seldom).then_some(Parts { fast, seldom })
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

#[cfg(test)]
mod tests {
    use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

    use super::*;

    extern "sysv64" fn more(number: u64) -> u64 {
        number + 1
    }

    /// Code that returns 1 more than its argument, in both parts; if `calls`, by a call.
    fn put(memory: &mut CodeMemory, calls: bool) -> extern "sysv64" fn(u64) -> u64 {
        let mut asm = Assembler::new();
        let [seldom, back] = [(); 2].map(|()| asm.new_dynamic_label());
        dynasm!(asm ; .arch x64 ; lea rax, [=>seldom] ; jmp rax ; =>back ; ret);
        asm.begin_seldom();
        dynasm!(asm ; .arch x64 ; =>seldom ; lea rax, [rdi + 1]);
        if calls {
            dynasm!(asm ; .arch x64 ; sub rsp, 8);
            asm.call(more as *const () as u64);
            dynasm!(asm ; .arch x64 ; add rsp, 8);
        }
        dynasm!(asm ; .arch x64 ; jmp =>back);
        let start = memory.put(asm, |_, places| places.fast).unwrap();
        // SAFETY: the code at `start` has this signature, and changes no register that it must keep.
        unsafe { std::mem::transmute::<u64, extern "sysv64" fn(u64) -> u64>(start) }
    }

    #[test]
    fn both_parts_of_code_reach_each_other_in_every_mapping() {
        let mut memory = CodeMemory::default();
        let codes: Vec<_> = (0..40_000).map(|_| put(&mut memory, false)).collect();
        assert!(memory.full.len() >= 2);
        assert!(codes.iter().zip(0..).all(|(code, number)| code(number) == number + 1));
    }

    #[test]
    fn calls_from_a_far_mapping_arrive() {
        let mut memory = CodeMemory { first: Some(0), ..CodeMemory::default() };
        let code = put(&mut memory, true);
        assert!(memory.is_far(memory.last.as_ref().unwrap()));
        assert_eq!(code(41), 42);
    }
}
