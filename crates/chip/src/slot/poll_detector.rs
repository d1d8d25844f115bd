//! Detection of polling loops by a core's last requests, and the state of a core that waits in one.
//!
//! Without this path 8 cores at barriers (`benches/programs/barrier.c`) take 1.8 times the host's
//! instructions (2026-11-29).

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr};

/// After this many equal responses a core is tested for waiting in a polling loop: the limit, and
/// the first value. The number grows after each failed test, because a loop may look like a polling
/// loop and not be one. With 8 as the first value a storm of messages (`benches/programs/storm.c`)
/// takes 1.04 times the host's instructions; 16 as the limit changes less than 1 % (2026-11-29).
const MOST_PATIENCE: u32 = 1 << 10;
const LEAST_PATIENCE: u32 = 2;

/// A core that waits in a polling loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting<R> {
    pub request: BusRequest,
    pub response: BusResponse,
    /// The counts that each round of the loop adds to the processor's.
    pub round: R,
    /// Core cycles from a response to the next request.
    pub run_cycles: u64,
    /// How many rounds have been skipped since the processor's state was current.
    pub rounds: u64,
    /// The core cycle at which the last response arrived.
    pub answered: u64,
    /// Core cycles that all skipped rounds together waited for responses.
    pub waited: u64,
    /// The core cycle at which the core's timer ends the waiting; `u64::MAX` without a timer.
    pub timer: u64,
    /// `until_stream`: in how many rounds the core is tested for becoming a periodic stream.
    /// `stream_pause`: how many rounds to wait after the next failed test.
    until_stream: u64,
    stream_pause: u64,
    /// The largest number of rounds that the core's next periodic stream may have.
    pub most_rounds: u64,
}

/// `FIRST_ROUNDS`: the largest number of rounds of a core's first periodic stream, doubled for each
/// further one up to `MOST_ROUNDS`. The pauses: how many rounds pass between a failed test (whether
/// the core can become a stream) and the next.
const FIRST_ROUNDS: u64 = 1 << 7;
const MOST_ROUNDS: u64 = 1 << 16;
const LEAST_PAUSE: u64 = 1;
const MOST_PAUSE: u64 = 16;

impl<R> Waiting<R> {
    /// The state of a core that begins to wait in a polling loop after a response at core cycle
    /// `answered`; its request follows `run_cycles` cycles later.
    pub fn new(
        request: BusRequest,
        response: BusResponse,
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
            stream_pause: LEAST_PAUSE,
            most_rounds: FIRST_ROUNDS,
        }
    }

    /// The core cycle at which the next request leaves.
    pub fn sent(&self) -> u64 {
        self.answered + self.run_cycles
    }

    /// Counts `rounds` further rounds, each of `cycles` core cycles.
    pub fn pass(&mut self, rounds: u64, cycles: u64) {
        self.rounds += rounds;
        self.answered += rounds * cycles;
        self.waited += rounds * (cycles - self.run_cycles);
    }

    /// How many rounds of `cycles` core cycles end before the core's timer fires.
    pub fn rounds_until_timer(&self, cycles: u64) -> u64 {
        (self.timer - self.sent()).saturating_sub(1) / cycles
    }

    /// True if it is time to test whether the core can become a periodic stream; each call counts
    /// as one round.
    pub fn wants_stream(&mut self) -> bool {
        let wants = self.until_stream == 0;
        self.until_stream = self.until_stream.saturating_sub(1);
        wants
    }

    /// Records that the core has become a periodic stream; the next one may have twice as many
    /// rounds.
    pub fn stream_begun(&mut self) {
        self.stream_pause = LEAST_PAUSE;
        self.most_rounds = (2 * self.most_rounds).min(MOST_ROUNDS);
    }

    /// Records that the core cannot become a periodic stream now; the next test comes later.
    pub fn stream_failed(&mut self) {
        self.until_stream = self.stream_pause;
        self.stream_pause = (2 * self.stream_pause).min(MOST_PAUSE);
    }
}

/// A request's address and distance, which distinguish most requests from the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sign {
    /// The request's address; `None` if it has none.
    pub addr: Option<CoreAddr>,
    /// Core cycles from the response before to the request.
    pub run_cycles: u64,
}

/// Detects that a core repeats one request and gets equal responses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PollDetector {
    /// The last request's sign. In most loops that do not poll, requests differ in it.
    sign: Sign,
    /// The last request and its response, once two requests in a row had equal addresses and
    /// distances; otherwise `None`.
    question: Option<(BusRequest, BusResponse)>,
    alike: u32,
    patience: u32,
}

impl Default for PollDetector {
    fn default() -> PollDetector {
        PollDetector { sign: Sign::default(), question: None, alike: 0, patience: LEAST_PATIENCE }
    }
}

impl PollDetector {
    /// Records a request and its response. `run_cycles`: the core cycles from the previous response
    /// to this request. Returns true if as many requests, responses and distances in a row were
    /// equal as `patience` demands (2 to 1,024), so that the core should be tested for waiting.
    #[inline]
    pub(crate) fn note(
        &mut self,
        request: &BusRequest,
        response: &BusResponse,
        run_cycles: u64,
    ) -> bool {
        let sign = Sign { addr: request.addr(), run_cycles };
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

    /// Starts counting anew with a request whose address or distance differs from the last one's.
    #[inline(always)]
    pub(crate) fn begin(&mut self, sign: Sign) {
        (self.sign, self.question) = (sign, None);
        (self.alike, self.patience) = (0, LEAST_PATIENCE);
    }

    /// True if this response, being equal to the previous ones, makes a test for waiting due, or if
    /// one more would. The core's window must then begin between these two responses, so that the
    /// test can compare the core's states after them.
    #[inline]
    pub(crate) fn is_near(
        &self,
        request: &BusRequest,
        response: &BusResponse,
        run_cycles: u64,
    ) -> bool {
        self.sign == Sign { addr: request.addr(), run_cycles }
            && self.alike + 2 >= self.patience
            && self.question == Some((*request, *response))
    }

    /// True if the core may continue with this response before its time; the response is then
    /// recorded. False if a test for waiting may be due.
    #[inline(always)]
    pub(crate) fn passes(
        &mut self,
        request: &BusRequest,
        response: &BusResponse,
        run_cycles: u64,
    ) -> bool {
        let sign = Sign { addr: request.addr(), run_cycles };
        if self.sign != sign {
            self.begin(sign);
            return true;
        }
        self.passes_again(request, response, run_cycles)
    }

    /// True if the last request had this address and this distance from the response before it.
    #[inline(always)]
    pub(crate) fn is_of(&self, sign: Sign) -> bool {
        self.sign == sign
    }

    /// Like [`PollDetector::passes`], for a request with the last one's address and distance.
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

    /// Records a failed test for waiting: the next one comes after four times as many equal
    /// responses, at most [`MOST_PATIENCE`].
    pub(crate) fn disappoint(&mut self) {
        self.alike = 0;
        self.patience = (4 * self.patience).min(MOST_PATIENCE);
    }
}
