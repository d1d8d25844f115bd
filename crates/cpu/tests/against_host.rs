//! Results and flags of integer instructions against the host's own processor.
//!
//! Each case is one instruction on EAX, EDX and ECX; the host executes it in 64-bit mode, where
//! these forms mean the same. Flags that the manual leaves undefined are not compared.

#![cfg(target_arch = "x86_64")]

use crate::common;

use std::arch::asm;

use common::{Bench, CODE};
use rockcreek_cpu::gpr;

const CF: u32 = 1;
const PF: u32 = 1 << 2;
const AF: u32 = 1 << 4;
const ZF: u32 = 1 << 6;
const SF: u32 = 1 << 7;
const OF: u32 = 1 << 11;
const ALL: u32 = CF | PF | AF | ZF | SF | OF;
const ROUNDS: u32 = 400;

/// EAX, EDX, ECX and the arithmetic flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Values {
    eax: u32,
    edx: u32,
    ecx: u32,
    flags: u32,
}

/// The inputs with which an instruction is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inputs {
    Any,
    /// Inputs for which the quotient of EDX:EAX and ECX fits.
    Division,
    /// Inputs for which the quotient of the sign-extended EAX and ECX fits.
    SignedDivision,
    /// Inputs with CL = 1: shifts whose OF is defined.
    CountOne,
    /// Inputs with CL of at most 16.
    SmallCount,
    /// Inputs with an EDX that is not zero.
    NonZero,
}

struct Case {
    text: &'static str,
    bytes: &'static [u8],
    defined: u32,
    inputs: Inputs,
    host: fn(Values) -> Values,
}

macro_rules! case {
    ($text:literal, [$($byte:literal),*], $defined:expr) => {
        case!($text, [$($byte),*], $defined, Inputs::Any)
    };
    ($text:literal, [$($byte:literal),*], $defined:expr, $inputs:expr) => {
        Case { text: $text, bytes: &[$($byte),*], defined: $defined, inputs: $inputs, host: {
            fn host(values: Values) -> Values {
                let mut flags = u64::from(values.flags | 2);
                let (mut eax, mut edx, mut ecx) = (values.eax, values.edx, values.ecx);
                // SAFETY: the instruction works on the three registers given and on the
                // arithmetic flags; the stack is balanced.
                unsafe {
                    asm!(
                        "push {flags}",
                        "popfq",
                        $text,
                        "pushfq",
                        "pop {flags}",
                        flags = inout(reg) flags,
                        inout("eax") eax,
                        inout("edx") edx,
                        inout("ecx") ecx,
                    );
                }
                Values { eax, edx, ecx, flags: flags as u32 & ALL }
            }
            host
        } }
    };
}

const NO_AF: u32 = ALL & !AF;
const SHIFTED: u32 = CF | PF | ZF | SF;
const ROTATED: u32 = ALL & !OF;
const BIT: u32 = CF;
const SCAN: u32 = ZF;
const PRODUCT: u32 = CF | OF;

