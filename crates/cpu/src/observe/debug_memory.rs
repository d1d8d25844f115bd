//! Reads memory as this core would see it, for inspection: in zero simulated time and without any
//! change.

use rockcreek_cache::MemoryType;
use rockcreek_defs::CoreAddr;

use crate::core::parts::Core;
use crate::memory::paging::{LARGE_PAGE_BYTES, PAGE_BYTES};
use crate::registers::register_file::{cr0, cr4};
use crate::units::tlb::{Tlb, permit};

/// A function that reads a byte of memory behind the caches; `None` where there is none.
pub type ReadMemory<'a> = &'a dyn Fn(CoreAddr) -> Option<u8>;

/// A translation that one of the core's TLBs holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldPage {
    /// The TLB's name: `dtlb` (data, 4 KB pages), `dtlb-4m` (data, 4 MB pages) or `itlb` (code).
    pub tlb: &'static str,
    pub set: u32,
    pub way: u32,
    pub linear: u32,
    pub frame: CoreAddr,
    pub user: bool,
    pub writable: bool,
    pub dirty: bool,
    pub memory_type: MemoryType,
}

/// A page that a core's tables map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappedPage {
    pub linear: u32,
    pub frame: CoreAddr,
    pub user: bool,
    pub writable: bool,
}

/// Bits of a page directory or table entry.
const PRESENT: u32 = 1 << 0;
const WRITABLE: u32 = 1 << 1;
const USER: u32 = 1 << 2;
const LARGE: u32 = 1 << 7;
const ENTRIES: u32 = 1024;

impl Core {
    /// Every 4 KB page that the page tables map, in the order of linear addresses; a 4 MB page is
    /// listed as 1,024 pages. With paging off, the whole address space, mapped identically.
    pub fn mapped_pages(&self, memory: ReadMemory<'_>) -> Vec<MappedPage> {
        if self.state.cr0 & cr0::PG == 0 {
            let page = |n: u32| MappedPage {
                linear: n * PAGE_BYTES,
                frame: CoreAddr(n * PAGE_BYTES),
                user: true,
                writable: true,
            };
            return (0..ENTRIES * ENTRIES).map(page).collect();
        }
        let mut pages = Vec::new();
        for directory in 0..ENTRIES {
            let base = CoreAddr(self.state.cr3 & !0xFFF | directory << 2);
            let entry = self.peek_word(base, memory).unwrap_or(0);
            let large = entry & LARGE != 0 && self.state.cr4 & cr4::PSE != 0;
            for table in (0..ENTRIES).take_while(|_| entry & PRESENT != 0) {
                let inner = if large {
                    (entry & !(LARGE_PAGE_BYTES - 1)) | (table * PAGE_BYTES) | (entry & 0xFFF)
                } else {
                    let at = CoreAddr(entry & !0xFFF | table << 2);
                    self.peek_word(at, memory).unwrap_or(0)
                };
                if inner & PRESENT != 0 {
                    pages.push(MappedPage {
                        linear: directory * LARGE_PAGE_BYTES + table * PAGE_BYTES,
                        frame: CoreAddr(inner & !0xFFF),
                        user: entry & inner & USER != 0,
                        writable: entry & inner & WRITABLE != 0,
                    });
                }
            }
        }
        pages
    }

    /// The contents of the TLBs, including entries that no longer agree with the page tables.
    pub fn held_pages(&self) -> impl Iterator<Item = HeldPage> {
        let pages = |tlb: &'static str, of: &'_ Tlb, bytes: u32| {
            let page =
                |(set, way, number, entry): (u32, u32, u32, crate::units::tlb::Entry)| HeldPage {
                    tlb,
                    set,
                    way,
                    linear: number.wrapping_mul(bytes),
                    frame: CoreAddr(entry.frame),
                    user: entry.permit & permit::USER != 0,
                    writable: entry.permit & permit::WRITABLE != 0,
                    dirty: entry.permit & permit::DIRTY != 0,
                    memory_type: entry.memory_type,
                };
            of.held().map(page).collect::<Vec<_>>()
        };
        let tlbs = &self.tlbs;
        let data = pages("dtlb", &tlbs.data, PAGE_BYTES);
        let large = pages("dtlb-4m", &tlbs.data_large, LARGE_PAGE_BYTES);
        let code = pages("itlb", &tlbs.code, PAGE_BYTES);
        data.into_iter().chain(large).chain(code)
    }

    /// The physical address that this core's page tables give for a linear address; `None` if no
    /// page is mapped or a table is not in memory. Rights are not checked, and the TLBs are not
    /// consulted.
    pub fn peek_translate(&self, linear: u32, memory: ReadMemory<'_>) -> Option<CoreAddr> {
        if self.state.cr0 & cr0::PG == 0 {
            return Some(CoreAddr(linear));
        }
        let directory = self.state.cr3 & !0xFFF | linear >> 22 << 2;
        let pde = self.peek_word(CoreAddr(directory), memory)?;
        if pde & 1 == 0 {
            return None;
        }
        if pde & 0x80 != 0 && self.state.cr4 & cr4::PSE != 0 {
            return Some(CoreAddr(pde & 0xFFC0_0000 | linear & 0x003F_FFFF));
        }
        let pte = self.peek_word(CoreAddr(pde & !0xFFF | linear >> 10 & 0xFFC), memory)?;
        (pte & 1 != 0).then_some(CoreAddr(pte & !0xFFF | linear & 0xFFF))
    }

    /// The byte at a linear address: from this core's caches if they hold it, else from `memory`.
    /// `None` if no page is mapped or there is no memory.
    pub fn peek_linear(&self, linear: u32, memory: ReadMemory<'_>) -> Option<u8> {
        self.peek_physical(self.peek_translate(linear, memory)?, memory)
    }

    /// The byte at a core-physical address: from this core's caches if they hold it, else from
    /// `memory`. `None` if there is no memory.
    pub fn peek_physical(&self, addr: CoreAddr, memory: ReadMemory<'_>) -> Option<u8> {
        self.caches.peek(addr).or_else(|| memory(addr))
    }

    fn peek_word(&self, addr: CoreAddr, memory: ReadMemory<'_>) -> Option<u32> {
        let mut bytes = [0; 4];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = self.peek_physical(CoreAddr(addr.0 + i as u32), memory)?;
        }
        Some(u32::from_le_bytes(bytes))
    }
}
