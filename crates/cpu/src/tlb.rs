//! One translation look-aside buffer: sets and ways with tree pseudo-LRU.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, section 11.3.5; sizes from the
//! chip description. The way used last is remembered per set: using it again leaves the
//! pseudo-LRU tree as it is, so the fast path may skip it.

use rockcreek_cache::MemoryType;
use serde::{Deserialize, Serialize};

/// What an entry allows, and what an access needs; an access may go ahead when all of its
/// needed bits are there.
pub mod permit {
    pub const USER: u8 = 1 << 0;
    pub const WRITABLE: u8 = 1 << 1;
    /// The page table entry's D bit is already set.
    pub const DIRTY: u8 = 1 << 2;
    /// Ordinary memory that the L1D may hold (not the local APIC, not uncached).
    pub const CACHED: u8 = 1 << 3;
}

/// A translation of one page. Generated code writes it, so its layout is fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Physical address of the page.
    pub frame: u32,
    pub permit: u8,
    pub memory_type: MemoryType,
}

const EMPTY: Entry = Entry { frame: 0, permit: 0, memory_type: MemoryType::Uncached };
/// Page numbers are at most 20 bits, so this never matches.
const NO_PAGE: u32 = u32::MAX;

/// Ways of which generated code can change the most recent one.
#[cfg(target_arch = "x86_64")]
pub const TURN_WAYS: usize = 8;

/// The most ways whose tree fits in 32 bits.
pub const MOST_WAYS: usize = 32;

/// By the logarithm of the ways and the way: which bits of a tree a use leaves, and which it sets,
/// to point away from the halves that were used.
static TURNS: [[[u32; 2]; MOST_WAYS]; 6] =
    [turns_of(1), turns_of(2), turns_of(4), turns_of(8), turns_of(16), turns_of(32)];

const fn turns_of(ways: usize) -> [[u32; 2]; MOST_WAYS] {
    let mut turns = [[u32::MAX, 0]; MOST_WAYS];
    let mut way = 0;
    while way < ways {
        let (mut node, mut half) = (1, ways / 2);
        while half > 0 {
            let upper = way & half != 0;
            turns[way][0] &= !(1 << node);
            turns[way][1] |= (!upper as u32) << node;
            node = 2 * node + upper as usize;
            half /= 2;
        }
        way += 1;
    }
    turns
}

/// A set-associative buffer for pages of one size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tlb {
    pub(crate) ways: u32,
    set_mask: u32,
    pub(crate) pages: Vec<u32>,
    pub(crate) entries: Vec<Entry>,
    /// Pseudo-LRU tree of each set: node `n` has children `2n` and `2n + 1`, bit `n` points to
    /// the half to replace next.
    pub(crate) trees: Vec<u32>,
    /// Page and entry index used last, per set.
    pub(crate) recent_page: Vec<u32>,
    pub(crate) recent_index: Vec<u32>,
    /// Something changed since the last `take_changed`.
    #[serde(skip)]
    pub(crate) changed: bool,
    #[serde(skip)]
    displaced: Displaced,
    /// Sets whose most recent page is open (`QuickLines`), and a page that was and is no longer
    /// its set's most recent.
    #[serde(skip)]
    pub(crate) open: u64,
    #[serde(skip)]
    closed: Displaced,
}

/// Pages that are not what they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Displaced {
    #[default]
    None,
    One(u32),
    Two(u32, u32),
    All,
}

impl Displaced {
    fn add(&mut self, page: u32) {
        *self = match *self {
            Displaced::None => Displaced::One(page),
            Displaced::One(first) if first == page => Displaced::One(page),
            Displaced::One(first) => Displaced::Two(first, page),
            _ => Displaced::All,
        };
    }

    /// The pages, unless there are too many.
    #[cfg(target_arch = "x86_64")]
    pub fn pages(self) -> Option<[Option<u32>; 2]> {
        match self {
            Displaced::None => Some([None; 2]),
            Displaced::One(page) => Some([Some(page), None]),
            Displaced::Two(first, second) => Some([Some(first), Some(second)]),
            Displaced::All => None,
        }
    }
}

impl PartialEq for Tlb {
    fn eq(&self, other: &Tlb) -> bool {
        self.pages == other.pages && self.entries == other.entries && self.trees == other.trees
    }
}

impl Eq for Tlb {}

