//! The responses that a core has received since its window began. They are replayed when the core
//! is rolled back.

use rockcreek_defs::{BusResponse, LINE_BYTES, Ps, prefetch};

/// The largest number of responses that a core may receive in one window.
const MOST: usize = 256;
/// After this many responses with data, a window ends if other cores run too. The responses of 48
/// cores must leave room in the host's caches; but each new window costs some twenty cache lines
/// there.
const MANY_BRINGING: usize = 64;

/// The stored responses. For a response that acknowledges a write, or returns a small number (as a
/// posted store's does), only the time and that number are stored: five of them fit into a cache
/// line of the host.
#[derive(Clone, Debug)]
struct Kept {
    times: [Ps; MOST],
    /// For each response the small number in it, plus one; 0 if the response has no data; otherwise
    /// see `bringing`.
    numbers: [u32; MOST],
    /// The responses with other data, each with its position among all responses.
    bringing: [(u32, BusResponse); MOST],
}

/// The entry of `Kept::numbers` for a small number; `None` if it is too large.
#[inline(always)]
fn small(value: u64) -> Option<u32> {
    u32::try_from(value).ok()?.checked_add(1)
}

/// The responses that a core has received since its window began, each with the time of its
/// arrival, in order.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    kept: Box<Kept>,
    count: u32,
    count_bringing: u32,
}

impl Answers {
    pub fn new() -> Answers {
        let bringing = [(0, BusResponse::Acknowledge); MOST];
        let kept = Box::new(Kept { times: [Ps(0); MOST], numbers: [0; MOST], bringing });
        Answers { kept, count: 0, count_bringing: 0 }
    }

    pub fn len(&self) -> usize {
        self.count as usize
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub fn are_full(&self) -> bool {
        self.count as usize >= MOST
    }

    /// True if a new window should begin because this one has many responses; if no other core
    /// runs, it need not.
    #[inline]
    pub fn are_many(&self) -> bool {
        self.are_full() || self.count_bringing as usize >= MANY_BRINGING
    }

    pub fn clear(&mut self) {
        (self.count, self.count_bringing) = (0, 0);
    }

    /// Stores a response that the core received at `time`; there must be room.
    #[inline]
    pub fn push(&mut self, time: Ps, response: &BusResponse) {
        let brings = !matches!(response, BusResponse::Acknowledge);
        if brings {
            *self.next() = *response;
        }
        self.keep(time, brings);
    }

    /// The place for the data of the next response, into which the caller may write; there must be
    /// room.
    #[inline]
    pub fn next(&mut self) -> &mut BusResponse {
        &mut self.kept.bringing[self.count_bringing as usize].1
    }

    /// Adds a response that arrives at `time`. `brings`: true if it has data, which the caller has
    /// written to [`Answers::next`]; false for an acknowledgement. Returns the stored response.
    #[inline]
    pub fn keep(&mut self, time: Ps, brings: bool) -> &BusResponse {
        if !brings {
            self.keep_number(time, 0);
            return &BusResponse::Acknowledge;
        }
        let place = self.count_bringing as usize;
        let number = match self.kept.bringing[place].1 {
            BusResponse::Value(value) => small(value),
            _ => None,
        };
        if number.is_none() {
            self.kept.bringing[place].0 = self.count;
            self.count_bringing += 1;
        }
        self.keep_number(time, number.unwrap_or(0));
        &self.kept.bringing[place].1
    }

    /// Adds the response to a posted store: `delay` is the number of core cycles until its
    /// acknowledgement.
    #[inline(always)]
    pub fn keep_delay(&mut self, time: Ps, delay: u64) {
        match small(delay) {
            Some(number) => self.keep_number(time, number),
            None => self.push(time, &BusResponse::Value(delay)),
        }
    }

    #[inline(always)]
    fn keep_number(&mut self, time: Ps, number: u32) {
        let at = self.count as usize % MOST;
        (self.kept.times[at], self.kept.numbers[at]) = (time, number);
        self.count += 1;
    }

    /// Adds a response that is a line. Returns the stored line.
    #[inline]
    pub fn keep_line(&mut self, time: Ps, line: [u8; LINE_BYTES]) -> &[u8; LINE_BYTES] {
        *self.next() = BusResponse::Line(line);
        match self.keep(time, true) {
            BusResponse::Line(line) => line,
            _ => unreachable!("it has just been put there"),
        }
    }

    /// Prefetches, into the host's caches, the place of the next response.
    #[inline]
    pub fn fetch_ahead(&self) {
        prefetch(&self.kept.times[self.count as usize % MOST]);
    }

    /// The time at which response `number` (from 0) of the window arrives, and the response; there
    /// must be one with this number.
    pub fn get(&self, number: usize) -> (Ps, BusResponse) {
        let mut bringing = self.kept.bringing[..self.count_bringing as usize].iter();
        let response = match self.kept.numbers[number].checked_sub(1) {
            Some(value) => BusResponse::Value(value.into()),
            None => {
                let found = bringing.find(|(of, _)| *of as usize == number);
                found.map_or(BusResponse::Acknowledge, |(_, response)| *response)
            }
        };
        (self.kept.times[number], response)
    }

    /// The time at which the last response arrives; `None` if there is none.
    pub fn last_time(&self) -> Option<Ps> {
        self.len().checked_sub(1).map(|last| self.kept.times[last])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_in_order() {
        let mut answers = Answers::new();
        for (turn, many) in [(0, 256), (2, 127), (1, 74), (3, 256), (4, 64)] {
            answers.clear();
            assert_eq!((answers.len(), answers.last_time()), (0, None));
            // Responses with data: none, every other one, all except every eighth, small numbers
            // only, large numbers only.
            let answer = |n: u64| match (turn, n % 8) {
                (0, _) | (2, 1 | 3 | 5 | 7) | (1, 0) => BusResponse::Acknowledge,
                (1 | 2, 2) => BusResponse::Value(u64::MAX - n),
                (3, _) => BusResponse::Value([n, u64::from(u32::MAX) - 1 - n][n as usize % 2]),
                (4, _) => BusResponse::Value(u64::from(u32::MAX) + n),
                _ => BusResponse::Line([n as u8; 32]),
            };
            let mut count = 0;
            while !answers.are_full() {
                assert_eq!(answers.are_many(), count >= many);
                answers.push(Ps(1000 * turn + count), &answer(count));
                count += 1;
                assert_eq!(answers.last_time(), Some(Ps(1000 * turn + count - 1)));
            }
            assert_eq!((count, answers.len()), (256, 256));
            for n in 0..count {
                assert_eq!(answers.get(n as usize), (Ps(1000 * turn + n), answer(n)));
            }
        }
    }
}
