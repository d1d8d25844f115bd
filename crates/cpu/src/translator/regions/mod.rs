//! The units of translation: the blocks of a region, its entries, and the state of pipes and x87
//! stack that is known at each instruction. Nothing here depends on the host.
//!
//! With one block a region, CRC-32 by a table (`benches/programs/crc.c`) takes 1.11 times the
//! host's instructions (2026-11-29).

pub(crate) mod block_code;
pub(crate) mod block_end;
pub(crate) mod collect;
pub(crate) mod entries;
pub(crate) mod indirect_targets;
pub(crate) mod pipeline_state;
pub(crate) mod x87_misaligned;
pub(crate) mod x87_roles;
pub(crate) mod x87_state;
