//! Looks a line up in L1D: the second fastest path, for lines that are not in the table of open
//! lines. The page must be among the known pages (`known_pages.rs`), and the line in L1D. The
//! access then only updates recency: of the line in its L1D set and of the page in its TLB set. (A
//! loop over two arrays a power of two apart uses two lines and two pages of equal sets in turn.)
//!
//! | register | meaning |
//! | --- | --- |
//! | EAX | linear address |
//! | ECX | L1D set, times `SET_BYTES` |
//! | EDX | page, combined with the low bits of a misaligned address |
//! | R8 | address of the page if its lines may be opened, else all ones |
//! | R9 | offset of the page in the table of known pages |
//! | R10 | number of the line |
//! | R11 | value that the line's tag must equal |
//!
//! R8 to R11 are saved first. A line that the line predictor knows needs none of this
//! (`line_predictor.rs`).

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{COMPARED, KNOWN_LINES, KnownLine, OpenLine, QuickLines};

use super::clean_to_dirty::Clean;
use super::l1d_fill;
use super::line_predictor;
use super::undo_log::{self, MARK, Saving};
use super::write_combine;
use crate::translator::access::fast_access::Access;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::host_registers::{R8, R9, R10, R11, RAX, RDI, RDX};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::paging::page_walk;
use crate::translator_frame::known_pages::{HostPage, PLACE_SHIFT, PLACES};
use crate::units::tlb::Use;

/// The number of bytes for a set in each of: the open lines, the tags of four ways, the data TLB.
pub(in crate::translator) const SET_BYTES: u32 = 16;
const _: () = assert!(size_of::<OpenLine>() == 16 && 4 * size_of::<u32>() == 16);
const _: () = assert!(size_of::<Use>() == 16 && offset_of!(Use, page) == 0);
/// Shifting an address right by this, then masking, gives its L1D set times `SET_BYTES`.
pub(crate) const SET_SHIFT: i8 = 1;
/// Shifting an address right by this, then masking, gives its data TLB set times `SET_BYTES`.
pub(crate) const TLB_SHIFT: i8 = 8;
/// Shifting an address right by this, then masking, gives the eighth of its page.
const EIGHTH_SHIFT: i8 = 9;

const OPEN: i32 = offset_of!(QuickLines, open) as i32;
/// Offsets of fields of a set's open line.
pub(crate) const ORIGIN: i32 = OPEN + offset_of!(OpenLine, origin) as i32;
pub(crate) const OPEN_LOADS: i32 = OPEN + offset_of!(OpenLine, loads) as i32;
pub(crate) const OPEN_STORES: i32 = OPEN + offset_of!(OpenLine, stores) as i32;
/// The offset of both page fields, eight bytes in all.
pub(crate) const OPEN_PAGES: i32 = OPEN_LOADS;
const _: () = assert!(OPEN_STORES == OPEN_LOADS + 4);
pub(crate) const HINTS: i32 = offset_of!(QuickLines, hints) as i32;
pub(crate) const STORES: i32 = offset_of!(QuickLines, stores) as i32;
pub(crate) const TAGS: i32 = offset_of!(QuickLines, arrays.tags) as i32;
pub(crate) const BYTES: i32 = offset_of!(QuickLines, arrays.bytes) as i32;
pub(crate) const SETS: i32 = offset_of!(QuickLines, arrays.sets) as i32;
pub(crate) const AFTER_HIT: i32 = offset_of!(QuickLines, policy.after_hit) as i32;
const KNOWN: i32 = offset_of!(QuickLines, known) as i32;
pub(crate) const KNOWN_LOADS: i32 = KNOWN + offset_of!(KnownLine, loads) as i32;
pub(crate) const KNOWN_STORES: i32 = KNOWN + offset_of!(KnownLine, stores) as i32;
pub(crate) const KNOWN_TAG: i32 = KNOWN + offset_of!(KnownLine, tag) as i32;
pub(crate) const KNOWN_NUMBER: i32 = KNOWN + offset_of!(KnownLine, number) as i32;
const _: () = assert!(size_of::<KnownLine>() == 16, "eight times two");
/// Offsets of fields of a set of the data TLB.
pub(crate) const INDEX: i32 = offset_of!(Use, index) as i32;
pub(crate) const TREE: i32 = offset_of!(Use, tree) as i32;
pub(crate) const TLB_OPEN: i32 = offset_of!(Use, open) as i32;

