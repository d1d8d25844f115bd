//! System mode: exceptions, interrupts, far transfers, task switches, virtual-8086 mode, MSRs,
//! the APIC's page. Manual: Pentium Processor Family Developer's Manual vol. 3, chapters 10 to
//! 22.

pub(crate) mod interrupt_delivery;
pub(crate) mod model_specific;

pub(crate) mod apic_access;
pub(crate) mod exceptions;
pub(crate) mod far_transfer;
pub(crate) mod task_switch;
pub(crate) mod virtual_8086;
