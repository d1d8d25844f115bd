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

/// The result for an access that needs a transaction and must then be tried again.
pub(crate) fn need<T>(request: BusRequest) -> Step<T> {
    Step::Need { request, finishes: false }
}

/// The places for a line that no cache has: the clean lines that it replaces in L1D and, if L2 is
/// in use, in L2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    pub(crate) addr: CoreAddr,
    pub(crate) first: u32,
    second: Option<u32>,
}

impl Room {
    /// Makes a room of two lines, which must be valid and clean.
    #[inline]
    pub fn of(addr: CoreAddr, first: u32, second: u32) -> Room {
        Room { addr: addr.line(), first, second: Some(second) }
    }

    /// The address of the line that will be filled.
    #[inline]
    pub fn addr(&self) -> CoreAddr {
        self.addr
    }

    /// The transaction that fetches the line.
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

    /// Fills L1D from L2, if L2 has the line and can take L1D's victim. Returns the number of the
    /// L1D line and the cycles; otherwise changes nothing.
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

    /// The next bus request for a line that bypasses L2 and will replace `victim`: the victim's
    /// write-back, or the line itself.
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

    /// The room for a line that L1D does not have, in place of `victim`. `None` if L2 has the line,
    /// or if a dirty line must be written back first.
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

    /// Counts a dirty line of L1D that translated code has written into L2 for a fill.
    #[inline]
    pub fn victim_has_gone(&mut self) {
        self.bus.stats.l1d_writebacks_to_l2 += 1;
        self.bus.owed_cycles += self.l2_hit_cycles;
    }

    /// The write-back that a line of L2 needs before a fill, if it is dirty.
    #[inline]
    pub fn dirty_line_of_l2(&self, line: u32) -> Option<BusRequest> {
        self.l2.dirty_line(line as usize)
    }

    /// Marks a line of L2 clean after its write-back.
    #[inline]
    pub fn line_of_l2_is_written(&mut self, line: u32) {
        self.bus.stats.l2_writebacks += 1;
        self.l2.array.set_dirty(line as usize, false);
    }

    /// The request for a line that does not come at once. [`Caches::complete`] handles its
    /// response.
    pub fn await_line(&mut self, room: &Room) -> BusRequest {
        self.line_request(room.addr, FillKind::Data, Destination::L1Data)
    }

    /// Counts a line that has arrived and is about to be put into L1D and L2.
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

    /// True if L2 fetches the line of a store that misses.
    #[inline]
    pub(crate) fn stores_allocate(&self) -> bool {
        self.store_miss == StoreMiss::Allocate && self.l2.enabled
    }

    /// The transactions that bring a line only into L2; the access must be tried again after each.
    pub(crate) fn fill_l2_alone<T>(&mut self, addr: CoreAddr) -> Step<T> {
        if let Some(write_back) = self.l2.dirty_victim(addr) {
            return need(write_back);
        }
        self.read_line(addr, FillKind::Data, Destination::L2Only)
    }

    /// Makes the L1D line clean that a fill of `addr` would replace. Returns the transaction that
    /// is needed first, if any.
    pub(crate) fn make_room_in_l1d(&mut self, addr: CoreAddr) -> Option<BusRequest> {
        let victim = self.l1d.array.victim(addr);
        self.write_back_l1d(victim)
    }

    /// Makes an L1D line clean: writes it into L2 if L2 has the line, otherwise returns a
    /// transaction.
    pub(crate) fn write_back_l1d(&mut self, line: usize) -> Option<BusRequest> {
        if !self.l1d.array.is_dirty(line) || self.write_back_to_l2(line).is_some() {
            return None;
        }
        let (addr, data) = (self.l1d.array.address(line), *self.l1d.array.data(line));
        let kind = DrainKind::L1Victim;
        Some(BusRequest::WriteLine { addr, data, enable: u32::MAX, kind })
    }

    /// Writes a dirty L1D line into L2, if L2 has the line; `None` otherwise. Lines of MPBT pages
    /// bypass L2.
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

    /// Ends an access in L2 and returns its cycles: those of `services` accesses, and those for
    /// victims.
    #[inline]
    pub(crate) fn served_by_l2(&mut self, services: u32) -> u32 {
        let cycles = self.take_owed_cycles() + services * self.l2_hit_cycles;
        self.bus.stats.l2_cycles += u64::from(cycles);
        cycles
    }
}

/// The result for a store that is a single transaction and ends with it.
pub(crate) fn write_to_bus<T>(addr: CoreAddr, size: u8, value: u64, posted: bool) -> Step<T> {
    Step::Need { request: bus_write(addr, size, value, posted), finishes: true }
}

/// The request that writes the low `size` bytes of `value`.
#[inline]
pub(crate) fn bus_write(addr: CoreAddr, size: u8, value: u64, posted: bool) -> BusRequest {
    let data = if size < 8 { value & ((1 << (8 * size)) - 1) } else { value };
    BusRequest::Write { addr, size, data, posted }
}