/// The labels to which the code of one stub jumps, and its routines for the undo log.
pub(crate) struct Ways {
    pub access: Access,
    /// The code for an access that cannot be done here: at most the recency of its page and
    /// `HostFrame::patience` have changed, and R8 to R11 are still saved.
    pub unknown: DynamicLabel,
    /// The code for a line that is not in L1D. XMM1 holds the tags of the set in L1D, XMM0 holds
    /// R11 four times.
    pub missed: DynamicLabel,
    /// Sixteen bytes in the code: the mask with which four tags are compared.
    pub compared: DynamicLabel,
    /// Routines that save a set or a line in the undo log: `first` for L1D, `second` for L2.
    pub first: Saving,
    pub second: Saving,
}

impl Ways {
    pub fn new(
        asm: &mut Assembler,
        access: Access,
        [first, second]: [Saving; 2],
        compared: DynamicLabel,
    ) -> Ways {
        let [unknown, missed] = [(); 2].map(|()| asm.new_dynamic_label());
        Ways { access, unknown, missed, compared, first, second }
    }
}

/// Emits the load of a register with twice the index of the known line for the address in EAX.
/// Higher address bits are mixed in, because arrays are often a multiple of the cache's size apart.
pub(crate) fn emit_known_number(asm: &mut Assembler, number: u8) {
    dynasm!(asm ; .arch x64
        ; mov Rd(number), eax
        ; shr Rd(number), 9
        ; xor Rd(number), eax
        ; shr Rd(number), 4
        ; and Rd(number), (KNOWN_LINES as i32 - 1) << 1
    );
}

/// Emits the computation of the offset of a linear address's page in the table of known pages
/// (`known_pages.rs`), to which `offsets::PAGE_LOADS` and others are added.
pub(crate) fn emit_place(asm: &mut Assembler, linear: u8, place: u8) {
    const BITS: i8 = size_of::<HostPage>().trailing_zeros() as i8;
    dynasm!(asm ; .arch x64
        ; mov Rd(place), Rd(linear)
        ; shr Rd(place), PLACE_SHIFT
        ; xor Rd(place), Rd(linear)
        ; shr Rd(place), 12 - BITS
        ; and Rd(place), (PLACES as i32 - 1) << BITS
    );
}

/// Emits code that records that the eighth of the page at R9 that contains the address in EAX has
/// known lines. Clobbers ONE and OTHER.
pub(crate) fn emit_note_known(asm: &mut Assembler, [one, other]: [u8; 2]) {
    dynasm!(asm ; .arch x64
        ; mov Rd(one), eax
        ; shr Rd(one), EIGHTH_SHIFT
        ; and Rd(one), 7
        ; movzx Rd(other), BYTE [rbp + r9 + offsets::PAGE_KNOWN]
        ; bts Rd(other), Rd(one)
        ; mov [rbp + r9 + offsets::PAGE_KNOWN], Rb(other)
    );
}

/// Emits the mask with which four tags are compared.
pub(crate) fn emit_compared(asm: &mut Assembler, label: DynamicLabel) {
    let one = COMPARED as i32;
    dynasm!(asm ; .arch x64
        ; .align 16
        ; =>label
        ; .i32 one, one, one, one
    );
}

