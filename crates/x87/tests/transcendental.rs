//! The transcendental functions against exact values made with mpmath
//! (transcendental_reference.py), in the four roundings: within one unit in the last place, and
//! within half a unit (and a trace) to nearest.

use rockcreek_x87::{Binary, F80, Fpu, Op, Operand, Pushing, Unary, execute};

const REFERENCE: &str = include_str!("transcendental_reference.txt");
/// Bits of the reference below a unit in the last place.
const EXTRA: u32 = 32;

fn run(op: Op, control: u16, x: F80, y: F80) -> Fpu {
    let mut fpu = Fpu::new();
    fpu.init();
    fpu.set_control(control);
    fpu.set_tag_word(!0xF);
    fpu.set_st(1, y);
    fpu.set_st(0, x);
    let operand = Operand { register: 0, memory: &[], protected: true };
    execute(&mut fpu, op, operand, &mut []);
    fpu
}

/// |ours - exact| in units of 2^-32 of a unit in the last place of ours.
fn error(ours: F80, sign: bool, exponent: i32, significand: u128) -> u128 {
    assert_eq!(ours.sign(), sign);
    let ours_wide = u128::from(ours.significand) << EXTRA;
    match ours.exponent() - 16383 - exponent {
        0 => ours_wide.abs_diff(significand),
        // Rounded up to a power of two: count in units of the larger exponent.
        1 => (ours_wide << 1).abs_diff(significand),
        -1 => ours_wide.abs_diff(significand << 1),
        difference => panic!("exponent differs by {difference}"),
    }
}

fn operation(name: &str) -> Op {
    match name {
        "sin" => Op::Unary(Unary::Sin),
        "cos" => Op::Unary(Unary::Cos),
        "tan" => Op::Pushing(Pushing::Tangent),
        "f2xm1" => Op::Unary(Unary::TwoToXMinusOne),
        "fyl2x" => Op::Binary(Binary::YLog2X),
        "fyl2xp1" => Op::Binary(Binary::YLog2XPlus1),
        "fpatan" => Op::Binary(Binary::ArcTangent),
        other => panic!("{other}"),
    }
}

/// More lines than the committed ones, if the environment names a file of them.
fn reference() -> String {
    match std::env::var("RCK_TRANSCENDENTAL_REFERENCE") {
        Ok(path) => std::fs::read_to_string(path).expect("a file of the script"),
        Err(_) => REFERENCE.into(),
    }
}

#[test]
fn within_one_unit_of_the_exact_value() {
    let mut lines = 0;
    for line in reference().lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let hex = |i: usize| u128::from_str_radix(fields[i], 16).expect("hexadecimal");
        let f80 = |i| F80 { sign_exponent: hex(i) as u16, significand: hex(i + 1) as u64 };
        let (x, y) = (f80(1), f80(3));
        let sign = fields[5] == "1";
        let exponent: i32 = fields[6].parse().expect("an exponent");
        for rounding in 0..4 {
            let op = operation(fields[0]);
            let fpu = run(op, 0x037F | rounding << 10, x, y);
            let ours = fpu.st(u8::from(op == Op::Pushing(Pushing::Tangent)));
            let error = error(ours, sign, exponent, hex(7));
            let limit = if rounding == 0 { (1 << (EXTRA - 1)) + 2 } else { 1 << EXTRA };
            assert!(error <= limit, "{line} rounding {rounding}: {ours:X?}");
            assert_eq!(fpu.status_word() & 0x3F, 0x20, "{line}: inexact and nothing else");
        }
        lines += 1;
    }
    assert!(lines > 1000);
}

#[test]
fn sine_and_cosine_together_are_those_of_the_single_instructions() {
    for line in REFERENCE.lines().filter(|line| line.starts_with("sin")) {
        let fields: Vec<&str> = line.split(' ').collect();
        let x = F80 {
            sign_exponent: u16::from_str_radix(fields[1], 16).expect("hexadecimal"),
            significand: u64::from_str_radix(fields[2], 16).expect("hexadecimal"),
        };
        let both = run(Op::Pushing(Pushing::SinCos), 0x037F, x, F80::ONE);
        assert_eq!(both.st(1), run(Op::Unary(Unary::Sin), 0x037F, x, F80::ONE).st(0));
        assert_eq!(both.st(0), run(Op::Unary(Unary::Cos), 0x037F, x, F80::ONE).st(0));
    }
}

#[test]
fn exact_logarithms_raise_nothing() {
    let eight = F80 { significand: 1 << 63, sign_exponent: 16383 + 3 };
    let fpu = run(Op::Binary(Binary::YLog2X), 0x037F, eight, F80::ONE);
    assert_eq!(fpu.st(0), F80 { significand: 3 << 62, sign_exponent: 16384 });
    assert_eq!(fpu.status_word() & 0x3F, 0);
}

#[test]
fn angles_from_two_to_the_63_are_left_alone() {
    let large = F80 { significand: 1 << 63, sign_exponent: 16383 + 63 };
    for op in [
        Op::Unary(Unary::Sin),
        Op::Unary(Unary::Cos),
        Op::Pushing(Pushing::SinCos),
        Op::Pushing(Pushing::Tangent),
    ] {
        let fpu = run(op, 0x037F, large, F80::ONE);
        assert_eq!(fpu.st(0), large);
        assert_eq!(fpu.status_word() & 0x0400, 0x0400, "C2");
        assert_eq!(fpu.tag_word() & 0xF, 0, "nothing was pushed");
    }
}
