//! Read-modify-writes with LOCK, and XCHG with memory: L2 serves them, past L1D (`locked.rs` of the
//! caches). Where it cannot at once, they are the interpreter's.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::calls::Reached;
use super::emit::{Done, Emitter};
use super::flags::Flags;
use super::stubs::{Assembler, at, emit_call_for_place};
use crate::core::Core;
use crate::op::Op;
use crate::translator::region::Item;

extern "sysv64" fn modify(core: *mut Core, linear: u32, low_bits: u32) -> Reached {
    // SAFETY: as in `calls::step`.
    let core = unsafe { &mut *core };
    core.host.combining = 0;
    Reached::at(core.reach_locked(linear, low_bits as u8 + 1))
}

/// The stub `Stubs::locked`.
pub(super) fn emit(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; mov ecx, [rbp + at::HOW]);
    emit_call_for_place(asm, modify);
}

impl Emitter<'_> {
    /// As [`Emitter::reach`] for such an instruction.
    pub fn reach_locked(
        &mut self,
        item: &Item,
        op: *const Op,
        size: usize,
        own: Done,
    ) -> DynamicLabel {
        let (interpreter, rejoin) = self.odd(item, op, own);
        let how = ((size - 1) << 16) as i32 | self.done.clocks as i32;
        let stub = self.stubs.locked as i64;
        if item.meets_pending() {
            dynasm!(self.asm ; .arch x64 ; jmp =>interpreter);
        }
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rbp + at::HOW], how
            ; mov rdi, QWORD stub
            ; call rdi
            ; jz =>interpreter
        );
        self.flags = Flags::Memory;
        rejoin
    }
}
