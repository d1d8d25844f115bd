//! Reads and writes that L1D alone does not serve.
//!
//! `policy/mod.rs` has the rules of each memory type. A write that misses L1D bypasses it: L2 takes
//! the store only if it has the line, and memory gets other stores as single transactions
//! (`barrelfish-tn005`), unless the chip description makes L2 allocate. A fill waits for its dirty
//! victims, so victims leave before the fill's own request.

use rockcreek_defs::bus::{DrainKind, FillKind};
use rockcreek_defs::{BusRequest, CoreAddr};

use crate::array::line;
use crate::path::hierarchy::{Caches, Destination, Step, StoreEnd};
use crate::policy::{MemoryType, ReadMiss, StoreBeyond, StoreMiss};

/// The result for an access that needs the transaction `request` first and must then be called
/// again.
pub(crate) fn need<T>(request: BusRequest) -> Step<T> {
    Step::Need { request, finishes: false }
}

/// Where a line that no cache has will be put: the numbers of the clean lines that it replaces in
/// L1D (`first`) and, if L2 is in use, in L2 (`second`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    pub(crate) addr: CoreAddr,
    pub(crate) first: u32,
    second: Option<u32>,
}

impl Room {
    /// Makes a room for the line of `addr` from two line numbers: `first` in L1D, `second` in L2.
    /// Both lines must be valid and clean.
    #[inline]
    pub fn of(addr: CoreAddr, first: u32, second: u32) -> Room {
        Room { addr: addr.line(), first, second: Some(second) }
    }

    /// The address of the line that will be filled.
    #[inline]
    pub fn addr(&self) -> CoreAddr {
        self.addr
    }

    /// The transaction that fetches the room's line from memory.
    #[inline]
    pub fn request(&self) -> BusRequest {
        BusRequest::ReadLine { addr: self.addr, kind: FillKind::Data }
    }
}

impl Caches {
    pub(crate) fn read_beyond_l1(&mut self, addr: CoreAddr, size: u8, ty: MemoryType) -> Step<u64> {
        match ty.rules().read_miss {
            ReadMiss::ThroughL2 => self.read_miss(addr, size),
            ReadMiss::L1Alone | ReadMiss::MessageLine => {
                let victim = self.l1d.array.victim(addr);
                need(self.ask_past_l2(addr, victim, ty))
            }
            ReadMiss::Bytes => {
                Step::Need { request: BusRequest::Read { addr, size }, finishes: true }
            }
            ReadMiss::FirstBytes => self.read_uncached_mpbt(addr, size),
        }
    }

    fn read_miss(&mut self, addr: CoreAddr, size: u8) -> Step<u64> {
        let Some((line, cycles)) = self.refill_from_l2(addr) else {
            return need(self.ask_for_line(addr));
        };
        let value = line::load(self.l1d.array.data(line), addr.line_offset(), size);
        Step::Done { value, cycles }
    }

    /// Fills L1D from L2. Returns the number of the L1D line and the core cycles. `None`, without
    /// any change, if L2 does not have the line or cannot take L1D's dirty victim.
    #[inline]
    pub(crate) fn refill_from_l2(&mut self, addr: CoreAddr) -> Option<(usize, u32)> {
        let source = self.l2.find(addr)?;
        let victim = self.l1d.array.victim(addr);
        if self.l1d.array.is_dirty(victim) {
            self.write_back_to_l2(victim)?;
        }
        self.l2.array.touch(source);
        self.l1d.array.fill(victim, addr, self.l2.array.data(source), 0);
        self.l2.array.drop_quick(addr);
        self.bus.stats.l1d_fills_from_l2 += 1;
        Some((victim, self.served_by_l2(1)))
    }

    /// The next bus request needed before L1D can be filled: a write-back that makes room, or the
    /// line itself. Called after [`Caches::refill_from_l2`] has failed.
    pub(crate) fn ask_for_line(&mut self, addr: CoreAddr) -> BusRequest {
        let write_back = self.make_room_in_l1d(addr).or_else(|| self.l2.dirty_victim(addr));
        write_back.unwrap_or_else(|| self.line_request(addr, FillKind::Data, Destination::L1Data))
    }

    /// The next bus request for a line that goes to L1D only and will replace L1D's line `victim`:
    /// first the victim's write-back if it is dirty, then the line itself.
    pub(crate) fn ask_past_l2(
        &mut self,
        addr: CoreAddr,
        victim: usize,
        ty: MemoryType,
    ) -> BusRequest {
        if ty.rules().read_miss == ReadMiss::MessageLine {
            return self.ask_for_message_line(addr, victim);
        }
        self.write_back_l1d(victim)
            .unwrap_or_else(|| self.line_request(addr, FillKind::Data, Destination::L1DataOnly))
    }

