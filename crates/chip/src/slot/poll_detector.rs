//! What a core's last requests tell of it: whether they are those of a polling loop, and the
//! state of a loop that does.

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr};

/// A loop may look like a waiting one and not be: how many more equal answers it then takes
/// until it is looked at again.
const MOST_PATIENCE: u32 = 1 << 10;
const LEAST_PATIENCE: u32 = 2;

/// A core that waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting<R> {
    pub request: BusRequest,
    pub response: BusResponse,
    /// What each round counts.
    pub round: R,
    /// From an answer to the next request.
    pub run_cycles: u64,
    /// Rounds since the processor's state.
    pub rounds: u64,
    /// The core's cycle at the last answer.
    pub answered: u64,
    /// Cycles before the answers of all rounds.
    pub waited: u64,
    /// The cycle at which the core's timer would end the waiting.
    pub timer: u64,
    /// Rounds until it is asked again whether the core can be a stream, and after a refusal.
    until_stream: u64,
    stream_pause: u64,
    /// How long the next stream may run without being looked at.
    pub most_rounds: u64,
}

/// A stream that is not disturbed is looked at after so many rounds; each time it was not, after
/// twice as many.
const FIRST_ROUNDS: u64 = 1 << 7;
const MOST_ROUNDS: u64 = 1 << 16;
const LEAST_TRAIN_PAUSE: u64 = 1;
const MOST_TRAIN_PAUSE: u64 = 16;

impl<R> Waiting<R> {
    /// It begins after an answer at cycle `answered`; the request followed `run_cycles` later.
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

    /// Passes rounds of so many cycles each.
    pub fn pass(&mut self, rounds: u64, cycles: u64) {
        self.rounds += rounds;
        self.answered += rounds * cycles;
        self.waited += rounds * (cycles - self.run_cycles);
    }

    /// How many rounds of so many cycles end before the core's timer has something to say.
    pub fn rounds_until_timer(&self, cycles: u64) -> u64 {
        (self.timer - self.sent()).saturating_sub(1) / cycles
    }

    /// Whether it is time to see if the core can be a stream.
    pub fn wants_stream(&mut self) -> bool {
        let wants = self.until_stream == 0;
        self.until_stream = self.until_stream.saturating_sub(1);
        wants
    }

    /// It is one, and may next time be looked at later.
    pub fn stream_begun(&mut self) {
        self.stream_pause = LEAST_TRAIN_PAUSE;
        self.most_rounds = (2 * self.most_rounds).min(MOST_ROUNDS);
    }

    /// It cannot, now.
    pub fn stream_failed(&mut self) {
        self.until_stream = self.stream_pause;
        self.stream_pause = (2 * self.stream_pause).min(MOST_TRAIN_PAUSE);
    }
}

/// How a core's last requests were alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PollDetector {
    /// Where the last one went, and the cycles before it: others mostly differ in that.
    sign: (Option<CoreAddr>, u64),
    /// All of it and its answer, once the sign has come twice.
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
    /// One more answer. True if it is time to see whether the core waits.
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

    /// A request that is not like the last one.
    #[inline(always)]
    pub(crate) fn begin(&mut self, sign: (Option<CoreAddr>, u64)) {
        (self.sign, self.question) = (sign, None);
        (self.alike, self.patience) = (0, LEAST_PATIENCE);
    }

    /// Whether an answer like these before would make it time to look, or the one after it: then
    /// the core's window must begin between them.
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

    /// Whether the core may go on with an answer before its time; then the answer is noted.
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

    /// Whether a request with this sign is at first sight like the last one.
    #[inline(always)]
    pub(crate) fn is_of(&self, sign: (Option<CoreAddr>, u64)) -> bool {
        self.sign == sign
    }

    /// The same for a request that is like the last one.
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

    /// It did not.
    pub(crate) fn disappoint(&mut self) {
        self.alike = 0;
        self.patience = (4 * self.patience).min(MOST_PATIENCE);
    }
}