fn arithmetic() -> Vec<Case> {
    vec![
        case!("add eax, edx", [0x01, 0xD0], ALL),
        case!("add ax, dx", [0x66, 0x01, 0xD0], ALL),
        case!("add al, dl", [0x00, 0xD0], ALL),
        case!("add ah, dl", [0x00, 0xD4], ALL),
        case!("adc eax, edx", [0x11, 0xD0], ALL),
        case!("adc ax, dx", [0x66, 0x11, 0xD0], ALL),
        case!("adc al, dl", [0x10, 0xD0], ALL),
        case!("sub eax, edx", [0x29, 0xD0], ALL),
        case!("sub ax, dx", [0x66, 0x29, 0xD0], ALL),
        case!("sub al, dh", [0x28, 0xF0], ALL),
        case!("sbb eax, edx", [0x19, 0xD0], ALL),
        case!("sbb ax, dx", [0x66, 0x19, 0xD0], ALL),
        case!("sbb al, dl", [0x18, 0xD0], ALL),
        case!("cmp eax, edx", [0x39, 0xD0], ALL),
        case!("cmp al, dl", [0x38, 0xD0], ALL),
        case!("cmp eax, -5", [0x83, 0xF8, 0xFB], ALL),
        case!("add ax, -5", [0x66, 0x83, 0xC0, 0xFB], ALL),
        case!("and eax, edx", [0x21, 0xD0], NO_AF),
        case!("or ax, dx", [0x66, 0x09, 0xD0], NO_AF),
        case!("xor al, dl", [0x30, 0xD0], NO_AF),
        case!("test eax, edx", [0x85, 0xD0], NO_AF),
        case!("inc eax", [0xFF, 0xC0], ALL),
        case!("inc al", [0xFE, 0xC0], ALL),
        case!("inc ax", [0x66, 0xFF, 0xC0], ALL),
        case!("dec eax", [0xFF, 0xC8], ALL),
        case!("dec dl", [0xFE, 0xCA], ALL),
        case!("dec ax", [0x66, 0xFF, 0xC8], ALL),
        case!("neg eax", [0xF7, 0xD8], ALL),
        case!("neg al", [0xF6, 0xD8], ALL),
        case!("not eax", [0xF7, 0xD0], ALL),
        case!("xadd eax, edx", [0x0F, 0xC1, 0xD0], ALL),
        case!("xadd al, dl", [0x0F, 0xC0, 0xD0], ALL),
        case!("cmpxchg ecx, edx", [0x0F, 0xB1, 0xD1], ALL),
        case!("cmpxchg cl, dl", [0x0F, 0xB0, 0xD1], ALL),
        case!("mul edx", [0xF7, 0xE2], PRODUCT),
        case!("mul dx", [0x66, 0xF7, 0xE2], PRODUCT),
        case!("mul dl", [0xF6, 0xE2], PRODUCT),
        case!("imul edx", [0xF7, 0xEA], PRODUCT),
        case!("imul dx", [0x66, 0xF7, 0xEA], PRODUCT),
        case!("imul dl", [0xF6, 0xEA], PRODUCT),
        case!("imul eax, edx", [0x0F, 0xAF, 0xC2], PRODUCT),
        case!("imul ax, dx", [0x66, 0x0F, 0xAF, 0xC2], PRODUCT),
        case!("imul eax, edx, -7", [0x6B, 0xC2, 0xF9], PRODUCT),
        case!("div ecx", [0xF7, 0xF1], 0, Inputs::Division),
        case!("idiv ecx", [0xF7, 0xF9], 0, Inputs::SignedDivision),
    ]
}

