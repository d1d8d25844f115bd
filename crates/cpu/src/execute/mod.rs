//! ROOM

pub(crate) mod boundary;
pub(crate) mod isa;
pub(crate) mod retire;
pub(crate) mod run;
