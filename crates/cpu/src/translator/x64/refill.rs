//! An access that L1D misses and L2 serves: a line for a load, with the victim's way back, or a
//! store that goes around L1D. The same steps as `in_place.rs` of the caches, and nothing is
//! changed before all that they need is there. A line that L2 does not have either: `fetching.rs`.
//!
//! Registers as in `lookup.rs`; RDX is the table of L2, R10 the number of its line, R12 the set of
//! L1D. For a load R13 is the victim, R14 L2's line of a dirty victim.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{COMPARED, DIRTY, MESSAGE_BUFFER, QUICK_HINTS, QuickLines};

use super::fetching;
use super::lookup::{
    BYTES, HINTS, OPEN_LOADS, OPEN_STORES, ORIGINS, PageTurn, REPLACEMENT, STORES, TAGS, Ways,
    emit_after_hit, emit_origin, emit_place, emit_return, emit_turn, emit_undone,
};
use super::saving::{self, Saving};
use super::stubs::{Assembler, at};
use crate::translator::frame::BEYOND;
use crate::translator::reach::Access;

const AFTER_FILL: i32 = offset_of!(QuickLines, policy.after_fill) as i32;
const VICTIM: i32 = offset_of!(QuickLines, policy.victim) as i32;
pub(super) const TURNED_STORES: i32 = offset_of!(QuickLines, turned_stores) as i32;
const SETS: i32 = offset_of!(QuickLines, arrays.set_mask) as i32;
const USABLE: i32 = offset_of!(QuickLines, usable) as i32;
const RCX: u8 = 1;
const RSI: u8 = 6;
const RDI: u8 = 7;
const R9: u8 = 9;
const R10: u8 = 10;
const R11: u8 = 11;
const R12: u8 = 12;
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
    // What of the registers only a load or only a store needs.
    let own = if ways.access == Access::Load { R13 } else { RDI };
    dynasm!(asm ; .arch x64 ; =>missed);
    if ways.access == Access::Load {
        dynasm!(asm ; .arch x64 ; cmp BYTE [rbp + r9 + at::PAGE_PAST_L2], 0 ; jne =>unknown);
    }
    dynasm!(asm ; .arch x64
        ; push r12
        ; push Rq(own)
        ; mov r12d, ecx
        ; movzx ecx, WORD [rbp + at::HOW]
        ; add rcx, rbx
        ; cmp rcx, [rbp + at::REACH_LIMIT]
        ; jae =>fails
        ; mov rdx, [rbp + at::AROUND]
        ; cmp DWORD [rdx + USABLE], 0
        ; je =>fails
    );
    let store = ways.access == Access::Store;
    let emit = if store { emit_store } else { emit_load };
    let beside = emit(asm, ways, fails);
    emit_pop(asm, own);
    emit_return(asm);
    beside.emit(asm, ways, fails, nowhere);
    if store {
        emit_beyond(asm, nowhere, fails);
    } else {
        fetching::emit(asm, ways, nowhere, fails);
    }
    dynasm!(asm ; .arch x64 ; =>fails);
    emit_pop(asm, own);
    dynasm!(asm ; .arch x64 ; jmp =>unknown);
}

pub(super) fn emit_pop(asm: &mut Assembler, own: u8) {
    dynasm!(asm ; .arch x64 ; pop Rq(own) ; pop r12);
}

/// What is beside the straight path.
struct Beside {
    find: Find,
    turn: PageTurn,
    /// A dirty victim, and where it goes on when that is clean.
    dirty: Option<(DynamicLabel, DynamicLabel)>,
}

impl Beside {
    /// At `nowhere`, L2 does not have the line; R10 is its set, times 16.
    fn emit(self, asm: &mut Assembler, ways: &Ways, fails: DynamicLabel, nowhere: DynamicLabel) {
        self.find.emit_search(asm, ways, nowhere);
        self.turn.emit_open(asm, fails);
        if let Some((dirty, clean)) = self.dirty {
            emit_write_back(asm, ways, (dirty, clean), fails);
        }
    }
}

/// A look-up in L2.
struct Find {
    search: DynamicLabel,
    there: DynamicLabel,
}