/// Emits the lookup. If the caches do the access, or it is recorded why not, the emitted code
/// returns from the stub. Otherwise execution continues behind it with EAX and R8 to R11 unchanged
/// and ECX = `HostFrame::how`. Clobbers RDX, RDI and XMM0 to XMM14.
pub(crate) fn emit(asm: &mut Assembler, ways: &Ways) {
    let (another, known) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    emit_first_level(asm, ways, another, known);
    l1d_fill::emit(asm, ways, known);
    dynasm!(asm ; .arch x64 ; =>another);
    if ways.access == Access::Store {
        write_combine::emit(asm, ways);
    }
    page_walk::emit(asm, ways, known);
    dynasm!(asm ; .arch x64 ; =>ways.unknown ; mov ecx, [rbp + offsets::HOW]);
    emit_pop(asm);
}

/// Emits a stub of its own for accesses that L1D alone does, which take no clock. The stub returns
/// with the zero flag set if L1D cannot do the access.
pub(crate) fn emit_at_once(asm: &mut Assembler, ways: &Ways) {
    let (another, known) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    emit_first_level(asm, ways, another, known);
    dynasm!(asm ; .arch x64 ; =>ways.missed ; =>another ; =>ways.unknown);
    emit_pop(asm);
    dynasm!(asm ; .arch x64 ; cmp eax, eax ; ret);
}

/// Emits the lookup in L1D, which returns from the stub if L1D does the access. The code jumps to
/// `another` if the page is not among the known ones; at the label `known`, the page has become
/// known.
fn emit_first_level(asm: &mut Assembler, ways: &Ways, another: DynamicLabel, known: DynamicLabel) {
    line_predictor::emit(asm, ways.access);
    let load = ways.access == Access::Load;
    let pages = if load { offsets::PAGE_LOADS } else { offsets::PAGE_STORES };
    let unknown = ways.unknown;
    emit_place(asm, RAX, R9);
    dynasm!(asm ; .arch x64
        ; cmp edx, [rbp + r9 + pages]
        ; jne =>another
        ; =>known
        ; mov r11d, [rbp + r9 + offsets::PAGE_FRAME]
        ; mov edx, eax
        ; and edx, 0xFE0
        ; add r11d, edx
    );
    emit_find(asm, ways);
    let clean = (!load).then(|| Clean::emit_check(asm));
    let turn = emit_turn(asm, unknown, true);
    let stores = clean.map(|clean| {
        clean.emit_set(asm);
        (clean, ways.first.line(asm, undo_log::FIRST, R10))
    });
    emit_touch(asm, ways);
    if let Some((clean, line)) = stores {
        clean.emit(asm, ways);
        line.emit(asm);
    }
    turn.emit_open(asm, unknown);
}

/// Emits the opening of L1D's set for loads of a page; for stores, too, if the access shows that
/// the page permits them, otherwise the set is closed to stores.
pub(crate) fn emit_open_pages(asm: &mut Assembler, access: Access, page: u8) {
    dynasm!(asm ; .arch x64 ; mov [rsi + rcx + OPEN_LOADS], Rd(page));
    if access == Access::Load {
        dynasm!(asm ; .arch x64 ; mov DWORD [rsi + rcx + OPEN_STORES], -1);
    } else {
        dynasm!(asm ; .arch x64
            ; mov [rsi + rcx + OPEN_STORES], Rd(page)
            ; mov DWORD [rsi + STORES], 1
        );
    }
}

/// Emits the return from the stub with the zero flag clear; RDX + RAX is the place of the bytes.
pub(crate) fn emit_return(asm: &mut Assembler) {
    emit_pop(asm);
    dynasm!(asm ; .arch x64 ; test rdx, rdx ; ret);
}

/// Emits the return with the zero flag set and RDX = 0: the code after the stub does the access.
pub(crate) fn emit_undone(asm: &mut Assembler) {
    emit_pop(asm);
    dynasm!(asm ; .arch x64 ; xor edx, edx ; ret);
}

