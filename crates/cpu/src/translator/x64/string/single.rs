//! String instructions without REP: one element, with the index registers counting up. With DF set,
//! the interpreter does the instruction.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use crate::execute::op::Op;
use crate::registers::flags;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::x64::encoding::host_registers::{EAX, EDI, ESI, RCX};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::encoding::operand_sizes::sized;
use crate::translator::x64::integer::flags::Fate;
use crate::translator::x64::region::coverage::{Element, own};
use crate::translator::x64::region::emit::{Done, Emitter};

/// The bit of DF in the second byte of `State::system_flags`.
const DOWN: i8 = (flags::DF >> 8) as i8;

impl Emitter<'_> {
    pub fn element(&mut self, item: &Item, op: *const Op, element: Element, fate: Fate) {
        let size = item.shape().size;
        let (register, access) = match element {
            Element::Load => (ESI, Access::Load),
            Element::Store => (EDI, Access::Store),
            Element::Scan => (EDI, Access::Load),
            Element::Move => return self.move_element(item, op),
        };
        let own = own(item, Some(access));
        let back = self.upwards(item, op, own);
        let rejoin = self.reach_element(item, op, register, access, own);
        match element {
            Element::Load => sized!(self.asm, size, mov, r EAX, m),
            Element::Store => sized!(self.asm, size, mov, m, r EAX),
            _ => sized!(self.asm, size, cmp, r EAX, m),
        }
        self.advance(item, register);
        if element == Element::Scan {
            self.set_flags(fate, false);
        }
        dynasm!(self.asm ; .arch x64 ; =>back);
        self.rejoin(rejoin, own);
    }

    /// Emits MOVS. If the interpreter must do the store, it repeats the load, as in PUSH of memory.
    fn move_element(&mut self, item: &Item, op: *const Op) {
        let (size, own) = (item.shape().size, own(item, Some(Access::Modify)));
        let back = self.upwards(item, op, own);
        let first = self.reach_element(item, op, ESI, Access::Load, own);
        sized!(self.asm, size, mov, r RCX, m);
        dynasm!(self.asm ; .arch x64 ; mov [rbp + offsets::HELD], ecx);
        let second = self.reach_element(item, op, EDI, Access::Store, own);
        dynasm!(self.asm ; .arch x64 ; mov ecx, [rbp + offsets::HELD]);
        sized!(self.asm, size, mov, m, r RCX);
        self.advance(item, ESI);
        self.advance(item, EDI);
        dynasm!(self.asm ; .arch x64 ; =>back ; =>first);
        self.rejoin(second, own);
    }

    /// Emits the call of the interpreter for the case that DF is set; returns the label at which
    /// execution continues after that.
    fn upwards(&mut self, item: &Item, op: *const Op, own: Done) -> DynamicLabel {
        let (down, back) = self.odd(item, op, own);
        dynasm!(self.asm ; .arch x64
            ; test BYTE [rbp + offsets::SYSTEM_FLAGS + 1], DOWN
            ; jnz =>down
        );
        back
    }

    /// Emits the search for the element whose address is in a register.
    fn reach_element(
        &mut self,
        item: &Item,
        op: *const Op,
        register: u8,
        access: Access,
        own: Done,
    ) -> DynamicLabel {
        dynasm!(self.asm ; .arch x64 ; mov eax, Rd(register));
        self.reach(item, op, item.shape().size, access, own, None)
    }

    fn advance(&mut self, item: &Item, register: u8) {
        let size = item.shape().size as i32;
        dynasm!(self.asm ; .arch x64 ; lea Rd(register), [Rq(register) + size]);
    }
}