/// R10 is L2's line with R11's tag, where it was last or else where it is. RCX and XMM3 go.
fn emit_find(asm: &mut Assembler) -> Find {
    let find = Find { search: asm.new_dynamic_label(), there: asm.new_dynamic_label() };
    let (search, there) = (find.search, find.there);
    dynasm!(asm ; .arch x64
        ; mov r10d, eax
        ; shr r10d, 5
        ; and r10d, QUICK_HINTS as i32 - 1
        ; movzx r10d, WORD [rdx + r10 * 2 + HINTS]
        ; mov rcx, [rdx + TAGS]
        ; mov ecx, [rcx + r10 * 4]
        ; and ecx, COMPARED as i32
        ; cmp ecx, r11d
        ; jne =>search
        ; =>there
    );
    find
}

impl Find {
    fn emit_search(&self, asm: &mut Assembler, ways: &Ways, nowhere: DynamicLabel) {
        let (search, there, compared) = (self.search, self.there, ways.compared);
        dynasm!(asm ; .arch x64
            ; =>search
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
            ; jz =>nowhere
            ; bsf ecx, ecx
            ; shr r10d, 2
            ; add r10d, ecx
            ; mov ecx, eax
            ; shr ecx, 5
            ; and ecx, QUICK_HINTS as i32 - 1
            ; mov [rdx + rcx * 2 + HINTS], r10w
            ; jmp =>there
        );
    }
}

fn emit_load(asm: &mut Assembler, ways: &Ways, fails: DynamicLabel) -> Beside {
    // All four lines of the set are valid.
    dynasm!(asm ; .arch x64
        ; pslld xmm1, 31
        ; movmskps ecx, xmm1
        ; cmp ecx, 15
        ; jne =>fails
    );
    let find = emit_find(asm);
    let turn = emit_turn(asm, fails, false);
    let (dirty, clean) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; mov rdx, [rbp + at::AROUND]
    );
    emit_victim(asm, saving::FIRST, R12, R13);
    dynasm!(asm ; .arch x64 ; jnz =>dirty ; =>clean);
    emit_use_of_line(asm, ways);
    emit_fill(asm, ways);
    Beside { find, turn, dirty: Some((dirty, clean)) }
}

/// L2's line becomes its set's most recent one. Whether it was is hard to predict. RCX, R9 and R11
/// go.
fn emit_use_of_line(asm: &mut Assembler, ways: &Ways) {
    dynasm!(asm ; .arch x64 ; mov ecx, r10d ; shr ecx, 2);
    ways.second.set(asm, saving::SECOND);
    dynasm!(asm ; .arch x64 ; mov esi, r10d);
    emit_after_hit(asm, saving::SECOND, [R9, RCX, R11, RSI]);
    dynasm!(asm ; .arch x64 ; mov [r9 + rcx], sil ; mov rsi, [rbp + at::QUICK]);
}

/// LINE: what a fill of the set replaces, all of whose lines are valid. The zero flag is clear if
/// it is dirty. RCX are the tags then.
pub(super) fn emit_victim(asm: &mut Assembler, table: u8, set: u8, line: u8) {
    dynasm!(asm ; .arch x64
        ; mov rcx, [Rq(table) + REPLACEMENT]
        ; movzx ecx, BYTE [rcx + Rq(set)]
        ; movzx Rd(line), BYTE [Rq(table) + rcx + VICTIM]
        ; lea Rd(line), [Rq(line) + Rq(set) * 4]
        ; mov rcx, [Rq(table) + TAGS]
        ; test BYTE [rcx + Rq(line) * 4], DIRTY as i8
    );
}

/// The line comes into L1D. RDX is then where the load finds it: in L2, for there it is already.
fn emit_fill(asm: &mut Assembler, ways: &Ways) {
    dynasm!(asm ; .arch x64
        ; shl r10d, 5
        ; add r10, [rdx + BYTES]
        ; movdqu xmm1, [r10]
        ; movdqu xmm2, [r10 + 16]
    );
    emit_put(asm, &ways.first, saving::FIRST, (R12, R13));
    emit_open(asm);
    dynasm!(asm ; .arch x64
        ; inc QWORD [rbp + at::REFILLS]
        ; add rbx, [rbp + at::L2_CYCLES]
        ; mov rdx, r10
        ; sub rdx, r9
    );
}

