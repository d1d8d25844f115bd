//! A load that misses L1D and hits L2: L2's line is copied into L1D, and L1D's victim is written
//! back. This is a copy of the rule in `in_place.rs` of the cache crate. Nothing changes before all
//! parts (line, victim, undo log) are known to be available. Also used for a read-modify-write.
//! `memory_fill.rs` handles lines that miss L2 too; `write_around.rs` handles stores.
//!
//! Registers as in `l1d_lookup.rs`; RDX is the address of L2's table, R10 the number of the line in
//! L2, R11 that of the victim in L1D.
//!
//! A pointer chase through 128 KB (`benches/programs/chase.c`) takes 4.8 times the host's
//! instructions without this path (2026-11-29).

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{DIRTY, QuickLines};

use super::l1d_lookup::{
    BYTES, OPEN_PAGES, ORIGIN, SETS, TAGS, Ways, emit_place, emit_return, emit_turn,
};
use super::l2_lookup::{emit_find, emit_use, emit_write_back};
use super::memory_fill;
use super::memory_fill::emit_may_wait;
use super::undo_log::{FIRST, Saving, Unsaved};
use super::write_around;
use crate::translator::access::fast_access::Access;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::host_registers::{R9, R11, RAX};
use crate::translator::x64::encoding::offsets;

const AFTER_FILL: i32 = offset_of!(QuickLines, policy.after_fill) as i32;
const VICTIM: i32 = offset_of!(QuickLines, policy.victim) as i32;
const USABLE: i32 = offset_of!(QuickLines, usable) as i32;

/// Emits the code for a line that L1D does not have, at the label `Ways::missed`. For a
/// read-modify-write it then goes to `known`, where the line is looked up in L1D.
pub(crate) fn emit(asm: &mut Assembler, ways: &Ways, known: DynamicLabel) {
    let missed = ways.missed;
    dynasm!(asm ; .arch x64 ; =>missed);
    match ways.access {
        Access::Load => {
            dynasm!(asm ; .arch x64
                ; cmp BYTE [rbp + r9 + offsets::PAGE_PAST_L2], 0
                ; jne =>ways.unknown
            );
            emit_check_l2(asm, ways);
            emit_load(asm, ways, known);
        }
        Access::Store => {
            emit_check_l2(asm, ways);
            write_around::emit(asm, ways);
        }
        Access::Modify => {
            // If the store must be done elsewhere, time will have passed before the instruction.
            emit_may_wait(asm, ways.unknown);
            emit_check_l2(asm, ways);
            emit_load(asm, ways, known);
        }
    }
}

/// Emits the check that there is enough time for an access to L2, and that L2 is in use; if not,
/// the code jumps to `Ways::unknown`. Afterwards RDX is the address of L2's table. Clobbers RDI.
fn emit_check_l2(asm: &mut Assembler, ways: &Ways) {
    let unknown = ways.unknown;
    dynasm!(asm ; .arch x64
        ; movzx edi, WORD [rbp + offsets::HOW]
        ; add rdi, rbx
        ; cmp rdi, [rbp + offsets::REACH_LIMIT]
        ; jae =>unknown
        ; mov rdx, [rbp + offsets::AROUND]
        ; cmp DWORD [rdx + USABLE], 0
        ; je =>unknown
    );
}

/// Emits the continuation after the line has come: the return from the stub with the place of a
/// load's bytes in RDX + RAX; for a read-modify-write, a jump to `known`. Clobbers R9.
pub(crate) fn emit_loaded(asm: &mut Assembler, ways: &Ways, known: DynamicLabel) {
    if ways.access == Access::Modify {
        emit_place(asm, RAX, R9);
        dynasm!(asm ; .arch x64 ; jmp =>known);
    } else {
        emit_return(asm);
    }
}

fn emit_load(asm: &mut Assembler, ways: &Ways, known: DynamicLabel) {
    let unknown = ways.unknown;
    let nowhere = asm.new_dynamic_label();
    // All four lines of the set must be valid.
    dynasm!(asm ; .arch x64
        ; pslld xmm1, 31
        ; movmskps edi, xmm1
        ; cmp edi, 15
        ; jne =>unknown
    );
    let find = emit_find(asm);
    let turn = emit_turn(asm, unknown, false);
    let taken = emit_take(asm, ways);
    emit_open(asm);
    // The load's line is in L2, as the lookup found.
    dynasm!(asm ; .arch x64
        ; inc QWORD [rbp + offsets::REFILLS]
        ; add rbx, [rbp + offsets::L2_CYCLES]
        ; mov rdx, r10
        ; sub rdx, r9
    );
    emit_loaded(asm, ways, known);
    taken.emit(asm, ways);
    turn.emit_open(asm, unknown);
    find.emit_search(asm, ways, nowhere);
    memory_fill::emit(asm, ways, nowhere, known);
}

