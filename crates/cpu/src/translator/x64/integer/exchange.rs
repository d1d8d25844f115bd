//! XADD, CMPXCHG and XCHG, each with a memory operand.

use dynasmrt::{DynasmApi, dynasm};

use super::flags::Fate;
use crate::execute::op::Op;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::x64::encoding::host_registers::{EAX, RCX, RDI};
use crate::translator::x64::encoding::operand_sizes::sized;
use crate::translator::x64::region::coverage::{Kind, own};
use crate::translator::x64::region::emit::Emitter;

impl Emitter<'_> {
    pub fn exchange_in_memory(&mut self, item: &Item, op: *const Op, kind: Kind, fate: Fate) {
        let (size, number) = (item.shape().size, item.op().b);
        let own = own(item, Some(Access::Modify));
        self.address(item.op());
        let rejoin = self.reach(item, op, size, Access::Modify, own, None);
        let b = self.second(item, number, RCX);
        match kind {
            Kind::CompareExchange => self.compare_exchange(size, b),
            Kind::ExchangeAdd => sized!(self.asm, size, xadd, m, r b),
            _ => {
                sized!(self.asm, size, mov, r RDI, m);
                sized!(self.asm, size, mov, m, r b);
                sized!(self.asm, size, mov, r b, r RDI);
            }
        }
        if b == RCX && kind != Kind::CompareExchange {
            self.put_second(number, RCX);
        }
        if kind != Kind::ExchangeMemory {
            self.set_flags(fate, false);
        }
        self.rejoin(rejoin, own);
    }

    /// Emits CMPXCHG with the operand at RDX + RAX; clobbers RDI and the host's EAX.
    fn compare_exchange(&mut self, size: usize, b: u8) {
        dynasm!(self.asm ; .arch x64 ; lea rdi, [rdx + rax] ; mov eax, Rd(EAX));
        match size {
            1 => dynasm!(self.asm ; .arch x64 ; cmpxchg [rdi], Rb(b) ; mov Rb(EAX), al),
            2 => dynasm!(self.asm ; .arch x64 ; cmpxchg [rdi], Rw(b) ; mov Rw(EAX), ax),
            _ => dynasm!(self.asm ; .arch x64 ; cmpxchg [rdi], Rd(b) ; mov Rd(EAX), eax),
        }
    }
}
