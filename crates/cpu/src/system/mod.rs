//! ROOM

pub(crate) mod interrupt_delivery;
pub(crate) mod model_specific;

pub(crate) mod apic_access;
pub(crate) mod exceptions;
pub(crate) mod far_transfer;
pub(crate) mod task_switch;
pub(crate) mod virtual_8086;
