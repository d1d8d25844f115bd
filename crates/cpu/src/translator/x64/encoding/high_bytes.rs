//! AH, CH, DH and BH: the second bytes of R8 to R15, which hold the guest's registers, have no name
//! on the host, so the code works on copies in CL or DL. The code emitted here changes no flag.

use dynasmrt::{DynasmApi, dynasm};

use super::host_registers::RCX;
use crate::instruction::shape::Form;
use crate::translator::regions::collect::Item;
use crate::translator::x64::host;
use crate::translator::x64::region::emit::Emitter;

/// True if the register operand `number` is AH, CH, DH or BH.
pub(crate) fn is_second_byte(item: &Item, number: u8) -> bool {
    item.shape().size == 1 && number >= 4
}

impl Emitter<'_> {
    /// The host register that holds register operand `number` of the instruction's size: the guest
    /// register's own, or, for AH to BH, a copy in `free`.
    pub fn second(&mut self, item: &Item, number: u8, free: u8) -> u8 {
        if item.shape().size == 1 { self.byte(number, free) } else { host(number) }
    }

    /// The host register that holds byte register `number`: the guest register's own, or, for AH to
    /// BH, a copy in `free`.
    pub fn byte(&mut self, number: u8, free: u8) -> u8 {
        if number >= 4 { self.take_second(number, free) } else { host(number) }
    }

    /// Emits a copy of AH, CH, DH or BH into CL or DL (`free`), and returns `free`. Clobbers the
    /// rest of ECX or EDX.
    pub fn take_second(&mut self, number: u8, free: u8) -> u8 {
        let register = host(number & 3);
        if free == RCX {
            dynasm!(self.asm ; .arch x64 ; movzx ecx, Rw(register) ; mov cl, ch);
        } else {
            dynasm!(self.asm ; .arch x64 ; movzx edx, Rw(register) ; mov dl, dh);
        }
        free
    }

    /// Emits a move from CL or DL into AH, CH, DH or BH; clobbers the other one of ECX and EDX.
    pub fn put_second(&mut self, number: u8, from: u8) {
        let register = host(number & 3);
        if from == RCX {
            dynasm!(self.asm ; .arch x64
                ; movzx edx, Rb(register)
                ; mov dh, cl
                ; mov Rw(register), dx
            );
        } else {
            dynasm!(self.asm ; .arch x64
                ; movzx ecx, Rb(register)
                ; mov ch, dl
                ; mov Rw(register), cx
            );
        }
    }

    /// Emits MOV to AH, CH, DH or BH from a register or an immediate. Clobbers ECX and EDX.
    pub fn move_to_second_byte(&mut self, item: &Item) {
        if item.shape().form == Form::RR {
            let from = self.second(item, item.op().b, RCX);
            if from != RCX {
                dynasm!(self.asm ; .arch x64 ; mov cl, Rb(from));
            }
        } else {
            dynasm!(self.asm ; .arch x64 ; mov cl, BYTE item.op().immediate as i8);
        }
        self.put_second(item.op().a, RCX);
    }
}
