//! An access that misses the data TLB: the page walk. Both page-table words must be in L1D. This is
//! a copy of the rule in `Core::walk_in_l1d`, for write-back pages whose accessed bit (and, for a
//! store, dirty bit) is already set. Nothing changes before all parts are known to be available.
//! Afterwards the page is among the known pages (`known_pages.rs`). Meanwhile the host's processor
//! prefetches the line of a load.
//!
//! Before: EAX is the linear address, R9 the offset of its page in the table of known pages, EDX
//! the page's address combined with the low bits of a misaligned address. Afterwards R8 is the
//! page's number, R10 the TLB set, times `SET_BYTES`, R11 the last word read and then the frame,
//! R12 and R13 the lines of L1D that hold the tables' words, R14 the rights, R15 the index of the
//! TLB entry.
//!
//! A pointer chase through 4 MB (`benches/programs/chase.c`) takes 1.26 times the host's
//! instructions without this path (2026-11-29).

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{MemoryType, VALID};

use super::tlb_evict;
use crate::memory::access_path::APIC_PAGE;
use crate::memory::paging::{LARGE_PAGE_BYTES, bit};
use crate::registers::register_file::cr0;
use crate::translator::access::fast_access::Access;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::host_registers::{R9, R12, R13, RCX, RDX};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::memory::l1d_lookup::{
    AFTER_HIT, BYTES, INDEX, OPEN_PAGES, SET_SHIFT, SETS, TAGS, TLB_OPEN, Ways, emit_use,
};
use crate::translator::x64::memory::line_predictor::emit_tlb_set;
use crate::translator::x64::memory::memory_fill::{WAITS, emit_fetch_ahead, emit_may_wait};
use crate::translator::x64::stubs::callbacks;
use crate::units::tlb::{Entry, permit};

/// The bits that are checked in a directory entry, and in a table entry. Of these bits, those of
/// MARKED must be set and the others clear.
const UPPER: u32 = bit::PRESENT | bit::ACCESSED | bit::LARGE_OR_PMB | bit::CACHE_DISABLE;
const LOWER: u32 = UPPER | bit::WRITE_THROUGH;
const MARKED: i32 = (bit::PRESENT | bit::ACCESSED) as i32;
pub(crate) const FRAME: i32 = offset_of!(Entry, frame) as i32;
pub(crate) const PERMIT: i32 = offset_of!(Entry, permit) as i32;
pub(crate) const MEMORY_TYPE: i32 = offset_of!(Entry, memory_type) as i32;
pub(crate) const ENTRY_SHIFT: i8 = size_of::<Entry>().trailing_zeros() as i8;
// SAFETY: a memory type is one byte that has a value: `size_of` is checked by the transmutation.
pub(crate) const WRITE_BACK: i8 =
    unsafe { std::mem::transmute::<MemoryType, i8>(MemoryType::WriteBack) };
const LARGE_SHIFT: i8 = LARGE_PAGE_BYTES.trailing_zeros() as i8;
/// The number of large pages in the TLB for them, all of which are searched.
pub(in crate::translator) const LARGE_PAGES: usize = 8;
/// The bit of `MUST_NOT_WALK` in the highest byte of `HostFrame::how`.
const MUST_NOT_WALK: i8 = (callbacks::MUST_NOT_WALK >> 8) as i8;
const PAGE: i32 = 0xFFFF_F000u32 as i32;

