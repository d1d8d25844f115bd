//! An access to a line that is not open, without the interpreter: the page is known (`pages.rs`),
//! and L1D has the line. Lines of one L1D set take turns, and pages of one TLB set (two arrays a
//! power of two apart do both): a turn is no more than a few bits of the replacement state.
//!
//! EAX: the linear address, ECX: the set, EDX: the page, with bits of an address that is not
//! aligned. A known line needs no more than such turns (`known.rs`). Else R8 to R11 are saved. R8
//! is the page's number and then, if its lines may be open, its address; R9 its place among the
//! known pages; R10 the line's number; R11 what the line's tag is compared with.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{COMPARED, DIRTY, KNOWN_LINES, QuickLines};

use super::saving::{self, Saving};
use super::stubs::{Assembler, at};
use super::{combine, known, refill, walking};
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
pub(super) const AFTER_HIT: i32 = offset_of!(QuickLines, policy.after_hit) as i32;
pub(super) const KNOWN_LOADS: i32 = offset_of!(QuickLines, known_loads) as i32;
pub(super) const KNOWN_STORES: i32 = offset_of!(QuickLines, known_stores) as i32;
pub(super) const KNOWN_TAGS: i32 = offset_of!(QuickLines, known_tags) as i32;
pub(super) const KNOWN_NUMBERS: i32 = offset_of!(QuickLines, known_lines) as i32;
pub(super) const KNOWN_ORIGINS: i32 = offset_of!(QuickLines, known_origins) as i32;
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

/// The number of the known line for an address in EAX: arrays are often a multiple of the cache's
/// size apart.
pub(super) fn emit_known_number(asm: &mut Assembler, number: u8, free: u8) {
    dynasm!(asm ; .arch x64
        ; mov Rd(number), eax
        ; mov Rd(free), eax
        ; shr Rd(number), 5
        ; shr Rd(free), 14
        ; xor Rd(number), Rd(free)
        ; and Rd(number), KNOWN_LINES as i32 - 1
    );
}

/// The place of a page, whose number is in a register, among the known pages (`pages.rs`).
pub(super) fn emit_place(asm: &mut Assembler, page: u8, place: u8) {
    dynasm!(asm ; .arch x64
        ; mov Rd(place), Rd(page)
        ; shr Rd(place), PLACE_SHIFT
        ; xor Rd(place), Rd(page)
        ; movzx Rd(place), Rb(place)
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
    known::emit(asm, ways.access);
    let pages = if ways.access == Access::Load { at::PAGE_LOADS } else { at::PAGE_STORES };
    let unknown = ways.unknown;
    let (another, known) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; mov r8d, eax
        ; shr r8d, 12
    );
    emit_place(asm, 8, 9);
    dynasm!(asm ; .arch x64
        ; cmp edx, [rbp + r9 * 4 + pages]
        ; jne =>another
        ; =>known
        ; mov r11d, [rbp + r9 * 8 + at::PAGE_FRAMES]
        ; mov edx, eax
        ; and edx, 0xFE0
        ; add r11d, edx
    );
    emit_find(asm, ways);
    if ways.access != Access::Load {
        // A clean line may be in L1I.
        dynasm!(asm ; .arch x64 ; test BYTE [rdx + r10 * 4], DIRTY as i8 ; jz =>unknown);
    }
    let turn = emit_turn(asm, unknown, true);
    if ways.access != Access::Load {
        ways.first.line(asm, saving::FIRST, 10);
    }
    emit_touch(asm, ways);
    emit_return(asm);
    turn.emit_open(asm, unknown);
    refill::emit(asm, ways);
    dynasm!(asm ; .arch x64 ; =>another);
    match ways.access {
        Access::Load => walking::emit(asm, ways, known),
        Access::Store => combine::emit(asm, ways),
        Access::Modify => {}
    }
    dynasm!(asm ; .arch x64 ; =>unknown ; mov ecx, [rbp + at::HOW]);
    emit_pop(asm);
}

