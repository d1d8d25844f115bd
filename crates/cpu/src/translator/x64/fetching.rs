//! A load of a line that no cache has: it is asked for, and if it comes at once put into both, in
//! place of lines that are clean. The same steps as `load_or_ask` and `load_with` of the caches.
//!
//! Registers as in `refill.rs`; R10 is L2's victim, R13 L1D's, R11 the line's bytes.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::calls;
use super::lookup::{TAGS, Ways, emit_return, emit_turn, emit_undone};
use super::refill::{emit_open, emit_pop, emit_put, emit_victim};
use super::saving::{FIRST, SECOND};
use super::stubs::{Assembler, at};

/// The byte of `HostFrame::how` that has `MAY_WAIT`, and which bit of it.
const WAITS: i32 = at::HOW + 3;
const MAY_WAIT: i8 = (calls::MAY_WAIT >> 8) as i8;
const RDI: u8 = 7;
const R10: u8 = 10;
const R11: u8 = 11;
const R12: u8 = 12;
const R13: u8 = 13;

/// At `nowhere`, XMM0 has the line's tag, and R10 is its set in L2, times 16.
pub(super) fn emit(asm: &mut Assembler, ways: &Ways, nowhere: DynamicLabel, fails: DynamicLabel) {
    let (waits, late) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    // All four lines of L2's set are valid, as those of L1D's are.
    dynasm!(asm ; .arch x64 ; =>nowhere);
    emit_may_wait(asm, fails);
    dynasm!(asm ; .arch x64
        ; mov rcx, [rdx + TAGS]
        ; movdqu xmm1, [rcx + r10]
        ; pslld xmm1, 31
        ; movmskps ecx, xmm1
        ; cmp ecx, 15
        ; jne =>fails
        ; shr r10d, 4
    );
    emit_victim(asm, SECOND, R10, R11);
    dynasm!(asm ; .arch x64 ; jnz =>fails ; mov r10d, r11d);
    emit_victim(asm, FIRST, R12, R13);
    dynasm!(asm ; .arch x64 ; jnz =>fails);
    let turn = emit_turn(asm, fails, false);
    emit_ask(asm);
    dynasm!(asm ; .arch x64
        ; test r11, r11
        ; jz =>waits
        ; add rbx, rdx
        ; mov rdx, [rbp + at::AROUND]
        ; movdqu xmm1, [r11]
        ; movdqu xmm2, [r11 + 16]
        ; push rdi
        ; mov edi, r10d
        ; shr edi, 2
    );
    emit_put(asm, &ways.second, SECOND, (RDI, R10));
    emit_put(asm, &ways.first, FIRST, (R12, R13));
    emit_open(asm);
    dynasm!(asm ; .arch x64
        ; pop rdi
        ; mov rdx, rcx
        ; movzx ecx, WORD [rbp + at::HOW]
        ; add rcx, rbx
        ; cmp rcx, [rbp + at::REACH_LIMIT]
        ; jae =>late
    );
    emit_pop(asm, R13);
    emit_return(asm);
    // The line has been asked for, or is there but for the interpreter.
    dynasm!(asm ; .arch x64 ; =>waits ; =>late);
    emit_pop(asm, R13);
    emit_undone(asm);
    turn.emit_open(asm, fails);
}

/// The load may be done with transactions and a page walk.
pub(super) fn emit_may_wait(asm: &mut Assembler, fails: DynamicLabel) {
    dynasm!(asm ; .arch x64 ; test BYTE [rbp + WAITS], MAY_WAIT ; jz =>fails);
}

/// R11: where the line is, or zero; RDX: how long that took. RCX and R9 go.
fn emit_ask(asm: &mut Assembler) {
    let address = calls::fetch_line as *const () as usize as i64;
    dynasm!(asm ; .arch x64
        ; movzx ecx, WORD [rbp + at::HOW]
        ; add rcx, rbx
        ; mov [rbp + at::CYCLES], rcx
        ; movd edx, xmm0
        ; push rax
        ; push rdi
        ; push r8
        ; push r10
        ; push rdx
        ; mov rdi, rbp
        ; mov esi, eax
        ; mov ecx, r13d
        ; mov r8d, r10d
        ; mov rax, QWORD address
        ; call rax
        ; pop rcx
        ; pop r10
        ; pop r8
        ; pop rdi
        ; mov r11, rax
        ; pop rax
        ; movd xmm0, ecx
        ; mov rsi, [rbp + at::QUICK]
    );
}
