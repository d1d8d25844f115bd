//! A misaligned access within one line that L1D has. The access is done like an aligned one. If it
//! crosses a multiple of 4 bytes (`NATURAL`), it costs a penalty in core cycles: one for a load or
//! a store, two for a read-modify-write, as in `../../access/misaligned.rs`.
//!
//! Registers as in `l1d_lookup.rs`, before any is saved.
//!
//! A loop over misaligned words in L1D takes 3.2 times the host's instructions without this path
//! (2026-11-29).

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::l1d_lookup::{OPEN_LOADS, OPEN_STORES, ORIGIN};
use super::line_predictor::emit_page;
use crate::translator::access::fast_access::Access;
use crate::translator::access::misaligned::{NATURAL, penalties};
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::stubs::callbacks::MAY_BE_MISALIGNED;

/// The byte of `HostFrame::how` that holds the size less one; the byte that holds the flags; and
/// the bit of `MAY_BE_MISALIGNED` in it.
const SIZE: i32 = offsets::HOW + 2;
const FLAGS: i32 = offsets::HOW + 3;
const MAY_BE: i8 = (MAY_BE_MISALIGNED >> 8) as i8;
const PAGE: i32 = 0xFFFF_F000u32 as i32;
const LAST: i8 = rockcreek_defs::LINE_BYTES as i8 - 1;

/// Emits a jump to the slow part, taken if EDX shows that the access is misaligned.
/// `Unaligned::emit` emits the slow part, later in the same stub.
pub(crate) fn emit_check(asm: &mut Assembler) -> Unaligned {
    let unaligned = Unaligned { label: asm.new_dynamic_label(), back: asm.new_dynamic_label() };
    let Unaligned { label, back } = unaligned;
    dynasm!(asm ; .arch x64 ; test edx, !PAGE ; jnz =>label ; =>back);
    unaligned
}

/// `label`: the slow part for a misaligned access. `back`: where the slow part continues if it
/// cannot do the access.
#[must_use]
pub(crate) struct Unaligned {
    label: DynamicLabel,
    back: DynamicLabel,
}

impl Unaligned {
    /// Emits the slow part, which returns from the stub if it does the access. `at_once`: the label
    /// of the stub for accesses that L1D alone does. Clobbers RCX, RDI, and what that stub
    /// clobbers.
    pub fn emit(self, asm: &mut Assembler, access: Access, at_once: DynamicLabel) {
        let Unaligned { label, back } = self;
        let [other, there, crosses] = [(); 3].map(|()| asm.new_dynamic_label());
        let pages = if access == Access::Load { OPEN_LOADS } else { OPEN_STORES };
        dynasm!(asm ; .arch x64
            ; =>label
            ; test BYTE [rbp + FLAGS], MAY_BE
            ; jz =>back
            ; movzx edi, BYTE [rbp + SIZE]
            ; mov edx, eax
            ; and edx, i32::from(LAST)
            ; add edx, edi
            ; cmp edx, i32::from(LAST)
            ; ja =>other
            ; movzx edx, WORD [rbp + offsets::HOW]
            ; add rdx, rbx
            ; cmp rdx, [rbp + offsets::REACH_LIMIT]
            ; jae =>other
            ; mov edi, eax
            ; and edi, PAGE
            ; mov rdx, [rsi + rcx + ORIGIN]
            ; cmp edi, [rsi + rcx + pages]
            ; je =>there
            ; mov edx, edi
            ; call =>at_once
            ; jz =>other
            ; =>there
            ; movzx edi, BYTE [rbp + SIZE]
            ; mov ecx, eax
            ; and ecx, NATURAL as i32 - 1
            ; add ecx, edi
            ; cmp ecx, NATURAL as i32 - 1
            ; ja =>crosses
            ; test rdx, rdx
            ; ret
            ; =>crosses
            ; add QWORD [rbp + offsets::MISALIGNED], penalties(access) as i32
        );
        for _ in 0..penalties(access) {
            dynasm!(asm ; .arch x64 ; add rbx, [rbp + offsets::MISALIGNED_CYCLES]);
        }
        dynasm!(asm ; .arch x64 ; test rdx, rdx ; ret ; =>other);
        emit_page(asm);
        dynasm!(asm ; .arch x64 ; jmp =>back);
    }
}
