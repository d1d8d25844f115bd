//! The shadow of one address space: for each byte the bits that were never written, for each word
//! the block that its value points into, or that its unwritten bits came from.
//!
//! A page that the shadow does not have is written, and its words point nowhere.

use super::shade::{MIXED, NONE, Shade, Tag};

const PAGE: usize = 1 << 12;
/// Pages of one table of the upper level.
const TABLE: usize = 1 << 10;
/// The largest number of pages that are kept for one address space (8 KB each). What lies beyond
/// counts as written.
const MOST: usize = 1 << 13;

#[derive(Debug)]
struct Page {
    /// For each byte, a one for each bit that was never written.
    bits: [u8; PAGE],
    tags: [Tag; PAGE / 4],
}

type Table = Vec<Option<Box<Page>>>;

#[derive(Debug)]
pub(super) struct Shadow {
    tables: Vec<Table>,
    pages: usize,
}

impl Default for Shadow {
    fn default() -> Shadow {
        Shadow { tables: (0..TABLE).map(|_| Vec::new()).collect(), pages: 0 }
    }
}

impl Shadow {
    fn page(&self, at: u32) -> Option<&Page> {
        self.tables[(at >> 22) as usize].get((at >> 12) as usize % TABLE)?.as_deref()
    }

    fn page_mut(&mut self, at: u32) -> Option<&mut Page> {
        let table = &mut self.tables[(at >> 22) as usize];
        if table.is_empty() {
            table.resize_with(TABLE, || None);
        }
        let place = &mut table[(at >> 12) as usize % TABLE];
        if place.is_none() && self.pages < MOST {
            self.pages += 1;
            *place = Some(Box::new(Page { bits: [0; PAGE], tags: [NONE; PAGE / 4] }));
        }
        place.as_deref_mut()
    }

    /// The shade of up to four bytes.
    #[inline]
    pub fn read(&self, at: u32, bytes: u8) -> Shade {
        let within = at as usize % PAGE;
        if bytes == 4 && at.is_multiple_of(4) {
            let Some(page) = self.page(at) else { return Shade::WRITTEN };
            let bits = page.bits[within..within + 4].try_into().map_or(0, u32::from_le_bytes);
            return Shade { bits, tag: page.tags[within / 4] };
        }
        let mut shade = Shade::WRITTEN;
        for n in 0..u32::from(bytes) {
            let one = self.byte(at.wrapping_add(n));
            let is_first = one.bits != 0 && shade.bits == 0;
            let tag = if is_first || shade.tag == NONE { one.tag } else { shade.tag };
            shade = Shade { bits: shade.bits | one.bits << (8 * n), tag };
        }
        // A part of a pointer, or parts of two, point nowhere that is known.
        if shade.bits == 0 && shade.tag != NONE {
            shade.tag = MIXED;
        }
        shade
    }

    fn byte(&self, at: u32) -> Shade {
        let within = at as usize % PAGE;
        let page = self.page(at);
        page.map_or(Shade::WRITTEN, |page| Shade {
            bits: page.bits[within].into(),
            tag: page.tags[within / 4],
        })
    }

    /// Writes the shade of up to four bytes.
    #[inline]
    pub fn write(&mut self, at: u32, bytes: u8, shade: Shade) {
        if shade == Shade::WRITTEN && self.page(at).is_none() {
            // A second page that the access reaches would be written by the slow way.
            let last = at.wrapping_add(u32::from(bytes) - 1);
            if self.page(last).is_none() {
                return;
            }
        }
        let within = at as usize % PAGE;
        if bytes == 4 && at.is_multiple_of(4) {
            if let Some(page) = self.page_mut(at) {
                page.bits[within..within + 4].copy_from_slice(&shade.bits.to_le_bytes());
                page.tags[within / 4] = shade.tag;
            }
            return;
        }
        for n in 0..u32::from(bytes) {
            let bits = (shade.bits >> (8 * n)) as u8;
            self.write_byte(at.wrapping_add(n), Shade { bits: bits.into(), tag: shade.tag });
        }
    }

    fn write_byte(&mut self, at: u32, shade: Shade) {
        let Some(page) = self.page_mut(at) else { return };
        let within = at as usize % PAGE;
        page.bits[within] = shade.bits as u8;
        let word = within / 4;
        let is_written = page.bits[4 * word..4 * word + 4].iter().all(|bits| *bits == 0);
        if shade.bits != 0 {
            page.tags[word] = shade.tag;
        } else if is_written && (page.tags[word] != NONE || shade.tag != NONE) {
            page.tags[word] = MIXED;
        }
    }

    /// Makes all bytes unwritten, with `tag` as their origin, or written.
    pub fn fill(&mut self, start: u32, bytes: u32, origin: Option<Tag>) {
        let end = u64::from(start) + u64::from(bytes);
        let mut at = u64::from(start);
        while at < end {
            let next = end.min((at / PAGE as u64 + 1) * PAGE as u64);
            if origin.is_some() || self.page(at as u32).is_some() {
                self.fill_part(at as u32, (next - at) as usize, origin);
            }
            at = next;
        }
    }

    /// [`Shadow::fill`] within a page.
    fn fill_part(&mut self, at: u32, bytes: usize, origin: Option<Tag>) {
        let Some(page) = self.page_mut(at) else { return };
        let first = at as usize % PAGE;
        let end = first + bytes;
        page.bits[first..end].fill(if origin.is_some() { 0xFF } else { 0 });
        // A word that the range has only in part belongs to something else, too.
        let words = match origin {
            Some(_) => first / 4..end.div_ceil(4),
            None => first.div_ceil(4)..end / 4,
        };
        if words.start < words.end {
            page.tags[words].fill(origin.unwrap_or(NONE));
        }
    }
}
