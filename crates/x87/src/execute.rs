//! One x87 instruction: stack checks, the operation, and what its exceptions leave behind.
//!
//! Responses (`intel-pentium-manual`, chapter 7): a masked exception delivers its default result;
//! an unmasked invalid operation, denormal operand or division by zero leaves operands and stack
//! as they were; an unmasked overflow or underflow stores a wrapped result in a register but
//! nothing in memory; an unmasked precision exception stores the result. In all cases the flag is
//! set, and the next waiting instruction finds [`Fpu::pending`].

use crate::arith;
use crate::compare;
use crate::convert;
use crate::environment;
use crate::f80::{BIAS, Class, F80};
use crate::fpu::{C0, C1, C2, C3, Fpu};
use crate::op::{Arith, Binary, Constant, Format, Op, Pushing, Source, Target, Unary};
use crate::remainder::remainder;
use crate::round::{Context, DENORMAL, INVALID, Rounding, STACK_FAULT};
use crate::transcendental;

/// The largest memory operand: FNSAVE with 32-bit operands.
pub const IMAGE_BYTES: usize = 108;

/// The operands that the instruction names.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a> {
    /// i of ST(i); 0 if it names none.
    pub register: u8,
    /// The memory operand that was read: exactly `Form::read_bytes` bytes.
    pub memory: &'a [u8],
    /// Protected mode and not virtual-8086: the layout of environments.
    pub protected: bool,
}

/// What the core must do after an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Bytes of `store` for the memory operand: all, or 0 if nothing must be written.
    pub stored: u8,
    /// The new AX (FNSTSW AX).
    pub ax: Option<u16>,
}

const NOTHING: Outcome = Outcome { stored: 0, ax: None };

/// Executes one instruction. The core has already reported pending exceptions and read memory;
/// `store` takes what is to be written, exactly `Form::write_bytes` bytes.
#[inline]
pub fn execute(fpu: &mut Fpu, op: Op, operand: Operand<'_>, store: &mut [u8]) -> Outcome {
    match op {
        Op::Arith(kind, Target::Top(source)) => arith_top(fpu, kind, source, operand),
        Op::Arith(kind, Target::Register { pop }) => {
            arith_register(fpu, kind, operand.register, pop);
        }
        Op::Load(format) => load(fpu, format, operand.memory),
        Op::LoadRegister => load_register(fpu, operand.register),
        Op::Store { format, pop } => return store_memory(fpu, format, pop, store),
        Op::StoreRegister { pop } => store_register(fpu, operand.register, pop),
        Op::StoreRegisterUnchecked if fpu.is_empty(0) => {
            fpu.set_codes(C1, 0);
            fpu.pop();
        }
        Op::StoreRegisterUnchecked => store_register(fpu, operand.register, true),
        Op::Exchange => exchange(fpu, operand.register),
        Op::Compare { source, pops, quiet } => compare_top(fpu, source, pops, quiet, operand),
        Op::Examine => {
            let codes = compare::examine(fpu.st(0), fpu.is_empty(0));
            fpu.set_codes(C0 | C1 | C2 | C3, codes);
        }
        Op::LoadConstant(constant) => load_constant(fpu, constant),
        Op::Unary(kind) => unary(fpu, kind),
        Op::Binary(kind) => binary(fpu, kind),
        Op::Pushing(kind) => pushing(fpu, kind),
        _ => return control(fpu, op, operand, store),
    }
    NOTHING
}

