//! An access to a line that is not open, but known (`quick.rs` of the cache): page and line have
//! only to be touched. Lines of one L1D set take turns, and pages of one TLB set (two arrays a
//! power of two apart do both): a turn is no more than a few bits of the replacement state.
//!
//! EAX: the linear address, ECX: the set. Where the bytes are follows from the address by one look
//! into a table; all else is beside that.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{AJAR, DIRTY};

use super::lookup::{
    KNOWN_LOADS, KNOWN_NUMBERS, KNOWN_ORIGINS, KNOWN_STORES, KNOWN_TAGS, OPEN_LOADS, OPEN_STORES,
    ORIGINS, TAGS, emit_after_hit, emit_known_number, emit_open_stores, emit_place, emit_use,
};
use super::saving::{FIRST, LINE_MARKS, SET_MARKS, WINDOW};
use super::stubs::{Assembler, at};
use crate::translator::reach::Access;

const RCX: u8 = 1;
const RDX: u8 = 2;
const RDI: u8 = 7;
const R8: u8 = 8;
const R9: u8 = 9;

/// EDX: the page, with bits of an address that is not aligned. Returns if the line is known; goes
/// on with R8 to R11 saved and with EAX, ECX and EDX as they were otherwise, when at most the page
/// has become its TLB set's most recent one. RDI goes.
pub(super) fn emit(asm: &mut Assembler, access: Access) {
    let [stranger, unknown, turn, turned, same, found] = [(); 6].map(|()| asm.new_dynamic_label());
    emit_ajar(asm, access);
    dynasm!(asm ; .arch x64 ; push r8 ; push r9);
    emit_check(asm, access, stranger, unknown);
    emit_is_recent(asm, turn);
    dynasm!(asm ; .arch x64
        ; =>turned
        ; movzx r9d, WORD [rsi + r8 * 2 + KNOWN_NUMBERS]
    );
    emit_after_hit(asm, FIRST, [RDI, RCX, RDX, R9]);
    dynasm!(asm ; .arch x64
        ; je =>same
        ; mov rdx, [rsi + SET_MARKS]
        ; mov edx, [rdx + rcx * 4]
        ; cmp edx, [rsi + WINDOW]
        ; jne =>unknown
        ; mov [rdi + rcx], r9b
        ; mov DWORD [rsi + rcx * 4 + OPEN_LOADS], -1
        ; mov DWORD [rsi + rcx * 4 + OPEN_STORES], -1
        ; =>found
        ; mov rdx, [rsi + r8 * 8 + KNOWN_ORIGINS]
        ; pop r9
        ; pop r8
        ; test rdx, rdx
        ; ret
    );
    emit_turn(asm, (turn, turned), unknown);
    dynasm!(asm ; .arch x64 ; =>same);
    emit_open(asm, access, unknown);
    dynasm!(asm ; .arch x64 ; jmp =>found ; =>unknown);
    emit_page(asm);
    dynasm!(asm ; .arch x64 ; =>stranger ; push r10 ; push r11);
}

/// The page, whose number is EDX then, is the most recent one of its TLB set, EDI. R9 goes.
fn emit_is_recent(asm: &mut Assembler, turn: DynamicLabel) {
    dynasm!(asm ; .arch x64
        ; mov edx, eax
        ; shr edx, 12
        ; mov edi, edx
        ; and edi, [rbp + at::TLB_MASK]
        ; mov r9, [rbp + at::RECENT_DATA]
        ; cmp [r9 + rdi * 4], edx
        ; jne =>turn
    );
}

/// Returns if the line is ajar (`quick.rs`): only its page may have to take its turn. RDI goes, and
/// else nothing.
fn emit_ajar(asm: &mut Assembler, access: Access) {
    let [other, turn, turned, elsewhere] = [(); 4].map(|()| asm.new_dynamic_label());
    let pages = if access == Access::Load { OPEN_LOADS } else { OPEN_STORES };
    dynasm!(asm ; .arch x64
        ; lea edi, [rdx + AJAR as i32]
        ; cmp edi, [rsi + rcx * 4 + pages]
        ; jne =>other
        ; push r9
    );
    emit_is_recent(asm, turn);
    dynasm!(asm ; .arch x64
        ; dec DWORD [rbp + at::PATIENCE]
        ; js =>elsewhere
        ; =>turned
        ; pop r9
        ; mov rdx, [rsi + rcx * 8 + ORIGINS]
        ; test rdx, rdx
        ; ret
    );
    emit_turn(asm, (turn, turned), elsewhere);
    dynasm!(asm ; .arch x64 ; =>elsewhere ; pop r9);
    emit_page(asm);
    dynasm!(asm ; .arch x64 ; =>other);
}

