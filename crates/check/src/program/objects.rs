//! What threads have left with the objects by which they wait for each other: locks, barriers,
//! other threads, atomic variables.
//!
//! There is room for [`MOST_OBJECTS`]. The oldest ones beyond become one, from which all take that
//! find nothing of their own: then some order is seen that is not there, and races may be missed.

use std::collections::{HashMap, VecDeque};

use super::clocks::{Clock, Threads, Tid, join};

/// An address of the layer or the program, and which of the objects there.
pub(super) type Object = (u32, u32);

const MOST_OBJECTS: usize = 1 << 13;

#[derive(Debug, Default)]
pub(super) struct Objects {
    left: HashMap<Object, Clock>,
    order: VecDeque<Object>,
    /// What was left with those that had no place any more.
    lost: Clock,
}

impl Objects {
    pub fn release(&mut self, object: Object, threads: &mut Threads, tid: Tid) {
        if !self.left.contains_key(&object) {
            self.make_room();
            self.order.push_back(object);
        }
        join(self.left.entry(object).or_default(), threads.clock(tid));
        threads.advance(tid);
    }

    pub fn acquire(&self, object: Object, threads: &mut Threads, tid: Tid) {
        match self.left.get(&object) {
            Some(left) => threads.learn(tid, left),
            None => threads.learn(tid, &self.lost),
        }
    }

    /// What was left there before is nothing to those who come.
    pub fn forget(&mut self, object: Object) {
        if let Some(left) = self.left.get_mut(&object) {
            left.clear();
        }
    }

    fn make_room(&mut self) {
        if self.left.len() < MOST_OBJECTS {
            return;
        }
        if let Some(left) = self.order.pop_front().and_then(|oldest| self.left.remove(&oldest)) {
            join(&mut self.lost, &left);
        }
    }
}
