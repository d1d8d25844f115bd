//! An access that L1D misses and L2 serves: a line for a load, with the victim's way back, or a store
//! that goes around L1D. The same steps as `in_place.rs` of the caches, and nothing is changed before
//! all that they need is there.
//!
//! Registers as in `lookup.rs`; RDX is the table of L2, R10 the number of its line. For a load R12
//! is the set of L1D, R13 the victim, R14 one more than L2's line of a dirty victim.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{COMPARED, DIRTY, MESSAGE_BUFFER, QUICK_HINTS, QuickLines};

use super::lookup::{
    BYTES, HINTS, OPEN_LOADS, OPEN_STORES, ORIGINS, REPLACEMENT, STORES, TAGS, Ways,
    emit_after_hit, emit_origin, emit_place, emit_return, emit_turn, emit_undone,
};
use super::saving;
use super::stubs::{Assembler, at};
use crate::translator::frame::BEYOND;
use crate::translator::reach::Access;

const AFTER_FILL: i32 = offset_of!(QuickLines, arrays.after_fill) as i32;
const VICTIM: i32 = offset_of!(QuickLines, arrays.victim) as i32;
const TURNED_STORES: i32 = offset_of!(QuickLines, turned_stores) as i32;
const SETS: i32 = offset_of!(QuickLines, arrays.set_mask) as i32;
const USABLE: i32 = offset_of!(QuickLines, usable) as i32;
const R10: u8 = 10;
const R13: u8 = 13;
const R14: u8 = 14;

/// Behind `Ways::missed`.
pub(super) fn emit(asm: &mut Assembler, ways: &Ways) {
    let (missed, unknown) = (ways.missed, ways.unknown);
    if ways.access == Access::Modify {
        dynasm!(asm ; .arch x64 ; =>missed ; jmp =>unknown);
        return;
    }
    let (fails, nowhere) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; =>missed
        ; push rdi
        ; push r12
        ; push r13
        ; push r14
        ; movzx ecx, WORD [rbp + at::HOW]
        ; add rcx, rbx
        ; cmp rcx, [rbp + at::REACH_LIMIT]
        ; jae =>fails
        ; mov rdx, [rbp + at::AROUND]
        ; cmp DWORD [rdx + USABLE], 0
        ; je =>fails
    );
    if ways.access == Access::Load {
        emit_load(asm, ways, fails);
    } else {
        emit_store(asm, ways, fails, nowhere);
    }
    emit_pop(asm);
    emit_return(asm);
    if ways.access == Access::Store {
        emit_beyond(asm, nowhere, fails);
    }
    dynasm!(asm ; .arch x64 ; =>fails);
    emit_pop(asm);
    dynasm!(asm ; .arch x64 ; jmp =>unknown);
}

fn emit_pop(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; pop r14 ; pop r13 ; pop r12 ; pop rdi);
}

/// R10 is L2's line with R11's tag. RCX and XMM3 go.
fn emit_find(asm: &mut Assembler, ways: &Ways, fails: DynamicLabel) {
    let (there, compared) = (asm.new_dynamic_label(), ways.compared);
    dynasm!(asm ; .arch x64
        ; mov r10d, eax
        ; shr r10d, 5
        ; and r10d, QUICK_HINTS as i32 - 1
        ; movzx r10d, WORD [rdx + r10 * 2 + HINTS]
        ; mov rcx, [rdx + TAGS]
        ; mov ecx, [rcx + r10 * 4]
        ; and ecx, COMPARED as i32
        ; cmp ecx, r11d
        ; je =>there
        ; mov r10d, r11d
        ; shr r10d, 5
        ; and r10d, [rdx + SETS]
        ; shl r10d, 4
        ; mov rcx, [rdx + TAGS]
        ; movdqu xmm3, [rcx + r10]
        ; pand xmm3, [=>compared]
        ; pcmpeqd xmm3, xmm0
        ; movmskps ecx, xmm3
        ; test ecx, ecx
        ; jz =>fails
        ; bsf ecx, ecx
        ; shr r10d, 2
        ; add r10d, ecx
        ; mov ecx, eax
        ; shr ecx, 5
        ; and ecx, QUICK_HINTS as i32 - 1
        ; mov [rdx + rcx * 2 + HINTS], r10w
        ; =>there
    );
}

