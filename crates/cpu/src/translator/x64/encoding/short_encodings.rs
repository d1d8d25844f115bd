//! The shortest encodings for constants that are known only when code is generated; the assembler
//! reserves room for the longest. Large programs spend most of their time on fetching code, so
//! short code is faster.

use dynasmrt::DynasmApi;

use super::assembler::Assembler;
use super::host_registers::{RAX, RDX};
use crate::translator::x64::region::coverage::Binary;

/// The prefix for 16-bit operands.
const WORD: u8 = 0x66;
/// REX, and its bits that extend the index and the base register.
const REX: u8 = 0x40;
const REX_INDEX: u8 = 2;
const REX_BASE: u8 = 1;
/// Opcode of an operation with a one-byte constant, which is sign-extended.
const GROUP_1_SHORT: u8 = 0x83;
const LEA: u8 = 0x8D;
/// ModRM modes: a register operand; a one-byte displacement; a four-byte displacement.
const REGISTER: u8 = 3 << 6;
const BYTE: u8 = 1 << 6;
const LONG: u8 = 2 << 6;
/// Values of register fields with a special meaning. In ModRM: a SIB byte follows. In SIB: no
/// index. In SIB, if ModRM has no displacement: no base.
const SIB: u8 = 4;
const NO_INDEX: u8 = 4 << 3;
const NO_BASE: u8 = 5;

/// The operation's number in opcode group 1; `None` if it is not in the group.
fn number(kind: Binary) -> Option<u8> {
    Some(match kind {
        Binary::Add => 0,
        Binary::Or => 1,
        Binary::Adc => 2,
        Binary::Sbb => 3,
        Binary::And => 4,
        Binary::Sub => 5,
        Binary::Xor => 6,
        Binary::Cmp => 7,
        Binary::Test => return None,
    })
}

/// The operation's number and the constant; `None` if the constant does not fit in a sign-extended
/// byte, the operands are single bytes, or the operation has no number.
fn short(kind: Binary, size: usize, constant: u32) -> Option<(u8, i8)> {
    let extended = if size == 2 { i32::from(constant as i16) } else { constant as i32 };
    Some((number(kind).filter(|_| size > 1)?, i8::try_from(extended).ok()?))
}

fn emit(asm: &mut Assembler, size: usize, bytes: &[u8], constant: i8) {
    if size == 2 {
        asm.push(WORD);
    }
    asm.extend(bytes);
    asm.push_i8(constant);
}

/// Emits an operation on a register and a constant in its short encoding; returns false, without
/// emitting code, if it has none.
pub(crate) fn register(
    asm: &mut Assembler,
    kind: Binary,
    size: usize,
    register: u8,
    constant: u32,
) -> bool {
    let Some((number, constant)) = short(kind, size, constant) else { return false };
    let modrm = REGISTER | number << 3 | register & 7;
    emit(asm, size, &[REX | register >> 3, GROUP_1_SHORT, modrm], constant);
    true
}

/// Emits an operation on the operand at RDX + RAX and a constant in its short encoding; returns
/// false, without emitting code, if it has none.
pub(crate) fn memory(asm: &mut Assembler, kind: Binary, size: usize, constant: u32) -> bool {
    let Some((number, constant)) = short(kind, size, constant) else { return false };
    emit(asm, size, &[GROUP_1_SHORT, number << 3 | SIB, RAX << 3 | RDX], constant);
    true
}

/// Emits LEA to EAX of `base` + `index` + `displacement`; `index` is a register with its scale as a
/// shift (0 to 3).
pub(crate) fn address(
    asm: &mut Assembler,
    base: Option<u8>,
    index: Option<(u8, u8)>,
    displacement: i32,
) {
    let rex = base.map_or(0, |base| REX_BASE * (base >> 3))
        | index.map_or(0, |(index, _)| REX_INDEX * (index >> 3));
    if rex != 0 {
        asm.push(REX | rex);
    }
    asm.push(LEA);
    let byte = i8::try_from(displacement).ok().filter(|_| base.is_some());
    let needed = match (base, byte) {
        (None, _) => 0,
        // Without a displacement, RBP and R13 as base have another meaning.
        (Some(base), Some(0)) if base & 7 != NO_BASE => 0,
        (_, Some(_)) => BYTE,
        _ => LONG,
    };
    match (base, index) {
        (Some(base), None) if base & 7 != SIB => asm.push(needed | base & 7),
        _ => {
            let index = index.map_or(NO_INDEX, |(index, scale)| scale << 6 | (index & 7) << 3);
            asm.extend(&[needed | SIB, index | base.map_or(NO_BASE, |base| base & 7)]);
        }
    }
    match (needed, byte) {
        (BYTE, Some(byte)) => asm.push_i8(byte),
        (0, _) if base.is_some() => {}
        _ => asm.push_i32(displacement),
    }
}

#[cfg(test)]
mod tests {
    use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};

    use super::super::assembler::Parts;
    use super::*;

    fn text(emit: impl FnOnce(&mut Assembler)) -> String {
        let mut asm = Assembler::new();
        emit(&mut asm);
        let bytes = asm.link(Parts::default(), false).fast;
        let mut decoder = Decoder::new(64, &bytes, DecoderOptions::NONE);
        let instruction = decoder.decode();
        assert!(!decoder.can_decode(), "{bytes:X?} is more than one instruction");
        let mut text = String::new();
        IntelFormatter::new().format(&instruction, &mut text);
        text
    }

    #[test]
    fn addresses_are_what_was_asked_for() {
        let lea = |base, index, displacement| text(|asm| address(asm, base, index, displacement));
        for base in 8..16u8 {
            let name = format!("r{base}");
            assert_eq!(lea(Some(base), None, 4), format!("lea eax,[{name}+4]"));
            assert_eq!(lea(Some(base), None, -200), format!("lea eax,[{name}-0C8h]"));
            for index in 8..16u8 {
                let both = lea(Some(base), Some((index, 2)), 0);
                assert_eq!(both, format!("lea eax,[{name}+r{index}*4]"));
                let far = lea(Some(base), Some((index, 0)), 0x1234);
                assert_eq!(far, format!("lea eax,[{name}+r{index}+1234h]"));
            }
            assert_eq!(lea(None, Some((base, 3)), 8), format!("lea eax,[{name}*8+8]"));
        }
    }

    #[test]
    fn constants_are_what_was_asked_for() {
        let on = |kind, size, number, constant| {
            text(|asm| assert!(register(asm, kind, size, number, constant)))
        };
        assert_eq!(on(Binary::Add, 4, 12, 16), "add r12d,10h");
        assert_eq!(on(Binary::Cmp, 4, 8, u32::MAX), "cmp r8d,0FFFFFFFFh");
        assert_eq!(on(Binary::Sbb, 2, 15, 0xFFF0), "sbb r15w,0FFF0h");
        let there = |kind, size, constant| text(|asm| assert!(memory(asm, kind, size, constant)));
        assert_eq!(there(Binary::Xor, 4, 5), "xor dword ptr [rdx+rax],5");
        assert_eq!(there(Binary::And, 2, 0x7F), "and word ptr [rdx+rax],7Fh");
        let mut asm = Assembler::new();
        assert!(!register(&mut asm, Binary::Add, 4, 8, 128));
        assert!(!register(&mut asm, Binary::Add, 1, 8, 1));
        assert!(!memory(&mut asm, Binary::Test, 4, 1));
    }
}
