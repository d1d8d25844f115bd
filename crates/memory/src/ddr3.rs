//! The DRAM behind one controller. It powers on as zeros here, and only pages that were written
//! take host memory. Beyond the installed size reads give 0 and writes are lost.
//!
//! Pages of a snapshot stay where they were unpacked, one copy of equal ones, until they are
//! written ([`crate::pages`]).

use rockcreek_defs::bus::write_enabled;
use rockcreek_defs::{LINE_BYTES, prefetch};
use serde::de::{SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::pages::Kept;

pub(crate) const PAGE_BYTES: usize = 4096;
pub(crate) const PAGES_PER_SEGMENT: usize = 4096;

/// More than any controller has: an address behind one has 34 bits (EAS).
const MOST_BYTES: u64 = 1 << 34;

pub(crate) type Bytes = [u8; PAGE_BYTES];
type Page = Box<Bytes>;
type Segment = Box<[Option<Page>; PAGES_PER_SEGMENT]>;

#[cold]
fn no_pages() -> Segment {
    let pages = vec![None; PAGES_PER_SEGMENT].into_boxed_slice();
    pages.try_into().expect("a segment has so many pages")
}

/// The page of `offset` at its first write: zeros, or a copy of the kept one.
#[cold]
#[inline(never)]
fn first_bytes(kept: Option<&Kept>, offset: u64) -> Page {
    Box::new(*kept.and_then(|kept| kept.page(offset)).unwrap_or(&[0; PAGE_BYTES]))
}

/// Memory of one controller.
#[derive(Clone, Debug)]
pub struct Dram {
    bytes: u64,
    segments: Vec<Option<Segment>>,
    /// Pages as a snapshot had them; those in `segments` take their place.
    kept: Option<Kept>,
}

#[inline]
pub(crate) fn split(offset: u64) -> (usize, usize, usize) {
    let page = (offset / PAGE_BYTES as u64) as usize;
    (page / PAGES_PER_SEGMENT, page % PAGES_PER_SEGMENT, offset as usize % PAGE_BYTES)
}

impl Dram {
    /// `bytes` of installed memory.
    pub fn new(bytes: u64) -> Dram {
        let segments = bytes.div_ceil((PAGE_BYTES * PAGES_PER_SEGMENT) as u64) as usize;
        Dram { bytes, segments: vec![None; segments], kept: None }
    }

    /// Replaces all contents by the pages of a snapshot.
    pub(crate) fn keep(&mut self, kept: Kept) {
        *self = Dram { kept: Some(kept), ..Dram::new(self.bytes) };
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    #[inline]
    fn page(&self, offset: u64) -> Option<&Bytes> {
        let (segment, page, _) = split(offset);
        let segment = self.segments.get(segment).and_then(Option::as_ref);
        let own = segment.and_then(|segment| segment[page].as_deref());
        own.or_else(|| self.kept.as_ref()?.page(offset))
    }

    #[inline(always)]
    fn page_mut(&mut self, offset: u64) -> Option<&mut Bytes> {
        if offset >= self.bytes {
            return None;
        }
        let (segment, page, _) = split(offset);
        let segment = self.segments[segment].get_or_insert_with(no_pages);
        let kept = self.kept.as_ref();
        Some(segment[page].get_or_insert_with(|| first_bytes(kept, offset)))
    }

    /// True if the page of `offset` was ever written; otherwise all its bytes are 0.
    pub fn touched(&self, offset: u64) -> bool {
        self.page(offset).is_some()
    }

    /// The host address of the byte at `offset`; `None` if its page was never written.
    pub fn host_address(&self, offset: u64) -> Option<u64> {
        let (_, _, start) = split(offset);
        self.page(offset).map(|page| std::ptr::from_ref(&page[start]) as usize as u64)
    }

    /// Somebody will soon access the line of `offset`: asks the host for it.
    #[inline]
    pub fn expect(&self, offset: u64) {
        let (_, _, start) = split(offset);
        if let Some(page) = self.page(offset) {
            prefetch(&page[start]);
        }
    }

    /// Fills `out` from `offset` on.
    pub fn read(&self, offset: u64, out: &mut [u8]) {
        let mut done = 0;
        while done < out.len() {
            let at = offset + done as u64;
            let (_, _, start) = split(at);
            let count = (out.len() - done).min(PAGE_BYTES - start);
            let part = &mut out[done..done + count];
            match self.page(at) {
                Some(page) => part.copy_from_slice(&page[start..start + count]),
                None => part.fill(0),
            }
            done += count;
        }
    }

    /// Writes all of `data` from `offset` on.
    pub fn write(&mut self, offset: u64, data: &[u8]) {
        let mut done = 0;
        while done < data.len() {
            let at = offset + done as u64;
            let (_, _, start) = split(at);
            let count = (data.len() - done).min(PAGE_BYTES - start);
            let part = &data[done..done + count];
            // Zeros on an absent page are there already: loaders clear much that nobody uses.
            let needed = self.page(at).is_some() || part.iter().any(|byte| *byte != 0);
            if needed && let Some(page) = self.page_mut(at) {
                page[start..start + count].copy_from_slice(part);
            }
            done += count;
        }
    }

    /// The line that begins at `offset`.
    #[inline]
    pub fn line(&self, offset: u64) -> [u8; LINE_BYTES] {
        let (_, _, start) = split(offset);
        let part = self.page(offset).map(|page| page[start..].first_chunk());
        if let Some(Some(line)) = part {
            return *line;
        }
        let mut line = [0; LINE_BYTES];
        self.read(offset, &mut line);
        line
    }

    /// Writes four bytes of one line.
    #[inline(always)]
    pub fn write_word(&mut self, offset: u64, word: [u8; 4]) {
        let (_, _, start) = split(offset);
        if let Some(page) = self.page_mut(offset) {
            page[start..start + word.len()].copy_from_slice(&word);
        }
    }

    /// Writes those bytes of `data`, at most 32 inside one line, whose bit in `enable` is set.
    #[inline]
    pub fn write_masked(&mut self, offset: u64, data: &[u8], enable: u32) {
        let Some(page) = self.page_mut(offset) else { return };
        let (_, _, start) = split(offset);
        write_enabled(&mut page[start..start + data.len()], data, enable);
    }

    /// The pages that hold anything but zeros, with their offsets, in order.
    pub(crate) fn filled(&self) -> impl Iterator<Item = (u64, &Bytes)> {
        let written = (0..self.segments.len()).filter(|&segment| {
            let kept = self.kept.as_ref().is_some_and(|kept| kept.has_segment(segment));
            kept || self.segments[segment].is_some()
        });
        let numbers = written.flat_map(|segment| {
            let first = segment * PAGES_PER_SEGMENT;
            first..first + PAGES_PER_SEGMENT
        });
        numbers.filter_map(|number| {
            let offset = (number * PAGE_BYTES) as u64;
            let page = self.page(offset)?;
            (*page != [0; PAGE_BYTES]).then_some((offset, page))
        })
    }
}

impl PartialEq for Dram {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.filled().eq(other.filled())
    }
}

#[derive(Serialize, Deserialize)]
struct StoredPage<'a> {
    offset: u64,
    #[serde(with = "serde_bytes", borrow)]
    bytes: std::borrow::Cow<'a, [u8]>,
}

