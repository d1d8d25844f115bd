//! The part of a run that a trace shows.

/// The span of time, the shortest slice, and the kinds of functions that a trace shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    pub from_ps: u64,
    pub to_ps: u64,
    /// Shorter slices are left out, unless they contain a call or mark with a note.
    pub shortest_ps: u64,
    /// `functions`: true if the trace shows functions of ring 3; `kernel`: true if it shows
    /// handlers and functions of ring 0.
    pub functions: bool,
    pub kernel: bool,
}

impl Filter {
    pub fn shows(&self, time_ps: u64) -> bool {
        (self.from_ps..=self.to_ps).contains(&time_ps)
    }
}
