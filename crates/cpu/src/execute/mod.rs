//! ROOM

pub(crate) mod op;

pub(crate) mod bank_conflict;
pub(crate) mod isa;
pub(crate) mod retire;
pub(crate) mod x87_charge;
