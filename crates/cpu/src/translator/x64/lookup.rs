//! An access to a line that is not open, without the interpreter: the page is known (`pages.rs`), and
//! L1D has the line. Lines of one L1D set take turns, and pages of one TLB set (two arrays a power of
//! two apart do both): a turn is no more than a few bits of the replacement state.
//!
//! EAX: the linear address. A known line needs no more than such turns. Else R8 to R11 are saved
//! first. R8 is the page's number and then, if its lines may be open, its address; R9 its place among
//! the known pages; R10 the line's number; R11 what the line's tag is compared with.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{COMPARED, DIRTY, KNOWN_LINES, QuickLines};

use super::refill;
use super::saving::{self, LINE_MARKS, SET_MARKS, Saving, WINDOW};
use super::stubs::{Assembler, at};
use crate::translator::pages::PLACE_SHIFT;
use crate::translator::reach::Access;

pub(super) const OPEN_LOADS: i32 = offset_of!(QuickLines, open_loads) as i32;
pub(super) const OPEN_STORES: i32 = offset_of!(QuickLines, open_stores) as i32;
pub(super) const ORIGINS: i32 = offset_of!(QuickLines, origins) as i32;
pub(super) const HINTS: i32 = offset_of!(QuickLines, hints) as i32;
pub(super) const STORES: i32 = offset_of!(QuickLines, stores) as i32;
pub(super) const TAGS: i32 = offset_of!(QuickLines, arrays.tags) as i32;
pub(super) const BYTES: i32 = offset_of!(QuickLines, arrays.bytes) as i32;
pub(super) const REPLACEMENT: i32 = offset_of!(QuickLines, arrays.replacement) as i32;
pub(super) const AFTER_HIT: i32 = offset_of!(QuickLines, arrays.after_hit) as i32;
const KNOWN_LOADS: i32 = offset_of!(QuickLines, known_loads) as i32;
const KNOWN_STORES: i32 = offset_of!(QuickLines, known_stores) as i32;
const KNOWN_TAGS: i32 = offset_of!(QuickLines, known_tags) as i32;
/// L1D's hints that are used.
const FIRST_HINTS: i32 = KNOWN_LINES as i32;
/// A page that is used again is opened after so many uses without a turn of pages.
pub(in crate::translator) const PATIENCE: u32 = 16;

/// Labels and routines of one stub.
pub(super) struct Ways {
    pub access: Access,
    /// Nothing has changed; R8 to R11 are still saved.
    pub unknown: DynamicLabel,
    /// The line is not in L1D, whose tags of the set are in XMM1; XMM0 has four times R11.
    pub missed: DynamicLabel,
    /// Sixteen bytes: what of four tags is compared.
    pub compared: DynamicLabel,
    /// Save a set or a line of L1D and of L2 for the open window.
    pub first: Saving,
    pub second: Saving,
}

/// The number of L1D's hint for an address in EAX: arrays are often a multiple of the cache's size
/// apart.
pub(super) fn emit_hint_number(asm: &mut Assembler, number: u8, free: u8) {
    dynasm!(asm ; .arch x64
        ; mov Rd(number), eax
        ; mov Rd(free), eax
        ; shr Rd(number), 5
        ; shr Rd(free), 14
        ; xor Rd(number), Rd(free)
        ; and Rd(number), FIRST_HINTS - 1
    );
}

/// What of four tags is compared.
pub(super) fn emit_compared(asm: &mut Assembler, label: DynamicLabel) {
    let one = COMPARED as i32;
    dynasm!(asm ; .arch x64
        ; .align 16
        ; =>label
        ; .i32 one, one, one, one
    );
}

