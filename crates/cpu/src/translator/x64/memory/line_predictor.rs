//! An access to a line that is not open but known (`quick.rs` of the cache crate): one lookup in a
//! table gives the place of the bytes, and only the recency of page and line is updated.
//!
//! EAX: linear address. ECX: L1D set, times `SET_BYTES`.
//!
//! Without known lines a pointer chase through 4 MB (`benches/programs/chase.c`) takes 1.47 times
//! the host's instructions; without this lookup NPB LU (class S, one core) takes 1.06 times as many
//! (2026-11-29).

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{AJAR, DIRTY};

use super::l1d_lookup::{
    KNOWN_LOADS, KNOWN_NUMBER, KNOWN_STORES, KNOWN_TAG, OPEN_LOADS, OPEN_PAGES, OPEN_STORES,
    ORIGIN, TAGS, TLB_OPEN, TLB_SHIFT, emit_after_hit, emit_known_number, emit_open_pages,
    emit_origin, emit_place, emit_use,
};
use super::undo_log::{FIRST, LINE_MARKS, MARK};
use crate::translator::access::fast_access::Access;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::host_registers::{R8, R9, R10, RAX, RCX, RDI, RDX};
use crate::translator::x64::encoding::offsets;

/// Emits the lookup of a known line. EDX is the page, combined with the low bits of a misaligned
/// address. If the line is known, the code returns from the stub; RDX + RAX is the place of the
/// bytes. Otherwise execution continues with R8 to R11 saved and EAX, ECX and EDX unchanged; the
/// only possible effects are that the page is now the most recent one of its TLB set, and that
/// `HostFrame::patience` has changed. Clobbers RDI.
pub(crate) fn emit(asm: &mut Assembler, access: Access) {
    let [stranger, unknown, turn, turned, same, found] = [(); 6].map(|()| asm.new_dynamic_label());
    emit_ajar(asm, access);
    dynasm!(asm ; .arch x64 ; push r8 ; push r9 ; push r10);
    emit_check(asm, access, stranger, unknown);
    emit_is_recent(asm, turn);
    dynasm!(asm ; .arch x64
        ; =>turned
        ; mov r9d, [rsi + r8 * 8 + KNOWN_NUMBER]
        ; mov r10d, ecx
        ; shr r10d, 4
    );
    emit_after_hit(asm, FIRST, [RDI, R10, RDX, R9]);
    dynasm!(asm ; .arch x64
        ; je =>same
        ; test dl, MARK
        ; jz =>unknown
        ; mov [rdi + r10], r9b
        ; mov QWORD [rsi + rcx + OPEN_PAGES], -1
    );
    emit_known_origin(asm);
    dynasm!(asm ; .arch x64
        ; =>found
        ; pop r10
        ; pop r9
        ; pop r8
        ; test rdx, rdx
        ; ret
    );
    emit_turn(asm, turn, turned, unknown);
    dynasm!(asm ; .arch x64 ; =>same);
    emit_open(asm, access, unknown);
    dynasm!(asm ; .arch x64 ; jmp =>found ; =>unknown);
    emit_page(asm);
    dynasm!(asm ; .arch x64 ; =>stranger ; push r11);
}

/// Emits the load of EDI with the offset, from `HostFrame::tlb_uses`, of the data TLB's set for the
/// page of the address in EAX.
pub(crate) fn emit_tlb_set(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; mov edi, eax
        ; shr edi, TLB_SHIFT
        ; and edi, [rbp + offsets::TLB_MASK]
    );
}

/// Emits a jump to `turn` unless the page is the most recent one of its TLB set. Afterwards EDX is
/// the page's number, RDI the address of the set.
fn emit_is_recent(asm: &mut Assembler, turn: DynamicLabel) {
    emit_tlb_set(asm);
    dynasm!(asm ; .arch x64
        ; add rdi, [rbp + offsets::TLB_USES]
        ; mov edx, eax
        ; shr edx, 12
        ; cmp [rdi], edx
        ; jne =>turn
    );
}

/// Emits a return from the stub for a line that is ajar: the line may be used in place (RDX + RAX),
/// but its page may first have to become the most recently used one of its TLB set (`quick.rs`).
/// Otherwise only RDI and perhaps `HostFrame::patience` have changed.
fn emit_ajar(asm: &mut Assembler, access: Access) {
    let [other, turn, turned, elsewhere] = [(); 4].map(|()| asm.new_dynamic_label());
    let pages = if access == Access::Load { OPEN_LOADS } else { OPEN_STORES };
    dynasm!(asm ; .arch x64
        ; lea edi, [rdx + AJAR as i32]
        ; cmp edi, [rsi + rcx + pages]
        ; jne =>other
    );
    emit_is_recent(asm, turn);
    dynasm!(asm ; .arch x64
        ; dec DWORD [rbp + offsets::PATIENCE]
        ; js =>elsewhere
        ; =>turned
        ; mov rdx, [rsi + rcx + ORIGIN]
        ; test rdx, rdx
        ; ret
    );
    emit_turn(asm, turn, turned, elsewhere);
    dynasm!(asm ; .arch x64 ; =>elsewhere);
    emit_page(asm);
    dynasm!(asm ; .arch x64 ; =>other);
}