/// Emits the walk for a page that is not among the known pages. The code then continues at the
/// label `known`, with ECX the set of L1D, or at `Ways::unknown` if the walk cannot be done, or if
/// too little time is left after it.
pub(crate) fn emit(asm: &mut Assembler, ways: &Ways, known: DynamicLabel) {
    let unknown = ways.unknown;
    let fails = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64 ; mov r8d, eax ; shr r8d, 12);
    if ways.access == Access::Load {
        emit_fetch_ahead(asm, unknown);
    }
    dynasm!(asm ; .arch x64
        ; mov ecx, eax
        ; and ecx, PAGE
        ; cmp ecx, edx
        ; jne =>unknown
        ; cmp BYTE [rbp + offsets::LOOKS_UP], 0
        ; je =>unknown
        ; cmp DWORD [rbp + offsets::WALK_PAGE], -1
        ; jne =>unknown
        ; mov ecx, [rbp + offsets::CR0]
        ; and ecx, (cr0::PG | cr0::CD) as i32
        ; cmp ecx, cr0::PG as i32
        ; jne =>unknown
    );
    emit_may_wait(asm, unknown);
    dynasm!(asm ; .arch x64 ; test BYTE [rbp + WAITS], MUST_NOT_WALK ; jnz =>unknown);
    emit_check_limit(asm, unknown);
    emit_absent(asm, unknown);
    dynasm!(asm ; .arch x64
        ; push r12
        ; push r13
        ; push r14
        ; push r15
    );
    emit_words(asm, ways, fails);
    emit_rights(asm, ways.access, fails);
    let forgotten = tlb_evict::emit_victim(asm);
    // From here on no step can fail.
    emit_touch(asm, ways, R12);
    emit_touch(asm, ways, R13);
    emit_entry(asm);
    dynasm!(asm ; .arch x64
        ; pop r15
        ; pop r14
        ; pop r13
        ; pop r12
    );
    emit_check_limit(asm, unknown);
    dynasm!(asm ; .arch x64
        ; mov ecx, eax
        ; shr ecx, SET_SHIFT
        ; and ecx, [rbp + offsets::SET_MASK]
        ; jmp =>known
        ; =>fails
        ; pop r15
        ; pop r14
        ; pop r13
        ; pop r12
        ; jmp =>unknown
    );
    forgotten.emit(asm);
}

/// Emits a jump to `late` unless there is enough time for an access with accesses to L2. Clobbers
/// RCX.
fn emit_check_limit(asm: &mut Assembler, late: DynamicLabel) {
    dynasm!(asm ; .arch x64
        ; movzx ecx, WORD [rbp + offsets::HOW]
        ; add rcx, rbx
        ; cmp rcx, [rbp + offsets::REACH_LIMIT]
        ; jae =>late
    );
}

/// Emits the check that the page is in neither data TLB, and that its set is full and has no open
/// page; if not, the code jumps to `unknown`. Afterwards R10 is the TLB set. Clobbers RCX, RDX, RDI
/// and XMM0 to XMM3.
fn emit_absent(asm: &mut Assembler, unknown: DynamicLabel) {
    emit_tlb_set(asm);
    dynasm!(asm ; .arch x64
        ; mov r10d, edi
        ; add rdi, [rbp + offsets::TLB_USES]
        ; cmp DWORD [rdi + TLB_OPEN], 0
        ; jne =>unknown
        ; mov rdx, [rbp + offsets::TLB_PAGES]
        ; test rdx, rdx
        ; jz =>unknown
        ; movdqu xmm1, [rdx + r10]
        ; pcmpeqd xmm2, xmm2
        ; pcmpeqd xmm2, xmm1
        ; movd xmm0, r8d
        ; pshufd xmm0, xmm0, 0
        ; pcmpeqd xmm1, xmm0
        ; por xmm1, xmm2
        ; mov ecx, eax
        ; shr ecx, LARGE_SHIFT
        ; movd xmm0, ecx
        ; pshufd xmm0, xmm0, 0
        ; mov rdx, [rbp + offsets::LARGE_PAGES]
        ; movdqu xmm2, [rdx]
        ; movdqu xmm3, [rdx + 16]
        ; pcmpeqd xmm2, xmm0
        ; pcmpeqd xmm3, xmm0
        ; por xmm1, xmm2
        ; por xmm1, xmm3
        ; movmskps ecx, xmm1
        ; test ecx, ecx
        ; jnz =>unknown
    );
}

