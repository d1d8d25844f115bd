//! Functions that allocate or free blocks, as somebody outside has looked them up in a program.

use rockcreek_defs::STACK_WORDS;

/// An argument of a call, counted from 1.
pub type Argument = u8;

/// A function that gives a block, takes one back, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocator {
    /// The function's first instruction.
    pub entry: u32,
    /// True if the function returns a block.
    pub gives: bool,
    /// The argument that is a block which the function takes back.
    pub takes: Option<Argument>,
    /// The argument that is the address where the function leaves the block that it gives, if it
    /// does not return it.
    pub leaves: Option<Argument>,
    /// The argument with the number of bytes; times another one, if there are two.
    pub bytes: [Option<Argument>; 2],
    /// A block of fewer bytes than `large` shares granules of `granules[0]` bytes only with other
    /// blocks and with what the allocator itself keeps; any other block those of `granules[1]`
    /// bytes. Powers of two.
    pub granules: [u32; 2],
    pub large: u32,
    /// True if the memory of a freed large block goes back to the kernel, which may map something
    /// else there.
    pub returns_large: bool,
}

impl Allocator {
    pub(super) fn granule(&self, bytes: u32) -> u32 {
        self.granules[usize::from(bytes >= self.large)]
    }

    /// The bytes that a call with these arguments asks for.
    pub(super) fn size(&self, words: &[u32; STACK_WORDS]) -> u32 {
        let known = self.bytes.iter().flatten();
        known.fold(1, |product, argument| product * words[usize::from(*argument)])
    }
}
