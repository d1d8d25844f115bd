//! Shifts and rotations. Where the manual leaves results undefined, they are as in the interpreter
//! (`isa/shift.rs`), so the host's own OF is used only after single steps.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::flags::{Fate, Flags};
use crate::execute::op::Op;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::x64::encoding::host_registers::{ECX, RDX};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::host;
use crate::translator::x64::region::coverage::{Kind, Shift, own};
use crate::translator::x64::region::emit::Emitter;

/// The bits of OF and CF in `HostFrame::raw_flags`.
const RAW_OF: i16 = 1;
const RAW_CF: i16 = 1 << 8;

impl Emitter<'_> {
    /// Emits a shift or a rotation of a register or of memory.
    pub fn turn(&mut self, item: &Item, op: *const Op, kind: Kind, fate: Fate) {
        if !item.shape().uses_memory() {
            self.turn_register(item, host(item.op().a), kind, fate);
            self.done.add(own(item, None));
            return;
        }
        let own = own(item, Some(Access::Modify));
        self.address(item.op());
        let rejoin = self.reach(item, op, 4, Access::Modify, own, None);
        dynasm!(self.asm ; .arch x64 ; lea rdi, [rdx + rax] ; mov edx, [rdi]);
        self.turn_register(item, RDX, kind, fate);
        dynasm!(self.asm ; .arch x64 ; mov [rdi], edx);
        self.rejoin(rejoin, own);
    }

    /// Emits a shift or rotation of host register `a`; clobbers EAX and ECX.
    fn turn_register(&mut self, item: &Item, a: u8, kind: Kind, fate: Fate) {
        match kind {
            Kind::Shift(kind) => self.shift(item, a, kind, fate),
            Kind::ShiftByCl(kind) => self.shift_by_cl(a, kind, fate),
            Kind::Rotate { left, by_cl } => self.rotate(item, a, left, by_cl, fate),
            _ => unreachable!("the others have functions of their own"),
        }
    }

    /// Emits a shift by a constant. If OF may be read, the last step is a shift of its own, because
    /// the host leaves OF undefined after a longer shift.
    fn shift(&mut self, item: &Item, a: u8, kind: Shift, fate: Fate) {
        let count = (item.op().immediate & 31) as i8;
        let mut steps = [count, 0];
        if fate == Fate::Live && count > 1 {
            steps = [count - 1, 1];
        }
        for count in steps.into_iter().filter(|&count| count > 0) {
            match kind {
                Shift::Left => dynasm!(self.asm ; .arch x64 ; shl Rd(a), count),
                Shift::Right => dynasm!(self.asm ; .arch x64 ; shr Rd(a), count),
                Shift::Arithmetic => dynasm!(self.asm ; .arch x64 ; sar Rd(a), count),
            }
        }
        self.set_flags(fate, true);
    }

    /// Emits a shift by CL. A count of 0 changes nothing; if OF may be read, the last step is a
    /// shift of its own.
    fn shift_by_cl(&mut self, a: u8, kind: Shift, fate: Fate) {
        let nothing = self.label();
        dynasm!(self.asm ; .arch x64 ; mov ecx, Rd(ECX));
        if fate == Fate::Live {
            dynasm!(self.asm ; .arch x64 ; and ecx, 31 ; jz =>nothing ; dec ecx);
        }
        match kind {
            Shift::Left => dynasm!(self.asm ; .arch x64 ; shl Rd(a), cl),
            Shift::Right => dynasm!(self.asm ; .arch x64 ; shr Rd(a), cl),
            Shift::Arithmetic => dynasm!(self.asm ; .arch x64 ; sar Rd(a), cl),
        }
        if fate == Fate::Live {
            match kind {
                Shift::Left => dynasm!(self.asm ; .arch x64 ; shl Rd(a), 1),
                Shift::Right => dynasm!(self.asm ; .arch x64 ; shr Rd(a), 1),
                Shift::Arithmetic => dynasm!(self.asm ; .arch x64 ; sar Rd(a), 1),
            }
            self.set_flags(fate, true);
        }
        dynasm!(self.asm ; .arch x64 ; =>nothing);
        self.flags = Flags::Memory;
    }

    /// Emits ROL or ROR. Both change only CF and OF, as the last step does.
    fn rotate(&mut self, item: &Item, a: u8, left: bool, by_cl: bool, fate: Fate) {
        let nothing = self.label();
        if by_cl {
            dynasm!(self.asm ; .arch x64 ; mov ecx, Rd(ECX) ; and ecx, 31);
            if fate == Fate::Live {
                dynasm!(self.asm ; .arch x64 ; jz =>nothing);
            }
        } else {
            let count = (item.op().immediate & 31) as i32;
            dynasm!(self.asm ; .arch x64 ; mov ecx, count);
        }
        if fate == Fate::Live {
            dynasm!(self.asm ; .arch x64 ; dec ecx);
        }
        if left {
            dynasm!(self.asm ; .arch x64 ; rol Rd(a), cl);
        } else {
            dynasm!(self.asm ; .arch x64 ; ror Rd(a), cl);
        }
        if fate == Fate::Live {
            if left {
                dynasm!(self.asm ; .arch x64 ; rol Rd(a), 1);
            } else {
                dynasm!(self.asm ; .arch x64 ; ror Rd(a), 1);
            }
            dynasm!(self.asm ; .arch x64
                ; seto al
                ; setb ah
                ; and WORD [rbp + offsets::RAW_FLAGS], !(RAW_CF | RAW_OF)
                ; or [rbp + offsets::RAW_FLAGS], ax
            );
        }
        dynasm!(self.asm ; .arch x64 ; =>nothing);
        self.flags = Flags::Memory;
    }

    /// Emits SHLD or SHRD. OF is set if the sign has changed.
    pub fn double_shift(&mut self, item: &Item, left: bool, by_cl: bool, fate: Fate) {
        let (a, b) = (host(item.op().a), host(item.op().b));
        let count = (item.op().immediate & 31) as i32;
        let nothing = self.label();
        if by_cl {
            dynasm!(self.asm ; .arch x64 ; mov ecx, Rd(ECX) ; and ecx, 31 ; jz =>nothing);
        } else if count == 0 {
            self.done.add(own(item, None));
            dynasm!(self.asm ; .arch x64 ; =>nothing);
            self.flags = Flags::Memory;
            return;
        } else {
            dynasm!(self.asm ; .arch x64 ; mov ecx, count);
        }
        dynasm!(self.asm ; .arch x64 ; mov edx, Rd(a));
        if left {
            dynasm!(self.asm ; .arch x64 ; shld Rd(a), Rd(b), cl);
        } else {
            dynasm!(self.asm ; .arch x64 ; shrd Rd(a), Rd(b), cl);
        }
        if fate == Fate::Live {
            dynasm!(self.asm ; .arch x64 ; setb cl ; xor edx, Rd(a) ; shr edx, 31);
            self.note_result(a);
        }
        dynasm!(self.asm ; .arch x64 ; =>nothing);
        self.flags = Flags::Memory;
        self.done.add(own(item, None));
    }
}
