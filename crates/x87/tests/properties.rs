//! Laws that hold whatever the rounding: they need no reference and no special host.

use crate::common;

use common::Random;
use proptest::prelude::*;
use rockcreek_x87::{
    Arith, Binary, Class, F80, Format, Fpu, Op, Operand, Pushing, Source, Target, Unary, execute,
};

const EXTENDED: u16 = 0x037F;

fn stack(control: u16, x: F80, y: F80) -> Fpu {
    let mut fpu = Fpu::new();
    fpu.init();
    fpu.set_control(control);
    fpu.set_tag_word(!0xF);
    fpu.set_st(0, x);
    fpu.set_st(1, y);
    fpu
}

/// Executes and returns what was stored.
fn step(fpu: &mut Fpu, op: Op, memory: &[u8]) -> Vec<u8> {
    let mut store = [0; 10];
    let operand = Operand { register: 1, memory, protected: true };
    let outcome = execute(fpu, op, operand, &mut store);
    store[..usize::from(outcome.stored)].to_vec()
}

fn arith(kind: Arith, control: u16, x: F80, y: F80) -> (F80, u16) {
    let mut fpu = stack(control, x, y);
    step(&mut fpu, Op::Arith(kind, Target::Top(Source::Register)), &[]);
    (fpu.st(0), fpu.status_word())
}

/// Two operands of any class from a seed: the generator knows the edges.
fn operands() -> impl Strategy<Value = (F80, F80, u16)> {
    any::<u64>().prop_map(|seed| {
        let mut random = Random(seed | 1);
        (random.f80(), random.f80(), random.control() | 0x3F)
    })
}

fn is_finite(a: F80) -> bool {
    matches!(a.class(), Class::Zero | Class::Denormal | Class::Normal)
}

/// |a| as a key that orders finite values.
fn magnitude(a: F80) -> u128 {
    u128::from(a.exponent().max(1) as u32) << 64 | u128::from(a.significand)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn addition_and_multiplication_commute((x, y, control) in operands()) {
        for kind in [Arith::Add, Arith::Mul] {
            prop_assert_eq!(arith(kind, control, x, y), arith(kind, control, y, x));
        }
    }

    #[test]
    fn reversed_forms_swap_their_operands((x, y, control) in operands()) {
        for (kind, reversed) in [(Arith::Sub, Arith::SubReversed), (Arith::Div, Arith::DivReversed)] {
            prop_assert_eq!(arith(kind, control, x, y), arith(reversed, control, y, x));
        }
    }

    #[test]
    fn one_is_neutral((x, _, _) in operands()) {
        if matches!(x.class(), Class::Normal | Class::Zero | Class::Infinity | Class::QuietNan) {
            prop_assert_eq!(arith(Arith::Mul, EXTENDED, x, F80::ONE).0, x);
            prop_assert_eq!(arith(Arith::Div, EXTENDED, x, F80::ONE).0, x);
        }
    }

    #[test]
    fn roundings_bracket_the_result((x, y, control) in operands()) {
        for kind in [Arith::Add, Arith::Mul, Arith::Div] {
            let rounded = |rounding: u16| arith(kind, control & !0xC00 | rounding << 10, x, y).0;
            let [near, down, up, zero] = [0, 1, 2, 3].map(rounded);
            prop_assert!(near == down || near == up);
            // The sign of an exact zero sum depends on the rounding.
            prop_assert!(zero == down || zero == up || zero.class() == Class::Zero);
        }
    }

    #[test]
    fn a_remainder_is_smaller_than_its_divisor((x, y, control) in operands()) {
        for (kind, halves) in [(Binary::Remainder, 1), (Binary::RemainderNearest, 2)] {
            let mut fpu = stack(control, x, y);
            step(&mut fpu, Op::Binary(kind), &[]);
            let complete = fpu.status_word() & 0x0400 == 0;
            let rest = fpu.st(0);
            if complete && is_finite(x) && is_finite(y) && y.class() != Class::Zero {
                prop_assert!(magnitude(rest) < magnitude(y));
                // Twice the nearest remainder does not exceed the divisor.
                let twice = arith(Arith::Add, EXTENDED | 0xC00, rest, rest).0;
                prop_assert!(halves == 1 || magnitude(twice) <= magnitude(y));
            }
        }
    }

    #[test]
    fn repeated_remainders_end((x, y, control) in operands()) {
        let mut fpu = stack(control, x, y);
        let mut steps = 0;
        loop {
            step(&mut fpu, Op::Binary(Binary::Remainder), &[]);
            if fpu.status_word() & 0x0400 == 0 {
                break;
            }
            steps += 1;
            prop_assert!(steps <= 32768 / 32 + 1);
        }
    }

    #[test]
    fn scaling_undoes_extraction((x, _, control) in operands()) {
        if matches!(x.class(), Class::Normal) {
            let mut fpu = stack(control, x, F80::ZERO);
            step(&mut fpu, Op::Pushing(Pushing::Extract), &[]);
            prop_assert_eq!(fpu.st(0).exponent(), 16383);
            step(&mut fpu, Op::Binary(Binary::Scale), &[]);
            prop_assert_eq!(fpu.st(0), x);
        }
    }

    #[test]
    fn integers_survive_a_round_trip(value: i64, control in 0..4u16) {
        let mut fpu = stack(EXTENDED | control << 10, F80::ZERO, F80::ZERO);
        step(&mut fpu, Op::Load(Format::I64), &value.to_le_bytes());
        let rounded = fpu.st(0);
        step(&mut fpu, Op::Unary(Unary::RoundToInteger), &[]);
        prop_assert_eq!(fpu.st(0), rounded);
        let stored = step(&mut fpu, Op::Store { format: Format::I64, pop: true }, &[]);
        prop_assert_eq!(stored, value.to_le_bytes());
    }

    #[test]
    fn doubles_and_singles_survive_a_round_trip(bits: u64) {
        for (format, bytes) in [(Format::F64, 8), (Format::F32, 4)] {
            let memory = &bits.to_le_bytes()[..bytes];
            let mut fpu = stack(EXTENDED, F80::ZERO, F80::ZERO);
            step(&mut fpu, Op::Load(format), memory);
            // A signalling NaN comes back quiet.
            let invalid = fpu.status_word() & 1 != 0;
            let stored = step(&mut fpu, Op::Store { format, pop: false }, &[]);
            prop_assert!(invalid || stored == memory);
            prop_assert_eq!(fpu.status_word() & 0x38, 0, "exact");
        }
    }

    #[test]
    fn decimals_survive_a_round_trip(value in 0..1_000_000_000_000_000_000u64, sign: bool) {
        let mut memory = [0; 10];
        for (i, byte) in memory[..9].iter_mut().enumerate() {
            let pair = value / 100u64.pow(i as u32) % 100;
            *byte = (pair / 10 * 16 + pair % 10) as u8;
        }
        memory[9] = u8::from(sign) << 7;
        let mut fpu = stack(EXTENDED, F80::ZERO, F80::ZERO);
        step(&mut fpu, Op::Load(Format::Bcd), &memory);
        let stored = step(&mut fpu, Op::Store { format: Format::Bcd, pop: true }, &[]);
        prop_assert_eq!(stored, memory);
    }
}