/// The labels of the slow parts of [`emit_take`], which are emitted elsewhere.
#[must_use]
struct Taken {
    unsaved: [Unsaved; 3],
    dirty: DynamicLabel,
    clean: DynamicLabel,
}

/// Emits the move of L2's line R10, whose tag is in XMM0, into L1D's set at ECX, all of whose lines
/// must be valid. The code jumps to `Ways::unknown` if the dirty victim cannot be written into L2.
/// Afterwards R11 is the address of the line's bytes in L1D. Clobbers R9, R10, RDI and XMM1 to
/// XMM6.
fn emit_take(asm: &mut Assembler, ways: &Ways) -> Taken {
    let [dirty, clean] = [(); 2].map(|()| asm.new_dynamic_label());
    dynasm!(asm ; .arch x64 ; mov r9d, ecx ; shr r9d, 4);
    let victim = emit_victim(asm, &ways.first, FIRST, R9, R11);
    dynasm!(asm ; .arch x64 ; jnz =>dirty ; =>clean);
    let used = emit_use(asm, ways);
    dynasm!(asm ; .arch x64
        ; shl r10d, 5
        ; add r10, [rdx + BYTES]
        ; movdqu xmm1, [r10]
        ; movdqu xmm2, [r10 + 16]
        ; mov r9d, ecx
        ; shr r9d, 4
    );
    let put = emit_put(asm, &ways.first, FIRST, R9, R11);
    Taken { unsaved: [victim, used, put], dirty, clean }
}

impl Taken {
    pub fn emit(self, asm: &mut Assembler, ways: &Ways) {
        self.unsaved.into_iter().for_each(|unsaved| unsaved.emit(asm));
        emit_write_back(asm, ways, self.dirty, self.clean);
    }
}

/// Emits the choice of a victim in the set with the number in SET, all of whose lines must be
/// valid; saves the set in the undo log. Afterwards LINE is the victim's number and RDI the address
/// of the tags; the zero flag is clear if the victim is dirty. Clobbers XMM5.
pub(crate) fn emit_victim(
    asm: &mut Assembler,
    saving: &Saving,
    table: u8,
    set: u8,
    line: u8,
) -> Unsaved {
    dynasm!(asm ; .arch x64
        ; mov rdi, [Rq(table) + SETS]
        ; movzx Rd(line), BYTE [rdi + Rq(set)]
    );
    let unsaved = saving.set(asm, set, line);
    dynasm!(asm ; .arch x64
        ; movzx Rd(line), BYTE [Rq(table) + Rq(line) + VICTIM]
        ; lea Rd(line), [Rq(line) + Rq(set) * 4]
        ; mov rdi, [Rq(table) + TAGS]
        ; test BYTE [rdi + Rq(line) * 4], DIRTY as i8
    );
    unsaved
}

/// Emits the replacement of the clean victim LINE of [`emit_victim`] by the line with the tag in
/// XMM0 and the bytes in XMM1 and XMM2. The set must have been saved. Afterwards LINE is the
/// address of the bytes. Clobbers RDI, SET, XMM5 and XMM6.
pub(crate) fn emit_put(
    asm: &mut Assembler,
    saving: &Saving,
    table: u8,
    set: u8,
    line: u8,
) -> Unsaved {
    let unsaved = saving.line(asm, table, line);
    dynasm!(asm ; .arch x64
        ; add Rq(set), [Rq(table) + SETS]
        ; movzx edi, BYTE [Rq(set)]
        ; movzx edi, BYTE [Rq(table) + rdi + AFTER_FILL]
        ; mov [Rq(set)], dil
        ; mov rdi, [Rq(table) + TAGS]
        ; movd [rdi + Rq(line) * 4], xmm0
        ; shl Rd(line), 5
        ; add Rq(line), [Rq(table) + BYTES]
        ; movdqu [Rq(line)], xmm1
        ; movdqu [Rq(line) + 16], xmm2
    );
    unsaved
}

/// Emits code that opens L1D's set for loads of the line at R11, if R8 permits it, and closes L2's
/// open line of the set. Afterwards R11 is the line's origin (host address of its bytes minus their
/// linear address) and R9 its linear address.
pub(crate) fn emit_open(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; mov r9d, eax
        ; and r9d, -32
        ; sub r11, r9
        ; mov [rsi + rcx + ORIGIN], r11
        ; mov [rsi + rcx + OPEN_PAGES], r8
        ; mov QWORD [rdx + rcx + OPEN_PAGES], -1
    );
}
