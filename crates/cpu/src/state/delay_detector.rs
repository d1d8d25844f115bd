//! Detects which instructions may be the start of a delay loop.

/// The largest value in `doublings`: how often the patience of an address can be doubled.
const MOST_DOUBLINGS: u8 = 6;
/// The length of `doublings`; addresses that are equal modulo this number share a value.
const PLACES: usize = 64;

/// The state of the detection. The detection is not part of the core's state, because it affects
/// only the host's speed.
#[derive(Clone, Debug)]
pub(crate) struct Delays {
    pub on: bool,
    /// `eip`: the address of the instruction that is being counted. `seen`: how often `run` has
    /// reached it again. `others`: how many other instructions `run` has reached since the last
    /// time.
    pub eip: u32,
    pub seen: u32,
    pub others: u32,
    /// How often the count has been moved to another instruction of the same loop.
    pub moves: usize,
    /// The addresses of the pieces of the last round that was tested.
    pub pieces: Vec<u32>,
    /// Addresses in loops that were passed, each with the core cycles until the deadline that make
    /// it worth to pass such a loop again. `run` may reach the loop anywhere, once in each window.
    passed: [(u32, u64); PLACES],
    pub doublings: [u8; PLACES],
}

impl Default for Delays {
    fn default() -> Delays {
        Delays {
            on: true,
            eip: 0,
            seen: 0,
            others: 0,
            moves: 0,
            pieces: Vec::new(),
            passed: [(0, u64::MAX); PLACES],
            doublings: [0; PLACES],
        }
    }
}

impl Delays {
    pub fn doublings(&mut self) -> &mut u8 {
        &mut self.doublings[self.eip as usize % PLACES]
    }

    /// True if the instruction at `eip` is in a loop that was passed, and `cycles`, the core cycles
    /// until the deadline, are enough for passing it again.
    #[inline(always)]
    pub fn was_passed(&self, eip: u32, cycles: u64) -> bool {
        let (known, least) = self.passed[eip as usize % PLACES];
        known == eip && least < cycles
    }

    /// Records that rounds of the loop of `pieces` were passed, which is worth it again if more than
    /// `least` core cycles remain.
    pub fn note_passed(&mut self, least: u64) {
        for &eip in &self.pieces {
            self.passed[eip as usize % PLACES] = (eip, least);
        }
    }

    /// Records that a test for a delay loop at `eip` failed: the next one comes after twice as many
    /// visits of the address, up to `MOST_DOUBLINGS` doublings.
    pub fn disappoint(&mut self) {
        let doublings = self.doublings();
        *doublings = (*doublings + 1).min(MOST_DOUBLINGS);
        (self.seen, self.moves) = (0, 0);
        self.passed[self.eip as usize % PLACES] = (0, u64::MAX);
    }
}
