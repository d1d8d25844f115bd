//! Repeated string instructions, line by line: all elements that lie in one line on either side are
//! done together, with the clocks and counts of as many iterations. Stores that no cache takes are
//! sent one by one (`bus_stores.rs`). The interpreter does the rest: elements that need a page walk
//! or a line from memory, misaligned elements, the last clocks before a deadline, and comparisons
//! of two lines whose second load may evict the first.
//!
//! The result is exact because the elements of one line use the same pages and lines in the same
//! order, and a repeated use leaves the replacement state of TLB and caches unchanged. Pages are
//! therefore looked up once for all their lines.
//!
//! Copies of 4 KB (`benches/programs/rep_movs.c`) take 3.5 times the host's instructions without
//! this path (2026-11-29).

use iced_x86::Mnemonic;
use rockcreek_cache::{MemoryType, Refusal};
use rockcreek_defs::{CoreAddr, LINE_BYTES};

use crate::core::parts::Core;
use crate::execute::isa::string::{CMPS, LODS, MOVS, SCAS, STOS, goes_on_equal, repeat, select};
use crate::execute::op::{Handler, Op, sized};
use crate::registers::flags;
use crate::registers::register_file::gpr;
use crate::state::exception::{Done, Stop};
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::x64::memory::access::is_flat;

const LINE: u32 = LINE_BYTES as u32;
const PAGE: u32 = 4096;
/// The largest number of accesses to L2 for one element, its own store not counted: for each of two
/// loads a victim and a line, and one for which the first store waits.
const SERVICES: u64 = 5;

/// The handler of a repeated instruction in translated code; `None` for other instructions, which
/// keep theirs.
pub(crate) fn handler(item: &Item) -> Option<Handler> {
    let size = item.shape().size;
    if !item.op().repeated() {
        return None;
    }
    select(item.shape())?;
    Some(match item.shape().mnemonic {
        Mnemonic::Movsb | Mnemonic::Movsw | Mnemonic::Movsd => sized!(size, by_lines, MOVS),
        Mnemonic::Stosb | Mnemonic::Stosw | Mnemonic::Stosd => sized!(size, by_lines, STOS),
        Mnemonic::Lodsb | Mnemonic::Lodsw | Mnemonic::Lodsd => sized!(size, by_lines, LODS),
        Mnemonic::Scasb | Mnemonic::Scasw | Mnemonic::Scasd => sized!(size, by_lines, SCAS),
        Mnemonic::Cmpsb | Mnemonic::Cmpsw | Mnemonic::Cmpsd => sized!(size, by_lines, CMPS),
        _ => return None,
    })
}

fn by_lines<const SIZE: usize, const KIND: u8>(core: &mut Core, op: &Op) -> Done {
    let segment = core.state.segments[usize::from(op.segment) & 7];
    let up = core.state.system_flags & flags::DF == 0;
    let plain = up
        && (is_flat(op) || segment.open_read() && segment.base == 0)
        && op.address_mask == u32::MAX;
    // If the two lines of an element evict each other, each load misses from then on; the
    // interpreter does this case.
    let plain = plain && (KIND != CMPS || core.caches.keeps_latest_line());
    repeat::<SIZE, KIND>(core, op, |core, op| match plain {
        true => core.ahead::<SIZE, KIND>(op),
        false => Ok(false),
    })
}

/// The source or the destination of a string instruction, within one page: the physical address of
/// its next element, and the page's memory type.
#[derive(Clone, Copy)]
struct Side {
    addr: CoreAddr,
    memory_type: MemoryType,
}

impl Side {
    /// Moves the address on by `bytes`.
    fn advance(&mut self, bytes: u32) {
        self.addr.0 = self.addr.0.wrapping_add(bytes);
    }
}

const fn has_source(kind: u8) -> bool {
    matches!(kind, MOVS | LODS | CMPS)
}

const fn has_target(kind: u8) -> bool {
    !matches!(kind, LODS)
}

const fn stores(kind: u8) -> bool {
    matches!(kind, MOVS | STOS)
}

const fn compares(kind: u8) -> bool {
    matches!(kind, SCAS | CMPS)
}

impl Core {
    /// Executes iterations as long as they need only the caches, or stores that bypass them.
    /// Returns true if the whole instruction has ended, false if the interpreter must continue.
    #[inline]
    fn ahead<const SIZE: usize, const KIND: u8>(&mut self, op: &Op) -> Result<bool, Stop> {
        let mut ended = false;
        // The log holds the completed accesses of an element that waited; the interpreter finishes
        // that element.
        while !ended
            && self.state.general[gpr::ECX] != 0
            && self.log.is_fresh()
            && self.elements_of_page::<SIZE, KIND>(op, &mut ended)?
        {}
        Ok(ended)
    }