fn emit_pop(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; pop r11 ; pop r10 ; pop r9 ; pop r8);
}

/// Emits the comparison of L1D's four ways; without a match, the code jumps to `Ways::missed`.
/// Afterwards R10 is the number of the line, RDX the address of the tags. Clobbers RDI and XMM2.
fn emit_find(asm: &mut Assembler, ways: &Ways) {
    let (missed, compared) = (ways.missed, ways.compared);
    dynasm!(asm ; .arch x64
        ; mov rdx, [rsi + TAGS]
        ; movd xmm0, r11d
        ; pshufd xmm0, xmm0, 0
        ; movdqu xmm1, [rdx + rcx]
        ; movdqa xmm2, xmm1
        ; pand xmm2, [=>compared]
        ; pcmpeqd xmm2, xmm0
        ; movmskps r10d, xmm2
        ; test r10d, r10d
        ; jz =>missed
        ; bsf r10d, r10d
        ; mov edi, ecx
        ; shr edi, 2
        ; add r10d, edi
    );
}

/// The labels of the slow part of [`emit_turn`], which is emitted elsewhere.
#[must_use]
pub(crate) struct PageTurn {
    open: DynamicLabel,
    done: DynamicLabel,
}

/// Emits code that makes the page at R9 the most recent one of its TLB set; goes to `unknown` if
/// another page there is open or this one is to be opened. Afterwards R8 is its address with all
/// bits above set, or all ones if no line may be opened. Clobbers RDI. `opens`: the use counts
/// towards opening (`HostFrame::patience`).
pub(crate) fn emit_turn(asm: &mut Assembler, unknown: DynamicLabel, opens: bool) -> PageTurn {
    let turn = PageTurn { open: asm.new_dynamic_label(), done: asm.new_dynamic_label() };
    let (open, done) = (turn.open, turn.done);
    // The host cannot predict which page of a set is used, but can predict whether one is open.
    dynasm!(asm ; .arch x64
        ; mov edi, [rbp + r9 + offsets::PAGE_OFFSET]
        ; add rdi, [rbp + offsets::TLB_USES]
        ; mov r8, [rbp + r9 + offsets::PAGE_NUMBER]
        ; cmp DWORD [rdi + TLB_OPEN], 0
        ; jne =>open
    );
    if opens {
        // If the new value is below zero, the page is the one that was recent already, and the
        // write has changed nothing.
        dynasm!(asm ; .arch x64
            ; cmp [rdi], r8d
            ; mov [rdi], r8
            ; mov r8d, [rbp + offsets::PATIENCE]
            ; lea r8d, [r8 - 1]
            ; cmovne r8d, [rbp + offsets::PATIENCE_ANEW]
            ; mov [rbp + offsets::PATIENCE], r8d
            ; test r8d, r8d
            ; js =>unknown
        );
    } else {
        dynasm!(asm ; .arch x64 ; mov [rdi], r8);
    }
    emit_use(asm, R9, R8);
    dynasm!(asm ; .arch x64 ; mov r8, -1 ; =>done);
    turn
}

impl PageTurn {
    pub fn emit_open(self, asm: &mut Assembler, unknown: DynamicLabel) {
        let (open, done) = (self.open, self.done);
        dynasm!(asm ; .arch x64
            ; =>open
            ; cmp [rdi], r8d
            ; jne =>unknown
            ; mov edi, [rbp + r9 + offsets::PAGE_LOADS]
            ; mov r8, -1
            ; shl r8, 32
            ; or r8, rdi
            ; jmp =>done
        );
    }
}

/// Emits the use of the known page PLACE in the TLB set at RDI: updates the set's tree into TREE.
pub(crate) fn emit_use(asm: &mut Assembler, place: u8, tree: u8) {
    dynasm!(asm ; .arch x64
        ; mov BYTE [rbp + offsets::TLB_CHANGED], 1
        ; movzx Rd(tree), BYTE [rdi + TREE]
        ; and Rb(tree), [rbp + Rq(place) + offsets::PAGE_KEPT]
        ; or Rb(tree), [rbp + Rq(place) + offsets::PAGE_TURNED]
        ; mov [rdi + TREE], Rb(tree)
    );
}

