//! A waiting core as a periodic stream of requests.
//!
//! A core that polls an MPB or a register block without being delayed by other cores' events sends
//! requests at equal distances in time. These requests need no events: their number up to an
//! instant, and the times at which they hold links and ports, follow by arithmetic. A stream ends
//! when a reservation of another core would delay one of its own, when the polled value may have
//! changed, or when its core is observed. The core's next step then enters the order of events.
//!
//! A reservation does not delay the next one in the order of events if it ends before the next one
//! begins. A resource is busy until a single time, so only neighbours in this order matter. In each
//! round a stream may wait for a link or port that another stream of equal period holds. When that
//! other stream ends, the waiting stream ends, too.

use rockcreek_defs::Ps;
use rockcreek_engine::Key;

use crate::fast_forward::first_collision::{Distance, Interval, first_within};
use crate::uncore::request_path::Flight;

/// One reservation of a link or port that a stream makes in each round. Times are in picoseconds; a
/// round starts with the arrival of a response at the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    /// The number of the link or port, as [`crate::uncore::Uncore`] numbers them.
    pub resource: usize,
    /// `at_ps`: the start of the reservation, after the round's start; `waited_ps`: how long the
    /// packet has waited for the resource before; `service_ps`: how long it holds the resource.
    pub at_ps: u64,
    pub waited_ps: u64,
    pub service_ps: u64,
    /// The length of the packet in flits, if the resource is a link; 0 for a port.
    pub flits: u32,
    /// True if the reservation is made when the request enters the mesh; false if it is made when
    /// the request takes effect.
    pub outward: bool,
}

/// The rounds of one waiting core, each from one response to the next; all rounds are alike.
#[derive(Clone, Debug)]
pub(crate) struct PeriodicStream {
    /// The start of the first round: the instant of a response.
    pub start: Ps,
    pub period_ps: u64,
    /// The keys, in the order of events, of three events of the first round: the request's entry
    /// into the mesh, its effect, and its response.
    pub sent: Key,
    pub arrives: Key,
    pub answers: Key,
    /// The time at which the first round's response is back, before it is rounded up to the core's
    /// next clock edge.
    pub back: Ps,
    pub flight: Flight,
    pub uses: Vec<Use>,
}

/// A reservation of a link or port by another core: its key in the order of events, and the time
/// during which it holds the resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reservation {
    pub key: Key,
    pub start: Ps,
    pub service_ps: u64,
}

impl PeriodicStream {
    /// The number of rounds in which an event comes before `key` in the order of events; `first` is
    /// the event's key in the first round.
    pub fn count_before(&self, first: Key, key: Key) -> u64 {
        let Some(since) = key.time.0.checked_sub(first.time.0) else { return 0 };
        let (periods, rest) = (since / self.period_ps, since % self.period_ps);
        let tie = rest == 0 && (first.unit, first.source) >= (key.unit, key.source);
        periods + u64::from(!tie)
    }

    fn key_of(&self, used: &Use) -> Key {
        if used.outward { self.sent } else { self.arrives }
    }

    /// The start of the first reservation of resource `used` that comes after `key` in the order of
    /// events.
    fn next(&self, used: &Use, key: Key) -> Ps {
        let before = self.count_before(self.key_of(used), key);
        self.start + used.at_ps + before * self.period_ps
    }

    /// The end of the last reservation of resource `used` that comes before `key` in the order of
    /// events; time 0 if there is none.
    pub fn busy_until(&self, used: &Use, key: Key) -> Ps {
        match self.count_before(self.key_of(used), key) {
            0 => Ps(0),
            before => self.end_of(used, before - 1),
        }
    }

    /// The end of the reservation of resource `used` in round `round`, counted from 0.
    pub fn end_of(&self, used: &Use, round: u64) -> Ps {
        self.start + used.at_ps + round * self.period_ps + used.service_ps
    }

    /// True if the reservation `by` of another core would delay this stream's next reservation of
    /// `used`.
    pub fn is_put_off(&self, used: &Use, by: &Reservation) -> bool {
        self.next(used, by.key) < by.start + by.service_ps
    }

    /// True if the stream's packets wait for this resource in each round, because another stream
    /// holds it.
    pub fn waits_for(&self, resource: usize) -> bool {
        self.uses.iter().any(|used| used.resource == resource && used.waited_ps > 0)
    }

    /// The reservation of the link or port of `used` that the stream makes in round `round`,
    /// counted from 0.
    pub fn reservation(&self, used: &Use, round: u64) -> Reservation {
        let later = round * self.period_ps;
        let key = self.key_of(used);
        Reservation {
            key: Key { time: key.time + later, ..key },
            start: self.start + used.at_ps + later,
            service_ps: used.service_ps,
        }
    }

    /// The number of rounds, at most `most`, that this stream can make before a reservation of it
    /// and one of `other` would delay each other.
    pub fn rounds_beside(&self, other: &PeriodicStream, most: u64) -> u64 {
        let mut rounds = most;
        for mine in &self.uses {
            for theirs in other.uses.iter().filter(|used| used.resource == mine.resource) {
                let met = self.meets(mine, other, theirs, rounds);
                rounds = met.unwrap_or(rounds).min(rounds);
            }
        }
        rounds
    }

