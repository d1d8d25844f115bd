//! CL1INVMB, which drops all lines of MPBT pages from L1D, and the loads that fetch these lines
//! again. A polling loop executes both in each round.
//!
//! Messages of 768 bytes that are put and got through the MPB take 1.02 times the host's
//! instructions without this path (2026-11-29).

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::l1d_lookup::{Ways, emit_turn, emit_undone};
use crate::core::parts::Core;
use crate::translator::regions::collect::Item;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::integer::flags::Flags;
use crate::translator::x64::region::coverage::own;
use crate::translator::x64::region::emit::Emitter;
use crate::translator::x64::stubs::callbacks::WAITS_HERE;
use crate::translator::x64::stubs::enter_leave::{Assembler, pop_registers, push_registers};
use crate::translator_frame::host_frame::BEYOND;

/// `WAITS`: the offset from RBP of the highest byte of `HostFrame::how`, whose upper half holds the
/// flags. `HERE`: the bit of `WAITS_HERE` in that byte. `WAITS_HERE` is set if the code after the
/// stub can stop to wait for the line of the access.
const WAITS: i32 = offsets::HOW + 3;
const HERE: i8 = (WAITS_HERE >> 8) as i8;

extern "sysv64" fn invalidate(core: *mut Core) {
    // SAFETY: as in `calls::step`.
    let core = unsafe { &mut *core };
    core.invalidate_message_lines();
}

/// Emits the stub `Stubs::invalidate`.
pub(crate) fn emit(asm: &mut Assembler) {
    let address = invalidate as *const () as usize as i64;
    push_registers(asm);
    dynasm!(asm ; .arch x64 ; lea rdi, [rbp - offsets::MIDDLE] ; mov rax, QWORD address ; call rax);
    pop_registers(asm);
    dynasm!(asm ; .arch x64 ; ret);
}

/// Emits a load of an MPBT line that L1D does not have. If the core's run must end for the load in
/// any case, and the code after the stub can stop here, the load is recorded and that code stops;
/// the line is requested after translated code has been left. Otherwise the code jumps to
/// `Ways::unknown`. Registers as in `l1d_lookup.rs` after a miss.
pub(crate) fn emit_load(asm: &mut Assembler, ways: &Ways) {
    let unknown = ways.unknown;
    dynasm!(asm ; .arch x64
        ; =>ways.past_l2
        ; cmp DWORD [rbp + offsets::ANSWERS], 0
        ; jne =>unknown
        ; test BYTE [rbp + WAITS], HERE
        ; jz =>unknown
        ; movzx edi, WORD [rbp + offsets::HOW]
        ; add rdi, rbx
        ; cmp rdi, [rbp + offsets::REACH_LIMIT]
        ; jae =>unknown
    );
    let turn = emit_turn(asm, unknown, false);
    dynasm!(asm ; .arch x64
        ; mov [rbp + offsets::FETCHING], eax
        ; mov DWORD [rbp + offsets::FETCHING + 4], (BEYOND >> 32) as i32
        ; mov [rbp + offsets::MESSAGE_LINE], r11d
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
