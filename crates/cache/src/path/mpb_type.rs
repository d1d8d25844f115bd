//! The message-passing memory type, MPBT: MB tags, CL1INVMB, and the defective combination with UC.
//!
//! MPBT reads are looked up and filled in L1D only, with the MB tag set. MPBT stores go to the
//! write-combine buffer, unless L1D has the line and takes the store as write-back. CL1INVMB (0F
//! 0A) drops all MB-tagged lines of L1D without writing anything back, so a dirty one is lost
//! (`partheymueller-2011`, `scc-linux-2011`, `rcce-2010`; the loss is an inference).

use rockcreek_defs::bus::FillKind;
use rockcreek_defs::{BusRequest, CoreAddr};

use crate::array::line::{self, MESSAGE_BUFFER};
use crate::array::quick::Page;
use crate::path::data_path::need;
use crate::path::hierarchy::{Caches, Destination, Step, StoreEnd};

/// The largest number of lines in the list. With more lines, checking every line of L1D is as fast.
const MOST_LINES: usize = 64;

/// The numbers of the L1D lines that may have the MB tag, a superset of those that have it;
/// meaningless unless `known` is true. With this list, CL1INVMB, which polling loops execute in
/// each round, need not check every line.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageBufferLines {
    known: bool,
    lines: Vec<u32>,
}

/// Always equal: the list follows from the cache's tags, which are compared elsewhere.
impl PartialEq for MessageBufferLines {
    fn eq(&self, _: &MessageBufferLines) -> bool {
        true
    }
}

impl MessageBufferLines {
    /// Adds the number of a line that was filled with the MB tag. If the list is full, `known`
    /// becomes false and CL1INVMB checks every line.
    #[inline]
    pub(crate) fn filled(&mut self, line: usize) {
        self.known &= self.lines.len() < MOST_LINES;
        if self.known {
            self.lines.push(line as u32);
        }
    }

    /// Adds the number of a line whose tag a rollback has restored, if `tag` has the MB tag.
    pub(crate) fn restored(&mut self, line: usize, tag: u32) {
        if tag & MESSAGE_BUFFER != 0 {
            self.filled(line);
        }
    }
}

impl Caches {
    /// Performs CL1INVMB: invalidates every MB-tagged line of L1D, dirty or not.
    pub fn cl1invmb(&mut self) {
        let known = std::mem::replace(&mut self.l1d.message_buffer.known, true);
        if !known {
            (0..self.l1d.array.len()).for_each(|line| self.drop_message_line(line));
        } else {
            for n in 0..self.l1d.message_buffer.lines.len() {
                self.drop_message_line(self.l1d.message_buffer.lines[n] as usize);
            }
        }
        self.l1d.message_buffer.lines.clear();
    }

    /// The addresses of the lines whose stores CL1INVMB would lose: the lines with the MB tag that
    /// are dirty.
    pub fn dirty_message_lines(&self) -> Vec<CoreAddr> {
        let l1d = &self.l1d.array;
        let lost = |line: &usize| l1d.is_message_buffer(*line) && l1d.is_dirty(*line);
        let lines = &self.l1d.message_buffer;
        let address = |line| l1d.address(line);
        if lines.known {
            let known = lines.lines.iter().map(|line| *line as usize);
            known.filter(lost).map(address).collect()
        } else {
            (0..l1d.len()).filter(lost).map(address).collect()
        }
    }

    fn drop_message_line(&mut self, line: usize) {
        if self.l1d.array.is_message_buffer(line) {
            self.bus.stats.mpbt_lines_invalidated += 1;
            let lost = self.l1d.array.is_dirty(line);
            self.bus.stats.mpbt_dirty_lines_lost += u64::from(lost);
            self.l1d.array.invalidate(line);
        }
    }

    /// The next bus request of an MPBT load that missed L1D: first the write-back of L1D's line
    /// `victim` if it is dirty, then the line, which bypasses L2 and will replace `victim`.
    pub(crate) fn ask_for_message_line(&mut self, addr: CoreAddr, victim: usize) -> BusRequest {
        self.write_back_l1d(victim)
            .unwrap_or_else(|| self.line_request(addr, FillKind::Mpbt, Destination::MessageBuffer))
    }

    /// Puts the line of an MPBT load, which has arrived, into L1D. Returns the line's number in
    /// L1D.
    #[inline(always)]
    pub fn complete_message_line(&mut self, addr: CoreAddr, data: &line::LineData) -> usize {
        let destination = std::mem::take(&mut self.bus.destination);
        debug_assert_eq!(destination, Destination::MessageBuffer);
        self.fill_message_buffer(addr, data)
    }

    /// Inserts the line of an MPBT load into L1D with the MB tag; returns the line's number in L1D.
    #[inline(always)]
    pub(crate) fn fill_message_buffer(&mut self, addr: CoreAddr, data: &line::LineData) -> usize {
        let line = self.l1d.array.victim(addr);
        self.l1d.array.fill(line, addr, data, MESSAGE_BUFFER);
        self.l2.array.drop_quick(addr);
        self.l1d.message_buffer.filled(line);
        self.bus.stats.l1d_fills_mpbt += 1;
        line
    }

    /// Opens the line of an MPBT load, which has just been filled, for loads in place at its linear
    /// address. Returns the line's origin as in `InPlace::origin`. `settled`: true if a further
    /// access to the page would not change the TLB, as in `Page::settled`.
    #[inline]
    pub fn admit_message_line(&mut self, line: usize, linear: u32, settled: bool) -> u64 {
        debug_assert!(self.l1d.array.is_message_buffer(line), "nothing has come between");
        let page = Page { linear: linear & !0xFFF, settled, writable: false };
        // The offset in a page is equal in linear and physical address.
        self.l1d.array.admit_filled(line, CoreAddr(linear), &page)
    }

    /// Performs an MPBT store that does not end in a write-back line of L1D: it goes into the
    /// write-combine buffer. `look_in_l1d`: true if a line in L1D takes the bytes, too; false for
    /// the combination with UC.
    pub(crate) fn write_combined(
        &mut self,
        addr: CoreAddr,
        size: u8,
        value: u64,
        look_in_l1d: bool,
    ) -> Step<StoreEnd> {
        if let Some(drain) = self.bus.write_combine.displaced_by(addr) {
            return need(drain);
        }
        if look_in_l1d && let Some(line) = self.l1d.array.find(addr) {
            self.l1d.array.touch(line);
            self.l1d.array.store(line, addr.line_offset(), size, value);
        }
        match self.bus.write_combine.merge(addr, size, value) {
            Some(request) => Step::Need { request, finishes: true },
            None => Step::Done { value: StoreEnd::Done, cycles: 0 },
        }
    }

    /// Performs a read from a page that is both UC and MPBT. Whichever bytes of a line are read,
    /// the bus returns bytes 0 to 7 of the line, four times over (`partheymueller-2011`).
    pub(crate) fn read_uncached_mpbt(&mut self, addr: CoreAddr, size: u8) -> Step<u64> {
        if let Some((line, first_bytes)) = self.bus.quirk_read.take() {
            debug_assert_eq!(line, addr.line(), "the read that asked comes back first");
            let repeated = std::array::from_fn(|byte| first_bytes.to_le_bytes()[byte % 8]);
            return Step::Done {
                value: line::load(&repeated, addr.line_offset(), size),
                cycles: 0,
            };
        }
        self.bus.destination = Destination::QuirkRead;
        need(BusRequest::Read { addr: addr.line(), size: 8 })
    }
}
