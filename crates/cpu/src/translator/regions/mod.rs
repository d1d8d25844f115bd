//! ROOM

pub(crate) mod collect;
pub(crate) mod entries;
pub(crate) mod indirect_targets;
pub(crate) mod pipeline_state;
pub(crate) mod x87_misaligned;
pub(crate) mod x87_roles;
pub(crate) mod x87_state;
