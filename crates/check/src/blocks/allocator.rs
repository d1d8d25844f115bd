//! What the checker must know of the functions that allocate and free blocks. The caller finds the
//! functions in the program's symbols.

use rockcreek_defs::STACK_WORDS;

/// An argument of a call, counted from 1.
pub type Argument = u8;

/// A function that allocates a block, frees one, or does both (`realloc`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocator {
    /// The address of the function's first instruction.
    pub entry: u32,
    /// True if the function allocates a block.
    pub gives: bool,
    /// The argument with the address of the block that the function frees; `None` if it frees none.
    pub takes: Option<Argument>,
    /// The argument with the address of the variable into which the function writes the address of
    /// the new block (`posix_memalign`). `None`: the function returns that address.
    pub leaves: Option<Argument>,
    /// The arguments whose product is the size of the new block in bytes (`calloc` has two).
    pub bytes: [Option<Argument>; 2],
    /// A granule is an aligned piece of memory that contains only blocks and the allocator's own
    /// data. `granules[0]`: its bytes for a block of fewer than `large` bytes; `granules[1]`: for a
    /// larger block. Both are powers of two.
    pub granules: [u32; 2],
    pub large: u32,
    /// True if the function that frees a block of `large` bytes or more returns its memory to the
    /// kernel, which may map other data there.
    pub returns_large: bool,
    /// What the check of values may assume of a block.
    pub contents: Contents,
}

/// What is in a new block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contents {
    /// Bytes that were never written; behind those of the block that it replaces.
    #[default]
    Unwritten,
    Zeros,
    /// Memory that other cores write too.
    Shared,
}

impl Allocator {
    pub(super) fn granule(&self, bytes: u32) -> u32 {
        self.granules[usize::from(bytes >= self.large)]
    }

    /// The size in bytes of the block that a call with these words on the stack allocates.
    pub(super) fn size(&self, words: &[u32; STACK_WORDS]) -> u32 {
        let known = self.bytes.iter().flatten();
        known.fold(1, |product, argument| product * words[usize::from(*argument)])
    }
}
