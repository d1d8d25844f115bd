//! Detection of polling loops by a core's last requests, and the state of a core that waits in one.

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr};

/// The number of equal answers until a core is tested for waiting. It grows after each failed test,
/// because a loop may look like a polling loop and not be one.
const MOST_PATIENCE: u32 = 1 << 10;
const LEAST_PATIENCE: u32 = 2;

/// A core that waits in a polling loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting<R> {
    pub request: BusRequest,
    pub response: BusResponse,
    /// The counts that each round adds.
    pub round: R,
    /// Cycles from an answer to the next request.
    pub run_cycles: u64,
    /// The number of rounds since the processor's state.
    pub rounds: u64,
    /// The core's cycle at the last answer.
    pub answered: u64,
    /// Cycles that all rounds together waited for answers.
    pub waited: u64,
    /// The cycle at which the core's timer ends the waiting.
    pub timer: u64,
    /// `until_stream`: rounds until the core is tested for being a stream; `stream_pause`: the
    /// rounds after a failed test.
    until_stream: u64,
    stream_pause: u64,
    /// The most rounds of the next stream.
    pub most_rounds: u64,
}

/// The most rounds of a core's first stream, doubled for each further one, and the limit of that;
/// the rounds until the next test after failed ones.
const FIRST_ROUNDS: u64 = 1 << 7;
const MOST_ROUNDS: u64 = 1 << 16;
const LEAST_TRAIN_PAUSE: u64 = 1;
const MOST_TRAIN_PAUSE: u64 = 16;

impl<R> Waiting<R> {
    /// The state of a core that begins to wait after an answer at cycle `answered`; the request
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

    /// Passes rounds of `cycles` cycles each.
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

/// How far a core's last requests were equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PollDetector {
    /// The address of the last request, and the cycles before it: other requests mostly differ in
    /// these.
    sign: (Option<CoreAddr>, u64),
    /// The last request and its answer, once the sign has occurred twice in a row.
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
    /// Records an answer. True if it is time to test whether the core waits.
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

    /// True if an answer equal to the previous ones would make a test due, or the answer after it
    /// would. The core's window must then begin between the two.
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

    /// True if the core may continue with an answer before its time; the answer is then recorded.
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

    /// True if a request with this sign looks like the last one.
    #[inline(always)]
    pub(crate) fn is_of(&self, sign: (Option<CoreAddr>, u64)) -> bool {
        self.sign == sign
    }

    /// [`PollDetector::passes`] for a request with the last one's sign.
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
