//! A set-associative array of lines with their bytes: the common part of L1I, L1D and L2.
//!
//! The array only stores lines; `l1`, `l2` and the access paths decide which line is filled,
//! written or dropped. A line's number is `set * ways + way`.

pub mod journal;
pub mod line;
pub mod quick;
mod saved;
mod window;

use rockcreek_defs::{CoreAddr, LINE_BYTES};
use serde::Deserialize;

use self::saved::SavedArray;
use crate::array::journal::Journal;
use crate::array::line::{DIRTY, LineData, MESSAGE_BUFFER, VALID};
use crate::array::quick::{ArrayAddresses, Page, QUICK_WAYS, QuickLines};
use crate::policy::config::Geometry;
use crate::policy::replacement::{Replacement, ReplacementTable};
use crate::policy::set_state::SetState;
use crate::policy::true_lru;

/// One cache (L1I, L1D or L2): the tags, replacement state and data of its lines.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "SavedArray")]
pub(crate) struct Array {
    geometry: Geometry,
    policy: Replacement,
    tags: Vec<u32>,
    sets: Vec<SetState>,
    /// For each set, its ways in the order of their last use (`true_lru.rs`); empty if the policy
    /// keeps no order.
    orders: Vec<u64>,
    data: Vec<LineData>,
    set_mask: usize,
    way_bits: u32,
    table: ReplacementTable,
    keeps_latest: bool,
    journal: Journal,
    /// The table of lines that translated code may use without a lookup; `None` for L1I, and for an
    /// L1D or L2 until the core has asked for the table.
    pub(crate) quick: Option<Box<QuickLines>>,
}

/// The size of the smallest page, in bytes.
const PAGE_BYTES: u32 = 4096;

impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        self.geometry == other.geometry
            && self.policy == other.policy
            && self.tags == other.tags
            && self.replacements().eq(other.replacements())
            && self.orders == other.orders
            && self.data == other.data
    }
}

impl Array {
    pub(crate) fn new(geometry: Geometry, policy: Replacement) -> Array {
        let (sets, ways) = (geometry.sets() as usize, geometry.ways as usize);
        assert!(sets.is_power_of_two(), "the geometry was validated");
        let table = ReplacementTable::new(policy, ways);
        Array {
            geometry,
            policy,
            tags: vec![0; sets * ways],
            sets: vec![SetState::default(); sets],
            orders: vec![true_lru::fresh(ways); if table.keeps_order() { sets } else { 0 }],
            data: vec![[0; LINE_BYTES]; sets * ways],
            set_mask: sets - 1,
            way_bits: ways.trailing_zeros(),
            keeps_latest: table.keeps_latest(),
            journal: Journal::new(sets, sets * ways, if table.keeps_order() { sets } else { 0 }),
            table,
            quick: None,
        }
    }

    /// Opens a line in the table of lines that translated code uses without a lookup, for accesses
    /// to `page`. The next use of the line must change no state of the cache. `store`: stores may
    /// use the line, too. Returns the line's origin: the host address of its bytes minus their
    /// linear address.
    #[inline]
    pub(crate) fn admit(&mut self, line: usize, page: &Page, store: bool) -> u64 {
        let set = line >> self.way_bits;
        let bytes = self.data.as_mut_ptr() as usize as u64 + (line * LINE_BYTES) as u64;
        let linear = page.linear | self.tags[line] & (PAGE_BYTES - LINE_BYTES as u32);
        let origin = bytes.wrapping_sub(u64::from(linear));
        let way = line & ((1 << self.way_bits) - 1);
        let state = self.sets[set].replacement();
        if let Some(quick) = &mut self.quick
            && self.table.hit(state, way) == state
        {
            let store = store && self.tags[line] & DIRTY != 0 && self.journal.has_line(line);
            quick.admit(set, page, origin, store);
        }
        origin
    }

    /// The host address of the byte at core address `addr`, which lies in line number `line`.
    #[inline]
    pub(crate) fn host_address(&mut self, line: usize, addr: CoreAddr) -> u64 {
        let bytes = &mut self.data[line];
        bytes.as_mut_ptr() as usize as u64 + u64::from(addr.0) % LINE_BYTES as u64
    }

    /// Makes the table of open lines, if there is none yet, and fills in the cache's host
    /// addresses. `sets`: the number of L1D's sets; `around`: true if this array is L2, whose table
    /// serves stores that bypass L1D.
    pub(crate) fn enable_quick(&mut self, sets: usize, around: bool) -> &mut QuickLines {
        let lookable = self.is_lookable();
        let quick = self.quick.get_or_insert_with(|| Box::new(QuickLines::new(sets, around)));
        quick.usable = u32::from(lookable);
        quick.policy = self.table.of_four().unwrap_or_default();
        quick.arrays = ArrayAddresses {
            tags: self.tags.as_mut_ptr() as usize as u64,
            bytes: self.data.as_mut_ptr() as usize as u64,
            sets: self.sets.as_mut_ptr() as usize as u64,
            journal: self.journal.addresses(),
            set_mask: self.set_mask as u32,
            window: self.journal.is_open(),
        };
        quick
    }

