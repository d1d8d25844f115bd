//! Finds the line of an access in L2, after L1D has missed.
//!
//! Registers as in `l1d_fill.rs`.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{COMPARED, DIRTY, MESSAGE_BUFFER, QUICK_HINTS, QuickLines};

use super::l1d_lookup::{AFTER_HIT, BYTES, HINTS, OPEN_PAGES, SETS, TAGS, Ways};
use super::undo_log::{MARK, SECOND, Unsaved};
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::host_registers::{R9, R11, RCX, RDI};
use crate::translator::x64::encoding::offsets;

/// The offset of the field that holds L2's number of sets less one.
const SET_MASK: i32 = offset_of!(QuickLines, arrays.set_mask) as i32;

/// The labels of the slow part of a lookup (a search of the set), which is emitted elsewhere.
#[must_use]
pub(crate) struct Find {
    search: DynamicLabel,
    there: DynamicLabel,
}

/// Emits the lookup in L2 (table at RDX) of the line with R11's tag, which XMM0 holds four times,
/// in its last place or by a search. Afterwards R10 is the number of the line. Clobbers RDI and
/// XMM3.
pub(crate) fn emit_find(asm: &mut Assembler) -> Find {
    let find = Find { search: asm.new_dynamic_label(), there: asm.new_dynamic_label() };
    let (search, there) = (find.search, find.there);
    dynasm!(asm ; .arch x64
        ; mov r10d, eax
        ; shr r10d, 5
        ; and r10d, QUICK_HINTS as i32 - 1
        ; movzx r10d, WORD [rdx + r10 * 2 + HINTS]
        ; mov rdi, [rdx + TAGS]
        ; mov edi, [rdi + r10 * 4]
        ; and edi, COMPARED as i32
        ; cmp edi, r11d
        ; jne =>search
        ; =>there
    );
    find
}

impl Find {
    /// Emits the search. If L2 does not have the line, the code jumps to `nowhere` with R10 = L2's
    /// set, times `SET_BYTES`.
    pub fn emit_search(self, asm: &mut Assembler, ways: &Ways, nowhere: DynamicLabel) {
        let (search, there) = (self.search, self.there);
        dynasm!(asm ; .arch x64 ; =>search);
        emit_search_all(asm, ways, nowhere);
        dynasm!(asm ; .arch x64
            ; mov edi, eax
            ; shr edi, 5
            ; and edi, QUICK_HINTS as i32 - 1
            ; mov [rdx + rdi * 2 + HINTS], r10w
            ; jmp =>there
        );
    }
}

/// Emits the search for the line with R11's tag, which XMM0 holds four times, in its set of L2.
/// Afterwards R10 is the number of the line. If L2 does not have the line, the code jumps to
/// `nowhere` with R10 = the set, times `SET_BYTES`. Clobbers RDI and XMM3.
fn emit_search_all(asm: &mut Assembler, ways: &Ways, nowhere: DynamicLabel) {
    let compared = ways.compared;
    dynasm!(asm ; .arch x64
        ; mov r10d, r11d
        ; shr r10d, 5
        ; and r10d, [rdx + SET_MASK]
        ; shl r10d, 4
        ; mov rdi, [rdx + TAGS]
        ; movdqu xmm3, [rdi + r10]
        ; pand xmm3, [=>compared]
        ; pcmpeqd xmm3, xmm0
        ; movmskps edi, xmm3
        ; test edi, edi
        ; jz =>nowhere
        ; bsf edi, edi
        ; shr r10d, 2
        ; add r10d, edi
    );
}

/// Emits code that makes line R10 of L2 the most recent one of its set, without a branch: the host
/// could not predict whether the line already is. Clobbers RDI, R9 and XMM5.
pub(crate) fn emit_use(asm: &mut Assembler, ways: &Ways) -> Unsaved {
    let again = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov r9d, r10d
        ; shr r9d, 2
        ; =>again
        ; mov rdi, [rdx + SETS]
        ; movzx edi, BYTE [rdi + r9]
    );
    let unsaved = ways.second.set_again(asm, R9, RDI, again);
    // A line's number minus four times its set's number is its way.
    dynasm!(asm ; .arch x64
        ; sub edi, r9d
        ; lea edi, [r10 + rdi * 4]
        ; movzx edi, BYTE [rdx + rdi + AFTER_HIT]
        ; add r9, [rdx + SETS]
        ; mov [r9], dil
    );
    unsaved
}

/// Emits code that makes line LINE of L2 the most recent one of its set; if it was not, closes the
/// set's open line. Clobbers RCX, RDI, R11, XMM3 and XMM5.
pub(crate) fn emit_touch(asm: &mut Assembler, ways: &Ways, line: u8) {
    let same = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov ecx, Rd(line)
        ; shr ecx, 2
        ; mov rdi, [rdx + SETS]
        ; movzx r11d, BYTE [rdi + rcx]
        ; mov edi, Rd(line)
        ; and edi, 3
        ; lea edi, [rdi + r11 * 4]
        ; movzx edi, BYTE [rdx + rdi + AFTER_HIT]
        ; cmp edi, r11d
        ; je =>same
        ; movd xmm3, edi
    );
    emit_save_set(asm, ways);
    dynasm!(asm ; .arch x64
        ; movd r11d, xmm3
        ; or r11b, MARK
        ; mov rdi, [rdx + SETS]
        ; mov [rdi + rcx], r11b
    );
    emit_close(asm);
    dynasm!(asm ; .arch x64 ; =>same);
}

