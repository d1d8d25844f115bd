//! A branch whose entry is not where its memo says, or is not as the branch went: the branch target
//! buffer's set is looked through, and the entry learns.
//!
//! The cores of a chip share the memos, but have buffers of their own, in which an entry may lie in
//! another way. As long as a branch is foreseen and its entry stays as it is, that it was a hit is
//! all there is to do. An entry that has been written in the open window may be written again; what
//! else there is to do, a first write and a new entry, is for `resolve_for_translated`.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use crate::instruction::shape::Branch;
use crate::timing::pipeline::misprediction;
use crate::translator::interpreter_step::BranchMemo;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::stubs::callbacks::{self, CONDITIONAL, SECOND, TAKEN};
use crate::translator::x64::stubs::enter_leave::{Assembler, pop_registers, push_registers};
use crate::units::branch_target_buffer::{Entry, SET_SHIFT, SETS, WAYS, state};

const MEMO_FROM: i32 = offset_of!(BranchMemo, from) as i32;
pub(crate) const MEMO_ENTRY: i32 = offset_of!(BranchMemo, entry) as i32;
pub(crate) const MEMO_ABSENT: i32 = offset_of!(BranchMemo, absent) as i32;
pub(crate) const ENTRY_BRANCH: i32 = offset_of!(Entry, branch) as i32;
pub(crate) const ENTRY_TARGET: i32 = offset_of!(Entry, target) as i32;
pub(crate) const ENTRY_STATE: i32 = offset_of!(Entry, state) as i32;
const ENTRY_BYTES: i32 = size_of::<Entry>() as i32;

/// The stub `Stubs::resolve`.
pub(crate) fn emit(asm: &mut Assembler) {
    let [found, not_taken, note, foreseen, learns, other] =
        [(); 6].map(|()| asm.new_dynamic_label());
    // Where the memo says, it is not as foreseen.
    dynasm!(asm ; .arch x64
        ; mov esi, [rdx + MEMO_FROM]
        ; mov rax, [rdx + MEMO_ENTRY]
        ; add rax, [rbp + offsets::BRANCH_TARGETS]
        ; cmp [rax + ENTRY_BRANCH], esi
        ; je =>learns
    );
    emit_find(asm, found);
    dynasm!(asm ; .arch x64
        ; test cl, TAKEN as i8
        ; jnz =>other
        ; mov rax, [rbp + offsets::GENERATION]
        ; mov [rdx + MEMO_ABSENT], rax
        ; jmp =>foreseen
        ; =>found
        ; test cl, TAKEN as i8
        ; jz =>not_taken
        ; mov esi, [rbp + offsets::EIP]
        ; cmp [rax + ENTRY_TARGET], esi
        ; jne =>learns
        ; cmp BYTE [rax + ENTRY_STATE], state::STRONGLY_TAKEN as i8
        ; jne =>learns
        ; inc QWORD [rbp + offsets::HITS]
        ; =>note
        ; sub rax, [rbp + offsets::BRANCH_TARGETS]
        ; mov [rdx + MEMO_ENTRY], rax
        ; =>foreseen
        ; mov rsi, [rbp + offsets::QUICK]
        ; xor eax, eax
        ; ret
        ; =>not_taken
        ; cmp BYTE [rax + ENTRY_STATE], state::STRONGLY_NOT_TAKEN as i8
        ; jne =>learns
        ; inc QWORD [rbp + offsets::HITS]
        ; inc QWORD [rbp + offsets::HITS_NOT_TAKEN]
        ; jmp =>note
        ; =>learns
    );
    emit_learn(asm, foreseen, other);
    dynasm!(asm ; .arch x64 ; =>other);
    emit_call(asm);
}

/// The entry at RAX learns how its branch went, as
/// [`crate::units::branch_target_buffer::BranchTargets::resolve`] has it, if it has been written in
/// this window already. To `foreseen`, or returns with what it costs.
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

/// The entry at RAX has been written in the open window; its memo says where it is. RSI and RDI go.
fn emit_is_written(asm: &mut Assembler, other: DynamicLabel) {
    // Exact for all offsets of a table.
    const { assert!(ENTRY_BYTES == 12 && WAYS * SETS * 12 < 1 << 15) };
    dynasm!(asm ; .arch x64
        ; mov rsi, rax
        ; sub rsi, [rbp + offsets::BRANCH_TARGETS]
        ; mov [rdx + MEMO_ENTRY], rsi
        ; imul edi, esi, 0xAAAB
        ; shr edi, 19
        ; mov esi, edi
        ; shr esi, 6
        ; mov rsi, [rbp + rsi * 8 + offsets::BRANCHES_WRITTEN]
        ; bt rsi, rdi
        ; jnc =>other
    );
}

/// To `found` with the address of the entry of the branch, which is in ESI, in RAX, if it has one.
fn emit_find(asm: &mut Assembler, found: DynamicLabel) {
    let set_bytes = WAYS as i32 * ENTRY_BYTES;
    dynasm!(asm ; .arch x64
        ; mov eax, esi
        ; shr eax, SET_SHIFT as i8
        ; and eax, SETS as i32 - 1
        ; imul eax, eax, set_bytes
        ; add rax, [rbp + offsets::BRANCH_TARGETS]
    );
    for way in 0..WAYS {
        if way > 0 {
            dynasm!(asm ; .arch x64 ; add rax, ENTRY_BYTES);
        }
        dynasm!(asm ; .arch x64 ; cmp [rax + ENTRY_BRANCH], esi ; je =>found);
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
