//! The start and end of x87 instructions: latencies, and which instructions overlap.
//!
//! Source: `fog-tables` and `fog-microarchitecture`, the P1; numbers in `machine/isa/x87.toml`. An
//! instruction occupies the pipes for its latency less the clocks that integer instructions may
//! overlap. Another x87 instruction begins at the earliest in the clocks that the first one's row
//! lets x87 instructions overlap, and waits for the results that it reads. Each physical register
//! has the cycle at which its value is ready; FXCH exchanges those cycles too, and does not wait
//! for the values. A store needs its operand a clock early. Integer multiplications wait for a
//! division or square root, which occupies the multiplier.
//!
//! At the end of a run only times in the future are kept, so that states with an equal future
//! compare equal. Translated code keeps these times as distances from its own clock.
//!
//! Left out: FNSTSW does not overlap the integer instructions before it.

use rockcreek_x87::{Binary, Cost, Form, Format, Op as Operation, Source, Target};
use serde::{Deserialize, Serialize};

use crate::timing::pipeline::clocks;

/// The core cycles at which results and parts of the x87 are ready; 0: ready already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct X87Timing {
    /// For each physical register, the cycle at which its value is ready.
    ready: [u64; 8],
    /// The core cycles at which the unit is free: for any instruction, for a multiplication, and
    /// for a multiplication of integer registers, which uses the x87's multiplier.
    free: u64,
    multiplier: u64,
    pub integer_multiplier: u64,
}

/// The stack registers that an instruction reads and writes, relative to the top before it.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    reads: [Option<u8>; 2],
    writes: [Option<u8>; 2],
}

/// An x87 instruction with the properties that its latency depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct X87Issue<'a> {
    pub form: &'a Form,
    /// The i of ST(i).
    pub register: u8,
    /// The clocks that the block's schedule gives the instruction.
    pub clocks: u16,
    /// The number (0 to 7) of the register that is the stack's top before the instruction.
    pub top: u8,
    pub control: u16,
}

/// The stack register, relative to the old top, that becomes the top in a push.
const PUSHED: u8 = 7;

fn uses(operation: Operation, i: u8) -> Uses {
    let of = |reads, writes| Uses { reads, writes };
    const TOP: Option<u8> = Some(0);
    match operation {
        Operation::Arith(_, Target::Top(Source::Register)) => of([TOP, Some(i)], [TOP, None]),
        Operation::Arith(_, Target::Top(_)) | Operation::Unary(_) => of([TOP, None], [TOP, None]),
        Operation::Arith(_, Target::Register { .. }) => of([TOP, Some(i)], [Some(i), None]),
        Operation::Compare { source: Source::Register, .. } => of([TOP, Some(i)], [None; 2]),
        Operation::Compare { .. } | Operation::Examine | Operation::Store { .. } => {
            of([TOP, None], [None; 2])
        }
        Operation::Load(_) | Operation::LoadConstant(_) => of([None; 2], [Some(PUSHED), None]),
        Operation::LoadRegister => of([Some(i), None], [Some(PUSHED), None]),
        Operation::StoreRegister { .. } | Operation::StoreRegisterUnchecked => {
            of([TOP, None], [Some(i), None])
        }
        Operation::Binary(Binary::YLog2X | Binary::YLog2XPlus1 | Binary::ArcTangent) => {
            of([TOP, Some(1)], [Some(1), None])
        }
        Operation::Binary(_) => of([TOP, Some(1)], [TOP, None]),
        Operation::Pushing(_) => of([TOP, None], [TOP, Some(PUSHED)]),
        _ => Uses::default(),
    }
}

