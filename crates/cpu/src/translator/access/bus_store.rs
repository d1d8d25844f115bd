//! Stores that no cache takes, or that make the write-combine buffer drain; and how an instruction
//! continues after it has waited for one of these stores.
//!
//! An instruction that only performs a store does not need its handler: its operands determine the
//! store, and after the acknowledgement only its clocks remain to be charged. Translated code sends
//! most of these stores itself (`send`), and continues after them.
//!
//! NPB LU (class S, one core) takes 1.2 times the host's instructions without `post_x87`, a copy of
//! 1 MB (`benches/programs/copy.c`) 1.08 times without `post_word` (2026-11-29).

use rockcreek_cache::Refusal;
use rockcreek_defs::{BusRequest, CoreAddr};

use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::execute::op::{Op, STORES_IMMEDIATE, prefix};
use crate::state::exception::{Done, Stop};
use crate::state::transaction::{Pending, Target};

/// Where in translated code an x87 store waits for the bus unit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Waits {
    /// At its own place in the code.
    Here,
    /// In a block of its own, for which the x87 state is known only if the wait takes `least` core
    /// clocks or more.
    Elsewhere { least: u64 },
}

/// How an attempt to post a store (to send it without waiting for the response) has ended.
/// `Refused`: it was not sent, and no time has passed. `Posted`: it was sent, after a wait for the
/// bus unit if that was busy.
pub(crate) enum Posting {
    Refused,
    Posted,
    /// The core has waited for the bus unit, and nothing else has happened: the store must be tried
    /// again.
    Waited,
}

impl Core {
    /// Posts the x87 store whose value is in `HostFrame::split` and for which the stub for stores
    /// found that no cache has its line. `Refused` if the run may send no request, or the chip does
    /// not know the route through the mesh yet, or a wait for a busy bus unit would last to
    /// `HostFrame::reach_limit` or (`Waits::Elsewhere`) less than `least`. `Waited` (only for
    /// `Waits::Elsewhere`) after a wait. `size`: 4 or 8 bytes.
    pub(crate) fn post_x87(&mut self, size: u8, waits: Waits) -> Posting {
        let Some(addr) = self.host.nowhere().filter(|_| self.may_ask()) else {
            return Posting::Refused;
        };
        let begun = self.state.cycles;
        self.hold_for_line(addr);
        let free = self.state.bus_free.max(begun);
        if free > begun {
            if free >= self.host.reach_limit {
                return Posting::Refused;
            }
            if let Waits::Elsewhere { least } = waits {
                if free - begun < least {
                    return Posting::Refused;
                }
                self.host.beyond = 0;
                self.await_bus();
                self.has_waited(begun);
                return Posting::Waited;
            }
        }
        let value = self.host.split.operand[0];
        let posted = match size {
            4 => self.host.bus().post_word(free, addr, value as u32),
            _ => self.host.bus().post_double(free, addr, value),
        };
        let Some((accepted, delay)) = posted else { return Posting::Refused };
        self.host.beyond = 0;
        self.await_bus();
        self.has_waited(begun);
        self.caches.has_posted_word();
        self.post_accepted(addr, accepted.get(), delay);
        Posting::Posted
    }

    /// Sends a store of `size` bytes that the stub for stores has refused. Call only while no x87
    /// instruction is in progress (all times in `State::x87` have passed). Returns false if the
    /// core's run must end for the store; the store is then pending, and `HostFrame::stop` says so.
    #[inline]
    pub(crate) fn send(&mut self, size: u8, value: u32) -> bool {
        let begun = self.state.cycles;
        if !self.post_word(size, value) {
            self.put_beyond(size, value);
            if !self.ask(self.host.bus()) {
                self.host.stop = Some(Stop::Wait);
                return false;
            }
            self.log.clear();
            self.store_displacing();
        }
        // The stay's length does not include the wait, in which no event is counted.
        self.host.stay_end += self.state.cycles - begun;
        self.set_limits();
        true
    }

    /// Posts a store of four bytes to a line that no cache has, if the chip already knows its route
    /// through the mesh. Otherwise returns false; the core may then have waited for the bus unit.
    #[inline(always)]
    fn post_word(&mut self, size: u8, value: u32) -> bool {
        let Some(addr) = self.host.nowhere().filter(|_| size == 4 && self.may_ask()) else {
            return false;
        };
        self.hold_for_line(addr);
        self.await_bus();
        let posted = self.host.bus().post_word(self.state.cycles, addr, value);
        let Some((accepted, delay)) = posted else { return false };
        self.host.beyond = 0;
        self.log.clear();
        self.caches.has_posted_word();
        self.state.counters.stores += 1;
        self.post_accepted(addr, accepted.get(), delay);
        true
    }

