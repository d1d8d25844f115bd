//! The test-and-set register LOCKn of a core.
//!
//! A read returns the bit and clears it: 1 means the reader now owns the lock. Any write frees
//! it. How it starts is not documented, and the chip description's choice.

use serde::{Deserialize, Serialize};

/// One lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestAndSet {
    free: bool,
    /// `Some` for a broken register: reads find it free (true) or taken (false), whatever is done.
    stuck: Option<bool>,
}

impl TestAndSet {
    pub fn new(free: bool) -> TestAndSet {
        TestAndSet { free, stuck: None }
    }

    /// A bus read: takes the lock if it is free.
    pub fn read(&mut self) -> u32 {
        let free = std::mem::replace(&mut self.free, false);
        u32::from(self.stuck.unwrap_or(free))
    }

    /// A bus write of any value.
    pub fn write(&mut self) {
        self.free = true;
    }

    /// The value that a read would return, without taking the lock.
    pub fn peek(&self) -> u32 {
        u32::from(self.stuck.unwrap_or(self.free))
    }

    /// Breaks it, or makes it well again.
    pub fn stick(&mut self, stuck: Option<bool>) {
        self.stuck = stuck;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_takes_and_a_write_frees() {
        let mut lock = TestAndSet::new(true);
        assert_eq!((lock.read(), lock.read(), lock.read()), (1, 0, 0));
        lock.write();
        assert_eq!((lock.peek(), lock.read(), lock.peek()), (1, 1, 0));
    }
}