impl Tlb {
    /// `entries` and `ways` are powers of two (the description checks it).
    pub fn new(entries: u32, ways: u32) -> Tlb {
        assert!(entries.is_power_of_two() && ways.is_power_of_two() && ways <= entries);
        let sets = entries / ways;
        Tlb {
            ways,
            set_mask: sets - 1,
            pages: vec![NO_PAGE; entries as usize],
            entries: vec![EMPTY; entries as usize],
            trees: vec![0; sets as usize],
            recent_page: vec![NO_PAGE; sets as usize],
            recent_index: vec![0; sets as usize],
            changed: true,
            displaced: Displaced::All,
            open: if ways > 8 { u64::MAX } else { 0 },
            closed: Displaced::None,
        }
    }

    /// The entry of `page` if it is its set's most recent one.
    #[inline(always)]
    pub fn recent(&self, page: u32) -> Option<&Entry> {
        let set = (page & self.set_mask) as usize;
        if *self.recent_page.get(set)? == page {
            self.entries.get(*self.recent_index.get(set)? as usize)
        } else {
            None
        }
    }

    /// The entry of `page`, without using it.
    pub fn find(&self, page: u32) -> Option<&Entry> {
        let first = (page & self.set_mask) * self.ways;
        Some(&self.entries[(first + self.way_of(first, page)?) as usize])
    }

    /// Looks `page` up and marks it as used.
    #[inline]
    pub fn lookup(&mut self, page: u32) -> Option<Entry> {
        let set = page & self.set_mask;
        let first = set * self.ways;
        let way = self.way_of(first, page)?;
        self.touch(set, way);
        Some(self.entries[(first + way) as usize])
    }

    /// The way of a page, or of an empty entry, in the set whose first entry is given.
    #[inline(always)]
    fn way_of(&self, first: u32, page: u32) -> Option<u32> {
        let ways = &self.pages[first as usize..];
        // Four ways are compared without branches: which of them hits is hard to predict.
        if let (4, Some(four)) = (self.ways, ways.first_chunk::<4>()) {
            let hit = |way: usize| u32::from(four[way] == page) << way;
            let hits = hit(0) | hit(1) | hit(2) | hit(3);
            return (hits != 0).then(|| hits.trailing_zeros());
        }
        ways[..self.ways as usize].iter().position(|&held| held == page).map(|way| way as u32)
    }

    /// Puts a translation in, in place of the same page's or of the pseudo-LRU victim.
    pub fn fill(&mut self, page: u32, entry: Entry) {
        let first = (page & self.set_mask) * self.ways;
        match self.way_of(first, page) {
            Some(way) => self.fill_way(page, way, entry),
            None => self.fill_new(page, entry),
        }
    }

    /// The same for a page that it does not have.
    #[inline]
    pub fn fill_new(&mut self, page: u32, entry: Entry) {
        let set = page & self.set_mask;
        let empty = self.way_of(set * self.ways, NO_PAGE);
        self.fill_way(page, empty.unwrap_or_else(|| self.victim(set)), entry);
    }

    #[inline]
    fn fill_way(&mut self, page: u32, way: u32, entry: Entry) {
        let set = page & self.set_mask;
        let first = set * self.ways;
        let index = (first + way) as usize;
        let victim = std::mem::replace(&mut self.pages[index], page);
        self.entries[index] = entry;
        if victim != NO_PAGE {
            self.displaced.add(victim);
        }
        self.touch(set, way);
    }

