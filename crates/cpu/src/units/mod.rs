//! The core's own hardware units, each whole in one file: TLB, branch target buffer, local APIC.
//!
//! They know no core: whoever uses one hands it what it needs.

pub(crate) mod branch_places;
pub(crate) mod branch_target_buffer;
pub(crate) mod local_apic;
pub(crate) mod tlb;
