//! The state of the x87 that is known during translation: which registers are empty, which
//! instructions are in progress, and whether the values are in the core's or the host's registers.
//!
//! A block is translated for one x87 state before it. Stack faults, waits for results and latencies
//! are then determined at translation, and only an instruction's arithmetic remains. This works
//! only while all exceptions are masked, because then the state after an instruction is
//! predictable. The interpreter does all other instructions. If the clocks differ from the
//! prediction (a load missed L1D while a result was awaited), the region is left and entered again
//! for the actual state.
//!
//! Done in place, on the host's x87: loads and stores of binary numbers, the four operations,
//! square root, rounding, comparison, exchange, constants, the control word. IEEE 754 and the
//! manuals define these to the last bit, flags included, so the host's x87 gives the results of
//! crates/x87; tests compare both. Transcendental functions differ between processors, and partial
//! remainders leave much undefined: for these, translated code calls crates/x87 ([`is_computed`]);
//! their effects on stack and time are known.
//!
//! In the host's instructions: a stencil over doubles (`benches/programs/stencil_x87.c`) takes 33
//! times as many if the interpreter does the x87's instructions, a loop of FSIN 4.0 times if it
//! does transcendental functions, and a loop over misaligned doubles 34 times if it does misaligned
//! operands (2026-11-29).

use rockcreek_x87::{Binary, Form, Format, Fpu, Op as Operation, Operand, Source, Target, Unary};
use rockcreek_x87::{Pushing, execute};

use crate::core::parts::Core;
use crate::execute::isa::x87::form_of;
use crate::execute::op::Op;
use crate::registers::register_file::cr0;
use crate::state::core_state::State;
use crate::timing::x87_latency::{X87Issue, X87Timing};

/// The clock that stands for the start of an instruction; the times in a [`Floating`] are relative
/// to it.
const ORIGIN: u64 = 1 << 20;
/// Control word: all exceptions masked.
pub(crate) const ALL_MASKED: u16 = 0x3F;
/// Control word: the field of precision control, and its reserved value.
pub(crate) const PRECISION: u16 = 0x300;
const RESERVED_PRECISION: u16 = 0x100;
/// The values of the field of precision control that are valid: single, double and extended
/// precision.
pub(crate) const PRECISIONS: [u16; 3] = [0, 0x200, 0x300];

/// The state of the x87 at one place of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Floating {
    timing: X87Timing,
    pub top: u8,
    /// Bit i: physical register i of the guest's x87 is empty.
    pub empty: u8,
    /// The field PC (precision control) of the x87's control word, in its position: a value of
    /// `PRECISIONS`.
    pub precision: u16,
    /// True if the host's x87 holds the values: guest ST(i), empty or not, in the host's ST(i).
    pub loaded: bool,
}

impl Floating {
    /// The state of a core's x87 between two instructions; `None` if it is not predictable.
    pub fn of(state: &State) -> Option<Floating> {
        is_foreseeable(state).then(|| Floating {
            timing: timing_of(state),
            top: state.fpu.top(),
            empty: state.fpu.empty(),
            precision: state.fpu.control() & PRECISION,
            loaded: false,
        })
    }

    /// True if the core's x87 is in this state. The comparison ignores `loaded`.
    #[inline]
    pub fn is(&self, state: &State) -> bool {
        let timing = match state.x87.is_clear() {
            true => self.is_settled(),
            false => self.timing == timing_of(state),
        };
        timing
            && is_foreseeable(state)
            && self.top == state.fpu.top()
            && self.empty == state.fpu.empty()
            && self.precision == state.fpu.control() & PRECISION
    }

    /// Stores the times of the instructions in progress in the core's state.
    #[inline]
    pub fn put_timing(&self, state: &mut State) {
        state.x87 = match self.is_settled() {
            true => X87Timing::default(),
            false => self.timing.moved(ORIGIN, state.cycles),
        };
    }

