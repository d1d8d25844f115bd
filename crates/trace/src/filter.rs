//! What of a run a trace shows.

/// Times are in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    pub from_ps: u64,
    pub to_ps: u64,
    /// Slices that are shorter are left out, but those with something in them that is kept.
    pub shortest_ps: u64,
    /// Functions of ring 3, handlers and functions of ring 0.
    pub functions: bool,
    pub kernel: bool,
}

impl Filter {
    pub fn shows(&self, time_ps: u64) -> bool {
        (self.from_ps..=self.to_ps).contains(&time_ps)
    }
}
