//! The caches of one core, with the functions that the core calls.
//!
//! An access either completes ([`Step::Done`]) or needs a bus transaction first ([`Step::Need`]);
//! the core performs the transaction and passes its response to [`Caches::complete`]. At most one
//! access is in progress. An access that returned `Done` has moved lines and counted events; the
//! core must not repeat it when it executes the instruction again.

use rockcreek_defs::bus::DrainKind;
use rockcreek_defs::{BusRequest, BusResponse, CoreAddr, prefetch};
use serde::{Deserialize, Serialize};

use crate::array::Array;
use crate::array::line::{self, LineData};
use crate::path::l1::{L1Code, L1Data};
use crate::path::l2::L2;
use crate::path::stats::CacheStats;
use crate::path::write_combine::WriteCombine;
use crate::policy::config::{CacheConfig, ConfigError};
use crate::policy::{MemoryType, StoreMiss};

/// The result of an access or of one call for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<T> {
    /// The access is completed; `cycles` is its cost in core cycles in addition to an L1 hit.
    Done { value: T, cycles: u32 },
    /// The access needs a transaction. If `finishes` is true, the transaction completes the access
    /// (the value of a read is the response's); otherwise the access must be called again.
    Need { request: BusRequest, finishes: bool },
}

/// How a store has ended that needed no transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreEnd {
    /// The store is complete: L1D or the write-combine buffer has taken it.
    Done,
    /// L2 has taken the store, and is busy with it for [`CacheConfig::l2_hit_cycles`] core cycles.
    InL2,
}

/// A fetched line of code: its slot (a line of L1I, or of the prefetch buffer from
/// [`PREFETCH_SLOT`] on), and the id that the core gave to its bytes (0: none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchedLine {
    pub slot: u32,
    pub version: u32,
}

/// The largest number of lines of uncached code that one instruction needs.
pub(crate) const PREFETCH_LINES: usize = 2;
/// The first slot number of the prefetch buffer. A line in it came from an uncached page and stays
/// until [`Caches::forget_prefetch`]. There are two lines, because an instruction may span two.
pub const PREFETCH_SLOT: u32 = u32::MAX - PREFETCH_LINES as u32 + 1;

/// Where the line or value that the outstanding read brings goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Destination {
    /// To the core alone: no cache stores it.
    #[default]
    Core,
    /// To L2 and L1D: a cached load.
    L1Data,
    /// To L2 and L1I: a cached fetch of code.
    L1Code,
    /// To L2 alone: for a locked access, or for a store.
    L2Only,
    /// To L1D alone, with the MB tag: a load of type MPBT.
    MessageBuffer,
    /// To the prefetch buffer: uncached code.
    Prefetch,
    /// To the latch that holds the line of a read that is UC and MPBT.
    QuirkRead,
    /// To L1D alone, without the MB tag: a load of type `L1Only`.
    L1DataOnly,
}

/// One line of the prefetch buffer, which holds uncached code while one instruction is fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Prefetch {
    pub(crate) addr: CoreAddr,
    pub(crate) data: LineData,
    pub(crate) valid: bool,
}

/// The caches' state except the arrays of lines. It is small, because each window copies it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BusSide {
    pub(crate) write_combine: WriteCombine,
    pub(crate) destination: Destination,
    pub(crate) prefetch: [Prefetch; PREFETCH_LINES],
    /// The index of the prefetch line that is filled next.
    pub(crate) prefetch_next: u8,
    /// For a load of the defective type (UC and MPBT): the line that was read, and its bytes 0 to 7
    /// as a number; `None` if no such load waits for its value.
    pub(crate) quirk_read: Option<(CoreAddr, u64)>,
    /// Core cycles that L2 has spent on victims and that a later access in L2 must still pay.
    pub(crate) owed_cycles: u32,
    pub(crate) stats: CacheStats,
}

/// A cached line's state, for debuggers: is it dirty; is it of an MPBT page?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineState {
    pub dirty: bool,
    pub message_buffer: bool,
}