/// Puts the line with the tag in XMM0 and the bytes in XMM1 and XMM2 in place of the clean one that
/// [`emit_victim`] gives. RCX are its bytes then. R9 goes.
pub(super) fn emit_put(asm: &mut Assembler, saving: &Saving, table: u8, (set, line): (u8, u8)) {
    saving.filled(asm, table, (set, line));
    dynasm!(asm ; .arch x64
        ; mov rcx, [Rq(table) + REPLACEMENT]
        ; movzx r9d, BYTE [rcx + Rq(set)]
        ; movzx r9d, BYTE [Rq(table) + r9 + AFTER_FILL]
        ; mov [rcx + Rq(set)], r9b
        ; mov rcx, [Rq(table) + TAGS]
        ; movd [rcx + Rq(line) * 4], xmm0
        ; mov ecx, Rd(line)
        ; shl ecx, 5
        ; add rcx, [Rq(table) + BYTES]
        ; movdqu [rcx], xmm1
        ; movdqu [rcx + 16], xmm2
    );
}

/// L1D's set R12 is open for loads of the line at RCX, if R8 is its page, and L2's is closed. RCX
/// is then the line's origin, R9 its linear address.
pub(super) fn emit_open(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; mov r9d, eax
        ; and r9d, -32
        ; sub rcx, r9
        ; mov [rsi + r12 * 4 + OPEN_LOADS], r8d
        ; mov DWORD [rsi + r12 * 4 + OPEN_STORES], -1
        ; mov [rsi + r12 * 8 + ORIGINS], rcx
        ; mov DWORD [rdx + r12 * 4 + OPEN_STORES], -1
        ; mov DWORD [rdx + r12 * 4 + TURNED_STORES], -1
    );
}

/// The victim is dirty, and goes into L2's line of its address, if that is there. RCX, R9 and R11
/// go.
fn emit_write_back(
    asm: &mut Assembler,
    ways: &Ways,
    (dirty, clean): (DynamicLabel, DynamicLabel),
    fails: DynamicLabel,
) {
    let compared = ways.compared;
    dynasm!(asm ; .arch x64
        ; =>dirty
        ; mov ecx, [rcx + r13 * 4]
        ; test cl, MESSAGE_BUFFER as i8
        ; jnz =>fails
        ; and ecx, COMPARED as i32
        ; movd xmm4, ecx
        ; pshufd xmm4, xmm4, 0
        ; shr ecx, 5
        ; and ecx, [rdx + SETS]
        ; mov r9d, ecx
        ; shl ecx, 4
        ; add rcx, [rdx + TAGS]
        ; movdqu xmm3, [rcx]
        ; pand xmm3, [=>compared]
        ; pcmpeqd xmm3, xmm4
        ; movmskps ecx, xmm3
        ; test ecx, ecx
        ; jz =>fails
        ; push rdi
        ; push r14
        ; bsf ecx, ecx
        ; lea r14d, [rcx + r9 * 4]
    );
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
    dynasm!(asm ; .arch x64 ; mov ecx, r12d);
    ways.first.set(asm, saving::FIRST);
    dynasm!(asm ; .arch x64
        ; inc QWORD [rbp + at::WRITE_BACKS]
        ; add rbx, [rbp + at::L2_CYCLES]
        ; pop r14
        ; pop rdi
        ; jmp =>clean
    );
}

/// A store into L2's line, which is in neither first-level cache.
fn emit_store(asm: &mut Assembler, ways: &Ways, fails: DynamicLabel) -> Beside {
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
    let find = emit_find(asm);
    let turn = emit_turn(asm, fails, true);
    dynasm!(asm ; .arch x64 ; mov rdx, [rbp + at::AROUND]);
    emit_touch(asm, ways, R10);
    emit_set_dirty(asm, ways, R10);
    ways.second.line(asm, saving::SECOND, R10);
    dynasm!(asm ; .arch x64
        ; inc QWORD [rbp + at::STORES_AROUND]
        ; add rbx, [rbp + at::L2_CYCLES]
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
    Beside { find, turn, dirty: None }
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
    let turn = emit_turn(asm, fails, true);
    dynasm!(asm ; .arch x64 ; mov [rbp + at::BEYOND], r10);
    emit_pop(asm, RDI);
    emit_undone(asm);
    turn.emit_open(asm, fails);
}

/// ECX: the set, EDX: the page, with bits of an address that is not aligned. Returns if a store
/// goes around L1D to the line of the last one there, as long as that was open but for its page;
/// goes on with all registers as they were otherwise.
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
    let turn = emit_turn(asm, otherwise, true);
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
    );
    turn.emit_open(asm, otherwise);
    dynasm!(asm ; .arch x64
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
    emit_after_hit(asm, saving::SECOND, [RDI, RCX, R9, R11]);
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
        ; mov DWORD [rdx + r9 * 4 + OPEN_STORES], -1
        ; mov DWORD [rdx + r9 * 4 + TURNED_STORES], -1
    );
}
