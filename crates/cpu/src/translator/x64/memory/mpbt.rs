//! CL1INVMB, which drops all lines of MPBT pages from L1D.

use dynasmrt::{DynasmApi, dynasm};

use crate::core::parts::Core;
use crate::translator::regions::collect::Item;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::integer::flags::Flags;
use crate::translator::x64::region::coverage::own;
use crate::translator::x64::region::emit::Emitter;
use crate::translator::x64::stubs::enter_leave::{pop_registers, push_registers};

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

impl Emitter<'_> {
    pub fn invalidate_messages(&mut self, item: &Item) {
        self.asm.call(self.stubs.invalidate);
        self.done.add(own(item, None));
        self.flags = Flags::Memory;
    }
}
