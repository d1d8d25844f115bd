//! ROOM

pub(crate) mod code_fetch;
pub(crate) mod page_table_fill;
pub(crate) mod page_walk;
pub(crate) mod tlb_evict;
