//! Observation: accesses, probes, breakpoints, watchpoints, debug registers, performance counters,
//! commit records, charges of cycles, control transfers, and reading memory without a change. A
//! program cannot notice observation, except through the registers that the manual defines for it.

pub(crate) mod accesses;
pub(crate) mod commit_record;
pub(crate) mod cycle_profile;
pub(crate) mod debug_memory;
pub(crate) mod debug_registers;
pub(crate) mod debugger_breakpoints;
pub(crate) mod host_profile;
pub(crate) mod performance_counters;
pub(crate) mod probes;
pub(crate) mod transfers;
pub(crate) mod watchpoints;