    /// The room for a line that L1D does not have, in place of L1D's line `victim`. `None` if L2
    /// has the line, or if the line to be replaced in L1D or L2 is dirty and must be written back
    /// first.
    #[inline]
    pub(crate) fn room_for(&self, addr: CoreAddr, victim: usize) -> Option<Room> {
        if self.l1d.array.is_dirty(victim) {
            return None;
        }
        let second = match self.l2.enabled.then(|| self.l2.array.find_or_victim(addr)) {
            None => None,
            Some(Err(second)) if !self.l2.array.is_dirty(second) => Some(second as u32),
            Some(_) => return None,
        };
        Some(Room { addr: addr.line(), first: victim as u32, second })
    }

    /// Counts that translated code has written L1D's dirty victim into L2, and charges L2's cycles
    /// for it to a later access.
    #[inline]
    pub fn victim_has_gone(&mut self) {
        self.bus.stats.l1d_writebacks_to_l2 += 1;
        self.bus.owed_cycles += self.l2_hit_cycles;
    }

    /// The write-back that must come before line number `line` of L2 is replaced; `None` if that
    /// line is clean or invalid.
    #[inline]
    pub fn dirty_line_of_l2(&self, line: u32) -> Option<BusRequest> {
        self.l2.dirty_line(line as usize)
    }

    /// Marks line number `line` of L2 clean after its write-back to memory, and counts the
    /// write-back.
    #[inline]
    pub fn line_of_l2_is_written(&mut self, line: u32) {
        self.bus.stats.l2_writebacks += 1;
        self.l2.array.set_dirty(line as usize, false);
    }

    /// Makes the bus request that fetches the line of `room`. [`Caches::complete`] handles the
    /// response.
    pub fn await_line(&mut self, room: &Room) -> BusRequest {
        self.line_request(room.addr, FillKind::Data, Destination::L1Data)
    }

    /// Counts a line that has arrived from memory and that the caller is about to put into L1D and,
    /// if it is on, L2.
    #[inline]
    pub fn line_has_come(&mut self, room: &Room) {
        self.take_owed_cycles();
        self.bus.stats.l2_fills += u64::from(room.second.is_some());
        self.bus.stats.l1d_fills_from_memory += 1;
    }

    #[inline]
    pub(crate) fn fill_room(&mut self, room: &Room, data: &line::LineData) {
        match room.second {
            Some(second) => self.l2.array.fill(second as usize, room.addr, data, 0),
            None => self.l2.array.drop_quick(room.addr),
        }
        self.l1d.array.fill(room.first as usize, room.addr, data, 0);
    }

    pub(crate) fn write_beyond_l1(
        &mut self,
        addr: CoreAddr,
        size: u8,
        value: u64,
        ty: MemoryType,
    ) -> Step<StoreEnd> {
        self.snoop_l1i(addr);
        let rules = ty.rules();
        let through = rules.in_l1d && !rules.writes_back;
        let hit = through && self.l1d.array.find(addr).is_some();
        let step = self.write_by_type(addr, size, value, ty);
        // An access that must be tried again is counted when it succeeds.
        if !matches!(step, Step::Need { finishes: false, .. }) {
            let stats = &mut self.bus.stats;
            stats.l1d_write_through_hits += u64::from(hit);
            stats.l1d_write_misses += u64::from(!hit);
        }
        step
    }

    fn write_by_type(
        &mut self,
        addr: CoreAddr,
        size: u8,
        value: u64,
        ty: MemoryType,
    ) -> Step<StoreEnd> {
        let rules = ty.rules();
        match rules.store_beyond {
            StoreBeyond::L2 => {
                if !rules.writes_back
                    && let Some(line) = self.l1d.array.find(addr)
                {
                    self.l1d.array.touch(line);
                    self.l1d.array.store(line, addr.line_offset(), size, value);
                }
                self.write_around(addr, size, value)
            }
            StoreBeyond::Memory => write_to_bus(addr, size, value, true),
            StoreBeyond::Combine => self.write_combined(addr, size, value, rules.in_l1d),
            StoreBeyond::Device => write_to_bus(addr, size, value, false),
        }
    }

    /// Sends a store to L2 if L2 has the line, otherwise to memory. Fetches no line, unless L2
    /// allocates.
    fn write_around(&mut self, addr: CoreAddr, size: u8, value: u64) -> Step<StoreEnd> {
        if self.l2.write(addr, size, value) {
            self.bus.stats.writes_to_l2 += 1;
            return Step::Done { value: StoreEnd::InL2, cycles: 0 };
        }
        if self.stores_allocate() {
            return self.fill_l2_alone(addr);
        }
        write_to_bus(addr, size, value, true)
    }