    /// True if no x87 instruction is in progress that could delay another one.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.timing.is_clear()
    }

    /// Changes the state to the one after `clocks` more core clocks without an x87 instruction.
    pub fn pass(&mut self, clocks: u64) {
        self.timing.forget_past(ORIGIN + clocks);
        self.timing = self.timing.moved(ORIGIN + clocks, ORIGIN);
    }

    /// For how many core clocks an integer multiplication must wait for the x87's multiplier.
    pub fn holds_multiplier(&self) -> u64 {
        self.timing.integer_multiplier.saturating_sub(ORIGIN)
    }

    /// Executes an instruction in this state, which becomes the state after it. Returns the clocks
    /// that the x87 adds to the instruction's own; the caller lets all of them pass (`pass`).
    /// `None`, with the state unchanged, if the instruction cannot be done in place.
    pub fn issue(&mut self, op: &Op) -> Option<u64> {
        let form = form_of(op);
        if !self.in_place(form, op.a) {
            return None;
        }
        let (top, control) = (self.top, self.precision);
        let issued = X87Issue { form, register: op.a, clocks: op.cycles, top, control };
        let more = self.timing.execute(&issued, ORIGIN, 0);
        self.change_stack(form.op, op.a);
        self.loaded = true;
        Some(more)
    }

    /// Like [`Floating::issue`], for an instruction whose operand crosses its natural boundary
    /// (`x87_misaligned.rs`); `penalty`: the core clocks that this costs, which are part of the
    /// result. After `None` the state is of no use.
    pub fn issue_skewed(&mut self, op: &Op, penalty: u64) -> Option<u64> {
        let form = form_of(op);
        let waits = match form.write_bytes > 0 {
            true => { *self }.issue(op)? - u64::from(form.cost.alone()),
            false => 0,
        };
        let delay = waits + penalty;
        self.pass(delay);
        let more = self.issue(op)?;
        self.timing = self.timing.moved(ORIGIN, ORIGIN + delay);
        Some(delay + more)
    }

    fn is_empty(&self, i: u8) -> bool {
        self.empty >> ((self.top + i) & 7) & 1 != 0
    }

    fn in_place(&self, form: &Form, i: u8) -> bool {
        let there = !self.is_empty(0);
        let both = there && !self.is_empty(i);
        let room = self.is_empty(7);
        match form.op {
            Operation::Arith(_, Target::Top(Source::Memory(_))) => there,
            Operation::Arith(..) => both,
            Operation::Load(format) => room && format != Format::Bcd,
            Operation::LoadRegister => room && !self.is_empty(i),
            Operation::LoadConstant(_) => room,
            Operation::Store { format, .. } => there && format != Format::Bcd,
            Operation::StoreRegister { .. } => there,
            Operation::Exchange => both,
            Operation::Compare { source: Source::Register, .. } => both,
            Operation::Compare { .. } | Operation::Examine => there,
            Operation::Unary(_) => there,
            Operation::Binary(_) => there && !self.is_empty(1),
            Operation::Pushing(_) => there && room,
            Operation::Free { pop: false }
            | Operation::IncrementTop
            | Operation::DecrementTop
            | Operation::LoadControl
            | Operation::StoreControl
            | Operation::StoreStatusAx
            | Operation::Nop
            | Operation::Wait => true,
            _ => false,
        }
    }

    fn change_stack(&mut self, operation: Operation, i: u8) {
        match operation {
            Operation::Load(_)
            | Operation::LoadRegister
            | Operation::LoadConstant(_)
            | Operation::Pushing(_) => {
                self.rotate(7);
                self.fill(0);
            }
            Operation::StoreRegister { .. } => self.fill(i),
            Operation::Free { .. } => self.free(i),
            Operation::IncrementTop => self.rotate(1),
            Operation::DecrementTop => self.rotate(7),
            _ => {}
        }
        for _ in 0..pops(operation) {
            self.free(0);
            self.rotate(1);
        }
    }

    fn rotate(&mut self, by: u8) {
        self.top = (self.top + by) & 7;
    }

    fn fill(&mut self, i: u8) {
        self.empty &= !(1 << ((self.top + i) & 7));
    }

    fn free(&mut self, i: u8) {
        self.empty |= 1 << ((self.top + i) & 7);
    }
}

/// True if the effects of the core's next x87 instruction are predictable: all exceptions are
/// masked, EM and TS of CR0 are 0, and precision control has a valid value. The core must be
/// between two instructions.
#[inline]
fn is_foreseeable(state: &State) -> bool {
    let control = state.fpu.control();
    let masked = control & ALL_MASKED == ALL_MASKED;
    let available = state.cr0 & (cr0::EM | cr0::TS) == 0;
    masked && available && control & PRECISION != RESERVED_PRECISION
}

/// The times of the instructions in progress in a core's x87, relative to `ORIGIN`.
fn timing_of(state: &State) -> X87Timing {
    let mut timing = state.x87;
    timing.forget_past(state.cycles);
    timing.moved(state.cycles, ORIGIN)
}

/// How many times an instruction that is done in place pops the stack.
pub(crate) fn pops(operation: Operation) -> u8 {
    match operation {
        Operation::Compare { pops, .. } => pops,
        Operation::Binary(kind) => u8::from(delivers_below(kind)),
        Operation::Arith(_, Target::Register { pop: true })
        | Operation::Store { pop: true, .. }
        | Operation::StoreRegister { pop: true } => 1,
        _ => 0,
    }
}

/// True if the operation pops, and its result goes to the register that is the top afterwards (the
/// old ST(1)).
fn delivers_below(kind: Binary) -> bool {
    matches!(kind, Binary::YLog2X | Binary::YLog2XPlus1 | Binary::ArcTangent)
}

/// True for an operation on registers for which translated code calls crates/x87.
pub(crate) fn is_computed(operation: Operation) -> bool {
    match operation {
        Operation::Unary(kind) => {
            matches!(kind, Unary::TwoToXMinusOne | Unary::Sin | Unary::Cos)
        }
        Operation::Binary(_) | Operation::Pushing(_) => true,
        _ => false,
    }
}

impl Core {
    /// Executes an operation of [`is_computed`] on the registers in the core. Returns false if it
    /// pushed nothing, although the code was translated for a push; a second execution then has no
    /// further effect.
    pub(crate) fn compute(&mut self, op: &Op) -> bool {
        let operation = form_of(op).op;
        let fpu = &mut self.state.fpu;
        let top = fpu.top();
        let operand = Operand { register: 0, memory: &[], protected: true };
        execute(fpu, operation, operand, &mut []);
        !may_not_push(operation) || fpu.top() != top
    }
}

/// True for an operation that pushes a result unless its operand is too large.
pub(crate) fn may_not_push(operation: Operation) -> bool {
    matches!(operation, Operation::Pushing(Pushing::Tangent | Pushing::SinCos))
}

/// The byte offset of a physical x87 register (0 to 7) in the x87 unit, for translated code.
pub(crate) const fn register_offset(number: usize) -> usize {
    rockcreek_x87::layout::REGISTERS + number * rockcreek_x87::layout::REGISTER_BYTES
}

const _: () = assert!(register_offset(8) <= size_of::<Fpu>());
