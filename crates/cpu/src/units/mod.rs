//! The core's own hardware units, one file each: TLB, branch target buffer, local APIC.
//!
//! Units do not know the core: their caller passes in what they need.

pub(crate) mod branch_places;
pub(crate) mod branch_target_buffer;
pub(crate) mod local_apic;
pub(crate) mod tlb;
