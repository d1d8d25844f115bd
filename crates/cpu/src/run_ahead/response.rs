//! The effect of a response on the core that waited for it.

use rockcreek_defs::bus::FillKind;
use rockcreek_defs::{BusRequest, BusResponse, CoreAddr, LINE_BYTES};

use crate::core::parts::Core;
use crate::state::counters::Stall;
use crate::state::transaction::{Pending, Target};
use crate::translator_frame::interface::TranslatorFrame;

impl Core {
    /// Handles the response to the transaction of the last [`Exit::Bus`]. `cycle`: the core cycle
    /// at which the response arrives or, for a posted store, at which the bus accepts the store.
    /// The core waits until then, except for a posted store.
    #[inline(always)]
    pub fn complete(&mut self, cycle: u64, response: &BusResponse) {
        let pending = self.state.pending.as_ref().expect("complete() answers an Exit::Bus");
        if !pending.finishes || pending.target != Target::Store {
            return match (message_line_of(pending), response) {
                (Some(addr), BusResponse::Line(data)) => {
                    self.complete_message_line(cycle, addr, data);
                }
                _ => self.complete_other(cycle, response),
            };
        }
        // A posted store that the response completes: the most frequent case.
        let posted = pending.request.posted_to();
        self.caches.complete(&pending.request, response);
        self.state.pending = None;
        self.state.counters.stores += 1;
        self.log.push_completed(0);
        match posted {
            Some(addr) => self.post(addr, cycle, response),
            None => self.wait_until(cycle, Stall::Write),
        }
    }

    #[inline(never)]
    fn complete_other(&mut self, cycle: u64, response: &BusResponse) {
        let Some(pending) = self.state.pending.take() else { return };
        if pending.target != Target::Port {
            self.caches.complete(&pending.request, response);
        }
        if pending.finishes {
            self.finish_access(pending.target, response);
        }
        let walks = pending.target == Target::Walk;
        self.state.counters.walk_misses += u64::from(walks && pending.request.is_read());
        let stall = match pending.target {
            Target::Load => Stall::Read,
            Target::Walk if self.state.walks_for_data => Stall::Read,
            Target::Store | Target::LockedStore => Stall::Write,
            _ => Stall::Other,
        };
        self.wait_until(cycle, stall);
    }

    /// Completes the access for which the core waited (`target`) with the value in the response.
    fn finish_access(&mut self, target: Target, response: &BusResponse) {
        let value = match response {
            BusResponse::Value(value) => *value,
            BusResponse::Line(_) | BusResponse::Acknowledge => 0,
        };
        let counters = &mut self.state.counters;
        match target {
            Target::Load => counters.loads += 1,
            Target::Store => counters.stores += 1,
            Target::LockedStore | Target::Update => {
                counters.stores += 1;
                counters.bypassing_stores += 1;
                counters.locked_updates += u64::from(target == Target::Update);
            }
            Target::Port => counters.port_accesses += 1,
            Target::Walk => return self.walk_log.push_completed(value),
            Target::Fetch => return,
        }
        self.log.push_completed(value);
    }

    /// Advances the core's time to `cycle`, when a response arrives, and adds the wait to the
    /// counter for `stall`.
    #[inline]
    pub(crate) fn wait_until(&mut self, cycle: u64, stall: Stall) {
        let waited = cycle.saturating_sub(self.state.cycles);
        let counters = &mut self.state.counters;
        counters.waiting_cycles += waited;
        counters.add_stall(stall, waited);
        self.stalled = stall;
        self.state.cycles += waited;
    }

    /// Handles a response that is the line of a load from an MPBT page: the response that a polling
    /// loop gets in each round.
    #[inline(never)]
    fn complete_message_line(&mut self, cycle: u64, addr: CoreAddr, data: &[u8; LINE_BYTES]) {
        let line = self.caches.complete_message_line(addr, data);
        self.host.record_message_line(line);
        self.state.pending = None;
        self.wait_until(cycle, Stall::Read);
    }
}

/// The address of the line that a load from an MPBT page waits for; `None` if the core waits for
/// another transaction.
#[inline(always)]
fn message_line_of(pending: &Pending) -> Option<CoreAddr> {
    match *pending {
        Pending {
            request: BusRequest::ReadLine { addr, kind: FillKind::Mpbt },
            finishes: false,
            target: Target::Load,
        } => Some(addr),
        _ => None,
    }
}
