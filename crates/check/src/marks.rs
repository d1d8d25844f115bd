//! What programs have released by `rck_check_release`, by the addresses that they gave.
//!
//! A guest names as many objects as it likes. Only so many are kept; what is released at the oldest
//! then counts for every object that is not kept. So an acquire may be taken to come after more than
//! it does, never after less: findings may be missed, none is made up.

use std::collections::VecDeque;

use crate::clocks::{Clock, EdgeKind, Released};
use crate::finding::Site;
use crate::hash::Map;

/// So many objects.
const MOST: usize = 1 << 12;

/// All marks.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    known: Map<u64, Released>,
    /// Objects that are known, the oldest first.
    order: VecDeque<u64>,
    others: Released,
    /// Objects that are no longer known.
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
