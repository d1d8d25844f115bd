//! Who reaches a chip from outside of its own run: gdb, by its protocol, and programs of this host,
//! by packets through ports of the loopback.

pub(crate) mod gdb;
pub(crate) mod network;
