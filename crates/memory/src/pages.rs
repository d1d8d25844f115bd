//! The contents of all controllers' DRAM in a snapshot: each different page once.
//!
//! 48 cores that booted the same kernel have most of their pages in common. A chip that is made from
//! a snapshot reads these pages where they are; the first write to a page gives its controller a copy.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ddr3::{Bytes, Dram, PAGE_BYTES, PAGES_PER_SEGMENT, split};

/// Pages and their places in the memory of some controllers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pages {
    #[serde(serialize_with = "write_bytes", deserialize_with = "read_bytes")]
    bytes: Arc<[u8]>,
    places: Vec<Vec<Place>>,
}

/// Where a page of a controller's memory is among the different ones.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Place {
    /// The page's number in the memory of the controller.
    page: u32,
    /// The number of its contents among the different pages.
    which: u32,
}

fn write_bytes<S: Serializer>(bytes: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

fn read_bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
    let bytes: &[u8] = serde_bytes::deserialize(deserializer)?;
    Ok(bytes.into())
}

impl Pages {
    /// The contents of these memories.
    pub fn of<'a>(memories: impl Iterator<Item = &'a Dram>) -> Pages {
        let mut known: FxHashMap<&Bytes, u32> = FxHashMap::default();
        let mut bytes = Vec::new();
        let places = memories.map(|memory| {
            let place = |(offset, page)| {
                let next = known.len() as u32;
                let which = *known.entry(page).or_insert_with(|| {
                    bytes.extend_from_slice(page);
                    next
                });
                Place { page: (offset / PAGE_BYTES as u64) as u32, which }
            };
            memory.filled().map(place).collect()
        });
        let places = places.collect();
        Pages { bytes: bytes.into(), places }
    }

    /// True if these are pages of memories with so many bytes.
    pub fn fit(&self, sizes: &[u64]) -> bool {
        let count = self.bytes.len() / PAGE_BYTES;
        self.bytes.len().is_multiple_of(PAGE_BYTES)
            && self.places.len() == sizes.len()
            && self.places.iter().zip(sizes).all(|(places, size)| {
                let pages = size / PAGE_BYTES as u64;
                let inside =
                    |place: &Place| u64::from(place.page) < pages && (place.which as usize) < count;
                places.iter().all(inside)
            })
    }

    /// Makes these pages, which must fit, the contents of the memories.
    pub fn put<'a>(&self, memories: impl Iterator<Item = &'a mut Dram>) {
        for (memory, places) in memories.zip(&self.places) {
            memory.keep(Kept::new(self.bytes.clone(), places));
        }
    }
}

type Segment = Box<[u32; PAGES_PER_SEGMENT]>;

/// The pages that one controller's memory has of a snapshot.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    bytes: Arc<[u8]>,
    /// For each page its number among the different ones, from 1 on; 0: the snapshot has none.
    segments: Vec<Option<Segment>>,
}

impl Kept {
    fn new(bytes: Arc<[u8]>, places: &[Place]) -> Kept {
        let mut segments: Vec<Option<Segment>> = Vec::new();
        for place in places {
            let (segment, page, _) = split(u64::from(place.page) * PAGE_BYTES as u64);
            if segments.len() <= segment {
                segments.resize(segment + 1, None);
            }
            let numbers = segments[segment].get_or_insert_with(|| Box::new([0; PAGES_PER_SEGMENT]));
            numbers[page] = place.which + 1;
        }
        Kept { bytes, segments }
    }

    pub fn has_segment(&self, segment: usize) -> bool {
        self.segments.get(segment).is_some_and(Option::is_some)
    }

    /// The page of `offset`; `None` if the snapshot has none there.
    pub fn page(&self, offset: u64) -> Option<&Bytes> {
        let (segment, page, _) = split(offset);
        let which = self.segments.get(segment)?.as_ref()?[page].checked_sub(1)?;
        self.bytes[which as usize * PAGE_BYTES..].first_chunk()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [u64; 2] = [1 << 25, 1 << 20];

    fn memories() -> [Dram; 2] {
        let mut memories = SIZES.map(Dram::new);
        memories[0].write(8192, &[7; 5000]);
        memories[0].write(1 << 24, &[1, 2, 3]);
        memories[1].write(4096, &[7; 4096]);
        memories
    }

    fn copies(pages: &Pages) -> [Dram; 2] {
        let mut copies = SIZES.map(Dram::new);
        assert!(pages.fit(&SIZES));
        pages.put(copies.iter_mut());
        copies
    }

    #[test]
    fn equal_pages_are_there_once_and_come_back() {
        let pages = Pages::of(memories().iter());
        assert_eq!(pages.bytes.len(), 3 * PAGE_BYTES);
        assert_eq!(copies(&pages), memories());
        assert_eq!(Pages::of(copies(&pages).iter()).bytes, pages.bytes);
    }

    #[test]
    fn a_write_changes_one_memory() {
        let pages = Pages::of(memories().iter());
        let mut changed = copies(&pages);
        changed[1].write_word(4096 + 8, [1, 2, 3, 4]);
        let mut expected = memories();
        expected[1].write(4096 + 8, &[1, 2, 3, 4]);
        assert_eq!(changed, expected);
        assert_eq!(copies(&pages), memories());
        changed[0].write(1 << 24, &[0; 3]);
        expected[0].write(1 << 24, &[0; 3]);
        assert_eq!(changed, expected);
        assert_eq!(changed[0].filled().count(), 2);
    }

    #[test]
    fn pages_of_other_memories_do_not_fit() {
        let pages = Pages::of(memories().iter());
        assert!(!pages.fit(&SIZES[..1]));
        assert!(!pages.fit(&[SIZES[1], SIZES[1]]));
        let mut wrong = pages.clone();
        wrong.places[1][0].which = 3;
        assert!(!wrong.fit(&SIZES));
        let cut = Pages { bytes: pages.bytes[1..].into(), ..pages };
        assert!(!cut.fit(&SIZES));
    }
}