/// L1I, L1D, L2 and write-combine buffer of one core.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Caches {
    pub(crate) l1i: L1Code,
    pub(crate) l1d: L1Data,
    pub(crate) l2: L2,
    pub(crate) bus: BusSide,
    pub(crate) l2_hit_cycles: u32,
    /// L2's policy for stores that miss; not saved, because it follows from the configuration.
    #[serde(skip)]
    pub(crate) store_miss: StoreMiss,
    /// The bus side, and whether L2 was on, at the start of the window.
    #[serde(skip)]
    at_window: (BusSide, bool),
}

impl PartialEq for Caches {
    fn eq(&self, other: &Caches) -> bool {
        self.l1i == other.l1i
            && self.l1d == other.l1d
            && self.l2 == other.l2
            && self.bus == other.bus
            && self.l2_hit_cycles == other.l2_hit_cycles
    }
}

impl Caches {
    /// Makes empty caches. Panics on a configuration that `CacheConfig::validate` refuses.
    pub fn new(config: &CacheConfig) -> Caches {
        config.validate().unwrap_or_else(|error: ConfigError| panic!("{error}"));
        let l2 = L2::new(config.l2, config.l2_replacement.unwrap_or(config.replacement));
        Caches {
            l1i: L1Code::new(config.l1i, config.replacement),
            l1d: L1Data::new(config.l1d, config.replacement),
            at_window: (BusSide::default(), l2.enabled),
            l2,
            bus: BusSide::default(),
            l2_hit_cycles: config.l2_hit_cycles,
            store_miss: config.l2_store_miss,
        }
    }

    /// Takes the policies that are not saved from the configuration. Call after a restore.
    pub fn set_policy(&mut self, config: &CacheConfig) {
        self.store_miss = config.l2_store_miss;
    }

    /// Reads `size` (1..=8) bytes inside one line from L1D; `None` if L1D does not have the line.
    /// The fast path of [`Caches::read`], which may be tried first for every memory type.
    #[inline(always)]
    pub fn read_hit(&mut self, addr: CoreAddr, size: u8, ty: MemoryType) -> Option<u64> {
        if !ty.rules().in_l1d {
            return None;
        }
        let line = self.l1d.array.find(addr)?;
        self.l1d.array.touch(line);
        Some(line::load(self.l1d.array.data(line), addr.line_offset(), size))
    }

    /// The number of the L1D line of `addr`, and the 4-byte word at `addr`; `None` if L1D does not
    /// have the line. Changes nothing: a real read would also touch the line.
    #[inline(always)]
    pub fn word_in_l1d(&self, addr: CoreAddr, ty: MemoryType) -> Option<(usize, u32)> {
        if !ty.rules().in_l1d {
            return None;
        }
        let line = self.l1d.array.find(addr)?;
        Some((line, line::load(self.l1d.array.data(line), addr.line_offset(), 4) as u32))
    }

    /// Makes line number `line` of L1D the most recently used one of its set.
    #[inline(always)]
    pub fn touch_l1d(&mut self, line: usize) {
        self.l1d.array.touch(line);
    }

    /// Reads `size` (1..=8) bytes inside one line. Returns the value, or [`Step::Need`] with the
    /// transaction that must come first.
    #[inline]
    pub fn read(&mut self, addr: CoreAddr, size: u8, ty: MemoryType) -> Step<u64> {
        match self.read_hit(addr, size, ty) {
            Some(value) => Step::Done { value, cycles: 0 },
            None => self.read_beyond_l1(addr, size, ty),
        }
    }

