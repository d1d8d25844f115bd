//! The numbers of the host's registers, and of those that hold guest registers.

use crate::registers::register_file::gpr;
use crate::translator::x64::host;

pub(crate) const RAX: u8 = 0;
pub(crate) const RCX: u8 = 1;
pub(crate) const RDX: u8 = 2;
pub(crate) const RDI: u8 = 7;
pub(crate) const R8: u8 = 8;
pub(crate) const R9: u8 = 9;
pub(crate) const R10: u8 = 10;
pub(crate) const R11: u8 = 11;
pub(crate) const R12: u8 = 12;
pub(crate) const R13: u8 = 13;

pub(crate) const EAX: u8 = host(gpr::EAX as u8);
pub(crate) const ECX: u8 = host(gpr::ECX as u8);
pub(crate) const EDX: u8 = host(gpr::EDX as u8);
pub(crate) const ESP: u8 = host(gpr::ESP as u8);
pub(crate) const EBP: u8 = host(gpr::EBP as u8);
pub(crate) const ESI: u8 = host(gpr::ESI as u8);
pub(crate) const EDI: u8 = host(gpr::EDI as u8);
