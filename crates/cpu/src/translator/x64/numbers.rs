//! The host's registers by number, and those in which guest registers are.

use super::host;
use crate::registers::gpr;

pub(super) const RAX: u8 = 0;
pub(super) const RCX: u8 = 1;
pub(super) const RDX: u8 = 2;
pub(super) const RDI: u8 = 7;
pub(super) const R8: u8 = 8;
pub(super) const R9: u8 = 9;
pub(super) const R10: u8 = 10;
pub(super) const R11: u8 = 11;
pub(super) const R12: u8 = 12;
pub(super) const R13: u8 = 13;

pub(super) const EAX: u8 = host(gpr::EAX as u8);
pub(super) const ECX: u8 = host(gpr::ECX as u8);
pub(super) const EDX: u8 = host(gpr::EDX as u8);
pub(super) const ESP: u8 = host(gpr::ESP as u8);
pub(super) const EBP: u8 = host(gpr::EBP as u8);
pub(super) const ESI: u8 = host(gpr::ESI as u8);
pub(super) const EDI: u8 = host(gpr::EDI as u8);