    /// Executes the elements up to the end of a page of source or destination. Returns false if not
    /// all of them could be done. Sets `ended` if the instruction has ended.
    fn elements_of_page<const SIZE: usize, const KIND: u8>(
        &mut self,
        op: &Op,
        ended: &mut bool,
    ) -> Result<bool, Stop> {
        let [source, target] = [self.state.general[gpr::ESI], self.state.general[gpr::EDI]];
        let asked = if has_source(KIND) { source } else { 0 };
        let aligned = (asked | if has_target(KIND) { target } else { 0 }) % SIZE as u32 == 0;
        if !aligned || self.state.cycles >= self.deadline {
            return Ok(false);
        }
        let mut sides = [None; 2];
        if has_source(KIND) {
            let Some(side) = self.side(source, Access::Load) else { return Ok(false) };
            sides[0] = Some(side);
        }
        if has_target(KIND) {
            let access = if stores(KIND) { Access::Store } else { Access::Load };
            let Some(side) = self.side(target, access) else { return Ok(false) };
            sides[1] = Some(side);
        }
        let room = |side: Option<Side>| side.map_or(PAGE, |side| PAGE - side.addr.0 % PAGE);
        let mut room = room(sides[0]).min(room(sides[1]));
        while room > 0 && self.state.general[gpr::ECX] != 0 && !*ended {
            let Some(bytes) = self.elements_of_line::<SIZE, KIND>(op, sides, ended)? else {
                return Ok(false);
            };
            sides.iter_mut().flatten().for_each(|side| side.advance(bytes));
            room -= bytes;
        }
        Ok(true)
    }

    /// Looks up the page of one side, which becomes the most recent one of its TLB set; `None` if
    /// the TLB does not have it, if it does not permit the access, or behind the end of the
    /// segments.
    fn side(&mut self, linear: u32, access: Access) -> Option<Side> {
        self.state.segments_end().filter(|end| linear <= *end)?;
        let entry = self.entry_for(linear, access)?;
        let addr = CoreAddr(entry.frame | (linear % PAGE));
        Some(Side { addr, memory_type: entry.memory_type })
    }

    /// Executes the elements up to the end of a line of source or destination. Returns their number
    /// of bytes; `None` if none could be done. Sets `ended` if the instruction has ended.
    #[inline]
    fn elements_of_line<const SIZE: usize, const KIND: u8>(
        &mut self,
        op: &Op,
        sides: [Option<Side>; 2],
        ended: &mut bool,
    ) -> Result<Option<u32>, Stop> {
        let room = |side: Option<Side>| side.map_or(LINE, |side| LINE - side.addr.0 % LINE);
        let wanted =
            (room(sides[0]).min(room(sides[1])) / SIZE as u32).min(self.state.general[gpr::ECX]);
        let Some(mut most) = self.elements_in_time(op, wanted) else { return Ok(None) };
        let mut from = 0;
        let mut loads = 0;
        if let Some(side) = sides[0] {
            let Some(first) = self.load_elements(side) else { return Ok(None) };
            from = first;
            loads += 1;
        }
        let (mut to, mut around) = (0, None);
        match sides[1] {
            Some(side) if stores(KIND) => {
                match self.caches.store_elements(side.addr, side.memory_type) {
                    Ok(place) if place.around && !self.takes_stores_soon(side.addr) => {
                        return Ok(None);
                    }
                    Ok(place) => (to, around) = (place.first, place.around.then_some(side.addr)),
                    Err(Refusal::InNoCache) => {
                        return self.send_elements::<SIZE, KIND>(op, side.addr, from, wanted);
                    }
                    Err(_) => return Ok(None),
                }
            }
            Some(side) => {
                let Some(first) = self.load_elements(side) else { return Ok(None) };
                to = first;
                loads += 1;
            }
            None => {}
        }
        if compares(KIND) {
            most = self.compare_elements::<SIZE, KIND>(op, [from, to], most, ended);
        }
        let count = u64::from(most);
        match around {
            Some(addr) => self.store_elements_in_l2(addr, count, u64::from(op.extra)),
            None => self.state.cycles += count * u64::from(op.extra),
        }
        let counters = &mut self.state.counters;
        counters.loads += loads * count;
        counters.stores += if stores(KIND) { count } else { 0 };
        let bytes = most * SIZE as u32;
        let general = &mut self.state.general;
        match KIND {
            MOVS => copy::<SIZE>(from, to, bytes as usize),
            STOS => fill::<SIZE>(to, general[gpr::EAX], bytes as usize),
            LODS => {
                let mask = u32::MAX >> (32 - 8 * SIZE);
                let last = element::<SIZE>(from + u64::from(bytes) - SIZE as u64);
                general[gpr::EAX] = general[gpr::EAX] & !mask | last;
            }
            _ => {}
        }
        self.pass_elements::<SIZE, KIND>(most);
        Ok(Some(bytes))
    }

    /// Advances the index registers over `elements` elements, and subtracts the elements from ECX.
    #[inline(always)]
    pub(crate) fn pass_elements<const SIZE: usize, const KIND: u8>(&mut self, elements: u32) {
        let (bytes, general) = (elements * SIZE as u32, &mut self.state.general);
        if has_source(KIND) {
            general[gpr::ESI] = general[gpr::ESI].wrapping_add(bytes);
        }
        if has_target(KIND) {
            general[gpr::EDI] = general[gpr::EDI].wrapping_add(bytes);
        }
        general[gpr::ECX] -= elements;
    }