    /// Writes as [`Caches::write`] into a write-back line of L1D; false, without any change, if L1D
    /// does not have that line. The fast path, which may be tried first for every memory type.
    #[inline(always)]
    pub fn write_hit(&mut self, addr: CoreAddr, size: u8, value: u64, ty: MemoryType) -> bool {
        if !ty.rules().writes_back {
            return false;
        }
        let Some(line) = self.l1d.array.find(addr) else { return false };
        // A dirty line is never in L1I: the store that made it dirty dropped it from L1I, and a
        // fetch would have cleaned it.
        if !self.l1d.array.is_dirty(line) {
            self.snoop_l1i(addr);
            self.l1d.array.set_dirty(line, true);
        }
        self.l1d.array.touch(line);
        self.l1d.array.store(line, addr.line_offset(), size, value);
        true
    }

    /// Writes the low `size` (1..=8) bytes of `value` inside one line. Returns how the store ended,
    /// or [`Step::Need`] with its transaction.
    #[inline]
    pub fn write(
        &mut self,
        addr: CoreAddr,
        size: u8,
        value: u64,
        ty: MemoryType,
    ) -> Step<StoreEnd> {
        if self.write_hit(addr, size, value, ty) {
            return Step::Done { value: StoreEnd::Done, cycles: 0 };
        }
        self.write_beyond_l1(addr, size, value, ty)
    }

    /// Prefetches, into the host's caches, the fields that the end of a store's transaction will
    /// change. The simulated caches do not change.
    #[inline]
    pub fn fetch_bus_ahead(&self) {
        prefetch(&self.bus.destination);
        prefetch(&self.bus.stats.writes_to_bus);
    }

    /// Ends the transaction that the last [`Step::Need`] asked for: puts the line of `response`
    /// where it belongs, and updates counts.
    #[inline]
    pub fn complete(&mut self, request: &BusRequest, response: &BusResponse) {
        if let BusRequest::Write { .. } = request {
            self.bus.destination = Destination::default();
            self.bus.stats.writes_to_bus += 1;
        } else {
            self.complete_other(request, response);
        }
    }

    fn complete_other(&mut self, request: &BusRequest, response: &BusResponse) {
        let destination = std::mem::take(&mut self.bus.destination);
        let stats = &mut self.bus.stats;
        match (request, response) {
            (BusRequest::ReadLine { addr, .. }, BusResponse::Line(data)) => {
                self.line_arrives(*addr, data, destination);
            }
            (BusRequest::Read { addr, .. }, BusResponse::Value(value)) => {
                stats.reads_from_bus += 1;
                if destination == Destination::QuirkRead {
                    self.bus.quirk_read = Some((*addr, *value));
                }
            }
            (BusRequest::WriteLine { addr, kind, .. }, _) => match kind {
                DrainKind::L1Victim => {
                    stats.l1d_writebacks_to_memory += 1;
                    clean(&mut self.l1d.array, *addr);
                }
                DrainKind::L2Victim => {
                    stats.l2_writebacks += 1;
                    clean(&mut self.l2.array, *addr);
                }
                DrainKind::WriteCombine => {
                    if self.bus.write_combine.drained() {
                        stats.write_combine_full_drains += 1;
                    } else {
                        stats.write_combine_partial_drains += 1;
                    }
                }
            },
            (BusRequest::IoRead { .. } | BusRequest::IoWrite { .. }, _) => {}
            (BusRequest::Write { .. }, _) => unreachable!("it is counted"),
            (request, response) => panic!("{response:?} does not answer {request:?}"),
        }
    }

    fn line_arrives(&mut self, addr: CoreAddr, data: &LineData, destination: Destination) {
        match destination {
            Destination::L1Data => {
                self.fill_l2(addr, data);
                self.fill_l1d(addr, data);
                self.bus.stats.l1d_fills_from_memory += 1;
            }
            Destination::L1Code => {
                self.fill_l2(addr, data);
                self.fill_l1i(addr, data);
                self.bus.stats.l1i_fills_from_memory += 1;
            }
            Destination::L2Only => self.fill_l2(addr, data),
            Destination::L1DataOnly => {
                self.fill_l1d(addr, data);
                self.bus.stats.l1d_fills_from_memory += 1;
            }
            Destination::MessageBuffer => {
                self.fill_message_buffer(addr, data);
            }
            Destination::Prefetch => {
                self.bus.stats.uncached_fetches += 1;
                let next = usize::from(self.bus.prefetch_next);
                self.bus.prefetch[next] = Prefetch { addr, data: *data, valid: true };
                self.bus.prefetch_next = ((next + 1) % PREFETCH_LINES) as u8;
            }
            Destination::Core | Destination::QuirkRead => {
                panic!("line {addr} arrives, but no cache asked for a line");
            }
        }
    }