/// Emits the load of EDX with the page, combined with the low bits of a misaligned address.
pub(crate) fn emit_page(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; movzx edx, WORD [rbp + offsets::HOW + 2]
        ; or edx, 0xFFFF_F000u32 as i32
        ; and edx, eax
    );
}

/// Emits the check that the line is in L1D and, for a store, dirty and saved in the undo log; if
/// not, the code jumps to `unknown`. Afterwards R8 is twice the line's index among the known lines.
/// The code jumps to `stranger` if the known line at that index belongs to another page. Clobbers
/// RDI and R9.
fn emit_check(asm: &mut Assembler, access: Access, stranger: DynamicLabel, unknown: DynamicLabel) {
    let load = access == Access::Load;
    let pages = if load { KNOWN_LOADS } else { KNOWN_STORES };
    emit_known_number(asm, R8);
    dynasm!(asm ; .arch x64
        ; cmp edx, [rsi + r8 * 8 + pages]
        ; jne =>stranger
        ; mov r9d, [rsi + r8 * 8 + KNOWN_NUMBER]
        ; mov rdi, [rsi + TAGS]
        ; mov edi, [rdi + r9 * 4]
        ; cmp edi, [rsi + r8 * 8 + KNOWN_TAG]
        ; jne =>unknown
    );
    if !load {
        dynasm!(asm ; .arch x64
            ; test dil, DIRTY as i8
            ; jz =>unknown
            ; mov rdi, [rsi + LINE_MARKS]
            ; cmp BYTE [rdi + r9], 0
            ; je =>unknown
        );
    }
}

/// Emits, at the label `turn`, code that makes page EDX the most recent one of the TLB set at RDI,
/// starts `HostFrame::patience` anew, and jumps to `turned`; if another page there is open, it
/// jumps to `unknown` instead. The page is among the known pages, because only known pages have
/// known lines. Clobbers RDX.
fn emit_turn(asm: &mut Assembler, turn: DynamicLabel, turned: DynamicLabel, unknown: DynamicLabel) {
    dynasm!(asm ; .arch x64
        ; =>turn
        ; cmp DWORD [rdi + TLB_OPEN], 0
        ; jne =>unknown
        ; push rcx
    );
    emit_place(asm, RAX, RCX);
    dynasm!(asm ; .arch x64
        ; mov rdx, [rbp + rcx + offsets::PAGE_NUMBER]
        ; mov [rdi], rdx
    );
    emit_use(asm, RCX, RDX);
    dynasm!(asm ; .arch x64
        ; mov ecx, [rbp + offsets::PATIENCE_ANEW]
        ; mov [rbp + offsets::PATIENCE], ecx
        ; pop rcx
        ; jmp =>turned
    );
}

/// Emits code that makes the line, which already is the most recent one of its L1D set, open if its
/// page is open, else ajar; if the page is to be opened, jumps to `unknown`. Afterwards RDX is the
/// line's origin. Clobbers RDI and R9.
fn emit_open(asm: &mut Assembler, access: Access, unknown: DynamicLabel) {
    let open = asm.new_dynamic_label();
    emit_tlb_set(asm);
    dynasm!(asm ; .arch x64
        ; add rdi, [rbp + offsets::TLB_USES]
        ; mov r9d, eax
        ; and r9d, 0xFFFF_F000u32 as i32
        ; cmp DWORD [rdi + TLB_OPEN], 0
        ; jne =>open
        ; or r9d, AJAR as i32
        ; dec DWORD [rbp + offsets::PATIENCE]
        ; js =>unknown
        ; =>open
    );
    emit_open_pages(asm, access, R9);
    emit_known_origin(asm);
    dynasm!(asm ; .arch x64 ; mov [rsi + rcx + ORIGIN], rdx);
}

/// Emits the load of RDX with the `origin` of the known line at index R8. Clobbers RDI.
fn emit_known_origin(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; mov edx, [rsi + r8 * 8 + KNOWN_NUMBER]);
    emit_origin(asm, FIRST, RDX, RDI);
}
