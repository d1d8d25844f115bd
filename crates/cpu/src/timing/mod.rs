//! ROOM

pub mod instruction_costs;
pub(crate) mod pairing;
pub(crate) mod pipeline;
pub(crate) mod x87_latency;
