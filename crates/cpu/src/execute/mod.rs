//! The execution of one instruction: its form, its handler by group (`isa/`), its cost, and its
//! retirement. Accesses go through `memory/`; faults are delivered by `system/`.

pub(crate) mod op;

pub(crate) mod bank_conflict;
pub(crate) mod isa;
pub(crate) mod retire;
pub(crate) mod x87_charge;
