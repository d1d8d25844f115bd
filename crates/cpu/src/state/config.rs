//! The configuration of a core, from the chip description and `machine/isa`.

use rockcreek_cache::{CacheConfig, MemoryType};
use serde::{Deserialize, Serialize};

/// One core's configuration; the chip fills it from the description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuConfig {
    pub cache: CacheConfig,
    pub cpuid_family: u32,
    pub cpuid_model: u32,
    pub cpuid_stepping: u32,
    /// EDX of CPUID leaf 1.
    pub cpuid_features: u32,
    pub dtlb_entries: u32,
    pub dtlb_ways: u32,
    /// Data TLB entries for 4 MB pages; as many ways as the 4 KB TLB.
    pub dtlb_large_entries: u32,
    pub itlb_entries: u32,
    pub itlb_ways: u32,
    /// Core cycles of a TLB miss besides the reads of its walk.
    pub tlb_miss_cycles: u32,
    /// Core cycles of an access to the local APIC.
    pub apic_access_cycles: u32,
    /// Core cycles of a data access across its natural boundary.
    pub misaligned_cycles: u32,
    /// The type of a page with PCD and PMB. Not encoded, like the optional fields of
    /// [`CacheConfig`].
    #[serde(skip, default = "uncached_mpbt")]
    pub pcd_pmb_type: MemoryType,
}

/// The SCC's type for such a page.
fn uncached_mpbt() -> MemoryType {
    MemoryType::UncachedMpbt
}
