//! The watchpoints of a debugger on one core, and their matches.

/// The kind of accesses that a watchpoint matches. `Access`: reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WatchKind {
    Write,
    Read,
    Access,
}

/// Bytes to watch, and the kind of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Watchpoint {
    /// Linear address of the first byte.
    pub start: u32,
    pub length: u32,
    pub kind: WatchKind,
}

/// A match of an access with a watchpoint: the watchpoint's kind, and the address of the first
/// watched byte that was accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchHit {
    pub address: u32,
    pub kind: WatchKind,
}

impl Watchpoint {
    /// The match of an access of `size` bytes, if it shares a byte with the watchpoint and has its
    /// kind; otherwise `None`. `write`: true for a write.
    pub fn meets(&self, linear: u32, size: u32, write: bool) -> Option<WatchHit> {
        let wanted = match self.kind {
            WatchKind::Write => write,
            WatchKind::Read => !write,
            WatchKind::Access => true,
        };
        let inside = linear.wrapping_sub(self.start) < self.length;
        let covers = self.start.wrapping_sub(linear) < size && self.length > 0;
        let address = if inside { linear } else { self.start };
        (wanted && (inside || covers)).then_some(WatchHit { address, kind: self.kind })
    }
}

/// The debugger's watchpoints of one core, and which of them has matched last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watches {
    pub points: Vec<Watchpoint>,
    /// The match of the current instruction, or of the one that has just ended; `None` if there is
    /// none.
    pub hit: Option<WatchHit>,
    hit_at_window: Option<WatchHit>,
    /// The match for which the last stop was reported to the debugger; `None` if the stop had
    /// another cause.
    pub reported: Option<WatchHit>,
}

impl Watches {
    pub fn any(&self) -> bool {
        !self.points.is_empty()
    }

    pub fn hit(&self) -> bool {
        self.hit.is_some()
    }

    /// Removes the match of the instruction that has ended, which has been reported already.
    pub fn forget_hit(&mut self) {
        self.hit = None;
    }

    pub fn report(&mut self) {
        self.reported = self.hit.take();
    }

    pub fn begin_window(&mut self) {
        self.hit_at_window = self.hit;
    }

    pub fn rollback(&mut self) {
        self.hit = self.hit_at_window;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_shared_byte_is_reported() {
        let point = Watchpoint { start: 0x1002, length: 2, kind: WatchKind::Write };
        let met = |linear, size| point.meets(linear, size, true).map(|hit| hit.address);
        assert_eq!(met(0x1000, 4), Some(0x1002));
        assert_eq!(met(0x1003, 4), Some(0x1003));
        assert_eq!((met(0x1000, 2), met(0x1004, 4)), (None, None));
        assert_eq!(point.meets(0x1002, 1, false), None);
        let last = Watchpoint { start: u32::MAX, length: 1, kind: WatchKind::Access };
        assert_eq!(last.meets(0xFFFF_FFFE, 4, false).map(|hit| hit.address), Some(u32::MAX));
    }
}
