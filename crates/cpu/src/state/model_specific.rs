//! The state behind the model-specific registers.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 16. RDMSR and WRMSR are in
//! `system/model_specific.rs`.

use serde::{Deserialize, Serialize};

use crate::state::performance::Performance;

/// MSR numbers of the first and the last test register.
pub(crate) const TEST_FIRST: u32 = 0x02;
pub(crate) const TEST_LAST: u32 = 0x0E;
const TESTS: usize = (TEST_LAST - TEST_FIRST + 1) as usize;

/// State behind the model-specific registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelSpecific {
    /// The TSC minus the cycle count, modulo 2^64, in core cycles. A write of the TSC sets it.
    pub(crate) tsc_offset: u64,
    pub(crate) performance: Performance,
    /// TR1 to TR12 by MSR number, from [`TEST_FIRST`] on.
    pub(crate) test: [u32; TESTS],
}

impl ModelSpecific {
    /// True if matches of this breakpoint are being counted.
    pub(crate) fn counts_breakpoint(&self, number: usize) -> bool {
        self.performance.counts_breakpoint(number)
    }
}