fn shifts() -> Vec<Case> {
    vec![
        case!("shl eax, cl", [0xD3, 0xE0], SHIFTED | OF, Inputs::CountOne),
        case!("shr eax, cl", [0xD3, 0xE8], SHIFTED | OF, Inputs::CountOne),
        case!("sar eax, cl", [0xD3, 0xF8], SHIFTED | OF, Inputs::CountOne),
        case!("rol ax, cl", [0x66, 0xD3, 0xC0], ALL, Inputs::CountOne),
        case!("ror al, cl", [0xD2, 0xC8], ALL, Inputs::CountOne),
        case!("rcl al, cl", [0xD2, 0xD0], ALL, Inputs::CountOne),
        case!("rcr ax, cl", [0x66, 0xD3, 0xD8], ALL, Inputs::CountOne),
        case!("shl al, cl", [0xD2, 0xE0], PF | ZF | SF),
        case!("shl ax, cl", [0x66, 0xD3, 0xE0], SHIFTED, Inputs::SmallCount),
        case!("shl eax, cl", [0xD3, 0xE0], SHIFTED),
        case!("shr al, cl", [0xD2, 0xE8], PF | ZF | SF),
        case!("shr ax, cl", [0x66, 0xD3, 0xE8], SHIFTED, Inputs::SmallCount),
        case!("shr eax, cl", [0xD3, 0xE8], SHIFTED),
        case!("sar al, cl", [0xD2, 0xF8], SHIFTED),
        case!("sar ax, cl", [0x66, 0xD3, 0xF8], SHIFTED),
        case!("sar eax, cl", [0xD3, 0xF8], SHIFTED),
        case!("rol al, cl", [0xD2, 0xC0], ROTATED),
        case!("rol ax, cl", [0x66, 0xD3, 0xC0], ROTATED),
        case!("rol eax, cl", [0xD3, 0xC0], ROTATED),
        case!("ror al, cl", [0xD2, 0xC8], ROTATED),
        case!("ror ax, cl", [0x66, 0xD3, 0xC8], ROTATED),
        case!("ror eax, cl", [0xD3, 0xC8], ROTATED),
        case!("rcl al, cl", [0xD2, 0xD0], ROTATED),
        case!("rcl ax, cl", [0x66, 0xD3, 0xD0], ROTATED),
        case!("rcl eax, cl", [0xD3, 0xD0], ROTATED),
        case!("rcr al, cl", [0xD2, 0xD8], ROTATED),
        case!("rcr ax, cl", [0x66, 0xD3, 0xD8], ROTATED),
        case!("rcr eax, cl", [0xD3, 0xD8], ROTATED),
        case!("shl eax, 5", [0xC1, 0xE0, 0x05], SHIFTED),
        case!("sar edx, 1", [0xD1, 0xFA], SHIFTED | OF),
        case!("shld eax, edx, cl", [0x0F, 0xA5, 0xD0], SHIFTED),
        case!("shrd eax, edx, cl", [0x0F, 0xAD, 0xD0], SHIFTED),
        case!("shld ax, dx, cl", [0x66, 0x0F, 0xA5, 0xD0], SHIFTED, Inputs::SmallCount),
        case!("shrd ax, dx, cl", [0x66, 0x0F, 0xAD, 0xD0], SHIFTED, Inputs::SmallCount),
        case!("shld eax, edx, 1", [0x0F, 0xA4, 0xD0, 0x01], SHIFTED | OF),
        case!("shrd eax, edx, 1", [0x0F, 0xAC, 0xD0, 0x01], SHIFTED | OF),
    ]
}

fn others() -> Vec<Case> {
    vec![
        case!("bt eax, edx", [0x0F, 0xA3, 0xD0], BIT),
        case!("bts eax, edx", [0x0F, 0xAB, 0xD0], BIT),
        case!("btr ax, dx", [0x66, 0x0F, 0xB3, 0xD0], BIT),
        case!("btc eax, 37", [0x0F, 0xBA, 0xF8, 0x25], BIT),
        case!("bsf eax, edx", [0x0F, 0xBC, 0xC2], SCAN, Inputs::NonZero),
        case!("bsr eax, edx", [0x0F, 0xBD, 0xC2], SCAN, Inputs::NonZero),
        case!("bswap eax", [0x0F, 0xC8], ALL),
        case!("movzx eax, dl", [0x0F, 0xB6, 0xC2], ALL),
        case!("movsx eax, dx", [0x0F, 0xBF, 0xC2], ALL),
        case!("movsx ax, dh", [0x66, 0x0F, 0xBE, 0xC6], ALL),
        case!("cbw", [0x66, 0x98], ALL),
        case!("cwde", [0x98], ALL),
        case!("cwd", [0x66, 0x99], ALL),
        case!("cdq", [0x99], ALL),
        case!("xchg eax, edx", [0x92], ALL),
        case!("xchg al, dh", [0x86, 0xF0], ALL),
        case!("lahf", [0x9F], ALL),
        case!("sahf", [0x9E], ALL),
        case!("cmc", [0xF5], ALL),
        case!("clc", [0xF8], ALL),
        case!("stc", [0xF9], ALL),
        case!("seto al", [0x0F, 0x90, 0xC0], ALL),
        case!("setno al", [0x0F, 0x91, 0xC0], ALL),
        case!("setb al", [0x0F, 0x92, 0xC0], ALL),
        case!("setae ah", [0x0F, 0x93, 0xC4], ALL),
        case!("sete al", [0x0F, 0x94, 0xC0], ALL),
        case!("setne al", [0x0F, 0x95, 0xC0], ALL),
        case!("setbe al", [0x0F, 0x96, 0xC0], ALL),
        case!("seta al", [0x0F, 0x97, 0xC0], ALL),
        case!("sets al", [0x0F, 0x98, 0xC0], ALL),
        case!("setns al", [0x0F, 0x99, 0xC0], ALL),
        case!("setp al", [0x0F, 0x9A, 0xC0], ALL),
        case!("setnp al", [0x0F, 0x9B, 0xC0], ALL),
        case!("setl al", [0x0F, 0x9C, 0xC0], ALL),
        case!("setge al", [0x0F, 0x9D, 0xC0], ALL),
        case!("setle al", [0x0F, 0x9E, 0xC0], ALL),
        case!("setg al", [0x0F, 0x9F, 0xC0], ALL),
        case!("mov dh, al", [0x88, 0xC6], ALL),
        case!("mov ax, dx", [0x66, 0x89, 0xD0], ALL),
        case!("mov al, 200", [0xB0, 0xC8], ALL),
    ]
}

