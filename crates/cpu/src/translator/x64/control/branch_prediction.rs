//! Branches whose entry in the branch target buffer is not at the place last recorded
//! (`branch_places.rs`), or whose entry must change: the stub searches the set and updates the
//! entry.
//!
//! If a branch was predicted correctly and its entry does not change, only the hit is counted. An
//! entry that has been written in the open window may be written again here;
//! `resolve_for_translated` does the rest: an entry's first write in the window, and new entries.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use crate::instruction::shape::Branch;
use crate::timing::pipeline::misprediction;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::stubs::callbacks::{self, CONDITIONAL, SECOND, TAKEN};
use crate::translator::x64::stubs::enter_leave::{pop_registers, push_registers};
use crate::units::branch_places::{BranchPlace, SUB_BITS, number};
use crate::units::branch_target_buffer::{Entry, SET_SHIFT, SETS, WAYS, state};

pub(crate) const ENTRY_BRANCH: i32 = offset_of!(Entry, branch) as i32;
pub(crate) const ENTRY_TARGET: i32 = offset_of!(Entry, target) as i32;
pub(crate) const ENTRY_STATE: i32 = offset_of!(Entry, state) as i32;
const ENTRY_BYTES: i32 = size_of::<Entry>() as i32;
const OFFSETS: i32 = offsets::BRANCH_PLACES + offset_of!(BranchPlace, offset) as i32;
const COUNTS: i32 = offsets::BRANCH_PLACES + offset_of!(BranchPlace, count) as i32;

/// The offset from RBP of the field `offset` in the place (`branch_places.rs`) of the branch at
/// address `branch`.
pub(crate) fn place(branch: u32) -> i32 {
    OFFSETS + (number(branch) * size_of::<BranchPlace>()) as i32
}

/// The offset from RBP of the field `count` in the place (`branch_places.rs`) of the branch at
/// address `branch`.
pub(crate) fn count(branch: u32) -> i32 {
    COUNTS + (number(branch) * size_of::<BranchPlace>()) as i32
}

/// Emits the stub `Stubs::resolve`.
pub(crate) fn emit(asm: &mut Assembler) {
    let [found, not_taken, foreseen, learns, other] = [(); 5].map(|()| asm.new_dynamic_label());
    // The entry at the branch's place belongs to another branch, or does not predict this one.
    dynasm!(asm ; .arch x64 ; cmp [rax + ENTRY_BRANCH], edx ; je =>learns);
    emit_find(asm, found);
    dynasm!(asm ; .arch x64
        ; test cl, TAKEN as i8
        ; jnz =>other
        ; jmp =>foreseen
        ; =>found
    );
    emit_note(asm);
    dynasm!(asm ; .arch x64
        ; test cl, TAKEN as i8
        ; jz =>not_taken
        ; mov esi, [rbp + offsets::EIP]
        ; cmp [rax + ENTRY_TARGET], esi
        ; jne =>learns
        ; cmp BYTE [rax + ENTRY_STATE], state::STRONGLY_TAKEN as i8
        ; jne =>learns
        ; inc QWORD [rbp + offsets::HITS]
        ; =>foreseen
        ; mov rsi, [rbp + offsets::QUICK]
        ; xor eax, eax
        ; ret
        ; =>not_taken
        ; cmp BYTE [rax + ENTRY_STATE], state::STRONGLY_NOT_TAKEN as i8
        ; jne =>learns
        ; inc QWORD [rbp + offsets::HITS]
        ; inc QWORD [rbp + offsets::HITS_NOT_TAKEN]
        ; jmp =>foreseen
        ; =>learns
    );
    emit_learn(asm, foreseen, other);
    dynasm!(asm ; .arch x64 ; =>other);
    emit_call(asm);
}