/// Returns from the stub, with the zero flag clear, if the caches do the access; goes on behind it
/// with all registers as they were otherwise.
pub(super) fn emit(asm: &mut Assembler, ways: &Ways) {
    emit_known(asm, ways.access);
    let pages = if ways.access == Access::Load { at::PAGE_LOADS } else { at::PAGE_STORES };
    let unknown = ways.unknown;
    dynasm!(asm ; .arch x64
        ; push r8
        ; push r9
        ; push r10
        ; push r11
        ; mov r8d, eax
        ; shr r8d, 12
        ; mov r9d, r8d
        ; shr r9d, PLACE_SHIFT
        ; xor r9d, r8d
        ; movzx r9d, r9b
        ; movzx ecx, WORD [rbp + at::HOW + 2]
        ; or ecx, 0xFFFF_F000u32 as i32
        ; and ecx, eax
        ; cmp ecx, [rbp + r9 * 4 + pages]
        ; jne =>unknown
        ; mov r11d, [rbp + r9 * 8 + at::PAGE_FRAMES]
        ; mov edx, eax
        ; and edx, 0xFE0
        ; add r11d, edx
    );
    emit_find(asm, ways);
    if ways.access != Access::Load {
        // A clean line may be in L1I.
        dynasm!(asm ; .arch x64 ; test BYTE [rcx + r10 * 4], DIRTY as i8 ; jz =>unknown);
    }
    emit_turn(asm, unknown);
    if ways.access != Access::Load {
        ways.first.line(asm, saving::FIRST, 10);
    }
    emit_touch(asm, ways);
    emit_return(asm);
    refill::emit(asm, ways);
    dynasm!(asm ; .arch x64 ; =>unknown ; mov ecx, [rbp + at::HOW]);
    emit_pop(asm);
}

/// ECX: the set, EDX: the page, with bits of an address that is not aligned. Returns if the line is
/// known; goes on with R8 to R10 as they were otherwise, when at most the page has become its TLB
/// set's most recent one. R8 is the hint's number and then the page's, R9 the line's; R10 is the
/// page's address if its lines may be open, or all ones.
fn emit_known(asm: &mut Assembler, access: Access) {
    let (unknown, turn, turned, same, found) = (
        asm.new_dynamic_label(),
        asm.new_dynamic_label(),
        asm.new_dynamic_label(),
        asm.new_dynamic_label(),
        asm.new_dynamic_label(),
    );
    let load = access == Access::Load;
    let (pages, dirty) = if load { (KNOWN_LOADS, 0) } else { (KNOWN_STORES, DIRTY as i32) };
    dynasm!(asm ; .arch x64
        ; push r8
        ; push r9
        ; push r10
    );
    emit_hint_number(asm, 8, 9);
    dynasm!(asm ; .arch x64
        ; cmp edx, [rsi + r8 * 4 + pages]
        ; jne =>unknown
        ; mov r10d, edx
        ; movzx r9d, WORD [rsi + r8 * 2 + HINTS]
        ; mov rdx, [rsi + TAGS]
        ; mov edx, [rdx + r9 * 4]
        ; and edx, COMPARED as i32 | dirty
    );
    if !load {
        dynasm!(asm ; .arch x64 ; xor edx, dirty);
    }
    dynasm!(asm ; .arch x64 ; cmp edx, [rsi + r8 * 4 + KNOWN_TAGS] ; jne =>unknown);
    if !load {
        dynasm!(asm ; .arch x64
            ; mov rdx, [rsi + LINE_MARKS]
            ; mov edx, [rdx + r9 * 4]
            ; cmp edx, [rsi + WINDOW]
            ; jne =>unknown
        );
    }
    dynasm!(asm ; .arch x64
        ; mov r8d, r10d
        ; shr r8d, 12
        ; mov edx, r8d
        ; and edx, [rbp + at::TLB_MASK]
        ; push rcx
        ; mov rcx, [rbp + at::RECENT_DATA]
        ; cmp [rcx + rdx * 4], r8d
        ; mov rcx, [rbp + at::TLB_OPEN]
        ; jne =>turn
        ; bt rcx, rdx
        ; pop rcx
        ; jc =>turned
        ; mov r10d, -1
        ; dec DWORD [rbp + at::PATIENCE]
        ; js =>unknown
        ; =>turned
        ; mov r8, [rsi + REPLACEMENT]
        ; movzx edx, BYTE [r8 + rcx]
        ; sub rdx, rcx
        ; lea rdx, [r9 + rdx * 4]
        ; add rdx, [rsi + AFTER_HIT]
        ; movzx edx, BYTE [rdx]
        ; shl r9d, 5
        ; add r9, [rsi + BYTES]
        ; cmp dl, [r8 + rcx]
        ; je =>same
        ; mov r10, [rsi + SET_MARKS]
        ; mov r10d, [r10 + rcx * 4]
        ; cmp r10d, [rsi + WINDOW]
        ; jne =>unknown
        ; mov [r8 + rcx], dl
        ; mov DWORD [rsi + rcx * 4 + OPEN_LOADS], -1
        ; mov DWORD [rsi + rcx * 4 + OPEN_STORES], -1
        ; mov rdx, r9
        ; mov ecx, eax
        ; and ecx, -32
        ; sub rdx, rcx
        ; =>found
        ; pop r10
        ; pop r9
        ; pop r8
        ; ret
        ; =>same
        ; mov rdx, r9
        ; mov r9d, eax
        ; and r9d, -32
        ; mov [rsi + rcx * 4 + OPEN_LOADS], r10d
    );
    emit_open_stores(asm, access, 10);
    dynasm!(asm ; .arch x64
        ; sub rdx, r9
        ; mov [rsi + rcx * 8 + ORIGINS], rdx
        ; jmp =>found
        ; =>turn
        ; bt rcx, rdx
        ; pop rcx
        ; jc =>unknown
    );
    emit_known_turn(asm, turned);
    dynasm!(asm ; .arch x64 ; =>unknown ; pop r10 ; pop r9 ; pop r8);
}

