//! One translation look-aside buffer: sets and ways with tree pseudo-LRU.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, section 11.3.5; sizes from the chip
//! description. Each set records the way used last: a second use leaves the pseudo-LRU tree as it
//! is, so the fast path may skip the update.

mod displaced;
mod invalidate;
mod saved;

use rockcreek_cache::MemoryType;
use serde::{Deserialize, Serialize};

pub use self::displaced::Displaced;
use self::saved::SavedTlb;

/// Bits that an entry grants and an access needs. The entry must have all that the access needs.
pub mod permit {
    pub const USER: u8 = 1 << 0;
    pub const WRITABLE: u8 = 1 << 1;
    /// The page table entry's D bit is already set.
    pub const DIRTY: u8 = 1 << 2;
    /// Set if the fast path may be used: L1D may cache the page, and no observer watches it.
    pub const CACHED: u8 = 1 << 3;
}

/// A translation of one page. Translated code writes it, so its layout is fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Physical address of the page.
    pub frame: u32,
    pub permit: u8,
    pub memory_type: MemoryType,
}

const EMPTY: Entry = Entry { frame: 0, permit: 0, memory_type: MemoryType::Uncached };
/// A number that no page has: page numbers have 20 bits.
const NO_PAGE: u32 = u32::MAX;

/// The largest number of ways for translated code, in which the tree must fit in a byte.
const TURN_WAYS: u32 = 8;

/// The largest number of ways: the tree must fit in 32 bits.
pub const MOST_WAYS: usize = 32;

/// The effect of a use on a set's tree, by the logarithm of the number of ways and by the way: the
/// bits that keep their value, and the bits that are set so that they point away from the used
/// half.
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
#[serde(into = "SavedTlb", try_from = "SavedTlb")]
pub struct Tlb {
    pub(crate) ways: u32,
    set_mask: u32,
    pub(crate) pages: Vec<u32>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) uses: Vec<Use>,
    /// True if the buffer has changed since the last call of [`Tlb::take_changed`].
    pub(crate) changed: bool,
    displaced: Displaced,
    /// Pages whose lines translated code could use without a lookup (open pages), and that have
    /// stopped being the most recently used one of their set.
    closed: Displaced,
}

/// The order of use in a set. Translated code reads and writes it, so its layout is fixed.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The page that was used last in the set (a linear page number), and the index of its entry.
    pub(crate) page: u32,
    pub(crate) index: u32,
    /// The pseudo-LRU tree: node `n` has children `2n`, `2n + 1`; bit `n`: the half to replace
    /// next.
    pub(crate) tree: u32,
    /// Not zero if lines of the page used last may be open for translated code (`QuickLines`), or
    /// if translated code must not change the order of use.
    pub(crate) open: u32,
}

impl Use {
    /// True if both sets had the same uses in the same order.
    fn is_as(&self, other: &Use) -> bool {
        (self.page, self.index, self.tree) == (other.page, other.index, other.tree)
    }
}

/// The effect of a use of a page on its set, for translated code.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn {
    /// The linear page's number, and the index of its entry in the buffer.
    pub page: u32,
    pub index: u32,
    /// The byte offset of the set's [`Use`] in the list of all sets.
    pub offset: u32,
    /// The bits of the tree that keep their value at the use, and the bits that it sets.
    pub kept: u8,
    pub turned: u8,
}

impl PartialEq for Tlb {
    fn eq(&self, other: &Tlb) -> bool {
        let trees = |tlb: &Tlb| tlb.uses.iter().map(|set| set.tree).collect::<Vec<_>>();
        self.pages == other.pages && self.entries == other.entries && trees(self) == trees(other)
    }
}

impl Eq for Tlb {}

impl Tlb {
    /// An empty buffer. `entries` and `ways` are powers of two (the chip description is checked).
    pub fn new(entries: u32, ways: u32) -> Tlb {
        assert!(entries.is_power_of_two() && ways.is_power_of_two() && ways <= entries);
        let sets = entries / ways;
        Tlb {
            ways,
            set_mask: sets - 1,
            pages: vec![NO_PAGE; entries as usize],
            entries: vec![EMPTY; entries as usize],
            uses: vec![
                Use { page: NO_PAGE, index: 0, tree: 0, open: u32::from(ways > TURN_WAYS) };
                sets as usize
            ],
            changed: true,
            displaced: Displaced::All,
            closed: Displaced::None,
        }
    }

    /// The entry of `page`, if it is the one used last in its set; else `None`. Changes nothing.
    #[inline(always)]
    pub fn recent(&self, page: u32) -> Option<&Entry> {
        let recent = self.uses.get((page & self.set_mask) as usize)?;
        if recent.page == page { self.entries.get(recent.index as usize) } else { None }
    }

    /// The entry of `page`, without marking it as used; `None` if the buffer does not have it.
    pub fn find(&self, page: u32) -> Option<&Entry> {
        let first = (page & self.set_mask) * self.ways;
        Some(&self.entries[(first + self.way_of(first, page)?) as usize])
    }

