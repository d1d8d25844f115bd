//! A store that misses L1D and bypasses it (no write-allocate): into L2 if L2 has the line and L1I
//! does not, else to the bus, after the stub. If L2 allocates lines for stores, the ordinary path
//! does the store. This is a copy of the rule in `in_place.rs` of the cache crate.
//!
//! Registers as in `l1d_fill.rs`.
//!
//! A copy of 1 MB (`benches/programs/copy.c`) takes 1.36 times the host's instructions without this
//! path (2026-11-29).

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::QuickLines;

use super::clean_to_dirty::emit_is_no_code;
use super::l1d_lookup::{
    OPEN_LOADS, OPEN_STORES, ORIGIN, STORES, Ways, emit_note_known, emit_origin, emit_place,
    emit_return, emit_turn, emit_undone,
};
use super::l2_lookup::{emit_find, emit_set_dirty, emit_touch};
use super::same_line;
use super::undo_log::SECOND;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::host_registers::{R9, R10, R11, RAX, RDI, RDX};
use crate::translator::x64::encoding::offsets;
use crate::translator_frame::host_frame::BEYOND;

/// The offset, in an open line of L2's table, of the page of a store that must first make the page
/// the most recent one of its TLB set, or whose line is in no cache.
const TURNED_STORES: i32 = OPEN_LOADS;
/// The bit, above a physical address in the place of a line's origin, which means that no cache has
/// the line. Host addresses never have this bit, except in the last 4 GB, where hosts have no
/// memory.
const NOWHERE: i8 = 63;
const NOWHERE_ABOVE: i32 = 1 << (NOWHERE - 32);
/// The offset of a field that is not zero if L2 fetches the line of a store that misses.
const ALLOCATES: i32 = offset_of!(QuickLines, allocates) as i32;
/// The mask of an address's page number.
const PAGE: i32 = 0xFFFF_F000u32 as i32;

pub(crate) fn emit(asm: &mut Assembler, ways: &Ways) {
    let (unknown, nowhere) = (ways.unknown, asm.new_dynamic_label());
    emit_is_no_code(asm, ways);
    let find = emit_find(asm);
    let turn = emit_turn(asm, unknown, true);
    dynasm!(asm ; .arch x64 ; push rcx);
    emit_touch(asm, ways, R10);
    emit_set_dirty(asm, ways, R10);
    let unsaved = ways.second.line(asm, SECOND, R10);
    dynasm!(asm ; .arch x64
        ; pop rcx
        ; mov DWORD [rdx + STORES], 1
    );
    emit_note_known(asm, [RDI, R11]);
    dynasm!(asm ; .arch x64
        ; mov edi, [rbp + r9 + offsets::PAGE_LOADS]
        ; mov [rdx + rcx + TURNED_STORES], edi
        ; mov [rdx + rcx + OPEN_STORES], r8d
    );
    emit_origin(asm, SECOND, R10, RDI);
    dynasm!(asm ; .arch x64 ; mov [rdx + rcx + ORIGIN], r10);
    let held = same_line::emit(asm, SECOND, R10);
    dynasm!(asm ; .arch x64 ; mov rdx, r10);
    emit_return(asm);
    held.emit(asm, true);
    unsaved.emit(asm);
    turn.emit_open(asm, unknown);
    find.emit_search(asm, ways, nowhere);
    emit_beyond(asm, ways, nowhere);
}

/// Emits the code for a store whose line is in no cache: the store goes to the bus, after this
/// stub. The line stays in no cache whatever happens to its page, so the table keeps it when the
/// page leaves the TLB.
fn emit_beyond(asm: &mut Assembler, ways: &Ways, nowhere: DynamicLabel) {
    let unknown = ways.unknown;
    dynasm!(asm ; .arch x64
        ; =>nowhere
        ; cmp DWORD [rdx + ALLOCATES], 0
        ; jne =>unknown
    );
    let turn = emit_turn(asm, unknown, true);
    dynasm!(asm ; .arch x64
        ; and r11d, -32
        ; mov edi, [rbp + r9 + offsets::PAGE_LOADS]
        ; mov [rdx + rcx + TURNED_STORES], edi
        ; mov DWORD [rdx + rcx + OPEN_STORES], -1
    );
    emit_note(asm, R11);
    dynasm!(asm ; .arch x64
        ; bts r11, BYTE NOWHERE
        ; mov [rdx + rcx + ORIGIN], r11
    );
    emit_undone(asm);
    turn.emit_open(asm, unknown);
}

