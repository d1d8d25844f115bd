//! The units of translation: the blocks of a region, its entries, and the state of pipes and x87
//! stack that is known at each instruction. Nothing here depends on the host.

pub(crate) mod collect;
pub(crate) mod entries;
pub(crate) mod indirect_targets;
pub(crate) mod pipeline_state;
pub(crate) mod x87_misaligned;
pub(crate) mod x87_roles;
pub(crate) mod x87_state;
