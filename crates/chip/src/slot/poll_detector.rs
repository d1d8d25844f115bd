//! Detection of polling loops by a core's last requests, and the state of a core that waits in one.

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr};

/// The number of equal responses after which a core is tested for waiting: the first value, and the
/// limit of its growth. It grows after each failed test, because a loop may look like a polling
/// loop and not be one.
const MOST_PATIENCE: u32 = 1 << 10;
const LEAST_PATIENCE: u32 = 2;

/// A core that waits in a polling loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting<R> {
    pub request: BusRequest,
    pub response: BusResponse,
    /// The counts that each round adds to the processor's.
    pub round: R,
    /// The number of cycles from a response to the next request.
    pub run_cycles: u64,
    /// The number of rounds that have passed since the processor's state was current.
    pub rounds: u64,
    /// The core's cycle at the last response.
    pub answered: u64,
    /// The number of cycles that all skipped rounds together waited for responses.
    pub waited: u64,
    /// The cycle at which the core's timer ends the waiting.
    pub timer: u64,
    /// `until_stream`: the number of rounds until the core is tested for becoming a stream.
    /// `stream_pause`: the number of rounds to wait after the next failed test.
    until_stream: u64,
    stream_pause: u64,
    /// The largest number of rounds of the next stream.
    pub most_rounds: u64,
}

/// `FIRST_ROUNDS`: the largest number of rounds of a core's first stream, which is doubled for each
/// further stream up to `MOST_ROUNDS`. The pauses: the rounds between a failed test and the next
/// one.
const FIRST_ROUNDS: u64 = 1 << 7;
const MOST_ROUNDS: u64 = 1 << 16;
const LEAST_TRAIN_PAUSE: u64 = 1;
const MOST_TRAIN_PAUSE: u64 = 16;

impl<R> Waiting<R> {
    /// The state of a core that begins to wait after a response at cycle `answered`; its request
    /// followed `run_cycles` later.
    pub fn new(
        (request, response): (BusRequest, BusResponse),
        round: R,
        run_cycles: u64,
        answered: u64,
        timer: u64,
    ) -> Waiting<R> {
        Waiting {
            request,
            response,
            round,
            run_cycles,
            rounds: 0,
            answered,
            waited: 0,
            timer,
            until_stream: 0,
            stream_pause: LEAST_TRAIN_PAUSE,
            most_rounds: FIRST_ROUNDS,
        }
    }

    /// The core's cycle at the next request.
    pub fn sent(&self) -> u64 {
        self.answered + self.run_cycles
    }

    /// Counts `rounds` rounds of `cycles` cycles each.
    pub fn pass(&mut self, rounds: u64, cycles: u64) {
        self.rounds += rounds;
        self.answered += rounds * cycles;
        self.waited += rounds * (cycles - self.run_cycles);
    }

    /// The number of rounds of `cycles` cycles that end before the core's timer fires.
    pub fn rounds_until_timer(&self, cycles: u64) -> u64 {
        (self.timer - self.sent()).saturating_sub(1) / cycles
    }

    /// True if it is time to test whether the core can be a stream.
    pub fn wants_stream(&mut self) -> bool {
        let wants = self.until_stream == 0;
        self.until_stream = self.until_stream.saturating_sub(1);
        wants
    }

    /// Records that the core has become a stream; the next one may be longer.
    pub fn stream_begun(&mut self) {
        self.stream_pause = LEAST_TRAIN_PAUSE;
        self.most_rounds = (2 * self.most_rounds).min(MOST_ROUNDS);
    }

    /// Records that the core cannot be a stream now.
    pub fn stream_failed(&mut self) {
        self.until_stream = self.stream_pause;
        self.stream_pause = (2 * self.stream_pause).min(MOST_TRAIN_PAUSE);
    }
}

/// Records whether a core's last requests were equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PollDetector {
    /// The address of the last request, and the cycles before it. In most loops that do not poll,
    /// requests differ in one of these.
    sign: (Option<CoreAddr>, u64),
    /// The last request and its response, once its sign has occurred twice in a row.
    question: Option<(BusRequest, BusResponse)>,
    alike: u32,
    patience: u32,
}

impl Default for PollDetector {
    fn default() -> PollDetector {
        PollDetector { sign: (None, 0), question: None, alike: 0, patience: LEAST_PATIENCE }
    }
}

impl PollDetector {
    /// Records a response. True if it is time to test whether the core waits.
    #[inline]
    pub(crate) fn note(
        &mut self,
        request: &BusRequest,
        response: &BusResponse,
        run_cycles: u64,
    ) -> bool {
        let sign = (request.addr(), run_cycles);
        if self.sign != sign {
            self.begin(sign);
            return false;
        }
        let question = Some((*request, *response));
        if self.question != question {
            *self = PollDetector { sign, question, ..PollDetector::default() };
            return false;
        }
        self.alike += 1;
        self.alike >= self.patience
    }

    /// Records a request with another sign than the last one.
    #[inline(always)]
    pub(crate) fn begin(&mut self, sign: (Option<CoreAddr>, u64)) {
        (self.sign, self.question) = (sign, None);
        (self.alike, self.patience) = (0, LEAST_PATIENCE);
    }

    /// True if `response`, equal to the previous ones, would make a test due, or if the response
    /// after it would. The core's window must then begin between these two responses, so that the
    /// test can compare the core's states after them.
    #[inline]
    pub(crate) fn is_near(
        &self,
        request: &BusRequest,
        response: &BusResponse,
        run_cycles: u64,
    ) -> bool {
        self.sign == (request.addr(), run_cycles)
            && self.alike + 2 >= self.patience
            && self.question == Some((*request, *response))
    }

    /// True if the core may continue with a response before its time; the response is then
    /// recorded.
    #[inline(always)]
    pub(crate) fn passes(
        &mut self,
        request: &BusRequest,
        response: &BusResponse,
        run_cycles: u64,
    ) -> bool {
        let sign = (request.addr(), run_cycles);
        if self.sign != sign {
            self.begin(sign);
            return true;
        }
        self.passes_again(request, response, run_cycles)
    }

    /// True if the last request had this sign.
    #[inline(always)]
    pub(crate) fn is_of(&self, sign: (Option<CoreAddr>, u64)) -> bool {
        self.sign == sign
    }

    /// Like [`PollDetector::passes`], for a request with the last one's sign.
    #[inline(never)]
    fn passes_again(
        &mut self,
        request: &BusRequest,
        response: &BusResponse,
        run_cycles: u64,
    ) -> bool {
        let near = self.is_near(request, response, run_cycles);
        if !near {
            self.note(request, response, run_cycles);
        }
        !near
    }

    /// Records a failed test: the core did not wait.
    pub(crate) fn disappoint(&mut self) {
        self.alike = 0;
        self.patience = (4 * self.patience).min(MOST_PATIENCE);
    }
}
