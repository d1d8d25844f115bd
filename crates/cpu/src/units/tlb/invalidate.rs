//! What drops translations: INVLPG, and writes of CR3 and of other control registers.

use super::{Displaced, NO_PAGE, Tlb};

/// The right shift of a 4 KB page's number that gives the number of its 4 MB page.
const LARGE: u32 = 10;

impl Tlb {
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
        let recent = &mut self.uses[set].page;
        if *recent == page {
            *recent = NO_PAGE;
        }
    }

    /// Drops the translations of all 4 KB pages that lie in the 4 MB page with the number `large`.
    pub fn invalidate_large(&mut self, large: u32) {
        self.changed = true;
        self.displaced = Displaced::All;
        let within = |page: u32| page != NO_PAGE && page >> LARGE == large;
        for held in self.pages.iter_mut().chain(self.uses.iter_mut().map(|set| &mut set.page)) {
            if within(*held) {
                *held = NO_PAGE;
            }
        }
    }

    /// Drops all translations.
    pub fn flush(&mut self) {
        self.changed = true;
        self.displaced = Displaced::All;
        self.pages.fill(NO_PAGE);
        self.uses.iter_mut().for_each(|set| set.page = NO_PAGE);
    }
}
