//! A load that misses L1D and L2: a bus request for the line. If the response may come at once, the
//! line is put into L2 and L1D. A dirty victim of L1D goes into L2 first if L2 has its line; a
//! dirty victim of L2 is written to memory before the request. This is a copy of the rules in
//! `load_or_ask` and `load_with` of the cache crate.
//!
//! Registers as in `l1d_fill.rs`; R10 is the number of L2's victim.
//!
//! A pointer chase through 4 MB (`benches/programs/chase.c`) takes 1.08 times the host's
//! instructions without this path (2026-11-29).

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::DIRTY;

use super::l1d_fill::{emit_loaded, emit_open, emit_put, emit_victim};
use super::l1d_lookup::{BYTES, OPEN_PAGES, SETS, TAGS, Ways, emit_turn, emit_undone};
use super::l2_lookup::emit_into_l2;
use super::undo_log::{FIRST, MARK, SECOND, Saving};
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::host_registers::{R9, R10, R11};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::stubs::callbacks;
use crate::translator_frame::host_frame::HOST_PLACES;

/// The highest byte of `HostFrame::how`, whose upper 16 bits are the flags, and the bit of
/// `MAY_WAIT` in that byte.
pub(crate) const WAITS: i32 = offsets::HOW + 3;
pub(crate) const MAY_WAIT: i8 = (callbacks::MAY_WAIT >> 8) as i8;
const MAY_FETCH: i8 = MAY_WAIT | (callbacks::SETTLES >> 8) as i8;

/// Emits the code for a load whose line neither L1D nor L2 has, at the label `nowhere`. At the
/// label XMM0 holds the line's tag, and R10 L2's set, times `SET_BYTES`; later R10 is the number of
/// L2's victim.
pub(crate) fn emit(asm: &mut Assembler, ways: &Ways, nowhere: DynamicLabel, known: DynamicLabel) {
    let unknown = ways.unknown;
    let [waits, late, dirty, clean, in_time] = [(); 5].map(|()| asm.new_dynamic_label());
    // All four lines of L2's set must be valid; those of L1D's set are.
    dynasm!(asm ; .arch x64
        ; =>nowhere
        ; test BYTE [rbp + WAITS], MAY_FETCH
        ; jz =>unknown
        ; mov rdi, [rdx + TAGS]
        ; movdqu xmm1, [rdi + r10]
        ; pslld xmm1, 31
        ; movmskps edi, xmm1
        ; cmp edi, 15
        ; jne =>unknown
    );
    let turn = emit_turn(asm, unknown, false);
    dynasm!(asm ; .arch x64 ; mov r9d, ecx ; shr r9d, 4);
    let first = emit_victim(asm, &ways.first, FIRST, R9, R11);
    dynasm!(asm ; .arch x64 ; jnz =>dirty ; =>clean ; shr r10d, 4);
    let second = emit_victim(asm, &ways.second, SECOND, R10, R9);
    dynasm!(asm ; .arch x64
        ; mov r10d, r9d
        // The victim's bytes will be saved and replaced when the line has come. They are often not
        // in the host's first caches.
        ; shl r9d, 5
        ; add r9, [rdx + BYTES]
        ; prefetcht0 [r9]
    );
    emit_ask(asm);
    dynasm!(asm ; .arch x64
        ; add rbx, rdx
        ; test rdi, rdi
        ; jz =>waits
        ; mov rdx, [rbp + offsets::AROUND]
        ; movdqu xmm1, [rdi]
        ; movdqu xmm2, [rdi + 16]
        ; mov r9d, r10d
        ; shr r9d, 2
    );
    emit_put_anew(asm, &ways.second, SECOND, R10);
    dynasm!(asm ; .arch x64 ; mov r9d, ecx ; shr r9d, 4);
    emit_put_anew(asm, &ways.first, FIRST, R11);
    emit_open(asm);
    // If an x87 instruction is in progress, the load is tried again in a block of its own.
    dynasm!(asm ; .arch x64
        ; mov rdx, r11
        ; test BYTE [rbp + WAITS], MAY_WAIT
        ; jz =>in_time
        ; movzx edi, WORD [rbp + offsets::HOW]
        ; add rdi, rbx
        ; cmp rdi, [rbp + offsets::REACH_LIMIT]
        ; jae =>late
        ; =>in_time
    );
    emit_loaded(asm, ways, known);
    // The line has been requested; or it has come, but the interpreter must do the access.
    dynasm!(asm ; .arch x64 ; =>waits ; =>late);
    emit_undone(asm);
    first.emit(asm);
    second.emit(asm);
    turn.emit_open(asm, unknown);
    dynasm!(asm ; .arch x64 ; =>dirty);
    emit_may_wait(asm, unknown);
    let unsaved = emit_into_l2(asm, ways);
    emit_has_gone(asm);
    dynasm!(asm ; .arch x64 ; jmp =>clean);
    unsaved.emit(asm);
}