    /// True if the table that translated code uses is still right: it is at host address `table`,
    /// points to this array's parts, and its flag that permits lookups equals `usable`. False after
    /// the array was copied or moved.
    #[inline]
    pub(crate) fn quick_is(&self, table: u64, usable: bool) -> bool {
        let Some(quick) = &self.quick else { return false };
        let address = std::ptr::from_ref::<QuickLines>(quick) as usize as u64;
        address == table
            && quick.arrays.tags == self.tags_address()
            && quick.arrays.journal.used == self.journal.address()
            && quick.usable == u32::from(usable && self.is_lookable())
    }

    /// True if the table's flag that permits translated code to look lines up in this cache equals
    /// `usable`, or is 0 because the cache cannot be looked up so.
    #[inline]
    pub(crate) fn quick_takes_part(&self, usable: bool) -> bool {
        let expected = u32::from(usable && self.is_lookable());
        self.quick.as_ref().is_some_and(|quick| quick.usable == expected)
    }

    #[inline]
    pub(crate) fn is_lookable(&self) -> bool {
        self.ways() == QUICK_WAYS
            && !self.table.keeps_order()
            && self.len() <= usize::from(u16::MAX) + 1
    }

    /// The host address of the tags, for translated code.
    pub(crate) fn tags_address(&self) -> u64 {
        self.tags.as_ptr() as usize as u64
    }

    /// The host address of the sets' states, which translated code changes too.
    pub(crate) fn states_address(&mut self) -> u64 {
        self.sets.as_mut_ptr() as usize as u64
    }

    /// Closes the entry for the set of `addr` in the table of open lines, so that translated code
    /// must look the line up again.
    #[inline]
    pub(crate) fn drop_quick(&mut self, addr: CoreAddr) {
        let set = self.set_of(addr);
        if let Some(quick) = &mut self.quick {
            quick.close_set(set);
        }
    }

    /// Saves the bytes of line number `line` in the undo log, before a store that the caller makes
    /// directly into the line's host memory.
    #[inline]
    pub(crate) fn prepare_store(&mut self, line: usize) {
        self.save_line(line);
    }

    /// True if a fill never replaces the line of a set that was used last.
    pub(crate) fn keeps_latest(&self) -> bool {
        self.keeps_latest
    }

    pub(crate) fn ways(&self) -> usize {
        1 << self.way_bits
    }

    #[inline]
    pub(crate) fn sets(&self) -> usize {
        self.sets.len()
    }

    /// The replacement state of each set, in the order of the sets' numbers.
    fn replacements(&self) -> impl Iterator<Item = u8> {
        self.sets.iter().map(|set| set.replacement())
    }

    pub(crate) fn len(&self) -> usize {
        self.tags.len()
    }

    #[inline(always)]
    fn set_of(&self, addr: CoreAddr) -> usize {
        (addr.0 as usize / LINE_BYTES) & self.set_mask
    }

    /// The number of the valid line that holds `addr`; `None` if no line does. Ignores whether the
    /// cache is switched on.
    #[inline(always)]
    pub(crate) fn find(&self, addr: CoreAddr) -> Option<usize> {
        let base = self.set_of(addr) << self.way_bits;
        let hits = if let Some(tags) = self.tags[base..].first_chunk::<4>()
            && self.way_bits == 2
        {
            line::matching(tags, addr)
        } else {
            let tags = &self.tags[base..base + (1 << self.way_bits)];
            let bits = tags.iter().map(|&tag| u32::from(line::matches(tag, addr)));
            bits.enumerate().fold(0, |hits, (way, bit)| hits | bit << way)
        };
        (hits != 0).then(|| base + hits.trailing_zeros() as usize)
    }

    /// The number of the line that a fill of `addr` replaces: an invalid line of its set if there
    /// is one, otherwise the line that the replacement policy selects.
    #[inline(always)]
    pub(crate) fn victim(&self, addr: CoreAddr) -> usize {
        let set = self.set_of(addr);
        let base = set << self.way_bits;
        let least = || match self.orders.get(set) {
            None => self.table.victim(self.sets[set].replacement()),
            Some(order) => true_lru::oldest(*order, self.ways()),
        };
        if let (2, Some(four)) = (self.way_bits, self.tags[base..].first_chunk::<4>()) {
            let free = !line::valid(four) & 0xF;
            return base + if free == 0 { least() } else { free.trailing_zeros() as usize };
        }
        let tags = &self.tags[base..base + (1 << self.way_bits)];
        let free = tags.iter().position(|&tag| tag & VALID == 0);
        base + free.unwrap_or_else(least)
    }

    /// `Ok`: the number of the valid line that holds `addr`. `Err`: no line does; the number of the
    /// line that a fill of `addr` replaces.
    #[inline(always)]
    pub(crate) fn find_or_victim(&self, addr: CoreAddr) -> Result<usize, usize> {
        self.find(addr).ok_or_else(|| self.victim(addr))
    }

