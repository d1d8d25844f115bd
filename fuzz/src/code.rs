//! The decoder and the core: any bytes as code, in any mode, with any registers.
//!
//! The first bytes choose mode and registers, the rest is code. It runs three times: whole, cut in
//! two with a piece that is taken back, and the same with all code translated as soon as may be.
//! All must end in the same state.

#[path = "../../crates/cpu/tests/common/mod.rs"]
mod common;

use common::{Bench, CODE, STACK};
use rockcreek_cpu::{CoreSnapshot, Exit, cr0, gpr};
use rockcreek_cpu::{Segment, sreg};

const STEPS: u64 = 2_000;
/// Mode, cut, registers.
const HEAD: usize = 1 + 2 + 32;
/// EFLAGS.VM with IOPL 3.
const VIRTUAL_8086: u32 = 1 << 17 | 3 << 12;
const DATA_COPIES: u32 = 16;

#[derive(Clone, Copy, Debug)]
enum Mode {
    Flat,
    Paged,
    User,
    Small,
    Real,
    Virtual,
}

impl Mode {
    fn of(byte: u8) -> Mode {
        match byte % 6 {
            0 => Mode::Flat,
            1 => Mode::Paged,
            2 => Mode::User,
            3 => Mode::Small,
            4 => Mode::Real,
            _ => Mode::Virtual,
        }
    }
}

fn bench(mode: Mode, code: &[u8], registers: [u32; 8]) -> Bench {
    let mut bench = match mode {
        Mode::Flat | Mode::Small | Mode::Real => Bench::protected(code),
        Mode::Paged | Mode::User | Mode::Virtual => Bench::paged(code),
    };
    let room = &code[..code.len().min(0x800)];
    for copy in 1..DATA_COPIES {
        bench.put(0x10_0000 + copy * 0x800, room);
    }
    if matches!(mode, Mode::User) {
        bench.enter_user();
    }
    bench.set(|all| {
        all.general = registers.map(|value| value % 0x3F_0000);
        all.general[gpr::ESP] = STACK;
        all.eip = CODE;
        let small = |selector: u16, high: u32| Segment::from_descriptor(selector, 0xFFFF, high);
        match mode {
            Mode::Small => {
                all.segments = [small(common::DATA0, 0x0000_9200); 6];
                all.segments[sreg::CS] = small(common::CODE0, 0x0000_9A00);
            }
            Mode::Real => {
                all.cr0 &= !cr0::PE;
                all.segments = [Segment::real(0); 6];
            }
            Mode::Virtual => {
                all.eflags |= VIRTUAL_8086;
                all.segments = [Segment::real(0); 6];
            }
            _ => {}
        }
    });
    bench
}

fn end(bench: &mut Bench) -> (Exit, CoreSnapshot) {
    let exit = bench.run(STEPS);
    (exit, bench.core.snapshot())
}

pub fn any_mode(data: &[u8]) {
    let Some((head, code)) = data.split_first_chunk::<HEAD>() else { return };
    if code.len() > 0x1000 {
        return;
    }
    let mode = Mode::of(head[0]);
    let cut = 1 + u64::from(u16::from_le_bytes([head[1], head[2]])) % STEPS;
    let mut registers = [0; 8];
    for (register, bytes) in registers.iter_mut().zip(head[3..].chunks_exact(4)) {
        *register = u32::from_le_bytes(*bytes.first_chunk().expect("four bytes"));
    }
    let mut whole = bench(mode, code, registers);
    whole.code.set_translation(None);
    let first = end(&mut whole);
    for heat in [None, Some(1)] {
        let mut pieces = bench(mode, code, registers);
        pieces.code.set_translation(heat);
        if pieces.run(cut) == Exit::Limit {
            pieces.core.begin_window();
            pieces.core.run(&mut pieces.code, cut + 100);
            pieces.core.rollback();
        }
        let again = end(&mut pieces);
        assert_eq!(first.0, again.0, "{mode:?}, cut at {cut}, translated after {heat:?}");
        let same = first.1 == again.1;
        assert!(same, "{mode:?}, cut at {cut}, translated after {heat:?}: another state");
    }
}

/// Bytes of instructions that have more to them than others, in each mode.
const PIECES: [&[u8]; 12] = [
    &[0xF3, 0xA5, 0xF3, 0xAA, 0xF2, 0xAE, 0xF3, 0x6C, 0xF3, 0x6E, 0x66, 0xF3, 0xA7],
    &[0x0F, 0x22, 0xC0, 0x0F, 0x22, 0xD8, 0x0F, 0x22, 0xE0, 0x0F, 0x20, 0xC0, 0x0F, 0x01, 0x3B],
    &[0x9A, 0, 0, 0, 0, 0x33, 0, 0xCD, 0x80, 0xCF, 0xCB, 0xEA, 0, 0x10, 0, 0, 8, 0],
    &[0x8E, 0xD8, 0x8E, 0xD0, 0x0F, 0xB2, 0x23, 0xC5, 0x03, 0x0F, 0x00, 0xD8, 0x0F, 0x00, 0xD0],
    &[0xD9, 0xE8, 0xD9, 0xFE, 0xD9, 0xF1, 0xDF, 0x33, 0xDD, 0x33, 0xDD, 0x23, 0x9B, 0xD9, 0x33],
    &[0xF0, 0x0F, 0xC7, 0x0B, 0xF0, 0xFF, 0x03, 0x87, 0x03, 0x0F, 0xC1, 0x03, 0x0F, 0xB1, 0x03],
    &[0x9D, 0x9C, 0xFA, 0xFB, 0xF4, 0xCE, 0xCC, 0x62, 0x03, 0xC8, 4, 0, 3, 0xC9, 0x60, 0x61],
    &[0x0F, 0x09, 0x0F, 0x08, 0x0F, 0x0A, 0x0F, 0x30, 0x0F, 0x32, 0x0F, 0x31, 0x0F, 0xA2],
    &[0xC6, 0x05, 0x08, 0x10, 0, 0, 0x90, 0xEB, 0xF7, 0x88, 0x05, 0x00, 0x10, 0, 0],
    &[0x67, 0x8B, 0x07, 0x66, 0x67, 0xF3, 0xA4, 0x67, 0xE3, 0x02, 0x26, 0x66, 0x8B, 0x04, 0x25],
    &[0x0F, 0x23, 0xC0, 0x0F, 0x23, 0xF8, 0x0F, 0x21, 0xF0, 0xF1, 0xD6, 0x0F, 0x0B, 0x0F, 0xFF],
    &[0xA1, 0x20, 0, 0xE0, 0xFE, 0xC7, 0x05, 0xF0, 0, 0xE0, 0xFE, 0xFF, 1, 0, 0],
];

pub fn examples() -> Vec<Vec<u8>> {
    let mut examples = Vec::new();
    for mode in 0..6 {
        for piece in PIECES {
            let mut data = vec![mode, 100, 1];
            data.extend((0..32u8).map(|n| n.wrapping_mul(37)));
            data.extend(piece.iter().chain(&[0x40, 0x89, 0x03, 0x72, 0x02, 0x50, 0x58]));
            examples.push(data);
        }
    }
    examples
}