/// EDX: the page, with bits of an address that is not aligned.
fn emit_page(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; movzx edx, WORD [rbp + at::HOW + 2]
        ; or edx, 0xFFFF_F000u32 as i32
        ; and edx, eax
    );
}

/// The line is there; for a store, it is dirty, and saved for the open window. R8 is its number
/// among the known ones. `stranger`: none of the page is known there.
fn emit_check(asm: &mut Assembler, access: Access, stranger: DynamicLabel, unknown: DynamicLabel) {
    let load = access == Access::Load;
    let pages = if load { KNOWN_LOADS } else { KNOWN_STORES };
    emit_known_number(asm, R8, RDI);
    dynasm!(asm ; .arch x64
        ; cmp edx, [rsi + r8 * 4 + pages]
        ; jne =>stranger
        ; movzx r9d, WORD [rsi + r8 * 2 + KNOWN_NUMBERS]
        ; mov rdx, [rsi + TAGS]
        ; mov edx, [rdx + r9 * 4]
        ; cmp edx, [rsi + r8 * 4 + KNOWN_TAGS]
        ; jne =>unknown
    );
    if !load {
        dynasm!(asm ; .arch x64
            ; test dl, DIRTY as i8
            ; jz =>unknown
            ; mov rdx, [rsi + LINE_MARKS]
            ; mov edx, [rdx + r9 * 4]
            ; cmp edx, [rsi + WINDOW]
            ; jne =>unknown
        );
    }
}

/// Page EDX becomes the most recent one of TLB set RDI, unless one is open there. RDX and R9 go.
/// The page is at its place among the known ones, for lines are known of no others.
fn emit_turn(
    asm: &mut Assembler,
    (turn, turned): (DynamicLabel, DynamicLabel),
    unknown: DynamicLabel,
) {
    dynasm!(asm ; .arch x64
        ; =>turn
        ; mov r9, [rbp + at::TLB_OPEN]
        ; bt r9, rdi
        ; jc =>unknown
        ; push rcx
    );
    emit_place(asm, RDX, RCX);
    dynasm!(asm ; .arch x64
        ; mov r9, [rbp + at::RECENT_DATA]
        ; mov [r9 + rdi * 4], edx
    );
    emit_use(asm, RDI, RCX, R9, RDX);
    dynasm!(asm ; .arch x64
        ; mov BYTE [rbp + at::TLB_CHANGED], 1
        ; mov ecx, [rbp + at::PATIENCE_ANEW]
        ; mov [rbp + at::PATIENCE], ecx
        ; pop rcx
        ; jmp =>turned
    );
}

/// The line is its set's most recent one: it is opened if its page is, else ajar. RDX, RDI
/// and R9 go.
fn emit_open(asm: &mut Assembler, access: Access, unknown: DynamicLabel) {
    let open = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov edi, eax
        ; shr edi, 12
        ; and edi, [rbp + at::TLB_MASK]
        ; mov rdx, [rbp + at::TLB_OPEN]
        ; mov r9d, eax
        ; and r9d, 0xFFFF_F000u32 as i32
        ; bt rdx, rdi
        ; jc =>open
        ; or r9d, AJAR as i32
        ; dec DWORD [rbp + at::PATIENCE]
        ; js =>unknown
        ; =>open
        ; mov [rsi + rcx * 4 + OPEN_LOADS], r9d
    );
    emit_open_stores(asm, access, R9);
    dynasm!(asm ; .arch x64
        ; mov rdx, [rsi + r8 * 8 + KNOWN_ORIGINS]
        ; mov [rsi + rcx * 8 + ORIGINS], rdx
    );
}
