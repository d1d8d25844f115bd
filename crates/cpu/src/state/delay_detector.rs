//! Where a core may be in a loop that only lets time pass.

/// Doublings of the patience at the most.
const MOST_DOUBLINGS: u8 = 6;
/// Doublings are kept by address, modulo this.
const PLACES: usize = 64;

/// Whether and where the core may be in such a loop; no part of its state.
#[derive(Clone, Debug)]
pub(crate) struct Delays {
    pub on: bool,
    /// An instruction that `run` came by, how often it came by it again, and by how many others
    /// since the last time.
    pub eip: u32,
    pub seen: u32,
    pub others: u32,
    /// How often it was looked for a better one.
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

    /// This is no loop that only lets time pass.
    pub fn disappoint(&mut self) {
        let doublings = self.doublings();
        *doublings = (*doublings + 1).min(MOST_DOUBLINGS);
        (self.seen, self.moves) = (0, 0);
    }
}
