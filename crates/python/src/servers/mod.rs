//! Servers through which programs of this host reach a chip while it runs: gdb's remote protocol,
//! and the network behind `--forward`, whose packets enter the chip at the instant at which it
//! stands.

pub(crate) mod gdb;
pub(crate) mod network;