/// Emits the read of both page-table words; afterwards R11 is the second one and R14 their bitwise
/// AND. The code jumps to `fails` if the bits of UPPER or LOWER forbid the walk.
fn emit_words(asm: &mut Assembler, ways: &Ways, fails: DynamicLabel) {
    dynasm!(asm ; .arch x64
        ; mov r11d, [rbp + offsets::CR3]
        ; test r11b, bit::CACHE_DISABLE as i8
        ; jnz =>fails
        ; and r11d, PAGE
        ; mov edx, eax
        ; shr edx, LARGE_SHIFT
        ; lea r11d, [r11 + rdx * 4]
    );
    emit_word(asm, ways, R12, fails);
    dynasm!(asm ; .arch x64
        ; mov r14d, r11d
        ; mov edx, r11d
        ; and edx, UPPER as i32
        ; cmp edx, MARKED
        ; jne =>fails
        ; and r11d, PAGE
        ; mov edx, r8d
        ; and edx, 0x3FF
        ; lea r11d, [r11 + rdx * 4]
    );
    emit_word(asm, ways, R13, fails);
    dynasm!(asm ; .arch x64
        ; and r14d, r11d
        ; mov edx, r11d
        ; and edx, LOWER as i32
        ; cmp edx, MARKED
        ; jne =>fails
    );
}

/// Emits the replacement of R11, a word's address, by the word; afterwards register `line` is the
/// number of the L1D line that holds it. If L1D does not have the line, the code jumps to `fails`.
/// Clobbers RCX, RDX, XMM0 and XMM1.
fn emit_word(asm: &mut Assembler, ways: &Ways, line: u8, fails: DynamicLabel) {
    let compared = ways.compared;
    dynasm!(asm ; .arch x64
        ; mov ecx, r11d
        ; shr ecx, SET_SHIFT
        ; and ecx, [rbp + offsets::SET_MASK]
        ; mov edx, r11d
        ; and edx, -32
        ; or edx, VALID as i32
        ; movd xmm0, edx
        ; pshufd xmm0, xmm0, 0
        ; mov rdx, [rsi + TAGS]
        ; movdqu xmm1, [rdx + rcx]
        ; pand xmm1, [=>compared]
        ; pcmpeqd xmm1, xmm0
        ; movmskps edx, xmm1
        ; test edx, edx
        ; jz =>fails
        ; bsf edx, edx
        ; shr ecx, 2
        ; lea Rd(line), [rdx + rcx]
        ; mov edx, Rd(line)
        ; shl edx, 5
        ; add rdx, [rsi + BYTES]
        ; and r11d, 31
        ; mov r11d, [rdx + r11]
    );
}

/// Emits the check that both words grant the rights that the access needs, and that the page is not
/// the local APIC's; if not, the code jumps to `fails`. Afterwards R14 is the rights and R11 the
/// frame. Clobbers RCX and RDX.
fn emit_rights(asm: &mut Assembler, access: Access, fails: DynamicLabel) {
    let need = if access == Access::Load { offsets::NEED_READ } else { offsets::NEED_WRITE };
    const USER: i8 = (bit::USER.trailing_zeros() - permit::USER.trailing_zeros()) as i8;
    const DIRTY: i8 = (bit::DIRTY.trailing_zeros() - permit::DIRTY.trailing_zeros()) as i8;
    const { assert!(bit::WRITABLE == permit::WRITABLE as u32) };
    dynasm!(asm ; .arch x64
        ; mov edx, r14d
        ; and r14d, bit::WRITABLE as i32
        ; shr edx, USER
        ; and edx, permit::USER as i32
        ; or r14d, edx
        ; mov edx, r11d
        ; shr edx, DIRTY
        ; and edx, permit::DIRTY as i32
        ; lea r14d, [r14 + rdx + permit::CACHED as i32]
        ; movzx edx, BYTE [rbp + need]
        ; mov ecx, edx
        ; and ecx, r14d
        ; cmp ecx, edx
        ; jne =>fails
        ; and r11d, PAGE
        ; cmp r11d, APIC_PAGE as i32
        ; je =>fails
    );
}

