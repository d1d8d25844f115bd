//! gdb on a running chip: each core is a thread, and all cores stop at one simulated instant.
//!
//! Debugging takes no simulated time, and changes the chip only by the user's commands. The crate
//! gdbstub implements gdb's protocol. This crate has the chip as gdb's target ([`gdb_target`]), the
//! registers in gdb's order ([`x86_registers`]), breakpoints and watchpoints (`stop_points`), the
//! `monitor` commands ([`monitor_commands`]) and the connection ([`server`]). gdb goes backwards in
//! the run by snapshots and repetition (`past`, `backwards`). [`core_file`] writes core files.

mod backwards;
mod client;
pub mod core_file;
pub mod gdb_target;
mod history;
mod host_record;
mod moment;
pub mod monitor_commands;
mod monitor_views;
mod past;
mod repeat;
pub mod server;
mod stop_points;
pub mod x86_registers;

pub use server::{GdbServer, Manner, ServerError, Slice};