/// Emits the replacement of NEW, a line's number, by the replacement state of its set after a hit.
/// OLD is the state before, at BASE + SET. The zero flag is set if both are equal.
pub(crate) fn emit_after_hit(asm: &mut Assembler, table: u8, [base, set, old, new]: [u8; 4]) {
    dynasm!(asm ; .arch x64
        ; mov Rq(base), [Rq(table) + SETS]
        ; movzx Rd(old), BYTE [Rq(base) + Rq(set)]
        ; and Rd(new), 3
        ; lea Rd(new), [Rq(new) + Rq(old) * 4]
        ; movzx Rd(new), BYTE [Rq(table) + Rq(new) + AFTER_HIT]
        ; cmp Rd(new), Rd(old)
    );
}

/// Emits the replacement of ORIGIN, a line's number, by the address of the line's first byte minus
/// that byte's linear address, which is in BASE afterwards. EAX is an address in the line.
pub(crate) fn emit_origin(asm: &mut Assembler, table: u8, origin: u8, base: u8) {
    dynasm!(asm ; .arch x64
        ; shl Rd(origin), 5
        ; add Rq(origin), [Rq(table) + BYTES]
        ; mov Rd(base), eax
        ; and Rd(base), -32
        ; sub Rq(origin), Rq(base)
    );
}

/// Emits code that makes the line the most recent one of its set and known, opens it if it was the
/// most recent one before, else closes the set, and returns from the stub. RDX: the tags' address;
/// afterwards the line's origin (host address of its bytes minus their linear address).
fn emit_touch(asm: &mut Assembler, ways: &Ways) {
    let [same, done, keep] = [(); 3].map(|()| asm.new_dynamic_label());
    let (known, other) = match ways.access {
        Access::Load => (KNOWN_LOADS, KNOWN_STORES),
        _ => (KNOWN_STORES, KNOWN_LOADS),
    };
    emit_known_number(asm, R11);
    dynasm!(asm ; .arch x64
        ; mov edx, [rdx + r10 * 4]
        ; mov [rsi + r11 * 8 + KNOWN_TAG], edx
        ; mov [rsi + r11 * 8 + KNOWN_NUMBER], r10d
    );
    emit_note_known(asm, [RDX, RDI]);
    dynasm!(asm ; .arch x64
        ; mov edx, [rbp + r9 + offsets::PAGE_LOADS]
        ; mov [rsi + r11 * 8 + known], edx
        ; cmp edx, [rsi + r11 * 8 + other]
        ; je =>keep
        ; mov DWORD [rsi + r11 * 8 + other], -1
        ; =>keep
        ; mov edx, r10d
    );
    emit_origin(asm, undo_log::FIRST, RDX, R9);
    dynasm!(asm ; .arch x64
        ; mov r9d, ecx
        ; shr r9d, 4
    );
    emit_after_hit(asm, undo_log::FIRST, [RDI, R9, R11, R10]);
    dynasm!(asm ; .arch x64 ; je =>same);
    let unsaved = ways.first.set(asm, R9, R11);
    dynasm!(asm ; .arch x64
        ; or r10b, MARK
        ; mov rdi, [rsi + SETS]
        ; mov [rdi + r9], r10b
        ; mov QWORD [rsi + rcx + OPEN_PAGES], -1
        ; jmp =>done
        ; =>same
        ; mov [rsi + rcx + ORIGIN], rdx
    );
    emit_open_pages(asm, ways.access, R8);
    dynasm!(asm ; .arch x64 ; =>done);
    emit_return(asm);
    unsaved.emit(asm);
}
