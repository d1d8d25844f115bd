//! ROOM

pub(crate) mod branch_target_buffer;
pub(crate) mod local_apic;
pub(crate) mod tlb;
