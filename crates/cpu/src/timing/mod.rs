//! The time of the two pipes: pairing, AGI, prefixes, costs of instructions, x87 latencies.
//!
//! Numbers are in `machine/isa/pipeline.toml`. Caches and the chip give the time of accesses.

pub mod instruction_costs;
pub(crate) mod pairing;
pub(crate) mod pipeline;
pub(crate) mod simplified_pipeline;
pub(crate) mod x87_latency;
