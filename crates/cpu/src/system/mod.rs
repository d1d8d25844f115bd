//! ROOM

pub(crate) mod apic;
pub(crate) mod exception;
pub(crate) mod far_transfer;
pub(crate) mod interrupt;
pub(crate) mod msr;
pub(crate) mod task_switch;
pub(crate) mod virtual_8086;