/// Emits code that records that L1D's victim R11 went into L2 before any request: the victim is now
/// clean, and L2's cycles for it are still to be charged. Clobbers RDI.
fn emit_has_gone(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; mov rdi, [rsi + TAGS]
        ; and DWORD [rdi + r11 * 4], !DIRTY as i32
        ; mov QWORD [rsi + rcx + OPEN_PAGES], -1
        ; mov DWORD [rbp + offsets::OWES], 1
    );
}

/// Emits [`emit_put`] into set R9, which is saved first if the request has begun a new window.
/// Clobbers RDI, R9, XMM5 and XMM6.
fn emit_put_anew(asm: &mut Assembler, saving: &Saving, table: u8, line: u8) {
    let saved = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov rdi, [Rq(table) + SETS]
        ; test BYTE [rdi + r9], MARK
        ; jnz =>saved
    );
    saving.emit_call(asm, R9);
    dynasm!(asm ; .arch x64 ; =>saved);
    let over = asm.new_dynamic_label();
    let put = emit_put(asm, saving, table, R9, line);
    dynasm!(asm ; .arch x64 ; jmp =>over);
    put.emit(asm);
    dynasm!(asm ; .arch x64 ; =>over);
}

/// Emits a host prefetch of the line; R8 is the number of its page. If the host address of the page
/// is not known, the code jumps to `unknown`. Clobbers RCX and R10.
pub(crate) fn emit_fetch_ahead(asm: &mut Assembler, unknown: DynamicLabel) {
    dynasm!(asm ; .arch x64
        ; mov ecx, r8d
        ; and ecx, HOST_PLACES as i32 - 1
        ; mov rcx, [rbp + rcx * 8 + offsets::HOST_PLACES]
        ; test rcx, rcx
        ; jz =>unknown
        ; mov r10d, eax
        ; and r10d, 0xFE0
        ; prefetcht0 [rcx + r10]
    );
}

/// Emits a jump to `fails` unless the access may be delayed here (flag `MAY_WAIT`).
pub(crate) fn emit_may_wait(asm: &mut Assembler, fails: DynamicLabel) {
    dynasm!(asm ; .arch x64 ; test BYTE [rbp + WAITS], MAY_WAIT ; jz =>fails);
}

/// Emits the request for the line. Afterwards RDI is the host address of its bytes, or zero, and
/// RDX the cycles that the request took. Clobbers R9 and XMM1 to XMM14.
fn emit_ask(asm: &mut Assembler) {
    let address = callbacks::fetch_line as *const () as usize as i64;
    dynasm!(asm ; .arch x64
        ; movzx edi, WORD [rbp + offsets::HOW]
        ; add rdi, rbx
        ; mov [rbp + offsets::CYCLES], rdi
        ; movdqu [rbp + offsets::COUNTS], xmm15
        ; movd edx, xmm0
        ; sub rsp, 8
        ; push rax
        ; push rcx
        ; push r8
        ; push r10
        ; push r11
        ; push rdx
        ; lea rdi, [rbp - offsets::MIDDLE]
        ; mov esi, eax
        ; mov ecx, r11d
        ; mov r8d, r10d
        ; mov rax, QWORD address
        ; call rax
        ; mov rdi, rax
        ; pop rax
        ; movd xmm0, eax
        ; pop r11
        ; pop r10
        ; pop r8
        ; pop rcx
        ; pop rax
        ; lea rsp, [rsp + 8]
        ; mov rsi, [rbp + offsets::QUICK]
        ; movdqu xmm15, [rbp + offsets::COUNTS]
    );
}
