//! Transactions that access no memory but order cores: on locks, counters and interrupts.

use rockcreek_defs::BusResponse;

use crate::clocks::EdgeKind;
use crate::finding::{Finding, Kind, Site};
use crate::locks::misuse;
use crate::shadow::{Object, Shadow, Transaction};

/// The largest number of instructions that release locks and are counted separately.
const MOST_UNLOCKS: usize = 1 << 16;

impl Shadow {
    /// Records a transaction on a register or a counter (`place`), which may order cores.
    pub(crate) fn other_effect(&mut self, place: Object, transaction: &Transaction) {
        let Transaction { core, time_ps, response, .. } = *transaction;
        let nobody = Site { core: core as u16, ..Site::default() };
        let site = Site { time_ps, ..self.cores[core].asked.unwrap_or(nobody) };
        let clock = &mut self.clocks[core];
        match (place, response) {
            (Object::Lock(number), BusResponse::Value(value)) => {
                let lock = self.locks.entry(number).or_default();
                let look = misuse(number, site, lock.holder());
                self.looks.add(Finding { kind: Kind::LockRead, ..look });
                if value & 1 != 0 {
                    lock.released.take(clock, EdgeKind::Lock, site);
                    lock.taken.put_alone(core, clock, site);
                    lock.acquired(site, &mut self.takers);
                } else {
                    lock.taken.take(clock, EdgeKind::Taken, site);
                }
            }
            (Object::Lock(number), BusResponse::Acknowledge) => {
                let lock = self.locks.entry(number).or_default();
                lock.released.put(core, clock, site);
                let known =
                    self.unlocks.len() < MOST_UNLOCKS || self.unlocks.contains_key(&site.eip);
                let user = self.unlocks.entry(if known { site.eip } else { 0 }).or_default();
                if lock.freed(number, site, user, &mut self.takers) {
                    self.findings.add(misuse(number, site, None));
                }
            }
            (Object::Counter(number), _) => {
                let counter = self.counters.entry(number).or_default();
                counter.take(clock, EdgeKind::Counter, site);
                counter.put(core, clock, site);
            }
            _ => {}
        }
    }

    /// Records that an access of `core` has sent an interrupt to core `target`; when `target` takes
    /// the interrupt, it is ordered after this.
    pub fn interrupt(&mut self, core: usize, target: usize, time_ps: u64) {
        let site = Site { core: core as u16, time_ps, ..Site::default() };
        self.interrupts[target].put(core, &mut self.clocks[core], site);
    }
}