/// Encoded as the installed size and the pages that are not zero: a page that was touched and
/// one that was not look the same, as they do to software.
impl Serialize for Dram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let count = self.filled().count();
        let mut sequence = serializer.serialize_seq(Some(count + 1))?;
        let size = StoredPage { offset: self.bytes, bytes: (&[][..]).into() };
        sequence.serialize_element(&size)?;
        for (offset, page) in self.filled() {
            sequence.serialize_element(&StoredPage { offset, bytes: (&page[..]).into() })?;
        }
        sequence.end()
    }
}

impl<'de> Deserialize<'de> for Dram {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pages;
        impl<'de> Visitor<'de> for Pages {
            type Value = Dram;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a size and pages")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Dram, A::Error> {
                let missing = || serde::de::Error::invalid_length(0, &"the size");
                let size: StoredPage = access.next_element()?.ok_or_else(missing)?;
                if size.offset > MOST_BYTES {
                    return Err(serde::de::Error::custom("a controller with too much memory"));
                }
                let mut dram = Dram::new(size.offset);
                while let Some(page) = access.next_element::<StoredPage>()? {
                    dram.write(page.offset, &page.bytes);
                }
                Ok(dram)
            }
        }
        deserializer.deserialize_seq(Pages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_pages_read_zero_and_take_no_memory() {
        let mut dram = Dram::new(8 << 30);
        let mut out = [1; 8];
        dram.read(0x1_2345_6780, &mut out);
        assert_eq!(out, [0; 8]);
        dram.write(4090, &[7; 12]);
        dram.write(100 * 4096, &[0; 8192]);
        assert_eq!(dram.filled().count(), 2);
        let mut out = [0; 14];
        dram.read(4089, &mut out);
        assert_eq!(out, [0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0]);
        dram.write(8 << 30, &[1]);
        dram.read(8 << 30, &mut out[..1]);
        assert_eq!(out[0], 0, "there is nothing beyond the installed size");
    }

    #[test]
    fn writes_are_masked() {
        let mut dram = Dram::new(1 << 20);
        dram.write_word(4092, [5, 6, 7, 8]);
        dram.write_word(1 << 20, [5; 4]);
        dram.write_masked(64, &[1, 2, 3, 4], 0b1010);
        let mut out = [0; 4];
        dram.read(64, &mut out);
        assert_eq!(out, [0, 2, 0, 4]);
        dram.read(4092, &mut out);
        assert_eq!(out, [5, 6, 7, 8]);
    }
}