/// Emits code that makes an L1D line, whose number is in register `line`, the most recent one of
/// its set, without a branch (the host could not predict whether the line already is), and closes
/// the set's open line. Clobbers that register, RCX, RDX, RDI and XMM5.
fn emit_touch(asm: &mut Assembler, ways: &Ways, line: u8) {
    let over = asm.new_dynamic_label();
    dynasm!(asm ; .arch x64
        ; mov ecx, Rd(line)
        ; shr ecx, 2
        ; mov rdi, [rsi + SETS]
        ; movzx edx, BYTE [rdi + rcx]
    );
    let unsaved = ways.first.set(asm, RCX, RDX);
    dynasm!(asm ; .arch x64
        ; mov rdi, [rsi + SETS]
        ; and Rd(line), 3
        ; lea Rd(line), [Rq(line) + rdx * 4]
        ; movzx Rd(line), BYTE [rsi + Rq(line) + AFTER_HIT]
        ; mov [rdi + rcx], Rb(line)
        ; shl ecx, 4
        ; mov QWORD [rsi + rcx + OPEN_PAGES], -1
        ; jmp =>over
    );
    unsaved.emit(asm);
    dynasm!(asm ; .arch x64 ; =>over);
}

/// Emits code that writes the TLB entry and makes it the most recent one of its set and its page
/// known, and that charges the walk and starts `HostFrame::patience` anew. Clobbers RCX, RDX, RDI,
/// R11, R14 and R15.
fn emit_entry(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; mov rdx, [rbp + offsets::TLB_ENTRIES]
        ; mov ecx, r15d
        ; shl ecx, ENTRY_SHIFT
        ; mov [rdx + rcx + FRAME], r11d
        ; mov [rdx + rcx + PERMIT], r14b
        ; mov BYTE [rdx + rcx + MEMORY_TYPE], WRITE_BACK
        ; mov rdx, [rbp + offsets::TLB_PAGES]
        ; mov [rdx + r15 * 4], r8d
        ; mov rdi, [rbp + offsets::TLB_USES]
        ; add rdi, r10
        ; mov [rdi], r8d
        ; mov [rdi + INDEX], r15d
        ; or r11d, VALID as i32
        ; mov [rbp + r9 + offsets::PAGE_FRAME], r11d
        ; mov [rbp + r9 + offsets::PAGE_NUMBER], r8d
        ; mov [rbp + r9 + offsets::PAGE_INDEX], r15d
        ; mov [rbp + r9 + offsets::PAGE_OFFSET], r10d
        ; and r15d, 3
        ; movzx edx, WORD [rbp + r15 * 2 + offsets::TURNS]
        ; mov [rbp + r9 + offsets::PAGE_KEPT], dx
        ; mov edx, r8d
        ; shl edx, 12
        ; mov [rbp + r9 + offsets::PAGE_LOADS], edx
        ; movzx ecx, BYTE [rbp + offsets::NEED_WRITE]
        ; and r14d, ecx
        ; cmp r14d, ecx
        ; mov ecx, -1
        ; cmovne edx, ecx
        ; mov [rbp + r9 + offsets::PAGE_STORES], edx
        ; mov [rbp + r9 + offsets::PAGE_COMBINES], ecx
        ; mov BYTE [rbp + r9 + offsets::PAGE_PAST_L2], 0
    );
    emit_use(asm, R9, RCX);
    dynasm!(asm ; .arch x64
        ; mov ecx, [rbp + offsets::PATIENCE_ANEW]
        ; mov [rbp + offsets::PATIENCE], ecx
        ; mov rcx, [rbp + offsets::WALK_CYCLES]
        ; add rbx, rcx
        ; add [rbp + offsets::READ_STALLS], rcx
        ; inc QWORD [rbp + offsets::DTLB_MISSES]
        ; mov BYTE [rbp + offsets::WALKS_FOR_DATA], 0
    );
}
