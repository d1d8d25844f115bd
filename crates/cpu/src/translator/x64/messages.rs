//! CL1INVMB, which drops the lines of MPBT pages in L1D, and loads that get them there again. Polling
//! loops execute both in each round.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::calls::WAITS_HERE;
use super::emit::Emitter;
use super::flags::Flags;
use super::kinds::own;
use super::lookup::{Ways, emit_turn, emit_undone};
use super::stubs::{Assembler, at, pop_registers, push_registers};
use crate::core::Core;
use crate::translator::frame::BEYOND;
use crate::translator::region::Item;

/// The byte of `HostFrame::how` that has `WAITS_HERE`, and which bit of it.
const WAITS: i32 = at::HOW + 3;
const HERE: i8 = (WAITS_HERE >> 8) as i8;

extern "sysv64" fn invalidate(core: *mut Core) {
    // SAFETY: as in `calls::step`.
    let core = unsafe { &mut *core };
    core.invalidate_message_lines();
}

/// The stub `Stubs::invalidate`.
pub(super) fn emit(asm: &mut Assembler) {
    let address = invalidate as *const () as usize as i64;
    push_registers(asm);
    dynasm!(asm ; .arch x64 ; lea rdi, [rbp - at::MIDDLE] ; mov rax, QWORD address ; call rax);
    pop_registers(asm);
    dynasm!(asm ; .arch x64 ; ret);
}

/// A load of such a line that L1D lacks: if the run ends for it in any case, it is noted, and what
/// follows the stub stops; the line is asked for when the code has been left. Registers as in
/// `lookup.rs`, where the line was missed.
pub(super) fn emit_load(asm: &mut Assembler, ways: &Ways) {
    let unknown = ways.unknown;
    dynasm!(asm ; .arch x64
        ; =>ways.past_l2
        ; cmp DWORD [rbp + at::ANSWERS], 0
        ; jne =>unknown
        ; test BYTE [rbp + WAITS], HERE
        ; jz =>unknown
        ; movzx edi, WORD [rbp + at::HOW]
        ; add rdi, rbx
        ; cmp rdi, [rbp + at::REACH_LIMIT]
        ; jae =>unknown
    );
    let turn = emit_turn(asm, unknown, false);
    dynasm!(asm ; .arch x64
        ; mov [rbp + at::FETCHING], eax
        ; mov DWORD [rbp + at::FETCHING + 4], (BEYOND >> 32) as i32
        ; mov [rbp + at::MESSAGE_LINE], r11d
    );
    emit_undone(asm);
    turn.emit_open(asm, unknown);
}

impl Emitter<'_> {
    pub fn invalidate_messages(&mut self, item: &Item) {
        let stub = self.stubs.invalidate as i64;
        dynasm!(self.asm ; .arch x64 ; mov rax, QWORD stub ; call rax);
        self.done.add(own(item, None));
        self.flags = Flags::Memory;
    }
}