/// Emits code that makes line LINE of L2 dirty; if it was clean, closes the set's open line.
/// Clobbers RCX, RDI, R11 and XMM5.
pub(crate) fn emit_set_dirty(asm: &mut Assembler, ways: &Ways, line: u8) {
    let before = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov rdi, [rdx + TAGS]
        ; test BYTE [rdi + Rq(line) * 4], DIRTY as i8
        ; jnz =>before
        ; mov ecx, Rd(line)
        ; shr ecx, 2
        ; mov rdi, [rdx + SETS]
        ; movzx r11d, BYTE [rdi + rcx]
    );
    emit_save_set(asm, ways);
    dynasm!(asm ; .arch x64
        ; mov rdi, [rdx + TAGS]
        ; or DWORD [rdi + Rq(line) * 4], DIRTY as i32
    );
    emit_close(asm);
    dynasm!(asm ; .arch x64 ; =>before);
}

/// Emits the saving of L2's set RCX in the undo log, unless R11, the set's replacement state, has
/// the bit `MARK`: the set is then saved already. Sets `MARK` in R11. Clobbers RDI and XMM5.
fn emit_save_set(asm: &mut Assembler, ways: &Ways) {
    let over = asm.new_dynamic_label();
    let unsaved = ways.second.set(asm, RCX, R11);
    dynasm!(asm ; .arch x64 ; jmp =>over);
    unsaved.emit(asm);
    dynasm!(asm ; .arch x64 ; =>over);
}

/// Emits the closing of the open line of set RCX, because the set has changed. Clobbers RCX.
fn emit_close(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; shl ecx, 4
        ; and ecx, [rbp + offsets::SET_MASK]
        ; mov QWORD [rdx + rcx + OPEN_PAGES], -1
    );
}

/// Emits, at the label `dirty`, the write of L1D's dirty victim R11 into L2, before a fill replaces
/// it, and charges the access; then jumps to `clean`. Jumps to `Ways::unknown` if L2 does not have
/// the line, or if the line is of MPBT type. Clobbers R9, RDI and XMM1 to XMM6.
pub(crate) fn emit_write_back(
    asm: &mut Assembler,
    ways: &Ways,
    dirty: DynamicLabel,
    clean: DynamicLabel,
) {
    dynasm!(asm ; .arch x64 ; =>dirty);
    let unsaved = emit_into_l2(asm, ways);
    dynasm!(asm ; .arch x64
        ; inc QWORD [rbp + offsets::WRITE_BACKS]
        ; add rbx, [rbp + offsets::L2_CYCLES]
        ; jmp =>clean
    );
    unsaved.emit(asm);
}

/// Emits the write of line R11 of L1D, whose tags are at RDI, into L2's copy of that line. Jumps to
/// `Ways::unknown` if L2 does not have it, or if the line is of MPBT type. Clobbers R9, RDI and
/// XMM1 to XMM6.
pub(crate) fn emit_into_l2(asm: &mut Assembler, ways: &Ways) -> Unsaved {
    let (compared, fails) = (ways.compared, ways.unknown);
    dynasm!(asm ; .arch x64
        ; mov r9d, [rdi + r11 * 4]
        ; test r9b, MESSAGE_BUFFER as i8
        ; jnz =>fails
        ; and r9d, COMPARED as i32
        ; movd xmm4, r9d
        ; pshufd xmm4, xmm4, 0
        ; shr r9d, 5
        ; and r9d, [rdx + SET_MASK]
        ; mov edi, r9d
        ; shl edi, 4
        ; add rdi, [rdx + TAGS]
        ; movdqu xmm3, [rdi]
        ; pand xmm3, [=>compared]
        ; pcmpeqd xmm3, xmm4
        ; movmskps edi, xmm3
        ; test edi, edi
        ; jz =>fails
        ; bsf edi, edi
        ; lea r9d, [rdi + r9 * 4]
        ; push rcx
        ; push r11
    );
    emit_touch(asm, ways, R9);
    let unsaved = ways.second.line(asm, SECOND, R9);
    dynasm!(asm ; .arch x64
        ; mov ecx, [rsp]
        ; shl ecx, 5
        ; add rcx, [rsi + BYTES]
        ; movdqu xmm1, [rcx]
        ; movdqu xmm2, [rcx + 16]
        ; mov ecx, r9d
        ; shl ecx, 5
        ; add rcx, [rdx + BYTES]
        ; movdqu [rcx], xmm1
        ; movdqu [rcx + 16], xmm2
    );
    emit_set_dirty(asm, ways, R9);
    dynasm!(asm ; .arch x64 ; pop r11 ; pop rcx);
    unsaved
}
