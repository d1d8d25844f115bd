//! Where host code lies: one region behind another, each from the beginning of a host line on.
//!
//! A mapping of its own for each region would put all their beginnings, which are what is executed
//! most, into the same few sets of the host's instruction cache, and each on a page of its own.

use dynasmrt::mmap::{ExecutableBuffer, MutableBuffer};

/// Code lives in mappings of so many bytes: one is writable for a moment whenever something is put
/// into it, which costs as much as it has pages.
const BYTES: usize = 256 << 10;
const HOST_LINE: usize = 64;

/// Never moves, and is given back as a whole.
#[derive(Debug, Default)]
pub(in crate::translator) struct CodeMemory {
    full: Vec<ExecutableBuffer>,
    /// There is room behind what is used of it.
    last: Option<ExecutableBuffer>,
    used: usize,
}

impl CodeMemory {
    /// The address of a copy of this code; `None` if the host gives no memory for it.
    pub fn put(&mut self, code: &[u8]) -> Option<u64> {
        let from = self.used.next_multiple_of(HOST_LINE);
        let end = from + code.len();
        match self.last.take() {
            Some(last) if end <= last.size() => Some(self.write(last, from, code)),
            last => {
                self.full.extend(last);
                let new = ExecutableBuffer::new(BYTES.max(code.len())).ok()?;
                Some(self.write(new, 0, code))
            }
        }
    }

    /// No code that lies there runs now.
    fn write(&mut self, buffer: ExecutableBuffer, from: usize, code: &[u8]) -> u64 {
        const GIVEN: &str = "the host changes the rights to its own memory";
        let mut buffer: MutableBuffer = buffer.make_mut().expect(GIVEN);
        self.used = from + code.len();
        buffer.set_len(self.used);
        buffer[from..].copy_from_slice(code);
        let buffer = buffer.make_exec().expect(GIVEN);
        let address = buffer.as_ptr() as u64 + from as u64;
        self.last = Some(buffer);
        address
    }
}