fn control(fpu: &mut Fpu, op: Op, operand: Operand<'_>, store: &mut [u8]) -> Outcome {
    match op {
        Op::Free { pop } => {
            fpu.free(operand.register);
            fpu.set_codes(C1, 0);
            if pop {
                fpu.pop();
            }
        }
        Op::IncrementTop | Op::DecrementTop => {
            fpu.rotate(if op == Op::IncrementTop { 1 } else { -1 });
            fpu.set_codes(C1, 0);
        }
        Op::LoadControl => {
            fpu.set_control(u16::from_le_bytes([operand.memory[0], operand.memory[1]]));
        }
        Op::StoreControl => store.copy_from_slice(&fpu.control.to_le_bytes()),
        Op::StoreStatus => store.copy_from_slice(&fpu.status_word().to_le_bytes()),
        Op::StoreStatusAx => return Outcome { stored: 0, ax: Some(fpu.status_word()) },
        Op::ClearExceptions => fpu.flags &= !(0x3F | STACK_FAULT),
        Op::Init => fpu.init(),
        Op::LoadEnvironment => {
            environment::load_environment(fpu, operand.protected, operand.memory);
        }
        Op::StoreEnvironment => {
            environment::store_environment(fpu, operand.protected, store);
            // FNSTENV masks all exceptions once they are saved.
            fpu.control |= 0x3F;
        }
        Op::Restore => environment::restore(fpu, operand.protected, operand.memory),
        Op::Save => {
            environment::save(fpu, operand.protected, store);
            fpu.init();
        }
        Op::Nop | Op::Wait => {}
        _ => unreachable!("{op:?} is not a control operation"),
    }
    Outcome { stored: store.len() as u8, ax: None }
}

/// Merges an operation's flags into the status word; C1 is 1 if the result was rounded up. Returns
/// whether the result may be delivered.
#[inline]
fn conclude(fpu: &mut Fpu, context: &Context) -> bool {
    let up = if context.rounded_up { C1 } else { 0 };
    fpu.flags = fpu.flags & !C1 | context.flags | up;
    !context.aborts()
}

/// Reports a stack fault (C1: 1 for overflow, 0 for underflow). Returns whether it is masked.
#[cold]
fn stack_fault(fpu: &mut Fpu, overflow: bool) -> bool {
    let c1 = if overflow { C1 } else { 0 };
    fpu.flags = fpu.flags & !C1 | INVALID | STACK_FAULT | c1;
    fpu.control & INVALID != 0
}

/// Stack underflow of an operation that delivers to ST(i) and then may pop.
#[cold]
fn underflow(fpu: &mut Fpu, i: u8, pop: bool) {
    if stack_fault(fpu, false) {
        fpu.set_st(i, F80::INDEFINITE);
        if pop {
            fpu.pop();
        }
    }
}

fn arith_top(fpu: &mut Fpu, kind: Arith, source: Source, operand: Operand<'_>) {
    let register = source == Source::Register;
    if fpu.is_empty(0) || (register && fpu.is_empty(operand.register)) {
        return underflow(fpu, 0, false);
    }
    let mut context = Context::new(fpu.control);
    let target = fpu.st(0);
    let source = if kind == Arith::DivReversed && target.class() == Class::Zero {
        // Division by zero comes before the denormal operand.
        source_value(fpu, &mut Context::new(fpu.control), source, target, operand)
    } else {
        source_value(fpu, &mut context, source, target, operand)
    };
    if context.aborts() {
        conclude(fpu, &context);
        return;
    }
    let result = arith::apply(&mut context, kind, target, source);
    if conclude(fpu, &context) {
        fpu.set_st(0, result);
    }
}

/// The source operand. A short denormal in memory raises the denormal exception when it is
/// widened, unless the other operand is a NaN or no valid encoding.
#[inline]
fn source_value(
    fpu: &Fpu,
    context: &mut Context,
    source: Source,
    other: F80,
    operand: Operand<'_>,
) -> F80 {
    match source {
        Source::Register => fpu.st(operand.register),
        Source::Zero => F80::ZERO,
        Source::Memory(format) => {
            let (value, denormal) = convert::load_operand(format, operand.memory);
            let blocked = denormal
                && matches!(
                    other.class(),
                    Class::Unsupported | Class::QuietNan | Class::SignallingNan
                );
            if denormal && !blocked {
                context.raise(DENORMAL);
            }
            value
        }
    }
}

fn arith_register(fpu: &mut Fpu, kind: Arith, i: u8, pop: bool) {
    if fpu.is_empty(0) || fpu.is_empty(i) {
        return underflow(fpu, i, pop);
    }
    let mut context = Context::new(fpu.control);
    let result = arith::apply(&mut context, kind, fpu.st(i), fpu.st(0));
    if conclude(fpu, &context) {
        fpu.set_st(i, result);
        if pop {
            fpu.pop();
        }
    }
}

