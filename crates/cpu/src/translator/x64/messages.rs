//! CL1INVMB: drops the lines of MPBT pages in L1D. Polling loops execute it in each round.

use dynasmrt::{DynasmApi, dynasm};

use super::emit::Emitter;
use super::flags::Flags;
use super::kinds::own;
use super::stubs::{Assembler, pop_registers, push_registers};
use crate::core::Core;
use crate::translator::region::Item;

extern "sysv64" fn invalidate(core: *mut Core) {
    // SAFETY: as in `calls::step`.
    let core = unsafe { &mut *core };
    core.invalidate_message_lines();
}

/// The stub `Stubs::invalidate`.
pub(super) fn emit(asm: &mut Assembler) {
    let address = invalidate as *const () as usize as i64;
    push_registers(asm);
    dynasm!(asm ; .arch x64 ; mov rdi, rbp ; mov rax, QWORD address ; call rax);
    pop_registers(asm);
    dynasm!(asm ; .arch x64 ; ret);
}

impl Emitter<'_> {
    pub fn invalidate_messages(&mut self, item: &Item) {
        let stub = self.stubs.invalidate as i64;
        dynasm!(self.asm ; .arch x64 ; mov rax, QWORD stub ; call rax);
        self.done.add(own(item, None));
        self.flags = Flags::Memory;
    }
}