fn emit_load(asm: &mut Assembler, ways: &Ways, fails: DynamicLabel) {
    let (dirty, clean, write_back, written) = (
        asm.new_dynamic_label(),
        asm.new_dynamic_label(),
        asm.new_dynamic_label(),
        asm.new_dynamic_label(),
    );
    let over = asm.new_dynamic_label();
    // All four lines of the set are valid.
    dynasm!(asm ; .arch x64
        ; pslld xmm1, 31
        ; movmskps ecx, xmm1
        ; cmp ecx, 15
        ; jne =>fails
    );
    emit_find(asm, ways, fails);
    dynasm!(asm ; .arch x64
        ; mov r12d, eax
        ; shr r12d, 5
        ; and r12d, [rbp + at::SET_MASK]
        ; mov rcx, [rsi + REPLACEMENT]
        ; movzx ecx, BYTE [rcx + r12]
        ; add rcx, [rsi + VICTIM]
        ; movzx ecx, BYTE [rcx]
        ; lea r13d, [rcx + r12 * 4]
        ; xor r14d, r14d
        ; mov rcx, [rsi + TAGS]
        ; mov ecx, [rcx + r13 * 4]
        ; test cl, DIRTY as i8
        ; jnz =>dirty
        ; =>clean
    );
    emit_turn(asm, fails);
    dynasm!(asm ; .arch x64
        ; mov rdx, [rbp + at::AROUND]
        ; test r14d, r14d
        ; jnz =>write_back
        ; =>written
    );
    emit_touch(asm, ways, R10);
    emit_fill(asm, ways);
    dynasm!(asm ; .arch x64 ; jmp =>over);
    emit_target(asm, ways, dirty, clean, fails);
    dynasm!(asm ; .arch x64 ; =>write_back);
    emit_write_back(asm, ways);
    dynasm!(asm ; .arch x64 ; jmp =>written ; =>over);
}

/// The line comes into L1D. RDX is then where the load finds it: in L2, for there it is already.
fn emit_fill(asm: &mut Assembler, ways: &Ways) {
    dynasm!(asm ; .arch x64 ; mov ecx, r12d);
    ways.first.set(asm, saving::FIRST);
    ways.first.line(asm, saving::FIRST, R13);
    dynasm!(asm ; .arch x64
        ; mov rcx, [rsi + TAGS]
        ; movd [rcx + r13 * 4], xmm0
        ; mov rcx, [rsi + REPLACEMENT]
        ; movzx edi, BYTE [rcx + r12]
        ; mov r9d, r13d
        ; and r9d, 3
        ; lea edi, [r9 + rdi * 4]
        ; add rdi, [rsi + AFTER_FILL]
        ; movzx edi, BYTE [rdi]
        ; mov [rcx + r12], dil
        ; mov ecx, r10d
        ; shl ecx, 5
        ; add rcx, [rdx + BYTES]
        ; movdqu xmm1, [rcx]
        ; movdqu xmm2, [rcx + 16]
        ; mov edi, r13d
        ; shl edi, 5
        ; add rdi, [rsi + BYTES]
        ; movdqu [rdi], xmm1
        ; movdqu [rdi + 16], xmm2
        ; mov r9d, eax
        ; and r9d, -32
        ; sub rdi, r9
        ; mov [rsi + r12 * 4 + OPEN_LOADS], r8d
        ; mov DWORD [rsi + r12 * 4 + OPEN_STORES], -1
        ; mov [rsi + r12 * 8 + ORIGINS], rdi
        ; mov DWORD [rdx + r12 * 4 + OPEN_LOADS], -1
        ; mov DWORD [rdx + r12 * 4 + OPEN_STORES], -1
        ; mov DWORD [rdx + r12 * 4 + TURNED_STORES], -1
        ; inc QWORD [rbp + at::REFILLS]
        ; add rbx, [rbp + at::L2_CYCLES]
        ; mov rdx, rcx
        ; sub rdx, r9
    );
}

