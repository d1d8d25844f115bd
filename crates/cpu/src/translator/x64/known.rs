//! An access to a line that is not open, but known (`quick.rs` of the cache): page and line have
//! only to be touched. Lines of one L1D set take turns, and pages of one TLB set (two arrays a
//! power of two apart do both): a turn is no more than a few bits of the replacement state.
//!
//! EAX: the linear address, ECX: the set. Then R8 is the line's origin, R9 its number, R11 the TLB
//! set of its page. Where the bytes are follows from the address by one look into a table; all else
//! is beside that.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{COMPARED, DIRTY};

use super::lookup::{
    KNOWN_LOADS, KNOWN_NUMBERS, KNOWN_ORIGINS, KNOWN_STORES, KNOWN_TAGS, OPEN_LOADS, OPEN_STORES,
    ORIGINS, TAGS, emit_after_hit, emit_known_number, emit_open_stores, emit_place, emit_return,
    emit_use,
};
use super::saving::{FIRST, LINE_MARKS, SET_MARKS, WINDOW};
use super::stubs::{Assembler, at};
use crate::translator::reach::Access;

/// EDX: the page, with bits of an address that is not aligned. Returns if the line is known; goes
/// on with R8 to R11 saved and with EAX, ECX and EDX as they were otherwise, when at most the page
/// has become its TLB set's most recent one.
pub(super) fn emit(asm: &mut Assembler, access: Access) {
    let [stranger, unknown, turn, turned, same, found] = [(); 6].map(|()| asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; push r8
        ; push r9
        ; push r10
        ; push r11
    );
    emit_check(asm, access, stranger, unknown);
    dynasm!(asm ; .arch x64
        ; mov edx, eax
        ; shr edx, 12
        ; mov r11d, edx
        ; and r11d, [rbp + at::TLB_MASK]
        ; mov r10, [rbp + at::RECENT_DATA]
        ; cmp [r10 + r11 * 4], edx
        ; jne =>turn
        ; =>turned
    );
    emit_after_hit(asm, FIRST, [10, 1, 2, 9]);
    dynasm!(asm ; .arch x64
        ; je =>same
        ; mov rdx, [rsi + SET_MARKS]
        ; mov edx, [rdx + rcx * 4]
        ; cmp edx, [rsi + WINDOW]
        ; jne =>unknown
        ; mov [r10 + rcx], r9b
        ; mov DWORD [rsi + rcx * 4 + OPEN_LOADS], -1
        ; mov DWORD [rsi + rcx * 4 + OPEN_STORES], -1
        ; =>found
        ; mov rdx, r8
    );
    emit_return(asm);
    emit_turn(asm, (turn, turned), unknown);
    dynasm!(asm ; .arch x64 ; =>same);
    emit_open(asm, access, unknown);
    dynasm!(asm ; .arch x64
        ; jmp =>found
        ; =>unknown
        ; movzx edx, WORD [rbp + at::HOW + 2]
        ; or edx, 0xFFFF_F000u32 as i32
        ; and edx, eax
        ; =>stranger
    );
}

/// The line is there; for a store, it is dirty, and saved for the open window. `stranger`: none of
/// the page is known at its number.
fn emit_check(asm: &mut Assembler, access: Access, stranger: DynamicLabel, unknown: DynamicLabel) {
    let load = access == Access::Load;
    let (pages, dirty) = if load { (KNOWN_LOADS, 0) } else { (KNOWN_STORES, DIRTY as i32) };
    emit_known_number(asm, 8, 9);
    dynasm!(asm ; .arch x64
        ; cmp edx, [rsi + r8 * 4 + pages]
        ; jne =>stranger
        ; movzx r9d, WORD [rsi + r8 * 2 + KNOWN_NUMBERS]
        ; mov rdx, [rsi + TAGS]
        ; mov edx, [rdx + r9 * 4]
        ; and edx, COMPARED as i32 | dirty
    );
    if !load {
        dynasm!(asm ; .arch x64 ; xor edx, dirty);
    }
    dynasm!(asm ; .arch x64
        ; cmp edx, [rsi + r8 * 4 + KNOWN_TAGS]
        ; mov r8, [rsi + r8 * 8 + KNOWN_ORIGINS]
        ; jne =>unknown
    );
    if !load {
        dynasm!(asm ; .arch x64
            ; mov rdx, [rsi + LINE_MARKS]
            ; mov edx, [rdx + r9 * 4]
            ; cmp edx, [rsi + WINDOW]
            ; jne =>unknown
        );
    }
}

/// Page EDX becomes the most recent one of TLB set R11, unless one is open there. RDX and R10 go.
fn emit_turn(
    asm: &mut Assembler,
    (turn, turned): (DynamicLabel, DynamicLabel),
    unknown: DynamicLabel,
) {
    let displaced = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; =>turn
        ; mov r10, [rbp + at::TLB_OPEN]
        ; bt r10, r11
        ; jc =>unknown
        ; push rcx
    );
    emit_place(asm, 2, 1);
    dynasm!(asm ; .arch x64
        ; mov r10d, edx
        ; shl r10d, 12
        ; cmp [rbp + rcx * 4 + at::PAGE_LOADS], r10d
        ; jne =>displaced
        ; mov r10, [rbp + at::RECENT_DATA]
        ; mov [r10 + r11 * 4], edx
    );
    emit_use(asm, 11, 1, 10, 2);
    dynasm!(asm ; .arch x64
        ; mov BYTE [rbp + at::TLB_CHANGED], 1
        ; mov ecx, [rbp + at::PATIENCE_ANEW]
        ; mov [rbp + at::PATIENCE], ecx
        ; pop rcx
        ; jmp =>turned
        ; =>displaced
        ; pop rcx
        ; jmp =>unknown
    );
}

/// The line is its set's most recent one: it is opened, if its page is. RDX and R10 go.
fn emit_open(asm: &mut Assembler, access: Access, unknown: DynamicLabel) {
    let open = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov rdx, [rbp + at::TLB_OPEN]
        ; mov r10d, eax
        ; and r10d, 0xFFFF_F000u32 as i32
        ; bt rdx, r11
        ; jc =>open
        ; mov r10d, -1
        ; dec DWORD [rbp + at::PATIENCE]
        ; js =>unknown
        ; =>open
        ; mov [rsi + rcx * 4 + OPEN_LOADS], r10d
    );
    emit_open_stores(asm, access, 10);
    dynasm!(asm ; .arch x64 ; mov [rsi + rcx * 8 + ORIGINS], r8);
}