/// Set RCX of L1D is open for the stores of a page, if the access shows that it may be.
pub(super) fn emit_open_stores(asm: &mut Assembler, access: Access, page: u8) {
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

/// Returns with the zero flag set: the access is for what is behind the stub.
pub(super) fn emit_undone(asm: &mut Assembler) {
    emit_pop(asm);
    dynasm!(asm ; .arch x64 ; xor edx, edx ; ret);
}

fn emit_pop(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; pop r11 ; pop r10 ; pop r9 ; pop r8);
}

/// L1D's four ways of set ECX are looked at: R10 is the number of the line, RDX the address of the
/// tags.
fn emit_find(asm: &mut Assembler, ways: &Ways) {
    let (missed, compared) = (ways.missed, ways.compared);
    dynasm!(asm ; .arch x64
        ; mov r10d, ecx
        ; shl r10d, 4
        ; mov rdx, [rsi + TAGS]
        ; movd xmm0, r11d
        ; pshufd xmm0, xmm0, 0
        ; movdqu xmm1, [rdx + r10]
        ; movdqa xmm2, xmm1
        ; pand xmm2, [=>compared]
        ; pcmpeqd xmm2, xmm0
        ; movmskps r10d, xmm2
        ; test r10d, r10d
        ; jz =>missed
        ; bsf r10d, r10d
        ; lea r10d, [r10 + rcx * 4]
    );
}

/// What is beside the straight path of [`emit_turn`].
#[must_use]
pub(super) struct PageTurn {
    open: DynamicLabel,
    done: DynamicLabel,
}

/// The page becomes its TLB set's most recent one, unless another is open there. R8 is then the
/// page's address, or all ones if its lines may not be open. RCX, RDX, R9 and R11 go. `opens`: it
/// may be opened for this use.
pub(super) fn emit_turn(asm: &mut Assembler, unknown: DynamicLabel, opens: bool) -> PageTurn {
    let turn = PageTurn { open: asm.new_dynamic_label(), done: asm.new_dynamic_label() };
    let (open, done) = (turn.open, turn.done);
    // Which of a set's pages comes is hard to predict, that one is open is not.
    dynasm!(asm ; .arch x64
        ; mov ecx, r8d
        ; and ecx, [rbp + at::TLB_MASK]
        ; mov r11, [rbp + at::RECENT_DATA]
        ; mov rdx, [rbp + at::TLB_OPEN]
        ; bt rdx, rcx
        ; jc =>open
        ; mov edx, [rbp + at::PATIENCE]
    );
    if opens {
        dynasm!(asm ; .arch x64 ; dec edx);
    }
    dynasm!(asm ; .arch x64
        ; cmp [r11 + rcx * 4], r8d
        ; cmovne edx, [rbp + at::PATIENCE_ANEW]
        ; mov [rbp + at::PATIENCE], edx
    );
    if opens {
        dynasm!(asm ; .arch x64 ; test edx, edx ; js =>unknown);
    }
    dynasm!(asm ; .arch x64
        ; mov BYTE [rbp + at::TLB_CHANGED], 1
        ; mov [r11 + rcx * 4], r8d
    );
    emit_use(asm, 1, 9, 2, 11);
    dynasm!(asm ; .arch x64 ; mov r8d, -1 ; =>done);
    turn
}

impl PageTurn {
    pub fn emit_open(self, asm: &mut Assembler, unknown: DynamicLabel) {
        let (open, done) = (self.open, self.done);
        dynasm!(asm ; .arch x64
            ; =>open
            ; cmp [r11 + rcx * 4], r8d
            ; jne =>unknown
            ; shl r8d, 12
            ; jmp =>done
        );
    }
}

