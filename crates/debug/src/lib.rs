//! gdb on a running chip: every core is a thread, all stop at one simulated instant.
//!
//! It watches and, at the user's word, changes; it never takes simulated time. The protocol is
//! the crate gdbstub's; here are what the chip answers ([`gdb_target`]), its registers as gdb
//! numbers them ([`x86_registers`]), the `monitor` commands ([`monitor_commands`]) and the
//! connection ([`server`]).

pub mod gdb_target;
pub mod monitor_commands;
pub mod server;
pub mod x86_registers;

pub use server::{GdbServer, ServerError, Slice};