/// A small generator with a fixed seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A random word. Half of the words are near the ends of a range, where carries and overflows
    /// happen.
    fn word(&mut self) -> u32 {
        const EDGES: [u32; 10] =
            [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000];
        let raw = self.next();
        let pick = (raw >> 32) as usize;
        if pick.is_multiple_of(2) {
            EDGES[pick / 2 % EDGES.len()].wrapping_add(raw as u32 % 3)
        } else {
            raw as u32
        }
    }

    fn values(&mut self, inputs: Inputs) -> Values {
        let mut values = Values {
            eax: self.word(),
            edx: self.word(),
            ecx: self.word(),
            flags: self.next() as u32 & ALL,
        };
        match inputs {
            Inputs::Any => {}
            Inputs::Division => {
                values.ecx |= 1;
                values.edx %= values.ecx;
            }
            Inputs::SignedDivision => {
                values.edx = (values.eax as i32 >> 31) as u32;
                values.ecx = values.ecx & 0x7FFF_FFFF | 2;
            }
            Inputs::CountOne => values.ecx = 1,
            Inputs::SmallCount => values.ecx %= 17,
            Inputs::NonZero => values.edx |= 1 << (values.eax % 32),
        }
        values
    }
}

fn on_the_core(bench: &mut Bench, values: Values) -> Values {
    bench.set(|registers| {
        registers.eip = CODE;
        registers.eflags = values.flags | 2;
        registers.general[gpr::EAX] = values.eax;
        registers.general[gpr::EDX] = values.edx;
        registers.general[gpr::ECX] = values.ecx;
    });
    let now = bench.core.cycles();
    bench.run(now + 1);
    let registers = bench.core.registers();
    Values {
        eax: registers.general[gpr::EAX],
        edx: registers.general[gpr::EDX],
        ecx: registers.general[gpr::ECX],
        flags: registers.eflags & ALL,
    }
}

fn compare(cases: &[Case]) {
    let mut random = Random(2026);
    for case in cases {
        let mut bench = Bench::with(case.bytes);
        for _ in 0..ROUNDS {
            let input = random.values(case.inputs);
            let mut expected = (case.host)(input);
            let mut found = on_the_core(&mut bench, input);
            // A shift by 0 leaves every flag unchanged, also those that are otherwise undefined.
            expected.flags &= case.defined;
            found.flags &= case.defined;
            assert_eq!(found, expected, "{} of {input:x?}", case.text);
        }
    }
}

#[test]
fn arithmetic_agrees_with_the_host() {
    compare(&arithmetic());
}

#[test]
fn shifts_agree_with_the_host() {
    compare(&shifts());
}

#[test]
fn moves_bits_and_conditions_agree_with_the_host() {
    compare(&others());
}
