//! The three translation look-aside buffers of a core.

use serde::{Deserialize, Serialize};

use crate::state::config::CpuConfig;
use crate::units::tlb::Tlb;

/// The translation look-aside buffers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tlbs {
    /// The TLB for data, 4 KB pages.
    pub(crate) data: Tlb,
    /// The TLB for data, 4 MB pages.
    pub(crate) data_large: Tlb,
    pub(crate) code: Tlb,
}

impl Tlbs {
    pub(crate) fn new(config: &CpuConfig) -> Tlbs {
        let large_ways = config.dtlb_ways.min(config.dtlb_large_entries);
        Tlbs {
            data: Tlb::new(config.dtlb_entries, config.dtlb_ways),
            data_large: Tlb::new(config.dtlb_large_entries, large_ways),
            code: Tlb::new(config.itlb_entries, config.itlb_ways),
        }
    }

    pub(crate) fn flush(&mut self) {
        self.data.flush();
        self.data_large.flush();
        self.code.flush();
    }

    /// True if one of the TLBs has changed since the last call of this function.
    pub(crate) fn take_changed(&mut self) -> bool {
        // Call all three functions, because each resets its own mark.
        let data = self.data.take_changed();
        let large = self.data_large.take_changed();
        let code = self.code.take_changed();
        data || large || code
    }

    pub(crate) fn holds_the_same(&self, other: &Tlbs) -> bool {
        self.data.holds_the_same(&other.data)
            && self.data_large.holds_the_same(&other.data_large)
            && self.code.holds_the_same(&other.code)
    }

    pub(crate) fn copy_from(&mut self, other: &Tlbs) {
        self.data.copy_from(&other.data);
        self.data_large.copy_from(&other.data_large);
        self.code.copy_from(&other.code);
    }
}
