//! Releases that programs mark with `rck_check_release`, by the object's address.
//!
//! A guest can use any number of objects, of which [`MOST`] are kept. The releases of the oldest
//! ones beyond that then count for every object that is not kept. An acquire may therefore be
//! ordered after more releases than it really is, but never after fewer: findings may be missed,
//! but none is invented.

use std::collections::VecDeque;

use crate::clocks::{Clock, EdgeKind, Released};
use crate::finding::Site;
use crate::hash::Map;

/// The largest number of objects that are kept.
const MOST: usize = 1 << 12;

/// The releases that programs have marked, by object.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    known: Map<u64, Released>,
    /// The addresses of the objects that are kept, the oldest first.
    order: VecDeque<u64>,
    others: Released,
    /// The number of objects that have been dropped so far, their releases merged into `others`.
    pub forgotten: u64,
}

impl Marks {
    pub fn release(&mut self, object: u64, core: usize, clock: &mut Clock, site: Site) {
        if !self.known.contains_key(&object) {
            if self.order.len() == MOST {
                self.forget_oldest();
            }
            self.order.push_back(object);
        }
        self.known.entry(object).or_default().put(core, clock, site);
    }

    pub fn acquire(&self, object: u64, clock: &mut Clock, site: Site) {
        self.known.get(&object).unwrap_or(&self.others).take(clock, EdgeKind::Mark, site);
        if self.forgotten > 0 {
            self.others.take(clock, EdgeKind::Mark, site);
        }
    }

    fn forget_oldest(&mut self) {
        let Some(released) = self.order.pop_front().and_then(|object| self.known.remove(&object))
        else {
            return;
        };
        self.forgotten += 1;
        self.others.merge(released);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_that_is_forgotten_still_orders() {
        let [mut writer, mut reader] = [0, 1].map(|core| Clock::new(core, 2));
        let mut marks = Marks::default();
        marks.release(7, 0, &mut writer, Site::default());
        let first = writer.stamp().number;
        for object in 100..100 + 2 * MOST as u64 {
            marks.release(object, 0, &mut writer, Site::default());
        }
        assert_eq!((marks.known.len(), marks.order.len()), (MOST, MOST));
        assert_eq!(marks.forgotten, MOST as u64 + 1);
        assert!(!reader.knows(0, first));
        marks.acquire(7, &mut reader, Site { core: 1, ..Site::default() });
        assert!(reader.knows(0, first));
    }

    #[test]
    fn a_mark_orders_nothing_else_while_all_are_known() {
        let [mut writer, mut reader] = [0, 1].map(|core| Clock::new(core, 2));
        let mut marks = Marks::default();
        marks.release(7, 0, &mut writer, Site::default());
        marks.acquire(8, &mut reader, Site { core: 1, ..Site::default() });
        assert!(!reader.knows(0, writer.stamp().number));
    }
}
