//! FLDENV, FNSTENV, FNSAVE, FRSTOR: the environment in its four formats (16 or 32 bits, protected
//! or real mode; virtual-8086 mode uses the real-mode ones).
//!
//! Real-mode formats hold linear addresses of 20 (32) bits and the opcode, protected-mode formats
//! selectors and offsets; of these only the 32-bit one holds the opcode
//! (`intel-pentium-manual`, chapter 6, figures of the environment in memory).

use crate::f80::F80;
use crate::fpu::{Fpu, Pointer};

/// Bytes of an environment with 16-bit and with 32-bit operands.
const SHORT: usize = 14;
const LONG: usize = 28;
/// Bytes of the eight registers after the environment.
const REGISTER_BYTES: usize = 10;
/// The value of the unused upper halves of 32-bit fields.
const FILL: u32 = 0xFFFF_0000;

/// Writes the environment; `store` holds 14 or 28 bytes.
pub(crate) fn store_environment(fpu: &Fpu, protected: bool, store: &mut [u8]) {
    let words = [fpu.control, fpu.status_word(), fpu.tag_word()];
    let (code, data) = (fpu.instruction, fpu.operand);
    let (code_linear, data_linear) = (linear(code), linear(data));
    if store.len() == LONG {
        let head = words.map(|word| FILL | u32::from(word));
        let tail = if protected {
            [
                code.offset,
                u32::from(code.selector) | u32::from(fpu.opcode) << 16,
                data.offset,
                FILL | u32::from(data.selector),
            ]
        } else {
            [
                FILL | code_linear & 0xFFFF,
                (code_linear & 0xFFFF_0000) >> 4 | u32::from(fpu.opcode),
                FILL | data_linear & 0xFFFF,
                (data_linear & 0xFFFF_0000) >> 4,
            ]
        };
        let fields = head.iter().chain(&tail);
        for (place, field) in store.chunks_exact_mut(4).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        return;
    }
    debug_assert_eq!(store.len(), SHORT);
    let tail = if protected {
        [code.offset as u16, code.selector, data.offset as u16, data.selector]
    } else {
        [
            code_linear as u16,
            (code_linear >> 4 & 0xF000) as u16 | fpu.opcode,
            data_linear as u16,
            (data_linear >> 4 & 0xF000) as u16,
        ]
    };
    for (place, field) in store.chunks_exact_mut(2).zip(words.iter().chain(&tail)) {
        place.copy_from_slice(&field.to_le_bytes());
    }
}

fn linear(pointer: Pointer) -> u32 {
    (u32::from(pointer.selector) << 4).wrapping_add(pointer.offset)
}

/// Loads an environment of 14 or 28 bytes. A real-mode address becomes selector 0 and the linear
/// address as offset, which stores back as the same address.
pub(crate) fn load_environment(fpu: &mut Fpu, protected: bool, memory: &[u8]) {
    let size = if memory.len() == LONG { 4 } else { 2 };
    let field = |i: usize| {
        let mut bytes = [0; 4];
        bytes[..size].copy_from_slice(&memory[i * size..(i + 1) * size]);
        u32::from_le_bytes(bytes)
    };
    fpu.set_control(field(0) as u16);
    fpu.set_status_word(field(1) as u16);
    fpu.set_tag_word(field(2) as u16);
    let high = |bits: u32| if size == 4 { bits << 4 & 0xFFFF_0000 } else { bits << 4 & 0xF_0000 };
    if protected {
        fpu.instruction = Pointer { selector: field(4) as u16, offset: field(3) };
        fpu.operand = Pointer { selector: field(6) as u16, offset: field(5) };
        fpu.opcode = if size == 4 { (field(4) >> 16) as u16 & 0x7FF } else { 0 };
    } else {
        let low = |bits: u32| bits & 0xFFFF;
        fpu.instruction = Pointer { selector: 0, offset: low(field(3)) | high(field(4)) };
        fpu.operand = Pointer { selector: 0, offset: low(field(5)) | high(field(6)) };
        fpu.opcode = field(4) as u16 & 0x7FF;
    }
}

/// FNSAVE without its initialisation: environment and registers; returns the bytes written.
pub(crate) fn save(fpu: &Fpu, protected: bool, store: &mut [u8]) {
    let (environment, registers) = store.split_at_mut(store.len() - 8 * REGISTER_BYTES);
    store_environment(fpu, protected, environment);
    for (i, place) in (0..).zip(registers.chunks_exact_mut(REGISTER_BYTES)) {
        place.copy_from_slice(&fpu.st(i).to_bytes());
    }
}

/// FRSTOR.
pub(crate) fn restore(fpu: &mut Fpu, protected: bool, memory: &[u8]) {
    let (environment, registers) = memory.split_at(memory.len() - 8 * REGISTER_BYTES);
    load_environment(fpu, protected, environment);
    let empty = fpu.empty;
    for (i, bytes) in (0..).zip(registers.chunks_exact(REGISTER_BYTES)) {
        fpu.set_st(i, F80::from_bytes(bytes));
    }
    fpu.empty = empty;
}
