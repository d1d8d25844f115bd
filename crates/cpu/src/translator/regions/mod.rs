//! The units of translation: the blocks of a region, its entries, and the known state at each of
//! its instructions (pipes, x87 stack). Nothing here knows the host.

pub(crate) mod collect;
pub(crate) mod entries;
pub(crate) mod indirect_targets;
pub(crate) mod pipeline_state;
pub(crate) mod x87_misaligned;
pub(crate) mod x87_roles;
pub(crate) mod x87_state;