/// Page R8, with the address R10, becomes the most recent one of TLB set RDX, where none is open. R8 and
/// RDX go; R10 is then all ones.
fn emit_known_turn(asm: &mut Assembler, turned: DynamicLabel) {
    let displaced = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; push r11
        ; mov r11d, r8d
        ; shr r11d, PLACE_SHIFT
        ; xor r11d, r8d
        ; movzx r11d, r11b
        ; cmp [rbp + r11 * 4 + at::PAGE_LOADS], r10d
        ; jne =>displaced
        ; mov r10, [rbp + at::RECENT_DATA]
        ; mov [r10 + rdx * 4], r8d
        ; mov r11d, [rbp + r11 * 8 + at::PAGE_FRAMES + 4]
        ; mov r10, [rbp + at::RECENT_INDEX]
        ; mov [r10 + rdx * 4], r11d
        ; and r11d, [rbp + at::TLB_WAY_MASK]
        ; mov r10, [rbp + at::TREES]
        ; mov r8d, [r10 + rdx * 4]
        ; and r8d, [rbp + r11 * 8 + at::TURNS]
        ; or r8d, [rbp + r11 * 8 + at::TURNS + 4]
        ; mov [r10 + rdx * 4], r8d
        ; mov BYTE [rbp + at::TLB_CHANGED], 1
        ; mov r8d, [rbp + at::PATIENCE_ANEW]
        ; mov [rbp + at::PATIENCE], r8d
        ; mov r10d, -1
        ; pop r11
        ; jmp =>turned
        ; =>displaced
        ; pop r11
    );
}

/// Set RCX of L1D is open for the stores of a page, if the access shows that it may be.
fn emit_open_stores(asm: &mut Assembler, access: Access, page: u8) {
    if access == Access::Load {
        dynasm!(asm ; .arch x64 ; mov DWORD [rsi + rcx * 4 + OPEN_STORES], -1);
    } else {
        dynasm!(asm ; .arch x64
            ; mov [rsi + rcx * 4 + OPEN_STORES], Rd(page)
            ; mov DWORD [rsi + STORES], 1
        );
    }
}

/// RDX + RAX is the place.
pub(super) fn emit_return(asm: &mut Assembler) {
    emit_pop(asm);
    dynasm!(asm ; .arch x64 ; test rdx, rdx ; ret);
}

fn emit_pop(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; pop r11 ; pop r10 ; pop r9 ; pop r8);
}

/// L1D's four ways are looked at: R10 is the number of the line, which is noted, RCX the address of
/// the tags. RDX and R11 go.
fn emit_find(asm: &mut Assembler, ways: &Ways) {
    let (missed, compared) = (ways.missed, ways.compared);
    dynasm!(asm ; .arch x64
        ; mov r10d, eax
        ; shr r10d, 5
        ; and r10d, [rbp + at::SET_MASK]
        ; shl r10d, 4
        ; mov rcx, [rsi + TAGS]
        ; movd xmm0, r11d
        ; pshufd xmm0, xmm0, 0
        ; movdqu xmm1, [rcx + r10]
        ; movdqa xmm2, xmm1
        ; pand xmm2, [=>compared]
        ; pcmpeqd xmm2, xmm0
        ; movmskps edx, xmm2
        ; test edx, edx
        ; jz =>missed
        ; bsf edx, edx
        ; shr r10d, 2
        ; add r10d, edx
    );
    emit_hint_number(asm, 2, 11);
    dynasm!(asm ; .arch x64 ; mov [rsi + rdx * 2 + HINTS], r10w);
}