    /// Makes the bus request of the store that the stub refused, and records it as pending. A store
    /// that displaces a line is kept in `HostFrame::displacing`; the request is that line's drain.
    #[inline(always)]
    fn put_beyond(&mut self, size: u8, value: u32) {
        let (refusal, addr) = self.host.take_beyond();
        self.log.clear();
        self.host.displacing = None;
        match refusal {
            Refusal::Fills => {
                let request = self.caches.store_filling(addr, size, u64::from(value));
                self.put(request, true);
            }
            Refusal::Displaces => {
                self.host.displacing = Some((addr, size, value));
                self.put(self.caches.displaced_line(), false);
            }
            _ => self.put_on_bus(addr, size, value),
        }
    }

    /// Records as pending the store that translated code noted when it was left
    /// (`HostFrame::sent_value`); the run ends for it. Returns false if none was noted.
    #[inline(always)]
    pub(crate) fn send_noted(&mut self) -> bool {
        let size = std::mem::take(&mut self.host.sent_size);
        if size == 0 {
            return false;
        }
        self.put_beyond(size as u8, self.host.sent_value);
        self.refused = true;
        true
    }

    /// If a store has evicted another line from the write-combine buffer, merges the store into the
    /// buffer and counts it. Call after that line has drained.
    #[inline(always)]
    pub(crate) fn store_displacing(&mut self) {
        if self.host.displacing.is_some() {
            self.put_displacing();
        }
    }

    #[inline(never)]
    fn put_displacing(&mut self) {
        if let Some((addr, size, value)) = self.host.displacing.take() {
            let drain = self.caches.store_combined(addr, size, u64::from(value));
            debug_assert_eq!(drain, None, "an instruction stores less than a line");
            self.state.counters.stores += 1;
        }
    }

    /// True if the core waits for a transaction for a load, and the load is tried again after the
    /// response.
    pub(crate) fn fetches_line(&self) -> bool {
        let again = |pending: &Pending| pending.target == Target::Load && !pending.finishes;
        self.state.pending.as_ref().is_some_and(again)
    }

    #[inline(always)]
    fn put_on_bus(&mut self, addr: CoreAddr, size: u8, value: u32) {
        let request = self.caches.store_to_bus(addr, size, u64::from(value));
        self.put(request, true);
    }

    #[inline(always)]
    fn put(&mut self, request: BusRequest, finishes: bool) {
        if let Some(addr) = request.posted_to() {
            self.hold_for_line(addr);
        }
        self.state.pending = Some(Pending { request, finishes, target: Target::Store });
    }

    /// Performs an instruction that only stores, at an aligned address for which
    /// [`Caches::store_in_place`](rockcreek_cache::Caches::store_in_place) has just found that no
    /// cache takes the store. Waits if the run must end for the store, or if the instruction must
    /// be fetched again afterwards.
    pub(crate) fn store_beyond(&mut self, op: &Op, addr: CoreAddr, bus: &mut dyn Bus) -> Done {
        let (size, value) = self.stored(op);
        self.put_on_bus(addr, size, value);
        if !self.ask(bus) {
            return Err(Stop::Wait);
        }
        self.forget_extra();
        if !self.is_fetched(u32::from(op.length)) {
            return Err(Stop::Wait);
        }
        self.finish_store(op)
    }

    /// For an instruction that only stores: the number of bytes and their value.
    fn stored(&self, op: &Op) -> (u8, u32) {
        let size = op.extra as u8;
        let value = match (op.extra & STORES_IMMEDIATE != 0, size) {
            (true, _) => op.immediate,
            (false, 1) => self.register::<1>(op.b),
            (false, 2) => self.register::<2>(op.b),
            (false, _) => self.register::<4>(op.b),
        };
        (size, value)
    }

    /// True if an instruction that waited consists of one aligned store, and that store is done, so
    /// that a second execution would only take it from the log.
    pub(crate) fn has_stored(&self, op: &Op) -> bool {
        let low_bits = u32::from(op.extra as u8).wrapping_sub(1);
        let base = self.state.segments[self.segment_of(op) & 7].base;
        let linear = base.wrapping_add(self.address(op));
        op.only_stores() && self.log.has_one() && linear & low_bits == 0
    }

    /// Finishes an instruction for which [`Core::has_stored`] is true.
    pub(crate) fn finish_store(&mut self, op: &Op) -> Done {
        self.log.clear();
        if op.prefixes & (prefix::NOTES_BANK | prefix::CHECKS_BANK) == 0 {
            return Ok(());
        }
        self.beside_access(op, |_| Ok(()))
    }
}