/// The victim, whose tag is in ECX, is dirty: R14 is one more than L2's line of its address.
fn emit_target(
    asm: &mut Assembler,
    ways: &Ways,
    dirty: DynamicLabel,
    clean: DynamicLabel,
    fails: DynamicLabel,
) {
    let compared = ways.compared;
    dynasm!(asm ; .arch x64
        ; =>dirty
        ; test cl, MESSAGE_BUFFER as i8
        ; jnz =>fails
        ; and ecx, COMPARED as i32
        ; movd xmm4, ecx
        ; pshufd xmm4, xmm4, 0
        ; shr ecx, 5
        ; and ecx, [rdx + SETS]
        ; mov r14d, ecx
        ; shl ecx, 4
        ; add rcx, [rdx + TAGS]
        ; movdqu xmm3, [rcx]
        ; pand xmm3, [=>compared]
        ; pcmpeqd xmm3, xmm4
        ; movmskps ecx, xmm3
        ; test ecx, ecx
        ; jz =>fails
        ; bsf ecx, ecx
        ; lea r14d, [rcx + r14 * 4 + 1]
        ; jmp =>clean
    );
}

/// The victim goes into L2's line. Its own tag is about to be overwritten.
fn emit_write_back(asm: &mut Assembler, ways: &Ways) {
    dynasm!(asm ; .arch x64 ; dec r14d);
    emit_touch(asm, ways, R14);
    ways.second.line(asm, saving::SECOND, R14);
    dynasm!(asm ; .arch x64
        ; mov ecx, r13d
        ; shl ecx, 5
        ; add rcx, [rsi + BYTES]
        ; movdqu xmm1, [rcx]
        ; movdqu xmm2, [rcx + 16]
        ; mov ecx, r14d
        ; shl ecx, 5
        ; add rcx, [rdx + BYTES]
        ; movdqu [rcx], xmm1
        ; movdqu [rcx + 16], xmm2
    );
    emit_set_dirty(asm, ways, R14);
    dynasm!(asm ; .arch x64
        ; inc QWORD [rbp + at::WRITE_BACKS]
        ; add rbx, [rbp + at::L2_CYCLES]
    );
}

/// A store into L2's line, which is in neither first-level cache. At `nowhere`, L2 has none.
fn emit_store(asm: &mut Assembler, ways: &Ways, fails: DynamicLabel, nowhere: DynamicLabel) {
    let compared = ways.compared;
    dynasm!(asm ; .arch x64
        ; mov ecx, r11d
        ; shr ecx, 5
        ; and ecx, [rbp + at::CODE_SETS]
        ; shl ecx, 4
        ; add rcx, [rbp + at::CODE_TAGS]
        ; movdqu xmm3, [rcx]
        ; pand xmm3, [=>compared]
        ; pcmpeqd xmm3, xmm0
        ; movmskps ecx, xmm3
        ; test ecx, ecx
        ; jnz =>fails
    );
    emit_find(asm, ways, nowhere);
    emit_turn(asm, fails);
    dynasm!(asm ; .arch x64 ; mov rdx, [rbp + at::AROUND]);
    emit_touch(asm, ways, R10);
    emit_set_dirty(asm, ways, R10);
    ways.second.line(asm, saving::SECOND, R10);
    dynasm!(asm ; .arch x64
        ; inc QWORD [rbp + at::STORES_AROUND]
        ; add rbx, [rbp + at::L2_CYCLES]
        ; mov r12d, eax
        ; shr r12d, 5
        ; and r12d, [rbp + at::SET_MASK]
        ; mov [rdx + r12 * 4 + OPEN_LOADS], r8d
        ; mov [rdx + r12 * 4 + OPEN_STORES], r8d
        ; mov DWORD [rdx + STORES], 1
        ; mov r9d, eax
        ; shr r9d, 12
    );
    emit_place(asm, 9, 1);
    dynasm!(asm ; .arch x64
        ; mov BYTE [rbp + rcx + at::PAGE_KNOWN], 1
        ; shl r9d, 12
        ; mov [rdx + r12 * 4 + TURNED_STORES], r9d
        ; mov ecx, r10d
    );
    emit_origin(asm, saving::SECOND, 1, 9);
    dynasm!(asm ; .arch x64
        ; mov [rdx + r12 * 8 + ORIGINS], rcx
        ; mov rdx, rcx
    );
}

