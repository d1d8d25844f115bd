//! An access to a line that is known but not open. Lines of one L1D set take turns, and pages of
//! one TLB set (two arrays a power of two apart do both): a turn is no more than a few bits of the
//! replacement state.
//!
//! EAX: the linear address, ECX: as for `Stubs::load`. R8 to R11 are saved first. R8 is the set of
//! lines, R9 the line's place among the known ones, in bytes of `QuickLines::ways`.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::QuickLines;

use super::stubs::{Assembler, at};
use crate::translator::reach::Access;

const OPEN_LOADS: i32 = offset_of!(QuickLines, open_loads) as i32;
const OPEN_STORES: i32 = offset_of!(QuickLines, open_stores) as i32;
const KNOWN_LOADS: i32 = offset_of!(QuickLines, known_loads) as i32;
const KNOWN_STORES: i32 = offset_of!(QuickLines, known_stores) as i32;
const ORIGINS: i32 = offset_of!(QuickLines, origins) as i32;
const WAYS: i32 = offset_of!(QuickLines, ways) as i32;
const BYTES: i32 = offset_of!(QuickLines, bytes) as i32;
const REPLACEMENT: i32 = offset_of!(QuickLines, replacement) as i32;
const AFTER_HIT: i32 = offset_of!(QuickLines, after_hit) as i32;
const SAVED_IN: i32 = offset_of!(QuickLines, saved_in) as i32;
const WINDOW: i32 = offset_of!(QuickLines, window) as i32;
/// A line that is used again is opened after so many uses without a turn of pages.
const PATIENCE: i32 = 16;

/// Returns from the stub, with the zero flag clear, if the line is known; goes on behind it with
/// all registers as they were otherwise.
pub(super) fn emit(asm: &mut Assembler, access: Access) {
    let (unknown, elsewhere, touch) =
        (asm.new_dynamic_label(), asm.new_dynamic_label(), asm.new_dynamic_label());
    let tags = if access == Access::Load { KNOWN_LOADS } else { KNOWN_STORES };
    dynasm!(asm ; .arch x64
        ; push r8
        ; push r9
        ; push r10
        ; push r11
        ; mov r8d, eax
        ; shr r8d, 5
        ; and r8d, [rbp + at::SET_MASK]
        ; mov r9d, ecx
        ; shr r9d, 16
        ; or r9d, 0xFFFF_F000u32 as i32
        ; and r9d, eax
        ; mov r10d, r8d
        ; shl r10d, 4
        ; movd xmm0, r9d
        ; pshufd xmm0, xmm0, 0
        ; movdqu xmm1, [rsi + r10 + tags]
        ; pcmpeqd xmm0, xmm1
        ; movmskps edx, xmm0
        ; bsf edx, edx
        ; jz =>elsewhere
        ; lea r9d, [r8 * 4 + rdx]
    );
    emit_turn(asm, unknown, touch);
    dynasm!(asm ; .arch x64 ; =>touch);
    emit_touch(asm, unknown);
    // The line's first byte, less the linear address of that.
    dynasm!(asm ; .arch x64
        ; shl r9d, 5
        ; mov rdx, [rsi + BYTES]
        ; add rdx, r9
        ; mov r10d, eax
        ; and r10d, -32
        ; sub rdx, r10
    );
    emit_return(asm);
    dynasm!(asm ; .arch x64 ; =>elsewhere);
    if access == Access::Store {
        emit_around(asm, unknown);
    }
    dynasm!(asm ; .arch x64 ; =>unknown ; mov rsi, [rbp + at::QUICK]);
    emit_pop(asm);
}

fn emit_return(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; mov rsi, [rbp + at::QUICK]);
    emit_pop(asm);
    dynasm!(asm ; .arch x64 ; test rdx, rdx ; ret);
}

fn emit_pop(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; pop r11 ; pop r10 ; pop r9 ; pop r8);
}

