//! Instructions that use only general registers and flags: translated code calls the interpreter's
//! handler directly, because they cannot fault or wait.

use dynasmrt::{DynasmApi, dynasm};
use iced_x86::Mnemonic as M;

use super::flags::{Flags, reads_flags, sets_flags};
use crate::execute::op::Op;
use crate::instruction::shape::Form;
use crate::translator::regions::collect::Item;
use crate::translator::x64::region::coverage::own;
use crate::translator::x64::region::emit::Emitter;

pub(crate) fn touches_registers_alone(item: &Item) -> bool {
    let shape = item.shape();
    let in_registers = matches!(shape.form, Form::R | Form::RR | Form::RI);
    match shape.mnemonic {
        M::Cbw | M::Cwd | M::Lahf | M::Salc | M::Cld | M::Std | M::Cpuid | M::Lea => true,
        M::Aaa | M::Aas | M::Daa | M::Das | M::Aad => true,
        // A divisor of 0 faults, so the interpreter must do that case.
        M::Aam => item.op().immediate != 0,
        M::Shl | M::Sal | M::Shr | M::Sar | M::Rol | M::Ror | M::Rcl | M::Rcr => in_registers,
        M::Shld | M::Shrd | M::Bsf | M::Bsr | M::Bt | M::Bts | M::Btr | M::Btc => in_registers,
        M::Xchg | M::Xadd | M::Cmpxchg | M::Movzx | M::Movsx => in_registers,
        M::Mov => in_registers && shape.second_is_segment,
        _ => false,
    }
}

impl Emitter<'_> {
    pub fn by_handler(&mut self, item: &Item, op: *const Op) {
        let flags = reads_flags(item) || sets_flags(item);
        let stub = if flags { self.stubs.handle_flags } else { self.stubs.handle };
        dynasm!(self.asm ; .arch x64 ; mov rdx, QWORD op as i64);
        self.asm.call(stub);
        self.flags = Flags::Memory;
        self.done.add(own(item, None));
    }
}
