//! Read-modify-writes with LOCK, and XCHG with memory. These accesses bypass L1D, and L2 serves
//! them (the rule is in `locked.rs` of the cache crate). If L2 cannot serve both accesses at once,
//! or an x87 instruction is in progress, the interpreter does the instruction.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::translator::regions::collect::Item;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::integer::flags::Flags;
use crate::translator::x64::region::emit::{Done, Emitter};
use crate::translator::x64::stubs::callbacks::Reached;
use crate::translator::x64::stubs::enter_leave::emit_call_for_place;

extern "sysv64" fn modify(core: *mut Core, linear: u32, low_bits: u32) -> Reached {
    // SAFETY: as in `calls::step`.
    let core = unsafe { &mut *core };
    core.host.combining = 0;
    Reached::at(core.reach_locked(linear, low_bits as u8 + 1))
}

/// Emits the stub `Stubs::locked`.
pub(crate) fn emit(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; mov ecx, [rbp + offsets::HOW]);
    emit_call_for_place(asm, modify);
}

impl Emitter<'_> {
    /// Like [`Emitter::reach`], for a read-modify-write with LOCK.
    pub fn reach_locked(
        &mut self,
        item: &Item,
        op: *const Op,
        size: usize,
        own: Done,
    ) -> DynamicLabel {
        let (interpreter, rejoin) = self.odd(item, op, own);
        self.check_address(interpreter);
        let how = ((size - 1) << 16) as i32 | self.done.clocks as i32;
        if item.meets_pending() {
            dynasm!(self.asm ; .arch x64 ; jmp =>interpreter);
        }
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rbp + offsets::HOW], how
        );
        self.asm.call(self.stubs.locked);
        dynasm!(self.asm ; .arch x64 ; jz =>interpreter);
        self.flags = Flags::Memory;
        rejoin
    }
}