/// The page becomes its TLB set's most recent one, unless another is open there. R8 is then the
/// page's address, or all ones if its lines may not be open. RCX, RDX, R9 and R11 go.
pub(super) fn emit_turn(asm: &mut Assembler, unknown: DynamicLabel) {
    let (open, done) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    // Which of a set's pages comes is hard to predict, that one is open is not.
    dynasm!(asm ; .arch x64
        ; mov ecx, r8d
        ; and ecx, [rbp + at::TLB_MASK]
        ; mov r11, [rbp + at::RECENT_DATA]
        ; mov rdx, [rbp + at::TLB_OPEN]
        ; bt rdx, rcx
        ; jc =>open
        ; mov edx, [rbp + at::PATIENCE]
        ; dec edx
        ; cmp [r11 + rcx * 4], r8d
        ; cmovne edx, [rbp + at::PATIENCE_ANEW]
        ; mov [rbp + at::PATIENCE], edx
        ; test edx, edx
        ; js =>unknown
        ; mov BYTE [rbp + at::TLB_CHANGED], 1
        ; mov [r11 + rcx * 4], r8d
        ; mov r9d, [rbp + r9 * 8 + at::PAGE_FRAMES + 4]
        ; mov rdx, [rbp + at::RECENT_INDEX]
        ; mov [rdx + rcx * 4], r9d
        ; and r9d, [rbp + at::TLB_WAY_MASK]
        ; mov rdx, [rbp + at::TREES]
        ; mov r11d, [rdx + rcx * 4]
        ; and r11d, [rbp + r9 * 8 + at::TURNS]
        ; or r11d, [rbp + r9 * 8 + at::TURNS + 4]
        ; mov [rdx + rcx * 4], r11d
        ; mov r8d, -1
        ; jmp =>done
        ; =>open
        ; cmp [r11 + rcx * 4], r8d
        ; jne =>unknown
        ; shl r8d, 12
        ; =>done
    );
}

/// The line becomes its set's most recent one; if it was, it is opened. It is known from now on.
/// RDX is then the line's first byte, less the linear address of that. RCX, R9, R10 and R11 go.
fn emit_touch(asm: &mut Assembler, ways: &Ways) {
    let (same, done) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    let known = if ways.access == Access::Load { KNOWN_LOADS } else { KNOWN_STORES };
    let other = if ways.access == Access::Load { KNOWN_STORES } else { KNOWN_LOADS };
    let keep = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov rdx, [rsi + TAGS]
        ; mov r11d, [rdx + r10 * 4]
        ; and r11d, COMPARED as i32
    );
    emit_hint_number(asm, 1, 9);
    dynasm!(asm ; .arch x64
        ; mov [rsi + rcx * 4 + KNOWN_TAGS], r11d
        ; mov r11d, eax
        ; shr r11d, 12
        ; mov r9d, r11d
        ; shr r9d, PLACE_SHIFT
        ; xor r9d, r11d
        ; movzx r9d, r9b
        ; mov BYTE [rbp + r9 + at::PAGE_KNOWN], 1
        ; shl r11d, 12
        ; mov [rsi + rcx * 4 + known], r11d
        ; cmp r11d, [rsi + rcx * 4 + other]
        ; je =>keep
        ; mov DWORD [rsi + rcx * 4 + other], -1
        ; =>keep
        ; mov ecx, r10d
        ; shr ecx, 2
        ; mov rdx, [rsi + REPLACEMENT]
        ; movzx r11d, BYTE [rdx + rcx]
        ; mov r9d, r10d
        ; and r9d, 3
        ; lea r11d, [r9 + r11 * 4]
        ; add r11, [rsi + AFTER_HIT]
        ; movzx r11d, BYTE [r11]
        ; shl r10d, 5
        ; add r10, [rsi + BYTES]
        ; mov r9d, eax
        ; and r9d, -32
        ; sub r10, r9
        ; cmp r11b, [rdx + rcx]
        ; je =>same
    );
    ways.first.set(asm, saving::FIRST);
    dynasm!(asm ; .arch x64
        ; mov [rdx + rcx], r11b
        ; mov DWORD [rsi + rcx * 4 + OPEN_LOADS], -1
        ; mov DWORD [rsi + rcx * 4 + OPEN_STORES], -1
        ; jmp =>done
        ; =>same
        ; mov [rsi + rcx * 4 + OPEN_LOADS], r8d
        ; mov [rsi + rcx * 8 + ORIGINS], r10
    );
    emit_open_stores(asm, ways.access, 8);
    dynasm!(asm ; .arch x64 ; =>done ; mov rdx, r10);
}