/// The line may be one of L2. Once it is sure, nothing fails any more, for it is counted here.
fn emit_around(asm: &mut Assembler, unknown: DynamicLabel) {
    let there = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov rsi, [rbp + at::AROUND]
        ; cmp r9d, [rsi + r10 + KNOWN_STORES]
        ; jne =>unknown
        ; movzx edx, cx
        ; add rdx, rbx
        ; cmp rdx, [rbp + at::REACH_LIMIT]
        ; jae =>unknown
        ; lea r9d, [r8 * 4]
    );
    emit_turn(asm, unknown, there);
    dynasm!(asm ; .arch x64
        ; =>there
        ; inc QWORD [rbp + at::STORES_AROUND]
        ; add rbx, [rbp + at::L2_CYCLES]
        ; mov rdx, [rsi + r8 * 8 + ORIGINS]
    );
    emit_return(asm);
}

/// The page becomes its TLB set's most recent one, unless another is open there. R10, R11 and RDX
/// go.
fn emit_turn(asm: &mut Assembler, unknown: DynamicLabel, there: DynamicLabel) {
    dynasm!(asm ; .arch x64
        ; mov r11d, eax
        ; shr r11d, 12
        ; mov edx, r11d
        ; and edx, [rbp + at::TLB_MASK]
        ; mov r10, [rbp + at::RECENT_DATA]
        ; cmp [r10 + rdx * 4], r11d
        ; je =>there
        ; push rcx
        ; mov rcx, [rbp + at::TLB_OPEN]
        ; bt rcx, rdx
        ; pop rcx
        ; jc =>unknown
        ; mov [r10 + rdx * 4], r11d
        ; movzx r11d, BYTE [rsi + r9 + WAYS]
        ; mov r10, [rbp + at::RECENT_INDEX]
        ; lea r10, [r10 + rdx * 4]
        ; push rdx
        ; imul edx, [rbp + at::TLB_WAYS]
        ; add edx, r11d
        ; mov [r10], edx
        ; pop rdx
        ; mov r10, [rbp + at::TREES]
        ; lea r10, [r10 + rdx * 4]
        ; mov edx, [r10]
        ; and edx, [rbp + r11 * 8 + at::TURNS]
        ; or edx, [rbp + r11 * 8 + at::TURNS + 4]
        ; mov [r10], edx
        ; mov BYTE [rbp + at::TLB_CHANGED], 1
        ; mov DWORD [rbp + at::PATIENCE], PATIENCE
    );
}

/// The line becomes its set's most recent one, if the set is saved for the open window. R10, R11
/// and RDX go.
fn emit_touch(asm: &mut Assembler, unknown: DynamicLabel) {
    let (free, same, done) =
        (asm.new_dynamic_label(), asm.new_dynamic_label(), asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; mov r10, [rsi + REPLACEMENT]
        ; movzx edx, BYTE [r10 + r8]
        ; mov r11d, r9d
        ; and r11d, 3
        ; lea r11d, [r11 + rdx * 4]
        ; add r11, [rsi + AFTER_HIT]
        ; movzx r11d, BYTE [r11]
        ; cmp r11d, edx
        ; je =>same
        ; mov edx, [rsi + WINDOW]
        ; test edx, edx
        ; jz =>free
        ; push rcx
        ; mov rcx, [rsi + SAVED_IN]
        ; cmp edx, [rcx + r8 * 4]
        ; pop rcx
        ; jne =>unknown
        ; =>free
        ; mov [r10 + r8], r11b
        ; mov DWORD [rsi + r8 * 4 + OPEN_LOADS], -1
        ; mov DWORD [rsi + r8 * 4 + OPEN_STORES], -1
        ; jmp =>done
        ; =>same
        ; dec DWORD [rbp + at::PATIENCE]
        ; jns =>done
        ; mov DWORD [rbp + at::PATIENCE], PATIENCE
        ; jmp =>unknown
        ; =>done
    );
}