    /// Whether anything changed since the last call.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// What means something else since the last call.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn take_displaced(&mut self) -> Displaced {
        std::mem::take(&mut self.displaced)
    }

    /// The page that [`Tlb::take_displaced`] would give, if it is one or none and nothing else has
    /// to be looked at.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn take_one_displaced(&mut self) -> Option<Option<u32>> {
        let page = match (self.displaced, self.closed) {
            (Displaced::None, Displaced::None) => None,
            (Displaced::One(page), Displaced::None) => Some(page),
            _ => return None,
        };
        self.displaced = Displaced::None;
        Some(page)
    }

    /// What was open and is not its set's most recent since the last call.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn take_closed(&mut self) -> Displaced {
        std::mem::take(&mut self.closed)
    }

    /// The most recent page of a set is opened.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn open_recent(&mut self, page: u32) {
        self.open |= 1 << ((page & self.set_mask) % u64::BITS);
    }

    /// Whether the most recent page of a page's set is open.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn is_open(&self, page: u32) -> bool {
        self.open >> ((page & self.set_mask) % u64::BITS) & 1 != 0
    }

    /// The number of the entry used last in the set of a page.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn recent_index_of(&self, page: u32) -> u32 {
        self.recent_index[(page & self.set_mask) as usize]
    }

    /// For each way, which bits of a set's tree a use of it leaves, and which it sets.
    #[cfg(target_arch = "x86_64")]
    pub fn turns(&self) -> [[u32; 2]; TURN_WAYS] {
        std::array::from_fn(|way| self.turn(way as u32 % self.ways))
    }

    /// Sets less one, and ways.
    #[cfg(target_arch = "x86_64")]
    pub fn shape(&self) -> (u32, u32) {
        (self.set_mask, self.ways)
    }

    /// The pages used last, by set.
    #[cfg(target_arch = "x86_64")]
    pub fn recent_pages(&self) -> &[u32] {
        &self.recent_page
    }

    /// Drops the translation of one page.
    pub fn invalidate(&mut self, page: u32) {
        self.changed = true;
        self.displaced = Displaced::All;
        let set = (page & self.set_mask) as usize;
        let first = set * self.ways as usize;
        for held in &mut self.pages[first..first + self.ways as usize] {
            if *held == page {
                *held = NO_PAGE;
            }
        }
        if self.recent_page[set] == page {
            self.recent_page[set] = NO_PAGE;
        }
    }

    /// Drops everything.
    pub fn flush(&mut self) {
        self.changed = true;
        self.displaced = Displaced::All;
        self.pages.fill(NO_PAGE);
        self.recent_page.fill(NO_PAGE);
    }

    /// Whether both hold the same, in the same order of use.
    pub fn holds_the_same(&self, other: &Tlb) -> bool {
        self.pages == other.pages
            && self.entries == other.entries
            && self.trees == other.trees
            && self.recent_page == other.recent_page
            && self.recent_index == other.recent_index
    }

    /// Makes this a copy of `other` without allocating.
    pub fn copy_from(&mut self, other: &Tlb) {
        self.displaced = Displaced::All;
        self.pages.copy_from_slice(&other.pages);
        self.entries.copy_from_slice(&other.entries);
        self.trees.copy_from_slice(&other.trees);
        self.recent_page.copy_from_slice(&other.recent_page);
        self.recent_index.copy_from_slice(&other.recent_index);
    }

    /// The translations that are held: set, way, page number, entry.
    pub fn held(&self) -> impl Iterator<Item = (u32, u32, u32, Entry)> {
        let place = |index: usize| (index as u32 / self.ways, index as u32 % self.ways);
        let all = self.pages.iter().zip(&self.entries).enumerate();
        all.filter(|(_, (page, _))| **page != NO_PAGE).map(move |(index, (page, entry))| {
            let (set, way) = place(index);
            (set, way, *page, *entry)
        })
    }

    #[inline]
    fn touch(&mut self, set: u32, way: u32) {
        self.changed = true;
        let [kept, turned] = self.turn(way);
        let tree = &mut self.trees[set as usize];
        *tree = *tree & kept | turned;
        let index = set * self.ways + way;
        let before = self.recent_page[set as usize];
        let page = self.pages[index as usize];
        let open = 1 << (set % u64::BITS);
        if before != page && self.open & open != 0 {
            // Sets that share a bit stay open.
            self.open &= if self.set_mask < u64::BITS && self.ways <= 8 { !open } else { !0 };
            if before != NO_PAGE {
                self.closed.add(before);
            }
        }
        self.recent_index[set as usize] = index;
        self.recent_page[set as usize] = page;
    }

    #[inline]
    fn turn(&self, way: u32) -> [u32; 2] {
        TURNS[self.ways.trailing_zeros() as usize][way as usize]
    }

    #[inline]
    fn victim(&self, set: u32) -> u32 {
        let tree = self.trees[set as usize];
        if self.ways == 4 {
            let upper = tree >> 1 & 1;
            return 2 * upper + (tree >> (2 + upper) & 1);
        }
        let mut node = 1;
        let mut way = 0;
        let mut half = self.ways / 2;
        while half > 0 {
            let upper = tree >> node & 1;
            way |= upper * half;
            node = 2 * node + upper;
            half /= 2;
        }
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(frame: u32) -> Entry {
        Entry { frame, permit: 0, memory_type: MemoryType::WriteBack }
    }

    #[test]
    fn pseudo_lru_replaces_the_way_left_alone_longest() {
        let mut tlb = Tlb::new(64, 4);
        for i in 0..4 {
            tlb.fill(i * 16, entry(i));
        }
        assert_eq!(tlb.lookup(0).map(|e| e.frame), Some(0));
        tlb.fill(4 * 16, entry(4));
        // Ways 0 and 3 were used last in their halves; the tree points to way 2.
        assert!(tlb.lookup(0).is_some() && tlb.lookup(2 * 16).is_none());
    }

    #[test]
    fn invalidation_also_forgets_the_recent_way() {
        let mut tlb = Tlb::new(8, 4);
        tlb.fill(5, entry(7));
        assert!(tlb.recent(5).is_some());
        tlb.invalidate(5);
        assert!(tlb.recent(5).is_none() && tlb.lookup(5).is_none());
    }
}
