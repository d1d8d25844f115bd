//! The core's own hardware units, one file each: TLB, branch target buffer, local APIC.
//!
//! A unit has no reference to the core: the caller passes in what the unit needs.

pub(crate) mod branch_places;
pub(crate) mod branch_target_buffer;
pub(crate) mod local_apic;
pub(crate) mod tlb;