/// Emits code that records that the store goes to the bus, to the line at the physical address in
/// LINE. Clobbers RDI. The record is written as a whole, because the host delays a read of a value
/// that was just written in parts.
fn emit_note(asm: &mut Assembler, line: u8) {
    dynasm!(asm ; .arch x64
        ; mov edi, eax
        ; and edi, 31
        ; or edi, Rd(line)
        ; bts rdi, BYTE BEYOND.trailing_zeros() as i8
        ; mov [rbp + offsets::BEYOND], rdi
    );
}

/// Emits a return from the stub for a store that bypasses L1D to the line that is open for such
/// stores; otherwise execution continues with only RDI changed. ECX is the set, EDX the page.
pub(crate) fn emit_open_store(asm: &mut Assembler) {
    let other = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov rdi, [rbp + offsets::AROUND]
        ; cmp edx, [rdi + rcx + OPEN_STORES]
        ; jne =>other
        ; movzx edi, WORD [rbp + offsets::HOW]
        ; add rdi, rbx
        ; cmp rdi, [rbp + offsets::REACH_LIMIT]
        ; jae =>other
        ; mov rdi, [rbp + offsets::AROUND]
        ; mov rdx, [rdi + rcx + ORIGIN]
    );
    let held = same_line::emit(asm, RDI, RDX);
    dynasm!(asm ; .arch x64 ; test rdx, rdx ; ret);
    held.emit(asm, false);
    dynasm!(asm ; .arch x64 ; =>other);
}

/// Emits the test for a store that bypasses L1D to the line of the last such store of its set,
/// while the page of the line is not open. ECX: the set. EDX: the page combined with the low bits
/// of a misaligned address. If L2 has the line, the emitted code makes the page the most recent one
/// of its TLB set, counts the store and returns from the stub; RDX + RAX is the place of the bytes.
/// If no cache has the line, the emitted code records the store in `HostFrame::beyond` and returns
/// with the zero flag set, if the store need not wait for an earlier one to the line. Execution
/// continues after the test in all other cases; only RDI, XMM7 and perhaps `HostFrame::patience`
/// have then changed.
pub(crate) fn emit_turned_store(asm: &mut Assembler) {
    let [otherwise, other, nowhere] = [(); 3].map(|()| asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; mov rdi, [rbp + offsets::AROUND]
        ; cmp edx, [rdi + rcx + TURNED_STORES]
        ; jne =>other
        ; push r8
        ; push r9
        ; movq xmm7, [rdi + rcx + ORIGIN]
        ; movzx edi, WORD [rbp + offsets::HOW]
        ; add rdi, rbx
        ; cmp rdi, [rbp + offsets::REACH_LIMIT]
        ; jae =>otherwise
    );
    emit_place(asm, RAX, R9);
    dynasm!(asm ; .arch x64
        ; cmp edx, [rbp + r9 + offsets::PAGE_STORES]
        ; jne =>otherwise
        ; movq rdi, xmm7
        ; shr rdi, 32
        ; cmp edi, NOWHERE_ABOVE
        ; je =>nowhere
    );
    let turn = emit_turn(asm, otherwise, true);
    dynasm!(asm ; .arch x64
        ; pop r9
        ; pop r8
        ; movq rdx, xmm7
        ; mov rdi, [rbp + offsets::AROUND]
    );
    let held = same_line::emit(asm, RDI, RDX);
    dynasm!(asm ; .arch x64
        ; test rdx, rdx
        ; ret
        // The page may have returned to the TLB with another frame.
        ; =>nowhere
        ; movd edi, xmm7
        ; xor edi, [rbp + r9 + offsets::PAGE_FRAME]
        ; and edi, PAGE
        ; jnz =>otherwise
    );
    let nowhere_turn = emit_turn(asm, otherwise, true);
    dynasm!(asm ; .arch x64 ; pop r9 ; pop r8 ; movd edx, xmm7);
    emit_note(asm, RDX);
    dynasm!(asm ; .arch x64 ; xor edx, edx ; ret);
    held.emit(asm, false);
    turn.emit_open(asm, otherwise);
    nowhere_turn.emit_open(asm, otherwise);
    dynasm!(asm ; .arch x64
        ; =>otherwise
        ; pop r9
        ; pop r8
        ; =>other
    );
}
