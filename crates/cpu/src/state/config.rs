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
    /// The feature bits that CPUID leaf 1 returns in EDX.
    pub cpuid_features: u32,
    pub dtlb_entries: u32,
    pub dtlb_ways: u32,
    /// The number of data TLB entries for 4 MB pages. That TLB has as many ways as the one for 4 KB
    /// pages, or as many as it has entries, if these are fewer.
    pub dtlb_large_entries: u32,
    pub itlb_entries: u32,
    pub itlb_ways: u32,
    /// Core cycles that a TLB miss takes in addition to the reads of its page walk.
    pub tlb_miss_cycles: u32,
    /// Core cycles of an access to the local APIC.
    pub apic_access_cycles: u32,
    /// Core cycles that a data access takes in addition if it crosses a multiple of 4 bytes (of 8,
    /// if it is longer than 4).
    pub misaligned_cycles: u32,
    /// The memory type of a page with both PCD and PMB set. The field is not written to snapshots,
    /// like the optional fields of [`CacheConfig`].
    #[serde(skip, default = "uncached_mpbt")]
    pub pcd_pmb_type: MemoryType,
}

/// The SCC's memory type of a page with both PCD and PMB set.
fn uncached_mpbt() -> MemoryType {
    MemoryType::UncachedMpbt
}
