//! The one order of events.
//!
//! Every event that two blocks can notice happens in the order of [`Key`]: by time, then by the
//! unit at which it takes effect, then by the source that caused it, then by that source's own
//! count. Nothing in the key depends on the host, on how far cores run ahead, or on the order of
//! insertion, so every run of a chip performs the same events in the same order.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use rockcreek_defs::Ps;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The key that orders events: the time (picoseconds) and the unit at which the event takes effect,
/// then the source that caused it, then that source's own count of events. Two pending events never
/// have equal keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    pub time: Ps,
    pub unit: u32,
    pub source: u32,
    pub sequence: u64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Entry<E> {
    key: Key,
    event: E,
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

/// Events that wait for their time. Pushing and popping reuse the heap's memory.
///
/// Most events are followed by one of the same core, often the very next one. So the last pushed
/// event stays outside the heap until another is pushed; an event and its successor then cost one
/// reordering of the heap or none.
#[derive(Clone, Debug)]
pub struct Queue<E> {
    last: Option<Entry<E>>,
    heap: BinaryHeap<Reverse<Entry<E>>>,
}

impl<E: Copy> Queue<E> {
    /// An empty queue with room for `capacity` events before it grows.
    pub fn with_capacity(capacity: usize) -> Queue<E> {
        Queue { last: None, heap: BinaryHeap::with_capacity(capacity) }
    }

    /// Adds an event; no pending event may have an equal key.
    #[inline]
    pub fn push(&mut self, key: Key, event: E) {
        if let Some(before) = self.last.replace(Entry { key, event }) {
            self.heap.push(Reverse(before));
        }
    }

    /// The event with the smallest key, which stays in the queue; `None` if the queue is empty.
    #[inline]
    pub fn peek(&self) -> Option<(Key, E)> {
        let first = match (&self.last, self.heap.peek()) {
            (Some(last), Some(Reverse(top))) => last.min(top),
            (Some(last), None) => last,
            (None, top) => &top?.0,
        };
        Some((first.key, first.event))
    }

    /// Removes and returns the event with the smallest key; `None` if the queue is empty.
    #[inline]
    pub fn pop(&mut self) -> Option<(Key, E)> {
        let Some(last) = self.last.take() else {
            return self.heap.pop().map(|Reverse(entry)| (entry.key, entry.event));
        };
        let first = match self.heap.peek_mut() {
            Some(mut top) if top.0.key < last.key => std::mem::replace(&mut *top, Reverse(last)).0,
            _ => last,
        };
        Some((first.key, first.event))
    }

    /// Keeps the events for which `keep` returns true and drops all others.
    pub fn retain(&mut self, mut keep: impl FnMut(&Key, &E) -> bool) {
        self.heap.retain(|Reverse(entry)| keep(&entry.key, &entry.event));
        self.last = self.last.filter(|entry| keep(&entry.key, &entry.event));
    }

    /// The number of pending events for which `of_kind` returns true.
    pub fn count(&self, of_kind: impl Fn(&E) -> bool) -> usize {
        let heap = self.heap.iter().map(|Reverse(entry)| &entry.event);
        heap.chain(self.last.as_ref().map(|entry| &entry.event)).filter(|e| of_kind(e)).count()
    }

    pub fn len(&self) -> usize {
        self.heap.len() + usize::from(self.last.is_some())
    }

    pub fn is_empty(&self) -> bool {
        self.last.is_none() && self.heap.is_empty()
    }
}

/// Encodes the events in order, so that equal queues have equal encodings whatever their history.
impl<E: Copy + Serialize> Serialize for Queue<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let heap = self.heap.iter().map(|Reverse(entry)| *entry);
        let mut entries: Vec<Entry<E>> = heap.chain(self.last).collect();
        entries.sort_unstable();
        let mut sequence = serializer.serialize_seq(Some(entries.len()))?;
        for entry in &entries {
            sequence.serialize_element(entry)?;
        }
        sequence.end()
    }
}

impl<'de, E: Deserialize<'de>> Deserialize<'de> for Queue<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = Vec::<Entry<E>>::deserialize(deserializer)?;
        Ok(Queue { last: None, heap: entries.into_iter().map(Reverse).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: u64, unit: u32, source: u32, sequence: u64) -> Key {
        Key { time: Ps(time), unit, source, sequence }
    }

    #[test]
    fn ties_are_broken_by_unit_then_source_then_count() {
        let keys = [key(5, 1, 0, 0), key(4, 9, 9, 9), key(5, 0, 7, 0), key(5, 1, 0, 1)];
        let mut forward = Queue::with_capacity(4);
        let mut backward = Queue::with_capacity(4);
        for (n, key) in keys.iter().enumerate() {
            forward.push(*key, n);
        }
        for (n, key) in keys.iter().enumerate().rev() {
            backward.push(*key, n);
        }
        assert_eq!(crate::state_hash(&forward), crate::state_hash(&backward));
        for expected in [1, 2, 0, 3] {
            assert_eq!(forward.pop().map(|(_, event)| event), Some(expected));
            assert_eq!(backward.pop().map(|(_, event)| event), Some(expected));
        }
        assert!(forward.is_empty());
    }
}