    /// True if L2 is on and fetches the line of a store that misses it (write-allocate); false if
    /// such a store goes to memory.
    #[inline]
    pub(crate) fn stores_allocate(&self) -> bool {
        self.store_miss == StoreMiss::Allocate && self.l2.enabled
    }

    /// Requests the line of `addr` for L2 alone: first the write-back of L2's dirty victim, then
    /// the line. The caller calls the access again after each transaction.
    pub(crate) fn fill_l2_alone<T>(&mut self, addr: CoreAddr) -> Step<T> {
        if let Some(write_back) = self.l2.dirty_victim(addr) {
            return need(write_back);
        }
        self.read_line(addr, FillKind::Data, Destination::L2Only)
    }

    /// Makes the L1D line clean that a fill of `addr` would replace. Returns the write-back to
    /// memory that must come first; `None` if the line is clean now.
    pub(crate) fn make_room_in_l1d(&mut self, addr: CoreAddr) -> Option<BusRequest> {
        let victim = self.l1d.array.victim(addr);
        self.write_back_l1d(victim)
    }

    /// Makes line number `line` of L1D clean by writing it into L2, if L2 has the line. Otherwise
    /// returns the write-back to memory, after which the line is clean.
    pub(crate) fn write_back_l1d(&mut self, line: usize) -> Option<BusRequest> {
        if !self.l1d.array.is_dirty(line) || self.write_back_to_l2(line).is_some() {
            return None;
        }
        let (addr, data) = (self.l1d.array.address(line), *self.l1d.array.data(line));
        let kind = DrainKind::L1Victim;
        Some(BusRequest::WriteLine { addr, data, enable: u32::MAX, kind })
    }

    /// Writes dirty L1D line number `line` into L2 and makes it clean. `None`, without any change,
    /// if L2 does not have the line or if the line has the MB tag, because such lines bypass L2.
    #[inline]
    fn write_back_to_l2(&mut self, line: usize) -> Option<()> {
        if self.l1d.array.is_message_buffer(line) {
            return None;
        }
        let target = self.l2.find(self.l1d.array.address(line))?;
        self.l2.array.touch(target);
        self.l2.array.store_line(target, self.l1d.array.data(line));
        self.l2.array.set_dirty(target, true);
        self.l1d.array.set_dirty(line, false);
        self.victim_has_gone();
        Some(())
    }

    pub(crate) fn fill_l1d(&mut self, addr: CoreAddr, data: &line::LineData) -> usize {
        let line = self.l1d.array.victim(addr);
        self.l1d.array.fill(line, addr, data, 0);
        self.l2.array.drop_quick(addr);
        line
    }

    /// Requests a line. The cycles that L2 spent on victims are hidden by the wait.
    pub(crate) fn read_line<T>(
        &mut self,
        addr: CoreAddr,
        kind: FillKind,
        destination: Destination,
    ) -> Step<T> {
        need(self.line_request(addr, kind, destination))
    }

    pub(crate) fn line_request(
        &mut self,
        addr: CoreAddr,
        kind: FillKind,
        to: Destination,
    ) -> BusRequest {
        self.bus.destination = to;
        self.bus.owed_cycles = 0;
        BusRequest::ReadLine { addr: addr.line(), kind }
    }

    /// Ends an access that L2 served. Returns its core cycles: those of `services` accesses to L2,
    /// and those that L2 has spent on victims since.
    #[inline]
    pub(crate) fn served_by_l2(&mut self, services: u32) -> u32 {
        let cycles = self.take_owed_cycles() + services * self.l2_hit_cycles;
        self.bus.stats.l2_cycles += u64::from(cycles);
        cycles
    }
}

/// The result for a store that is one transaction; when the transaction is done, the store is
/// complete.
pub(crate) fn write_to_bus<T>(addr: CoreAddr, size: u8, value: u64, posted: bool) -> Step<T> {
    Step::Need { request: bus_write(addr, size, value, posted), finishes: true }
}

/// The bus request that writes the low `size` (1..=8) bytes of `value`. `posted`: true if the core
/// continues before memory acknowledges the write.
#[inline]
pub(crate) fn bus_write(addr: CoreAddr, size: u8, value: u64, posted: bool) -> BusRequest {
    let data = if size < 8 { value & ((1 << (8 * size)) - 1) } else { value };
    BusRequest::Write { addr, size, data, posted }
}
