//! Page walks and instruction fetches as host code: TLB fills, page-table lines, lines of code. The
//! rules are in `memory/paging.rs`.

pub(crate) mod code_fetch;
pub(crate) mod page_walk;
pub(crate) mod segment_end;
pub(crate) mod tlb_evict;
