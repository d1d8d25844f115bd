//! Detection of delay loops.

/// The largest entry of `doublings`.
const MOST_DOUBLINGS: u8 = 6;
/// Doublings are kept by address, modulo this number.
const PLACES: usize = 64;

/// The state of the detection; not part of the core's state.
#[derive(Clone, Debug)]
pub(crate) struct Delays {
    pub on: bool,
    /// The instruction that `run` reached, how often it reached it again, and how many other
    /// instructions it has reached since the last time.
    pub eip: u32,
    pub seen: u32,
    pub others: u32,
    /// How often another instruction was tried.
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

    /// Records that this is no delay loop.
    pub fn disappoint(&mut self) {
        let doublings = self.doublings();
        *doublings = (*doublings + 1).min(MOST_DOUBLINGS);
        (self.seen, self.moves) = (0, 0);
    }
}
