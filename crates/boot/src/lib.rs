//! The boot loader: puts a multiboot kernel and its modules into a core's private memory, as
//! loaders on the management PC did, and says in which state the core starts.
//!
//! It knows ELF and multiboot 1 (Multiboot Specification 0.6.96) and nothing of what the kernel
//! or its modules are. Memory is written through the core's LUT by the caller's [`Memory`].
//! It also reads the memory images and LUT data of sccKit's merge tool.

mod elf;
mod error;
mod lut_data;
mod memory_object;
mod multiboot;
mod text;

pub use elf::Kernel;
pub use error::ImageError;
pub use lut_data::{LutWrite, parse_lut_data};
pub use memory_object::{Piece, parse_memory_object};
pub use multiboot::{EntryState, Memory, Module, load};
pub use text::TextError;
