//! What the threads of a program share, and which code is the program's own: linear addresses that
//! somebody outside has looked up. The chip only compares addresses with them.

/// Linear addresses, the first and the one behind the last.
pub type Span = (u32, u32);

/// Memory and code of a program whose accesses are watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramMemory {
    /// The memory that all threads of the program share; few spans.
    pub shared: Vec<Span>,
    /// The program's own code.
    pub code: Span,
    /// Functions that access memory for who calls them (copies, comparisons), in order.
    pub helpers: Vec<Span>,
    /// All code of the image, that of libraries too.
    pub text: Span,
}

fn within((first, end): Span, address: u32) -> bool {
    address >= first && address < end
}

impl ProgramMemory {
    #[inline]
    pub fn shares(&self, linear: u32) -> bool {
        self.shared.iter().any(|span| within(*span, linear))
    }

    #[inline]
    pub fn is_code(&self, linear: u32) -> bool {
        within(self.code, linear)
    }

    /// True if the instruction is in the program's own code, or in a function that accesses memory
    /// for its caller.
    #[inline]
    pub fn watches_code(&self, linear: u32) -> bool {
        self.is_code(linear) || {
            let end = self.helpers.partition_point(|span| span.0 <= linear);
            end > 0 && within(self.helpers[end - 1], linear)
        }
    }

    /// Returns the call instruction in the program's own code for which a helper works, read from
    /// the top of the stack.
    pub fn caller(&self, stack: &[u32]) -> Option<u32> {
        let first =
            stack.iter().find(|word| within(self.text, **word) && !self.watches_helper(**word));
        first.filter(|word| self.is_code(**word)).copied()
    }

    fn watches_helper(&self, linear: u32) -> bool {
        !self.is_code(linear) && self.watches_code(linear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_helper_works_for_the_program_or_for_a_library() {
        let memory = ProgramMemory {
            shared: vec![(0x1000, 0x2000)],
            code: (0x100, 0x200),
            helpers: vec![(0x300, 0x310), (0x400, 0x420)],
            text: (0x100, 0x500),
        };
        assert!(memory.shares(0x1FFF) && !memory.shares(0x2000));
        assert!(memory.watches_code(0x41F) && !memory.watches_code(0x310));
        assert_eq!(memory.caller(&[0, 0x9999, 0x308, 0x180, 0x320]), Some(0x180));
        assert_eq!(memory.caller(&[0x330, 0x180]), None, "a library called it");
    }
}
