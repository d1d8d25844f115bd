//! A store to a clean line of L1D: the line becomes dirty. If L1I has the line too, the code jumps
//! to `Ways::unknown`. This is a copy of the rule in `in_place.rs` of the cache crate.
//!
//! Registers as in `l1d_lookup.rs`; R10 is the number of the line, RDX the address of the tags.
//!
//! NPB LU (class S, one core) takes 1.05 times the host's instructions without this path
//! (2026-11-29).

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::DIRTY;

use super::l1d_lookup::{SET_SHIFT, SETS, Ways};
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::host_registers::{R8, R9};
use crate::translator::x64::encoding::offsets;

/// The labels of the slow part (a clean line), which [`Clean::emit`] emits elsewhere.
#[must_use]
pub(crate) struct Clean {
    may_be_code: DynamicLabel,
    is_no_code: DynamicLabel,
    clean: DynamicLabel,
    dirty: DynamicLabel,
}

impl Clean {
    /// Emits the check, before anything changes, that a clean line is not in L1I.
    pub fn emit_check(asm: &mut Assembler) -> Clean {
        let [may_be_code, is_no_code, clean, dirty] = [(); 4].map(|()| asm.new_dynamic_label());
        dynasm!(asm ; .arch x64
            ; test BYTE [rdx + r10 * 4], DIRTY as i8
            ; jz =>may_be_code
            ; =>is_no_code
        );
        Clean { may_be_code, is_no_code, clean, dirty }
    }

    /// Emits the change of the line to dirty.
    pub fn emit_set(&self, asm: &mut Assembler) {
        let (clean, dirty) = (self.clean, self.dirty);
        dynasm!(asm ; .arch x64
            ; test BYTE [rdx + r10 * 4], DIRTY as i8
            ; jz =>clean
            ; =>dirty
        );
    }

    /// Emits the slow part. XMM0 holds R11 four times. Clobbers RDI, XMM3 and XMM5.
    pub fn emit(self, asm: &mut Assembler, ways: &Ways) {
        let Clean { may_be_code, is_no_code, clean, dirty } = self;
        dynasm!(asm ; .arch x64 ; =>may_be_code);
        emit_is_no_code(asm, ways);
        dynasm!(asm ; .arch x64
            ; jmp =>is_no_code
            ; =>clean
            ; push r8
            ; push r9
            ; mov r9d, ecx
            ; shr r9d, 4
            ; mov rdi, [rsi + SETS]
            ; movzx r8d, BYTE [rdi + r9]
        );
        let unsaved = ways.first.set(asm, R9, R8);
        dynasm!(asm ; .arch x64
            ; or BYTE [rdx + r10 * 4], DIRTY as i8
            ; pop r9
            ; pop r8
            ; jmp =>dirty
        );
        unsaved.emit(asm);
    }
}

/// Emits a jump to `unknown` if L1I has the line with R11's tag, which XMM0 holds four times.
/// Clobbers RDI and XMM3.
pub(crate) fn emit_is_no_code(asm: &mut Assembler, ways: &Ways) {
    let (compared, unknown) = (ways.compared, ways.unknown);
    dynasm!(asm ; .arch x64
        ; mov edi, r11d
        ; shr edi, SET_SHIFT
        ; and edi, [rbp + offsets::CODE_SETS]
        ; add rdi, [rbp + offsets::CODE_TAGS]
        ; movdqu xmm3, [rdi]
        ; pand xmm3, [=>compared]
        ; pcmpeqd xmm3, xmm0
        ; movmskps edi, xmm3
        ; test edi, edi
        ; jnz =>unknown
    );
}