impl X87Timing {
    /// The core cycle at which an x87 instruction that is issued at cycle `now` begins: when its
    /// operands and the unit are ready. `top`: the top of the stack before it.
    fn start(&self, form: &Form, uses: &Uses, top: u8, now: u64) -> u64 {
        let early = match form.op {
            Operation::Store { format: Format::F32 | Format::F64 | Format::F80, .. } => {
                u64::from(clocks::STORE_OPERAND_READY)
            }
            _ => 0,
        };
        let operand = |i: u8| self.ready[usize::from((top + i) & 7)] + early;
        let operands = uses.reads.iter().flatten().map(|&i| operand(i)).max().unwrap_or(0);
        let multiplier = if form.cost.multiplier.is_some() { self.multiplier } else { 0 };
        now.max(self.free).max(operands).max(multiplier)
    }

    fn begin(&mut self, cost: &Cost, uses: &Uses, top: u8, start: u64, latency: u64) {
        let end = start + latency;
        self.free = end - u64::from(cost.fp_overlap);
        if let Some(overlap) = cost.multiplier {
            self.multiplier = end - u64::from(overlap);
        }
        if cost.holds_multiplier {
            self.integer_multiplier = end;
        }
        for &i in uses.writes.iter().flatten() {
            self.ready[usize::from((top + i) & 7)] = end;
        }
    }

    /// Executes an instruction that is issued at core cycle `cycles` and delayed by `extra` clocks.
    /// Returns its clocks in addition to those of its block and to `extra`.
    #[inline]
    pub fn execute(&mut self, issued: &X87Issue<'_>, cycles: u64, extra: u64) -> u64 {
        let X87Issue { form, register, clocks, top, control } = *issued;
        if form.op == Operation::Exchange {
            return self.exchange(issued, cycles);
        }
        let now = cycles + u64::from(clocks) + extra;
        let uses = uses(form.op, register);
        let start = self.start(form, &uses, top, now);
        let latency = u64::from(form.cost.clocks(control));
        self.begin(&form.cost, &uses, top, start, latency);
        start - now + u64::from(form.cost.alone())
    }

    /// FXCH: exchanges the times of two registers. Returns for how many clocks it waits for the
    /// unit, 0 if it pairs; its own clock is in the block's schedule.
    fn exchange(&mut self, issued: &X87Issue<'_>, cycles: u64) -> u64 {
        let X87Issue { register, clocks, top, .. } = *issued;
        self.ready.swap(usize::from(top & 7), usize::from((top + register) & 7));
        if clocks > 0 { self.free.saturating_sub(cycles) } else { 0 }
    }

    /// The core cycle at which a store that is issued at cycle `now` begins: when the unit is free
    /// and the value is ready.
    pub fn store_start(&self, issued: &X87Issue<'_>, now: u64) -> u64 {
        self.start(issued.form, &uses(issued.form.op, issued.register), issued.top, now)
    }

    /// True if no time is kept, so that no instruction has to wait.
    #[inline]
    pub fn is_clear(&self) -> bool {
        let units = self.free | self.multiplier | self.integer_multiplier;
        self.ready.iter().fold(units, |all, ready| all | ready) == 0
    }

    /// Sets to 0 all times that make no difference to any instruction at core cycle `cycle` or
    /// later.
    pub fn forget_past(&mut self, cycle: u64) {
        if self.is_clear() {
            return;
        }
        let early = u64::from(clocks::STORE_OPERAND_READY);
        for ready in &mut self.ready {
            *ready = if *ready + early > cycle { *ready } else { 0 };
        }
        for time in [&mut self.free, &mut self.multiplier, &mut self.integer_multiplier] {
            *time = if *time > cycle { *time } else { 0 };
        }
    }

    /// A copy of the times in which all that are not 0 are moved from clock `from` to clock `to`.
    pub fn moved(mut self, from: u64, to: u64) -> X87Timing {
        let rest = [&mut self.free, &mut self.multiplier, &mut self.integer_multiplier];
        for time in self.ready.iter_mut().chain(rest) {
            *time = if *time > 0 { *time + to - from } else { 0 };
        }
        self
    }

    /// True if no x87 instruction is in progress at this cycle.
    pub fn is_idle(&self, cycle: u64) -> bool {
        let last = self.ready.iter().copied().max().unwrap_or(0);
        last.max(self.free).max(self.multiplier).max(self.integer_multiplier) <= cycle
    }
}
