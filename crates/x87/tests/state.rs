//! The control instructions, the decoder's codes, and what no host can show: the environment
//! formats of 16 bits and of real mode, reset, WAIT forms, and the same bits on every host.

use crate::common;

use common::Random;
use iced_x86::{Code, Decoder, DecoderOptions};
use rockcreek_x87::{
    Arith, Binary, F80, Fpu, IMAGE_BYTES, Op, Operand, Pushing, Source, Target, Unary, describe,
    execute,
};

fn decode(bytes: &[u8]) -> Code {
    Decoder::new(32, bytes, DecoderOptions::NONE).decode().code()
}

fn run(fpu: &mut Fpu, code: Code, memory: &[u8], protected: bool) -> Vec<u8> {
    let form = describe(code).expect("an x87 instruction");
    let mut store = [0; IMAGE_BYTES];
    let operand = Operand { register: 0, memory, protected };
    let written = &mut store[..usize::from(form.write_bytes)];
    let outcome = execute(fpu, form.op, operand, written);
    store[..usize::from(outcome.stored)].to_vec()
}

/// A unit with a recorded instruction at 1234:00056789, operand at 4321:0009ABCD.
fn recorded() -> Fpu {
    let mut fpu = Fpu::new();
    fpu.init();
    fpu.record(0x1234, 0x0005_6789, 0x1C1, Some((0x4321, 0x0009_ABCD)));
    fpu
}

#[test]
fn environment_in_32_bit_protected_format() {
    let image = run(&mut recorded(), Code::Fnstenv_m28byte, &[], true);
    let expected: Vec<u8> = [
        0xFFFF_037Fu32,
        0xFFFF_0000,
        0xFFFF_FFFF,
        0x0005_6789,
        0x01C1_1234,
        0x0009_ABCD,
        0xFFFF_4321,
    ]
    .iter()
    .flat_map(|field| field.to_le_bytes())
    .collect();
    assert_eq!(image, expected);
}

#[test]
fn environment_in_32_bit_real_format() {
    let image = run(&mut recorded(), Code::Fnstenv_m28byte, &[], false);
    // 12340 + 56789 = 68AC9, 43210 + 9ABCD = DDDDD.
    let expected: Vec<u8> = [
        0xFFFF_037Fu32,
        0xFFFF_0000,
        0xFFFF_FFFF,
        0xFFFF_8AC9,
        0x0000_61C1,
        0xFFFF_DDDD,
        0x0000_D000,
    ]
    .iter()
    .flat_map(|field| field.to_le_bytes())
    .collect();
    assert_eq!(image, expected);
}

#[test]
fn environment_in_16_bit_formats() {
    let words =
        |words: [u16; 7]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let image = run(&mut recorded(), Code::Fnstenv_m14byte, &[], true);
    assert_eq!(image, words([0x037F, 0, 0xFFFF, 0x6789, 0x1234, 0xABCD, 0x4321]));
    let image = run(&mut recorded(), Code::Fnstenv_m14byte, &[], false);
    assert_eq!(image, words([0x037F, 0, 0xFFFF, 0x8AC9, 0x61C1, 0xDDDD, 0xD000]));
}

#[test]
fn images_come_back_in_all_formats() {
    let mut random = Random(7);
    for (save, load) in [
        (Code::Fnsave_m94byte, Code::Frstor_m94byte),
        (Code::Fnsave_m108byte, Code::Frstor_m108byte),
        (Code::Fnstenv_m14byte, Code::Fldenv_m14byte),
        (Code::Fnstenv_m28byte, Code::Fldenv_m28byte),
    ] {
        for protected in [false, true] {
            let mut fpu = recorded();
            for i in 0..8 {
                fpu.set_st(i, random.f80());
            }
            fpu.set_tag_word(0x0C30);
            fpu.set_status_word(0x5D41);
            let image = run(&mut { fpu }, save, &[], protected);
            let mut other = fpu;
            other.init();
            run(&mut other, load, &image, protected);
            assert_eq!(run(&mut { other }, save, &[], protected), image, "{save:?}");
            assert_eq!((other.control(), other.tag_word()), (fpu.control(), fpu.tag_word()));
            assert_eq!(other.status_word(), fpu.status_word());
            assert!((0..8).all(|i| other.st(i) == fpu.st(i)));
        }
    }
}

#[test]
fn saving_initialises_and_storing_the_environment_masks() {
    let mut fpu = Fpu::new();
    run(&mut fpu, Code::Fnstenv_m28byte, &[], true);
    assert_eq!(fpu.control(), 0x007F);
    run(&mut fpu, Code::Fnsave_m108byte, &[], true);
    assert_eq!((fpu.control(), fpu.status_word(), fpu.tag_word()), (0x037F, 0, 0xFFFF));
}

#[test]
fn reset_and_init() {
    let mut fpu = Fpu::new();
    assert_eq!((fpu.control(), fpu.status_word(), fpu.tag_word()), (0x0040, 0, 0x5555));
    run(&mut fpu, Code::Fninit, &[], true);
    assert_eq!((fpu.control(), fpu.status_word(), fpu.tag_word()), (0x037F, 0, 0xFFFF));
    assert_eq!(fpu.st(0), F80::ZERO, "FNINIT keeps the registers");
}

#[test]
fn an_unmasked_flag_is_pending_until_cleared_or_masked() {
    let mut fpu = Fpu::new();
    fpu.init();
    run(&mut fpu, Code::Fsqrt, &[], true);
    assert_eq!(fpu.status_word() & 0x80FF, 0x41, "stack underflow, masked");
    assert!(!fpu.pending());
    run(&mut fpu, Code::Fldcw_m2byte, &[0x7E, 0x03], true);
    assert!(fpu.pending());
    assert_eq!(fpu.status_word() & 0x8080, 0x8080, "ES and B");
    run(&mut fpu, Code::Fnclex, &[], true);
    assert!(!fpu.pending());
    assert_eq!(fpu.status_word() & 0x80FF, 0);
}

