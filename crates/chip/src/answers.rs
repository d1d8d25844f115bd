//! The answers that a core has had since its window began: they are played again when something
//! hits its past.

use rockcreek_defs::{BusResponse, Ps};

/// A window does not grow beyond so many answers. What 48 cores keep of them must leave room in the
/// host's caches: four times as many cost a tenth of the time of cores that stream.
const MOST: usize = u64::BITS as usize;

/// Of an answer that only acknowledges a write, the commonest, the instant alone is kept: eight of
/// them are in a line of the host's caches.
#[derive(Clone, Debug)]
struct Kept {
    times: [Ps; MOST],
    /// A bit for each of the answers that bring something.
    brings: u64,
    responses: [BusResponse; MOST],
}

/// Answers and when they come, in order.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    kept: Box<Kept>,
    count: u32,
}

impl Answers {
    pub fn new() -> Answers {
        let responses = [BusResponse::Acknowledge; MOST];
        Answers { kept: Box::new(Kept { times: [Ps(0); MOST], brings: 0, responses }), count: 0 }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub fn are_full(&self) -> bool {
        self.len() >= MOST
    }

    pub fn clear(&mut self) {
        self.count = 0;
        self.kept.brings = 0;
    }

    /// One more, of those that there is room for.
    #[inline]
    pub fn push(&mut self, time: Ps, response: &BusResponse) {
        let number = self.len();
        self.kept.times[number] = time;
        if *response != BusResponse::Acknowledge {
            self.kept.brings |= 1 << number;
            self.kept.responses[number] = *response;
        }
        self.count += 1;
    }

    pub fn get(&self, number: usize) -> (Ps, BusResponse) {
        let response = match self.kept.brings >> number & 1 {
            0 => BusResponse::Acknowledge,
            _ => self.kept.responses[number],
        };
        (self.kept.times[number], response)
    }

    /// When the last one comes.
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
        for turn in 0..3 {
            answers.clear();
            assert_eq!((answers.len(), answers.last_time()), (0, None));
            let answer = |n: u64| match (n + turn) % 3 {
                0 => BusResponse::Acknowledge,
                1 => BusResponse::Value(n),
                _ => BusResponse::Line([n as u8; 32]),
            };
            let mut count = 0;
            while !answers.are_full() {
                answers.push(Ps(100 * turn + count), &answer(count));
                count += 1;
                assert_eq!(answers.last_time(), Some(Ps(100 * turn + count - 1)));
            }
            assert_eq!((count, answers.len()), (64, 64));
            for n in 0..count {
                assert_eq!(answers.get(n as usize), (Ps(100 * turn + n), answer(n)));
            }
        }
    }
}
