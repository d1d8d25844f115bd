//! Cores that follow a script instead of executing code.

use rockcreek_boot::EntryState;
use rockcreek_chip::{Chip, Description, Processor, Stop};
use rockcreek_defs::{BusRequest, BusResponse, CoreAddr, CoreId, Pins};
use rockcreek_observe::{Instruction, Statistic};
use serde::{Deserialize, Serialize};

/// A step of a scripted core.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Step {
    /// Private work, as one instruction.
    Work(u64),
    Bus(BusRequest),
    /// Like `Bus`, but the request leaves the core in the cycle in which the core continues.
    AtOnce(BusRequest),
    /// Reads repeatedly until the low bits of the response have this value.
    Await(BusRequest, u64),
    Halt,
    /// Continues with the step of this number.
    Goto(usize),
}

/// A core that follows a script and records when it noticed a pin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Script {
    pub steps: Vec<Step>,
    pub next: usize,
    pub cycles: u64,
    pub pins: Pins,
    /// The cycle and the step at which LINT0 was first recognised.
    pub interrupts: Vec<(u64, usize)>,
    pub values: Vec<u64>,
    pub waiting: bool,
    pub level2_switched: Vec<(u64, bool)>,
    /// The number of times that the core was run. It measures the host's work and is no state.
    #[serde(skip)]
    pub runs: u64,
    #[serde(skip)]
    saved: Option<Box<Script>>,
}

impl Script {
    /// A copy without the host's counts, for comparison.
    pub fn without_runs(self) -> Script {
        Script { runs: 0, saved: None, ..self }
    }
}

impl Processor for Script {
    type Shared = ();
    type State = Script;
    type Round = ();

    fn reset(&mut self, _level2: bool) {
        (self.next, self.cycles, self.waiting) = (0, 0, false);
    }

    fn enter(&mut self, _entry: &EntryState) {}

    fn cycles(&self) -> u64 {
        self.cycles
    }

    fn advance_to(&mut self, cycle: u64) {
        self.cycles = self.cycles.max(cycle);
    }

    fn run(&mut self, _shared: &mut (), limit: u64) -> Stop {
        self.runs += 1;
        loop {
            if self.waiting {
                return Stop::Bus;
            }
            if self.cycles >= limit {
                return Stop::Limit;
            }
            if self.pins.lint0 && self.interrupts.len() < 8 {
                self.interrupts.push((self.cycles, self.next));
                self.pins.lint0 = false;
                self.cycles += 10;
            }
            match self.steps[self.next] {
                Step::Work(cycles) => self.cycles += cycles,
                Step::Bus(_) | Step::AtOnce(_) | Step::Await(..) => {
                    self.cycles += u64::from(!matches!(self.steps[self.next], Step::AtOnce(_)));
                    self.waiting = true;
                    return Stop::Bus;
                }
                Step::Halt => return Stop::Halted,
                Step::Goto(step) => {
                    self.next = step;
                    continue;
                }
            }
            self.next += 1;
        }
    }

    fn waiting_for(&self) -> Option<&BusRequest> {
        match self.steps.get(self.next) {
            Some(Step::Bus(request) | Step::AtOnce(request) | Step::Await(request, _))
                if self.waiting =>
            {
                Some(request)
            }
            _ => None,
        }
    }

    fn complete(&mut self, cycle: u64, response: &BusResponse) {
        let value = match response {
            BusResponse::Value(value) => *value,
            BusResponse::Line(line) => u64::from(line[0]),
            BusResponse::Acknowledge => 0,
        };
        self.cycles = cycle;
        self.waiting = false;
        if let Step::Await(_, wanted) = self.steps[self.next] {
            self.next += usize::from(value == wanted);
            return;
        }
        if let BusResponse::Value(value) = response {
            self.values.push(*value);
            self.values.truncate(64);
        }
        self.next += 1;
    }

    fn recurs(&mut self) -> Option<()> {
        let before = self.saved.as_deref()?.clone();
        let now = Script { cycles: before.cycles, ..self.clone().without_runs() };
        (before.without_runs() == now).then_some(())
    }

    fn repeat(&mut self, _round: &(), _rounds: u64, cycle: u64, _waited: u64) {
        self.cycles = cycle;
    }

    fn set_pins(&mut self, pins: Pins) {
        self.pins = pins;
    }

    fn set_level2(&mut self, enabled: bool) {
        self.level2_switched.push((self.cycles, enabled));
    }

    fn next_timer_cycle(&self) -> Option<u64> {
        None
    }

    fn begin_window(&mut self) {
        self.saved = None;
        self.saved = Some(Box::new(self.clone()));
    }

    fn rollback(&mut self) {
        let saved = self.saved.take().expect("a window is open");
        let runs = self.runs;
        *self = Script { saved: Some(saved.clone()), runs, ..*saved };
    }

    fn statistics(&self) -> Statistic {
        Statistic::Count(self.cycles)
    }

    fn record(&mut self, _on: bool) {}

    fn drain(&mut self, _sink: &mut dyn FnMut(&Instruction)) {}

    fn state(&self) -> Script {
        Script { saved: None, ..self.clone() }
    }

    fn restore(&mut self, state: &Script) {
        *self = state.clone();
        self.begin_window();
    }
}

/// A chip whose first cores follow these scripts and have been released.
pub fn chip_of(description: &Description, scripts: &[Vec<Step>]) -> Chip<Script> {
    let mut chip = Chip::new(description, |core| Script {
        steps: scripts.get(core.index()).cloned().unwrap_or_default(),
        ..Script::default()
    });
    for core in 0..scripts.len() {
        chip.release(CoreId(core as u16));
    }
    chip
}

pub fn chip(scripts: &[Vec<Step>]) -> Chip<Script> {
    chip_of(&Description::parse(super::SCC).unwrap(), scripts)
}

pub fn read(addr: u32) -> Step {
    Step::Bus(BusRequest::Read { addr: CoreAddr(addr), size: 4 })
}

pub fn write(addr: u32, data: u64) -> Step {
    Step::Bus(BusRequest::Write { addr: CoreAddr(addr), size: 4, data, posted: false })
}
