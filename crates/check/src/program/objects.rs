//! The releases of threads at the objects by which they wait for each other: locks, barriers, other
//! threads, atomic variables.
//!
//! There is room for [`MOST_OBJECTS`] objects. The oldest ones beyond that are merged into one,
//! which stands for every object that is not kept: an order may then be assumed that does not
//! exist, so races may be missed.

use std::collections::{HashMap, VecDeque};

use super::clocks::{Clock, Threads, Tid, join};

/// An object by which threads wait for each other: an address in the layer or the program, and the
/// number of the object at that address.
pub(super) type Object = (u32, u32);

const MOST_OBJECTS: usize = 1 << 13;

#[derive(Debug, Default)]
pub(super) struct Objects {
    left: HashMap<Object, Clock>,
    order: VecDeque<Object>,
    /// The merged clock of the objects that were dropped because [`MOST_OBJECTS`] were kept.
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

    /// Removes the releases at an object, so that a later acquire of it is ordered after none of
    /// them.
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