fn compare_top(fpu: &mut Fpu, source: Source, pops: u8, quiet: bool, operand: Operand<'_>) {
    let mut context = Context::new(fpu.control);
    let register = source == Source::Register;
    let codes = if fpu.is_empty(0) || (register && fpu.is_empty(operand.register)) {
        context.raise(INVALID | STACK_FAULT);
        C3 | C2 | C0
    } else {
        let a = fpu.st(0);
        let b = source_value(fpu, &mut context, source, a, operand);
        compare::compare(&mut context, a, b, quiet)
    };
    let deliver = conclude(fpu, &context);
    fpu.set_codes(C0 | C2 | C3, codes);
    if deliver {
        for _ in 0..pops {
            fpu.pop();
        }
    }
}

/// True if a push finds no free register.
#[inline]
fn is_full(fpu: &Fpu) -> bool {
    !fpu.is_empty(7)
}

#[cold]
fn push_overflow(fpu: &mut Fpu) {
    if stack_fault(fpu, true) {
        fpu.push(F80::INDEFINITE);
    }
}

fn load(fpu: &mut Fpu, format: Format, memory: &[u8]) {
    if is_full(fpu) {
        return push_overflow(fpu);
    }
    let mut context = Context::new(fpu.control);
    let value = convert::load(&mut context, format, memory);
    conclude(fpu, &context);
    // A denormal is loaded even if its exception is unmasked.
    if context.flags & INVALID == 0 || context.is_masked(INVALID) {
        fpu.push(value);
    }
}

fn load_register(fpu: &mut Fpu, i: u8) {
    if fpu.is_empty(i) {
        if stack_fault(fpu, false) {
            fpu.push(F80::INDEFINITE);
        }
    } else if is_full(fpu) {
        push_overflow(fpu);
    } else {
        fpu.set_codes(C1, 0);
        fpu.push(fpu.st(i));
    }
}

fn load_constant(fpu: &mut Fpu, constant: Constant) {
    if is_full(fpu) {
        return push_overflow(fpu);
    }
    fpu.set_codes(C1, 0);
    let rounding = Context::new(fpu.control).rounding();
    fpu.push(constant_value(constant, rounding));
}

/// The constants are held with more than 64 bits and rounded by rounding control. Each is given
/// truncated, with whether the nearest 64-bit value lies above
/// (`intel-pentium-manual`, chapter 6, on the precision of the constants).
fn constant_value(constant: Constant, rounding: Rounding) -> F80 {
    let (significand, exponent, nearest_is_above) = match constant {
        Constant::Zero => return F80::ZERO,
        Constant::One => return F80::ONE,
        Constant::Log2Ten => (0xD49A_784B_CD1B_8AFE, 1, false),
        Constant::Log2E => (0xB8AA_3B29_5C17_F0BB, 0, true),
        Constant::Pi => (0xC90F_DAA2_2168_C234, 1, true),
        Constant::Log10Two => (0x9A20_9A84_FBCF_F798, -2, true),
        Constant::LnTwo => (0xB172_17F7_D1CF_79AB, -1, true),
    };
    let up = match rounding {
        Rounding::Nearest => nearest_is_above,
        Rounding::Up => true,
        Rounding::Down | Rounding::Zero => false,
    };
    F80::new(false, exponent + BIAS, significand + u64::from(up))
}

fn store_memory(fpu: &mut Fpu, format: Format, pop: bool, store: &mut [u8]) -> Outcome {
    let value = if fpu.is_empty(0) {
        if !stack_fault(fpu, false) {
            return NOTHING;
        }
        F80::INDEFINITE
    } else {
        fpu.st(0)
    };
    let mut context = Context::new(fpu.control);
    let stored = convert::store(&mut context, format, value, store);
    conclude(fpu, &context);
    let Some(bytes) = stored else { return NOTHING };
    if pop {
        fpu.pop();
    }
    Outcome { stored: bytes as u8, ax: None }
}

fn store_register(fpu: &mut Fpu, i: u8, pop: bool) {
    if fpu.is_empty(0) {
        return underflow(fpu, i, pop);
    }
    fpu.set_codes(C1, 0);
    fpu.set_st(i, fpu.st(0));
    if pop {
        fpu.pop();
    }
}