    /// The first round, before `most`, in which the reservation `mine` of this stream and the
    /// reservation `theirs` of the stream `other` would delay each other; `None` if there is none.
    fn meets(&self, mine: &Use, other: &PeriodicStream, theirs: &Use, most: u64) -> Option<u64> {
        let (first, key) = (other.key_of(theirs), self.key_of(mine));
        let before = |round: &u64| {
            let reservation = self.reservation(mine, *round);
            (other.count_before(first, reservation.key) == 0).then_some(reservation)
        };
        // Rounds before the first one of the other stream can delay it, but cannot be delayed.
        let mut round = 0;
        while let Some(reservation) = (round < most).then(|| before(&round)).flatten() {
            if other.is_put_off(theirs, &reservation) {
                return Some(round);
            }
            round += 1;
        }
        // The distance of a round from the other stream's last event before it, in the order of
        // events: at least `least`, and less than `least` plus a period.
        let least = i128::from((first.unit, first.source) >= (key.unit, key.source));
        let period = i128::from(other.period_ps);
        let ps = |time: u64| i128::from(time);
        let after = ps(key.time.0) + ps(round) * ps(self.period_ps) - ps(first.time.0);
        // The time from a reservation's key in the order of events to its start.
        let my_delay = ps(self.start.0 + mine.at_ps) - ps(key.time.0);
        let their_delay = ps(other.start.0 + theirs.at_ps) - ps(first.time.0);
        // No collision: the other's last reservation has ended, and its next one begins after mine.
        let low = their_delay + ps(theirs.service_ps) - my_delay;
        let high = period + their_delay - my_delay - ps(mine.service_ps);
        let (low, high) = (low.max(least), high.min(least + period - 1));
        let room = (high - low + 1).clamp(0, period) as u64;
        let place = |at: i128| at.rem_euclid(period) as u64;
        let modulus = other.period_ps;
        let distance = Distance { start: place(after), step: self.period_ps, modulus };
        let interval = Interval { low: place(high + 1), length: modulus - room };
        first_within(distance, interval).map(|more| round + more)
    }
}

#[cfg(test)]
mod tests {
    use rockcreek_defs::Coord;

    use super::*;
    use crate::uncore::wiring::Unit;

    fn key(time: u64, unit: u32, source: u32) -> Key {
        Key { time: Ps(time), unit, source, sequence: 0 }
    }

    /// A stream whose first round starts at `start`, that sends 10 ps later, arrives 30 ps later,
    /// and holds one port for 5 ps.
    fn stream(start: u64, source: u32, period_ps: u64) -> PeriodicStream {
        let at_port =
            Use { resource: 7, at_ps: 30, waited_ps: 0, service_ps: 5, flits: 0, outward: false };
        PeriodicStream {
            start: Ps(start),
            period_ps,
            sent: key(start + 10, 1, source),
            arrives: key(start + 30, 2, source),
            answers: key(start + period_ps, 0, source),
            back: Ps(start + 90),
            flight: Flight::within(Unit::Nowhere, Coord::default()),
            uses: vec![at_port],
        }
    }

    #[test]
    fn instants_are_counted_in_the_order_of_events() {
        let stream = stream(1000, 4, 100);
        let count =
            |time, unit, source| stream.count_before(stream.arrives, key(time, unit, source));
        assert_eq!([count(0, 0, 0), count(1029, 9, 9), count(1031, 0, 0)], [0, 0, 1]);
        assert_eq!([count(1030, 2, 3), count(1030, 2, 5), count(1030, 3, 0)], [0, 1, 1]);
        assert_eq!([count(1329, 9, 9), count(1330, 1, 0), count(1330, 2, 5)], [3, 3, 4]);
    }

    #[test]
    fn a_reservation_fits_between_two_of_a_stream() {
        let stream = stream(1000, 4, 100);
        let used = stream.uses[0];
        let fits = |key: Key, start, service_ps| {
            let by = Reservation { key, start: Ps(start), service_ps };
            stream.busy_until(&used, key) <= by.start && !stream.is_put_off(&used, &by)
        };
        assert!(fits(key(1100, 2, 0), 1100, 30));
        assert!(!fits(key(1100, 2, 0), 1100, 31), "the next would have to wait");
        assert!(!fits(key(1132, 2, 0), 1132, 5), "the one before is still there");
        assert!(fits(key(1135, 2, 0), 1135, 5));
        // The reservation is earlier in the order of events than the stream's, but later in time,
        // so it delays the stream's.
        assert!(!fits(key(1100, 2, 0), 1140, 5));
        assert!(fits(key(900, 2, 0), 1000, 30));
    }

    #[test]
    fn trains_of_one_period_meet_always_or_never() {
        assert_eq!(stream(1040, 5, 100).rounds_beside(&stream(1000, 4, 100), 50), 50);
        assert_eq!(stream(1003, 5, 100).rounds_beside(&stream(1000, 4, 100), 50), 0);
        // After five rounds of 110 ps against rounds of 100 ps, the ports are used at equal times.
        assert_eq!(stream(1050, 5, 110).rounds_beside(&stream(1000, 4, 100), 50), 5);
    }

    #[test]
    fn the_first_meeting_is_that_of_looking_at_every_round() {
        const MOST: u64 = 400;
        for (start, period_ps) in (990..1110).flat_map(|at| (60..140).map(move |ps| (at, ps))) {
            for source in [3, 5] {
                let (mine, other) = (stream(start, source, period_ps), stream(1000, 4, 100));
                let met = |round: &u64| {
                    let reservation = mine.reservation(&mine.uses[0], *round);
                    let busy = other.busy_until(&other.uses[0], reservation.key);
                    busy > reservation.start || other.is_put_off(&other.uses[0], &reservation)
                };
                let looked = (0..MOST).find(met).unwrap_or(MOST);
                let rounds = mine.rounds_beside(&other, MOST);
                assert_eq!(rounds, looked, "from {start}, every {period_ps}, core {source}");
            }
        }
    }
}
