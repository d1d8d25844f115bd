//! Detects which instructions may be the start of a delay loop.

/// The largest entry of `doublings`.
const MOST_DOUBLINGS: u8 = 6;
/// The number of entries in `doublings`; an address uses the entry of its number modulo this.
const PLACES: usize = 64;

/// The state of the detection. It is not part of the core's state, because it affects only the
/// host's speed.
#[derive(Clone, Debug)]
pub(crate) struct Delays {
    pub on: bool,
    /// The address of the instruction being counted, how many times `run` has reached it again, and
    /// how many other instructions `run` has reached since the last time.
    pub eip: u32,
    pub seen: u32,
    pub others: u32,
    /// The number of times that the test was moved to another instruction of the same loop.
    pub moves: usize,
    pub doublings: [u8; PLACES],
}

impl Default for Delays {
    fn default() -> Delays {
        Delays { on: true, eip: 0, seen: 0, others: 0, moves: 0, doublings: [0; PLACES] }
    }
}

impl Delays {
    pub fn doublings(&mut self) -> &mut u8 {
        &mut self.doublings[self.eip as usize % PLACES]
    }

    /// Records that a test failed: doubles the number of times that the address must be reached
    /// before the next test.
    pub fn disappoint(&mut self) {
        let doublings = self.doublings();
        *doublings = (*doublings + 1).min(MOST_DOUBLINGS);
        (self.seen, self.moves) = (0, 0);
    }
}