fn exchange(fpu: &mut Fpu, i: u8) {
    if fpu.is_empty(0) || fpu.is_empty(i) {
        if !stack_fault(fpu, false) {
            return;
        }
        for j in [0, i] {
            if fpu.is_empty(j) {
                fpu.set_st(j, F80::INDEFINITE);
            }
        }
    } else {
        fpu.set_codes(C1, 0);
    }
    let (a, b) = (fpu.st(0), fpu.st(i));
    fpu.set_st(0, b);
    fpu.set_st(i, a);
}

fn unary(fpu: &mut Fpu, kind: Unary) {
    if matches!(kind, Unary::Sin | Unary::Cos) {
        fpu.set_codes(C2, 0);
    }
    if fpu.is_empty(0) {
        return underflow(fpu, 0, false);
    }
    let mut context = Context::new(fpu.control);
    let operand = fpu.st(0);
    let result = match kind {
        Unary::Sin | Unary::Cos => {
            let results = transcendental::sin_cos(&mut context, operand);
            match results {
                None => {
                    // C2: the operand is too large and stays.
                    fpu.set_codes(C2, C2);
                    operand
                }
                Some(both) if kind == Unary::Sin => both.sin(&mut context),
                Some(both) => both.cos(&mut context),
            }
        }
        _ => arith::unary(&mut context, kind, operand),
    };
    if conclude(fpu, &context) {
        fpu.set_st(0, result);
    }
}

fn binary(fpu: &mut Fpu, kind: Binary) {
    if matches!(kind, Binary::Remainder | Binary::RemainderNearest) {
        return partial_remainder(fpu, kind == Binary::RemainderNearest);
    }
    // The logarithms and the arc tangent deliver to ST(1) and pop.
    let pops = matches!(kind, Binary::YLog2X | Binary::YLog2XPlus1 | Binary::ArcTangent);
    if fpu.is_empty(0) || fpu.is_empty(1) {
        return underflow(fpu, u8::from(pops), pops);
    }
    let mut context = Context::new(fpu.control);
    let (x, y) = (fpu.st(0), fpu.st(1));
    let result = match kind {
        Binary::Remainder | Binary::RemainderNearest => unreachable!("returned above"),
        Binary::Scale => arith::scale(&mut context, x, y),
        Binary::YLog2X => transcendental::y_log2_x(&mut context, x, y),
        Binary::YLog2XPlus1 => transcendental::y_log2_x_plus_1(&mut context, x, y),
        Binary::ArcTangent => transcendental::arc_tangent(&mut context, x, y),
    };
    if conclude(fpu, &context) {
        fpu.set_st(u8::from(pops), result);
        if pops {
            fpu.pop();
        }
    }
}

fn partial_remainder(fpu: &mut Fpu, nearest: bool) {
    // C2 is cleared even if the operation is invalid, lest a reduction loop runs for ever.
    fpu.set_codes(C2, 0);
    if fpu.is_empty(0) || fpu.is_empty(1) {
        return underflow(fpu, 0, false);
    }
    let mut context = Context::new(fpu.control);
    let (result, codes) = remainder(&mut context, fpu.st(0), fpu.st(1), nearest);
    if conclude(fpu, &context) {
        fpu.set_st(0, result);
        if let Some(codes) = codes {
            fpu.set_codes(C0 | C1 | C2 | C3, codes);
        }
    }
}

fn pushing(fpu: &mut Fpu, kind: Pushing) {
    if kind != Pushing::Extract {
        fpu.set_codes(C2, 0);
    }
    let empty = fpu.is_empty(0);
    if empty || is_full(fpu) {
        if stack_fault(fpu, !empty) {
            fpu.set_st(0, F80::INDEFINITE);
            fpu.push(F80::INDEFINITE);
        }
        return;
    }
    let mut context = Context::new(fpu.control);
    let operand = fpu.st(0);
    let (below, top) = match kind {
        Pushing::Extract => arith::extract(&mut context, operand),
        Pushing::SinCos | Pushing::Tangent => {
            let results = transcendental::sin_cos(&mut context, operand);
            let Some(both) = results else {
                fpu.set_codes(C2, C2);
                conclude(fpu, &context);
                return;
            };
            match kind {
                Pushing::SinCos => (both.sin(&mut context), both.cos(&mut context)),
                _ => both.tangent_and_one(&mut context),
            }
        }
    };
    if conclude(fpu, &context) {
        fpu.set_st(0, below);
        fpu.push(top);
    }
}
