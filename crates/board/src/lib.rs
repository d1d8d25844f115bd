//! The parts that are not on the die: the system FPGA behind the system interface, the management
//! PC's serial ports, other ports and host channel, and the voltage regulator.
//!
//! This crate holds their contents only; `crates/chip` determines when an access arrives and what
//! it costs. An access that has an effect on the die or on the host leaves an [`Action`].

pub mod atomic_counters;
pub mod calendar_clock;
pub mod fpga_registers;
pub mod global_interrupts;
pub mod host_link;
pub mod interval_timer;
pub mod other_ports;
pub mod pc_ports;
pub mod power_meter;
pub mod serial;
pub mod system_interface;
pub mod voltage_regulator;

use rockcreek_defs::CoreId;

pub use global_interrupts::RequestIndex;
pub use host_link::{Exit, HostService};
pub use other_ports::{OtherPorts, PortService};
pub use power_meter::{METERED, PowerMeter};
pub use serial::Output;
pub use system_interface::{BoardConfig, Reply, SystemInterface};
pub use voltage_regulator::{DOMAINS, RefusedCommand, VoltageConfig, VoltageRegulator};

/// An effect of an access that the chip must carry out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Send a packet to the core's GLCFG that sets its LINT0 or LINT1 bit.
    Interrupt { core: CoreId, lint1: bool },
    /// Call this host service with the core's request buffer.
    HostCall { core: CoreId, service: u32 },
    /// The core left a mark.
    Marked { core: CoreId },
    /// The core wrote its exit record; it takes no further part.
    Ended { core: CoreId },
}