#[test]
fn later_processors_instructions_are_unknown() {
    for bytes in [
        [0xDA, 0xC0], // FCMOVB
        [0xDA, 0xD8], // FCMOVU
        [0xDB, 0xC8], // FCMOVNE
        [0xDB, 0xF1], // FCOMI
        [0xDB, 0xE9], // FUCOMI
        [0xDF, 0xF1], // FCOMIP
        [0xDF, 0xE9], // FUCOMIP
        [0xDB, 0x09], // FISTTP m32
        [0xDD, 0x09], // FISTTP m64
        [0xDF, 0x09], // FISTTP m16
        [0x0F, 0xAE], // FXSAVE
        [0x90, 0x90], // NOP
    ] {
        assert_eq!(describe(decode(&bytes)), None, "{bytes:02X?}");
    }
}

#[test]
fn every_encoding_of_the_escape_bytes_is_described_or_reserved() {
    let mut described = 0;
    for b0 in 0xD8..=0xDFu8 {
        for b1 in 0..=0xFFu8 {
            let bytes = [b0, b1, 0, 0, 0, 0, 0, 0];
            // describe() itself fails if a code has no cost.
            described += usize::from(describe(decode(&bytes)).is_some());
        }
    }
    // Memory forms: 64 less FISTTP and four reserved, times 192 / 8; register forms: see op.rs.
    let memory = (64 - 3 - 4) * 192 / 8;
    let register = described - memory;
    assert_eq!(register, 64 * 8 - unknown_register_forms());
}

/// Register encodings without an instruction of the P5: FCMOVcc (8 x 8), FCOMI and kin (4 x 8),
/// and the reserved ones.
fn unknown_register_forms() -> usize {
    let reserved = [
        7,             // D9 D1 to D7
        2 + 2,         // D9 E2, E3, E6, E7
        1,             // D9 EF
        8 + 7 + 8 + 8, // DA E0, E8 but E9, F0, F8
        8 - 5,         // DB E5 to E7
        8,             // DB F8
        8 + 8,         // DD F0, F8
        7,             // DE D8 but D9
        7 + 8,         // DF E1 to E7, F8
    ];
    64 + 32 + reserved.iter().sum::<usize>()
}

#[test]
fn wait_is_an_instruction_of_its_own() {
    assert_eq!(decode(&[0x9B, 0xD9, 0x38]), Code::Wait, "FSTCW is WAIT and FNSTCW");
    let waits = |code| describe(code).is_some_and(|form| form.waits);
    assert!(waits(Code::Wait) && !waits(Code::Fnstcw_m2byte) && !waits(Code::Fnstsw_AX));
    assert!(waits(Code::Fldcw_m2byte) && waits(Code::Fadd_m32fp));
}

#[test]
fn divisions_cost_what_precision_control_asks_for() {
    let cost = describe(Code::Fdiv_st0_sti).expect("FDIV").cost;
    assert_eq!([0x007F, 0x027F, 0x037F].map(|control| cost.clocks(control)), [19, 33, 39]);
    let cost = describe(Code::Fadd_m64fp).expect("FADD").cost;
    assert_eq!(cost.clocks(0x037F), 3);
}

#[test]
fn the_pointer_of_an_operand_outlives_instructions_without_one() {
    let mut fpu = recorded();
    fpu.record(0x10, 0x20, 0xFFFF, None);
    assert_eq!(
        (fpu.instruction_pointer().selector, fpu.instruction_pointer().offset),
        (0x10, 0x20)
    );
    assert_eq!((fpu.operand_pointer().selector, fpu.operand_pointer().offset), (0x4321, 0x9ABCD));
    assert_eq!(fpu.opcode(), 0x7FF);
}

/// FNV-1a.
fn digest(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

#[test]
fn results_are_the_same_bits_on_every_host() {
    let mut ops: Vec<Op> = [Arith::Add, Arith::Mul, Arith::Sub, Arith::Div]
        .into_iter()
        .map(|kind| Op::Arith(kind, Target::Top(Source::Register)))
        .collect();
    ops.extend(
        [Unary::Sqrt, Unary::RoundToInteger, Unary::TwoToXMinusOne, Unary::Sin, Unary::Cos]
            .map(Op::Unary),
    );
    ops.extend(
        [
            Binary::Remainder,
            Binary::RemainderNearest,
            Binary::Scale,
            Binary::YLog2X,
            Binary::YLog2XPlus1,
            Binary::ArcTangent,
        ]
        .map(Op::Binary),
    );
    ops.extend([Pushing::Extract, Pushing::Tangent, Pushing::SinCos].map(Op::Pushing));
    let mut random = Random(0xB5);
    let mut hash = 0xCBF2_9CE4_8422_2325;
    for _ in 0..5_000 {
        for &op in &ops {
            let mut fpu = Fpu::new();
            fpu.init();
            fpu.set_control(random.control());
            fpu.set_tag_word(!0xF);
            fpu.set_st(0, random.f80());
            fpu.set_st(1, random.f80());
            let operand = Operand { register: 1, memory: &[], protected: true };
            execute(&mut fpu, op, operand, &mut []);
            hash = digest(hash, &run(&mut fpu, Code::Fnsave_m108byte, &[], true));
        }
    }
    // Bless only after tests/host.rs and tests/transcendental.rs have passed.
    assert_eq!(hash, 8_403_124_784_022_253_390);
}