    #[inline(always)]
    pub(crate) fn data(&self, line: usize) -> &LineData {
        &self.data[line]
    }

    #[inline]
    pub(crate) fn address(&self, line: usize) -> CoreAddr {
        line::address(self.tags[line])
    }

    pub(crate) fn is_valid(&self, line: usize) -> bool {
        self.tags[line] & VALID != 0
    }

    /// True if the line is valid and dirty.
    #[inline(always)]
    pub(crate) fn is_dirty(&self, line: usize) -> bool {
        self.tags[line] & (VALID | DIRTY) == VALID | DIRTY
    }

    /// True if the line is valid and came from an MPBT page.
    #[inline]
    pub(crate) fn is_message_buffer(&self, line: usize) -> bool {
        self.tags[line] & (VALID | MESSAGE_BUFFER) == VALID | MESSAGE_BUFFER
    }

    /// Records a hit on line number `line` in its set's replacement state.
    #[inline(always)]
    pub(crate) fn touch(&mut self, line: usize) {
        let set = line >> self.way_bits;
        let state = self.sets[set].replacement();
        let next = self.table.hit(state, line & ((1 << self.way_bits) - 1));
        if next != state {
            self.save_set(set);
            self.sets[set] = self.sets[set].with(next);
            self.put_first(line);
        }
    }

    /// Makes a line the most recently used one of its set, if the policy keeps an order of use;
    /// otherwise does nothing.
    #[inline(always)]
    fn put_first(&mut self, line: usize) {
        if let Some(order) = self.orders.get_mut(line >> self.way_bits) {
            *order = true_lru::touched(*order, line & ((1 << self.way_bits) - 1));
        }
    }

    /// Writes the low `size` (1..=8) bytes of `value` into line number `line` at byte `offset`,
    /// after saving them in the undo log. If the line is clean, its set is saved together with the
    /// bytes, because a clean line may be replaced without saving its bytes.
    #[inline(always)]
    pub(crate) fn store(&mut self, line: usize, offset: usize, size: u8, value: u64) {
        if !self.is_dirty(line) {
            self.save_set(line >> self.way_bits);
        }
        self.save_line(line);
        line::store(&mut self.data[line], offset, size, value);
    }

    /// Replaces all bytes of line number `line`; its tag and state stay.
    #[inline]
    pub(crate) fn store_line(&mut self, line: usize, data: &LineData) {
        self.save_line(line);
        self.data[line] = *data;
    }

    #[inline(always)]
    pub(crate) fn set_dirty(&mut self, line: usize, dirty: bool) {
        let tag = self.tags[line];
        let next = if dirty { tag | DIRTY } else { tag & !DIRTY };
        if next != tag {
            self.save_set(line >> self.way_bits);
            self.tags[line] = next;
        }
    }

    /// Replaces line number `line`, which must not be dirty, by a clean line with the address of
    /// `addr`. `flags`: 0 or [`MESSAGE_BUFFER`].
    #[inline(always)]
    pub(crate) fn fill(&mut self, line: usize, addr: CoreAddr, data: &LineData, flags: u32) {
        debug_assert!(!self.is_dirty(line), "a dirty victim is written back first");
        let set = line >> self.way_bits;
        if let Some(quick) = &mut self.quick {
            quick.close_set(set);
        }
        let base = set << self.way_bits;
        let tags = &mut self.tags[base..base + (1 << self.way_bits)];
        let state = &mut self.sets[set];
        self.journal.save_set(set, state, self.orders.get(set), tags);
        tags[line - base] = addr.line().0 | VALID | flags;
        *state = state.with(self.table.fill(state.replacement(), line - base));
        self.put_first(line);
        let bytes = &mut self.data[line];
        self.journal.save_line(line, bytes);
        *bytes = *data;
    }

    /// Opens a line that has just been filled, for loads at addresses of `page` without a lookup (a
    /// further hit on the line would change no state). Returns the line's origin as
    /// [`Array::admit`] does.
    #[inline(always)]
    pub(crate) fn admit_filled(&mut self, line: usize, addr: CoreAddr, page: &Page) -> u64 {
        let linear = page.linear | addr.line().0 & (PAGE_BYTES - 1);
        let bytes = &mut self.data[line];
        let origin = (bytes.as_mut_ptr() as usize as u64).wrapping_sub(u64::from(linear));
        if let Some(quick) = &mut self.quick {
            quick.admit(line >> self.way_bits, page, origin, false);
        }
        origin
    }

    pub(crate) fn invalidate(&mut self, line: usize) {
        if self.is_valid(line) {
            self.save_set(line >> self.way_bits);
            self.tags[line] = 0;
        }
    }

    /// Makes every line invalid. Dirty data is lost: nothing is written back.
    pub(crate) fn invalidate_all(&mut self) {
        for line in 0..self.len() {
            self.invalidate(line);
        }
    }
}