/// The page at a place among the known ones is used: its entry becomes the most recent one of its
/// TLB set, whose tree turns. The registers for place, base and tree go.
pub(super) fn emit_use(asm: &mut Assembler, set: u8, place: u8, base: u8, tree: u8) {
    dynasm!(asm ; .arch x64
        ; mov Rd(place), [rbp + Rq(place) * 8 + at::PAGE_FRAMES + 4]
        ; mov Rq(base), [rbp + at::RECENT_INDEX]
        ; mov [Rq(base) + Rq(set) * 4], Rd(place)
        ; and Rd(place), [rbp + at::TLB_WAY_MASK]
        ; mov Rq(base), [rbp + at::TREES]
        ; mov Rd(tree), [Rq(base) + Rq(set) * 4]
        ; and Rd(tree), [rbp + Rq(place) * 8 + at::TURNS]
        ; or Rd(tree), [rbp + Rq(place) * 8 + at::TURNS + 4]
        ; mov [Rq(base) + Rq(set) * 4], Rd(tree)
    );
}

/// NEW, a line's number: then the replacement state of its set after a hit. OLD: the state before,
/// at BASE + SET; the zero flag is set if it is the same. `Saving::set` takes R9.
pub(super) fn emit_after_hit(asm: &mut Assembler, table: u8, [base, set, old, new]: [u8; 4]) {
    dynasm!(asm ; .arch x64
        ; mov Rq(base), [Rq(table) + REPLACEMENT]
        ; movzx Rd(old), BYTE [Rq(base) + Rq(set)]
        ; and Rd(new), 3
        ; lea Rd(new), [Rq(new) + Rq(old) * 4]
        ; movzx Rd(new), BYTE [Rq(table) + Rq(new) + AFTER_HIT]
        ; cmp Rd(new), Rd(old)
    );
}

/// ORIGIN, a line's number: then its first byte, less the linear address of that, which is in BASE;
/// EAX is an address in it.
pub(super) fn emit_origin(asm: &mut Assembler, table: u8, origin: u8, base: u8) {
    dynasm!(asm ; .arch x64
        ; shl Rd(origin), 5
        ; add Rq(origin), [Rq(table) + BYTES]
        ; mov Rd(base), eax
        ; and Rd(base), -32
        ; sub Rq(origin), Rq(base)
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
    );
    emit_known_number(asm, 1, 9);
    dynasm!(asm ; .arch x64
        ; mov [rsi + rcx * 4 + KNOWN_TAGS], r11d
        ; mov [rsi + rcx * 2 + KNOWN_NUMBERS], r10w
        ; mov r9d, r10d
    );
    emit_origin(asm, saving::FIRST, 9, 11);
    dynasm!(asm ; .arch x64
        ; mov [rsi + rcx * 8 + KNOWN_ORIGINS], r9
        ; movq xmm7, r9
        ; shr r11d, 12
    );
    emit_place(asm, 11, 9);
    dynasm!(asm ; .arch x64
        ; mov BYTE [rbp + r9 + at::PAGE_KNOWN], 1
        ; shl r11d, 12
        ; mov [rsi + rcx * 4 + known], r11d
        ; cmp r11d, [rsi + rcx * 4 + other]
        ; je =>keep
        ; mov DWORD [rsi + rcx * 4 + other], -1
        ; =>keep
        ; mov ecx, r10d
        ; shr ecx, 2
        ; mov r11d, r10d
    );
    emit_after_hit(asm, saving::FIRST, [2, 1, 9, 11]);
    dynasm!(asm ; .arch x64 ; je =>same);
    ways.first.set(asm, saving::FIRST);
    dynasm!(asm ; .arch x64
        ; mov [rdx + rcx], r11b
        ; mov DWORD [rsi + rcx * 4 + OPEN_LOADS], -1
        ; mov DWORD [rsi + rcx * 4 + OPEN_STORES], -1
        ; jmp =>done
        ; =>same
        ; mov [rsi + rcx * 4 + OPEN_LOADS], r8d
        ; movq [rsi + rcx * 8 + ORIGINS], xmm7
    );
    emit_open_stores(asm, ways.access, 8);
    dynasm!(asm ; .arch x64 ; =>done ; movq rdx, xmm7);
}