/// Emits the update of the entry at RAX by the branch's outcome, as
/// [`crate::units::branch_target_buffer::BranchTargets::resolve`] does, if the entry has already
/// been written in this window; otherwise the code jumps to `other`. The emitted code jumps to
/// `foreseen`, or returns the clocks of the misprediction.
fn emit_learn(asm: &mut Assembler, foreseen: DynamicLabel, other: DynamicLabel) {
    let [not_taken, unforeseen] = [(); 2].map(|()| asm.new_dynamic_label());
    emit_is_written(asm, other);
    dynasm!(asm ; .arch x64
        ; movzx edi, BYTE [rax + ENTRY_STATE]
        ; test edi, edi
        ; jz =>other
        ; inc QWORD [rbp + offsets::HITS]
        ; test cl, TAKEN as i8
        ; jz =>not_taken
        ; xor esi, esi
        ; cmp edi, state::WEAKLY_NOT_TAKEN as i32
        ; sete sil
        ; neg esi
        ; add esi, state::STRONGLY_TAKEN as i32
        ; mov [rax + ENTRY_STATE], sil
        ; mov esi, [rbp + offsets::EIP]
        ; cmp [rax + ENTRY_TARGET], esi
        ; mov [rax + ENTRY_TARGET], esi
        ; jne =>unforeseen
        ; cmp edi, state::WEAKLY_TAKEN as i32
        ; jae =>foreseen
        ; =>unforeseen
        ; inc QWORD [rbp + offsets::FLUSHES]
        ; and ecx, (CONDITIONAL | SECOND) as i32
        ; cmp ecx, (CONDITIONAL | SECOND) as i32
        ; mov eax, misprediction(Branch::Always, false) as i32
        ; mov ecx, misprediction(Branch::Conditional, true) as i32
        ; cmove eax, ecx
        ; mov rsi, [rbp + offsets::QUICK]
        ; ret
        ; =>not_taken
        ; inc QWORD [rbp + offsets::HITS_NOT_TAKEN]
        ; lea esi, [rdi - 1]
        ; cmp edi, state::WEAKLY_NOT_TAKEN as i32
        ; adc esi, 0
        ; mov [rax + ENTRY_STATE], sil
        ; cmp edi, state::WEAKLY_TAKEN as i32
        ; jb =>foreseen
        ; jmp =>unforeseen
    );
}

/// Emits a jump to `other` unless the entry at RAX has been written in the open window. Clobbers
/// RSI and RDI.
fn emit_is_written(asm: &mut Assembler, other: DynamicLabel) {
    // Multiplying by 0xAAAB divides by 12 exactly for all offsets of a table.
    const { assert!(ENTRY_BYTES == 12 && WAYS * SETS * 12 < 1 << 15) };
    dynasm!(asm ; .arch x64
        ; mov rsi, rax
        ; sub rsi, [rbp + offsets::BRANCH_TARGETS]
        ; imul edi, esi, 0xAAAB
        ; shr edi, 19
        ; mov esi, edi
        ; shr esi, 6
        ; mov rsi, [rbp + rsi * 8 + offsets::BRANCHES_WRITTEN]
        ; bt rsi, rdi
        ; jnc =>other
    );
}

/// Emits code that records in the place of the branch in EDX that its entry is at RAX. Clobbers RSI
/// and RDI.
fn emit_note(asm: &mut Assembler) {
    const { assert!(size_of::<BranchPlace>() == 4 && number(1 << SET_SHIFT) >> SUB_BITS == 1) };
    dynasm!(asm ; .arch x64
        ; mov edi, edx
        ; shr edi, 4
        ; xor edi, edx
        ; shr edi, 8
        ; xor edi, edx
        ; and edi, (1 << SUB_BITS) - 1
        ; mov esi, edx
        ; shr esi, SET_SHIFT as i8
        ; and esi, SETS as i32 - 1
        ; shl esi, SUB_BITS as i8
        ; or edi, esi
        ; mov rsi, rax
        ; sub rsi, [rbp + offsets::BRANCH_TARGETS]
        ; mov [rbp + rdi * 4 + OFFSETS], si
    );
}

/// Emits a search for the entry of the branch in EDX. If there is one, the code loads RAX with its
/// address and jumps to `found`. Clobbers RAX.
fn emit_find(asm: &mut Assembler, found: DynamicLabel) {
    let set_bytes = WAYS as i32 * ENTRY_BYTES;
    dynasm!(asm ; .arch x64
        ; mov eax, edx
        ; shr eax, SET_SHIFT as i8
        ; and eax, SETS as i32 - 1
        ; imul eax, eax, set_bytes
        ; add rax, [rbp + offsets::BRANCH_TARGETS]
    );
    for way in 0..WAYS {
        if way > 0 {
            dynasm!(asm ; .arch x64 ; add rax, ENTRY_BYTES);
        }
        dynasm!(asm ; .arch x64 ; cmp [rax + ENTRY_BRANCH], edx ; je =>found);
    }
}

fn emit_call(asm: &mut Assembler) {
    let address = callbacks::resolve as *const () as usize as i64;
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; lea rdi, [rbp - offsets::MIDDLE]
        ; mov rsi, rdx
        ; mov edx, ecx
        ; mov rax, QWORD address
        ; call rax
    );
    pop_registers(asm);
    dynasm!(asm ; .arch x64 ; ret);
}
