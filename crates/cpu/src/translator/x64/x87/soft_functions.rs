//! x87 operations for which translated code calls crates/x87 (`is_computed`) while the host's
//! registers are loaded.
//!
//! Only the operands are moved to their places in the core, and back; the called code uses
//! integers. The exception flags accumulate in the core; C1 goes to the host's status word.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_x87::{Form, Op as Operation};

use super::ops::C1;
use super::stubs::register;
use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::translator::regions::collect::Item;
use crate::translator::regions::x87_state::{Floating, may_not_push, pops};
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::integer::flags::Flags;
use crate::translator::x64::region::coverage::own;
use crate::translator::x64::region::emit::Emitter;
use crate::translator::x64::stubs::enter_leave::{pop_registers, push_registers};

/// Executes an operation on the core's registers; returns zero if the interpreter must do it.
extern "sysv64" fn compute(core: *mut Core, op: *const Op) -> u32 {
    // SAFETY: as in `calls::step`.
    let (core, op) = unsafe { (&mut *core, &*op) };
    u32::from(core.compute(op))
}

/// Emits the stub that calls `compute`. RDX: the instruction. Sets the zero flag if the interpreter
/// must do it.
pub(crate) fn emit(asm: &mut Assembler) {
    let address = compute as *const () as usize as i64;
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; lea rdi, [rbp - offsets::MIDDLE]
        ; mov rsi, rdx
        ; mov rax, QWORD address
        ; call rax
    );
    pop_registers(asm);
    dynasm!(asm ; .arch x64 ; test eax, eax ; ret);
}

impl Emitter<'_> {
    /// Emits one x87 operation of `is_computed`.
    pub fn compute(&mut self, item: &Item, op: *const Op, form: &Form, x87: &Floating) {
        let own = own(item, None);
        let refused = may_not_push(form.op).then(|| self.odd(item, op, own));
        let (binary, top) = (matches!(form.op, Operation::Binary(_)), x87.top);
        dynasm!(self.asm ; .arch x64
            ; mov BYTE [rbp + offsets::X87_TOP], top as i8
            ; mov BYTE [rbp + offsets::X87_EMPTY], x87.empty as i8
            ; fstp TWORD [rbp + register(top, 0)]
        );
        if binary {
            dynasm!(self.asm ; .arch x64 ; fstp TWORD [rbp + register(top, 1)]);
        }
        dynasm!(self.asm ; .arch x64 ; mov rdx, QWORD op as i64);
        self.asm.call(self.stubs.x87.compute);
        if let Some((interpreter, _)) = refused {
            dynasm!(self.asm ; .arch x64
                ; jnz >done
                ; fld TWORD [rbp + register(top, 0)]
                ; jmp =>interpreter
                ; done:
            );
        }
        if binary {
            dynasm!(self.asm ; .arch x64 ; fld TWORD [rbp + register(top, 1)]);
        }
        if pops(form.op) == 0 {
            dynasm!(self.asm ; .arch x64 ; fld TWORD [rbp + register(top, 0)]);
        }
        if matches!(form.op, Operation::Pushing(_)) {
            self.make_room();
            dynasm!(self.asm ; .arch x64 ; fld TWORD [rbp + register(top, 7)]);
        }
        dynasm!(self.asm ; .arch x64
            ; test WORD [rbp + offsets::X87_FLAGS], C1 as i16
            ; jz >down
        );
        self.asm.call(self.stubs.x87.raise_c1);
        dynasm!(self.asm ; .arch x64 ; down:);
        self.flags = Flags::Memory;
        self.record(item.op(), item.eip, form, false);
        match refused {
            Some((_, rejoin)) => self.rejoin(rejoin, own),
            None => self.done.add(own),
        }
    }
}