    fn fill_l2(&mut self, addr: CoreAddr, data: &LineData) {
        let filled = self.l2.fill(addr, data);
        self.bus.stats.l2_fills += u64::from(filled);
    }

    /// Starts a window here: from now on, [`Caches::rollback`] can return to this state.
    pub fn begin_window(&mut self) {
        self.l1i.begin_window();
        self.l1d.begin_window();
        self.l2.array.begin_window();
        self.at_window = (self.bus, self.l2.enabled);
    }

    /// Returns to the state at the start of the window; the window stays open.
    pub fn rollback(&mut self) {
        self.l1i.rollback();
        self.l1d.rollback();
        self.l2.array.rollback(|_, _| {});
        (self.bus, self.l2.enabled) = self.at_window;
    }

    /// The events counted since the window began; `None` if any other state of the caches differs
    /// from the window's start. With a result, equal accesses would have equal effects again.
    pub fn recurs(&self) -> Option<CacheStats> {
        let (before, enabled) = &self.at_window;
        let same = BusSide { stats: before.stats, ..self.bus } == *before
            && *enabled == self.l2.enabled
            && self.l1d.array.unchanged()
            && self.l1i.array.unchanged()
            && self.l2.array.unchanged();
        let difference = |before, after| after - before;
        same.then(|| before.stats.combined(&self.bus.stats, difference))
    }

    /// Adds the counts of `rounds` further rounds, each with the events of `round`, without
    /// performing their accesses (which change no other state).
    pub fn repeat(&mut self, round: &CacheStats, rounds: u64) {
        let stats = &mut self.bus.stats;
        *stats = stats.combined(round, |count, each| count + rounds * each);
    }

    /// The byte that a cached read of this core would find in L1D or, if it is on, L2; `None` if
    /// neither has the line. Changes nothing.
    pub fn peek(&self, addr: CoreAddr) -> Option<u8> {
        let byte = |array: &Array, line: usize| array.data(line)[addr.line_offset()];
        let in_l1 = self.l1d.array.find(addr).map(|line| byte(&self.l1d.array, line));
        in_l1.or_else(|| self.l2.find(addr).map(|line| byte(&self.l2.array, line)))
    }

    /// The state of the line of `addr` in L1D; `None` if L1D does not have it.
    pub fn l1d_line(&self, addr: CoreAddr) -> Option<LineState> {
        self.l1d.array.find(addr).map(|line| state(&self.l1d.array, line))
    }

    /// The state of the line of `addr` in L2, even if L2 is off; `None` if L2 does not have it.
    pub fn l2_line(&self, addr: CoreAddr) -> Option<LineState> {
        self.l2.array.find(addr).map(|line| state(&self.l2.array, line))
    }

    /// True if the line of `addr` is in L1I.
    pub fn l1i_has(&self, addr: CoreAddr) -> bool {
        self.l1i.array.find(addr).is_some()
    }

    /// The core's write-combine buffer, for callers that only read its state.
    pub fn write_combine(&self) -> &WriteCombine {
        &self.bus.write_combine
    }

    /// The event counts since power-on.
    pub fn stats(&self) -> &CacheStats {
        &self.bus.stats
    }
}

fn state(array: &Array, line: usize) -> LineState {
    LineState { dirty: array.is_dirty(line), message_buffer: array.is_message_buffer(line) }
}

/// Marks a line clean after its write-back has been accepted.
fn clean(array: &mut Array, addr: CoreAddr) {
    if let Some(line) = array.find(addr) {
        array.set_dirty(line, false);
    }
}
