//! Probes: how often an instruction was retired. They cost no simulated time.

use std::collections::BTreeMap;

use crate::core::Core;

/// Bits of the filter that tells most addresses apart from all probed ones.
const FILTER_BITS: usize = 4096;

/// One probed address.
#[derive(Clone, Copy, Debug, Default)]
struct Probe {
    count: u64,
    at_window: u64,
    user_only: bool,
}

/// The probes of one core.
#[derive(Clone, Debug)]
pub(crate) struct Probes {
    by_address: BTreeMap<u32, Probe>,
    filter: Box<[u64]>,
}

impl Default for Probes {
    fn default() -> Probes {
        let filter = vec![0; FILTER_BITS / 64].into_boxed_slice();
        Probes { by_address: BTreeMap::new(), filter }
    }
}

impl Probes {
    pub fn begin_window(&mut self) {
        for probe in self.by_address.values_mut() {
            probe.at_window = probe.count;
        }
    }

    pub fn rollback(&mut self) {
        for probe in self.by_address.values_mut() {
            probe.count = probe.at_window;
        }
    }

    /// Whether nothing has been counted since the window began.
    pub fn unchanged(&self) -> bool {
        self.by_address.values().all(|probe| probe.count == probe.at_window)
    }

    pub fn retire(&mut self, linear: u32, cpl: u8) {
        let bit = linear as usize % FILTER_BITS;
        if self.filter[bit / 64] >> (bit % 64) & 1 == 0 {
            return;
        }
        if let Some(probe) = self.by_address.get_mut(&linear)
            && (cpl == 3 || !probe.user_only)
        {
            probe.count += 1;
        }
    }
}

impl Core {
    /// Counts from now on how often the instruction at a linear address retires; with
    /// `user_only`, in ring 3 alone.
    pub fn set_probe(&mut self, linear: u32, user_only: bool) {
        let probes = self.probes.get_or_insert_default();
        let bit = linear as usize % FILTER_BITS;
        probes.filter[bit / 64] |= 1 << (bit % 64);
        probes.by_address.insert(linear, Probe { user_only, ..Probe::default() });
        self.note_observers();
    }

    /// Address and count of each probe, in order of address.
    pub fn probe_counts(&self) -> Vec<(u32, u64)> {
        let probes = self.probes.iter().flat_map(|probes| &probes.by_address);
        probes.map(|(&address, probe)| (address, probe.count)).collect()
    }
}
