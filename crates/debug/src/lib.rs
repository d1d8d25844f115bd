//! gdb on a running chip: every core is a thread, all stop at one simulated instant.
//!
//! It watches and, at the user's word, changes; it never takes simulated time. The protocol is
//! the crate gdbstub's; here are what the chip answers ([`gdb_target`]), its registers as gdb
//! numbers them ([`x86_registers`]), breakpoints and watchpoints (`stop_points`), the `monitor`
//! commands ([`monitor_commands`]) and the connection ([`server`]). gdb goes backwards in the run by
//! snapshots and repetition (`past`, `backwards`). What outlives the chip is in a core file
//! ([`core_file`]).

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