/// No cache has the line: the store goes to the bus, behind this stub.
fn emit_beyond(asm: &mut Assembler, nowhere: DynamicLabel, fails: DynamicLabel) {
    dynasm!(asm ; .arch x64
        ; =>nowhere
        ; mov r10d, eax
        ; and r10d, 31
        ; and r11d, -32
        ; or r10d, r11d
        ; mov r12, QWORD BEYOND as i64
        ; or r10, r12
    );
    emit_turn(asm, fails);
    dynasm!(asm ; .arch x64 ; mov [rbp + at::BEYOND], r10);
    emit_pop(asm);
    emit_undone(asm);
}

/// ECX: the set, EDX: the page, with bits of an address that is not aligned. Returns if a store goes
/// around L1D to the line of the last one there, as long as that was open but for its page; goes on
/// with all registers as they were otherwise.
pub(super) fn emit_turned_store(asm: &mut Assembler) {
    let (otherwise, other) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; push r10
        ; mov r10, [rbp + at::AROUND]
        ; cmp edx, [r10 + rcx * 4 + TURNED_STORES]
        ; jne =>other
        ; push r8
        ; push r9
        ; push r11
        ; mov r10, [r10 + rcx * 8 + ORIGINS]
        ; movzx r11d, WORD [rbp + at::HOW]
        ; add r11, rbx
        ; cmp r11, [rbp + at::REACH_LIMIT]
        ; jae =>otherwise
        ; mov r8d, eax
        ; shr r8d, 12
    );
    emit_place(asm, 8, 9);
    dynasm!(asm ; .arch x64
        ; cmp edx, [rbp + r9 * 4 + at::PAGE_STORES]
        ; jne =>otherwise
    );
    emit_turn(asm, otherwise);
    dynasm!(asm ; .arch x64
        ; inc QWORD [rbp + at::STORES_AROUND]
        ; add rbx, [rbp + at::L2_CYCLES]
        ; mov rdx, r10
        ; pop r11
        ; pop r9
        ; pop r8
        ; pop r10
        ; test rdx, rdx
        ; ret
        ; =>otherwise
        ; pop r11
        ; pop r9
        ; pop r8
        ; mov ecx, eax
        ; shr ecx, 5
        ; and ecx, [rbp + at::SET_MASK]
        ; movzx edx, WORD [rbp + at::HOW + 2]
        ; or edx, 0xFFFF_F000u32 as i32
        ; and edx, eax
        ; =>other
        ; pop r10
    );
}

/// L2's line becomes its set's most recent one. RCX, RDI, R9 and R11 go.
fn emit_touch(asm: &mut Assembler, ways: &Ways, line: u8) {
    let same = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov ecx, Rd(line)
        ; shr ecx, 2
        ; mov r11d, Rd(line)
    );
    emit_after_hit(asm, saving::SECOND, [7, 1, 9, 11]);
    dynasm!(asm ; .arch x64 ; je =>same);
    ways.second.set(asm, saving::SECOND);
    dynasm!(asm ; .arch x64 ; mov [rdi + rcx], r11b);
    emit_close(asm);
    dynasm!(asm ; .arch x64 ; =>same);
}

/// L2's line is dirty from now on. RCX, RDI and R9 go.
fn emit_set_dirty(asm: &mut Assembler, ways: &Ways, line: u8) {
    let before = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov rdi, [rdx + TAGS]
        ; test BYTE [rdi + Rq(line) * 4], DIRTY as i8
        ; jnz =>before
        ; mov ecx, Rd(line)
        ; shr ecx, 2
    );
    ways.second.set(asm, saving::SECOND);
    dynasm!(asm ; .arch x64 ; or DWORD [rdi + Rq(line) * 4], DIRTY as i32);
    emit_close(asm);
    dynasm!(asm ; .arch x64 ; =>before);
}

/// Set RCX of L2 has changed: nothing is open there. R9 goes.
fn emit_close(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; mov r9d, ecx
        ; and r9d, [rbp + at::SET_MASK]
        ; mov DWORD [rdx + r9 * 4 + OPEN_LOADS], -1
        ; mov DWORD [rdx + r9 * 4 + OPEN_STORES], -1
        ; mov DWORD [rdx + r9 * 4 + TURNED_STORES], -1
    );
}