    /// How many elements, up to `wanted`, certainly end before the deadline, however often they
    /// need L2; `None` if not one.
    #[inline]
    fn elements_in_time(&self, op: &Op, wanted: u32) -> Option<u32> {
        let service = u64::from(self.l2_cycles());
        let left = self.deadline.saturating_sub(self.state.cycles + 1 + SERVICES * service);
        let each = u64::from(op.extra) + service;
        if u64::from(wanted) * each <= left {
            return Some(wanted);
        }
        let some = (left / each) as u32;
        (some > 0).then_some(some)
    }

    /// True if a store waits for the previous store to its line no longer than L2 needs for one
    /// access.
    fn takes_stores_soon(&self, addr: CoreAddr) -> bool {
        let now = self.state.cycles;
        self.line_is_free(addr, now) - now <= u64::from(self.l2_cycles())
    }

    /// Stores `count` elements to one line of L2; between two stores, `clocks` core clocks pass.
    /// The first may wait for an earlier store to the line, each other one for its predecessor.
    fn store_elements_in_l2(&mut self, addr: CoreAddr, count: u64, clocks: u64) {
        self.store_in_l2(addr);
        let waits = u64::from(self.l2_cycles()).saturating_sub(clocks) * (count - 1);
        self.state.cycles += waits + (count - 1) * clocks;
        self.note_store_done(addr, self.state.cycles + u64::from(self.l2_cycles()));
        self.state.cycles += clocks;
        self.host.stores_around += count;
        self.host.store_waits += waits;
        self.settle_stores_around();
    }

    #[inline]
    fn load_elements(&mut self, side: Side) -> Option<u64> {
        let place = self.caches.load_elements(side.addr, side.memory_type)?;
        let cycles = u64::from(place.cycles);
        self.state.cycles += cycles;
        self.state.counters.read_stall_cycles += cycles;
        Some(place.first)
    }

    /// SCAS and CMPS: compares at most `most` elements and returns the number compared. The flags
    /// are those of the last comparison. Sets `ended` if that comparison ends the instruction.
    #[inline]
    fn compare_elements<const SIZE: usize, const KIND: u8>(
        &mut self,
        op: &Op,
        [from, to]: [u64; 2],
        most: u32,
        ended: &mut bool,
    ) -> u32 {
        let equal = goes_on_equal(op);
        let fixed = self.register::<SIZE>(gpr::EAX as u8);
        for number in 0..most {
            let offset = u64::from(number) * SIZE as u64;
            let right = element::<SIZE>(to + offset);
            let left = if KIND == CMPS { element::<SIZE>(from + offset) } else { fixed };
            *ended = (left == right) != equal;
            if *ended || number + 1 == most {
                self.compare::<SIZE>(left, right);
                return number + 1;
            }
        }
        0
    }
}

/// Reads the element at a host address that the caches returned.
#[inline(always)]
pub(crate) fn element<const SIZE: usize>(at: u64) -> u32 {
    let mut bytes = [0; 4];
    // SAFETY: `load_elements` returned a place in the core's caches with at least this many bytes
    // left in its line; at most one other line, of CMPS, was loaded since. An element has at most
    // four bytes.
    unsafe { std::ptr::copy_nonoverlapping(at as *const u8, bytes.as_mut_ptr(), SIZE) };
    u32::from_le_bytes(bytes)
}

/// Copies elements one after the other, so that an overlapping element is read after it has been
/// written.
#[inline(always)]
fn copy<const SIZE: usize>(from: u64, to: u64, bytes: usize) {
    let (from, to) = (from as *const u8, to as *mut u8);
    // If the destination lies before the source, the difference wraps to a large number.
    let apart = (to as usize).wrapping_sub(from as usize);
    if apart >= bytes {
        // One whole line is so frequent that it is moved without a call.
        if bytes == LINE_BYTES {
            // SAFETY: the caches returned two places, each with at least this many bytes left in
            // its line, and are not used meanwhile.
            unsafe { std::ptr::copy(from, to, LINE_BYTES) };
        } else {
            // SAFETY: as above.
            unsafe { std::ptr::copy(from, to, bytes) };
        }
        return;
    }
    for at in (0..bytes).step_by(SIZE) {
        // SAFETY: as above.
        unsafe { std::ptr::copy(from.add(at), to.add(at), SIZE) };
    }
}

#[inline(always)]
fn fill<const SIZE: usize>(to: u64, value: u32, bytes: usize) {
    let value = value.to_le_bytes();
    for at in (0..bytes).step_by(SIZE) {
        let to = to as *mut u8;
        // SAFETY: as in `copy`; a value has at most four bytes.
        unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), to.add(at), SIZE) };
    }
}