    /// The entry of `page`, which becomes the one used last in its set; `None` without entry.
    #[inline]
    pub fn lookup(&mut self, page: u32) -> Option<Entry> {
        let set = page & self.set_mask;
        let first = set * self.ways;
        let way = self.way_of(first, page)?;
        self.touch(set, way);
        Some(self.entries[(first + way) as usize])
    }

    /// The way that holds `page` (or, for `NO_PAGE`, an empty way) in the set whose first entry is
    /// `first`; `None` if none does.
    #[inline(always)]
    fn way_of(&self, first: u32, page: u32) -> Option<u32> {
        let ways = &self.pages[first as usize..];
        // Compare four ways without branches: the host cannot predict which one matches.
        if let (4, Some(four)) = (self.ways, ways.first_chunk::<4>()) {
            let hit = |way: usize| u32::from(four[way] == page) << way;
            let hits = hit(0) | hit(1) | hit(2) | hit(3);
            return (hits != 0).then(|| hits.trailing_zeros());
        }
        ways[..self.ways as usize].iter().position(|&held| held == page).map(|way| way as u32)
    }

    /// Inserts a translation. Replaces an old one of the page, or the pseudo-LRU victim.
    pub fn fill(&mut self, page: u32, entry: Entry) {
        let first = (page & self.set_mask) * self.ways;
        match self.way_of(first, page) {
            Some(way) => self.fill_way(page, way, entry),
            None => self.fill_new(page, entry),
        }
    }

    /// Inserts a translation for a page that the buffer does not have.
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

    /// True if the buffer has changed since the last call of this function.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// The linear pages whose translation changed or left the buffer since the last call.
    #[inline]
    pub fn take_displaced(&mut self) -> Displaced {
        std::mem::take(&mut self.displaced)
    }

    /// Like [`Tlb::take_displaced`], for the frequent case that at most one page has changed and no
    /// open page was closed: returns that page, or an inner `None`. The outer `None`: it is another
    /// case, and nothing has been taken.
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

    /// The pages that were open, and that have stopped being the most recently used one of their
    /// set since the last call of this function.
    #[inline]
    pub fn take_closed(&mut self) -> Displaced {
        std::mem::take(&mut self.closed)
    }

    /// Records that lines of `page`, the one used last in its set, may be open to translated code.
    #[inline]
    pub fn open_recent(&mut self, page: u32) {
        self.uses[(page & self.set_mask) as usize].open = 1;
    }

    /// True if lines of the page used last in this page's set may be open for translated code.
    #[inline]
    pub fn is_open(&self, page: u32) -> bool {
        self.uses[(page & self.set_mask) as usize].open != 0
    }

    /// The effect on its set of a further use of `page`, which is the one used last there.
    #[inline]
    pub fn turn_of_recent(&self, page: u32) -> Turn {
        let set = page & self.set_mask;
        let index = self.uses[set as usize].index;
        let [kept, turned] = self.turn(index % self.ways).map(|bits| bits as u8);
        Turn { page, index, offset: set * size_of::<Use>() as u32, kept, turned }
    }

    /// [`Turn::kept`] and [`Turn::turned`] for each way of a set with four ways.
    pub fn turns_of_four() -> [[u8; 2]; 4] {
        std::array::from_fn(|way| TURNS[2][way].map(|bits| bits as u8))
    }

    /// The number of sets less one: a mask for the set's number.
    pub fn set_mask(&self) -> u32 {
        self.set_mask
    }

    /// True if both buffers hold equal translations, in an equal order of use.
    pub fn holds_the_same(&self, other: &Tlb) -> bool {
        self.pages == other.pages
            && self.entries == other.entries
            && self.uses.iter().zip(&other.uses).all(|(set, other)| set.is_as(other))
    }

    /// Makes this a copy of `other` without allocating.
    pub fn copy_from(&mut self, other: &Tlb) {
        self.displaced = Displaced::All;
        self.pages.copy_from_slice(&other.pages);
        self.entries.copy_from_slice(&other.entries);
        self.uses.copy_from_slice(&other.uses);
    }

    /// The translations in the buffer: set, way, page number, entry.
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
        let index = set * self.ways + way;
        let page = self.pages[index as usize];
        let recent = &mut self.uses[set as usize];
        if recent.page != page && recent.open != 0 {
            recent.open = u32::from(self.ways > TURN_WAYS);
            if recent.page != NO_PAGE {
                self.closed.add(recent.page);
            }
        }
        (recent.page, recent.index) = (page, index);
        recent.tree = recent.tree & kept | turned;
    }

    #[inline]
    fn turn(&self, way: u32) -> [u32; 2] {
        TURNS[self.ways.trailing_zeros() as usize][way as usize]
    }

    #[inline]
    fn victim(&self, set: u32) -> u32 {
        let tree = self.uses[set as usize].tree;
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
        // Ways 0 and 3 were the last used in their halves, so the tree points to way 2.
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
