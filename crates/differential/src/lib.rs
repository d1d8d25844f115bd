//! Holds the virtual core against the host's own processor, one random instruction at a time.
//!
//! From a seed come cases: registers, flags, memory, x87 state, and one instruction of the i586
//! that a program may try (`generate`, `prelude`, `steer`, `contents`, `values`). A static i386
//! Linux program runs them all and writes down what each did (`harness`, `elf`); an x86-64 Linux
//! host runs it natively (`program`), the virtual chip runs it under its kernel, and a bare core
//! runs the same cases without it (`virtual_core`). What differs outside a reviewed table
//! (`undefined.toml`, `mask`, `compare`) is an error of ours.
//!
//! Left out: privileged instructions beyond the fault they raise, real and virtual-8086 mode,
//! call gates, and the timing of anything.

mod case;
mod compare;
mod contents;
mod elf;
mod generate;
mod harness;
pub mod layout;
mod mask;
mod prelude;
mod program;
mod random;
mod steer;
mod values;
mod virtual_core;

pub use case::{Case, Fault, Kind, Outcome};
pub use compare::differences;
pub use generate::{case, decode};
pub use prelude::Prelude;
pub use program::{host_can_run, image, outcomes, run_on_host};
pub use virtual_core::{Bench, core_config};
