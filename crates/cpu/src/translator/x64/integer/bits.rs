//! Bit instructions and CF: BT, BTS, BTR, BTC, BSF, BSR, CLC, STC, CMC. Where the manual leaves
//! results undefined, they are as in the interpreter (`isa/bit.rs`): the scans change ZF alone, the
//! others CF alone.

use dynasmrt::{DynasmApi, dynasm};

use super::flags::Flags;
use crate::execute::op::Op;
use crate::instruction::shape::Form;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::x64::encoding::host_registers::RDX;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::host;
use crate::translator::x64::region::coverage::own;
use crate::translator::x64::region::emit::Emitter;

/// The bit of ZF in `HostFrame::raw_flags`.
const RAW_ZF: i16 = 1 << 14;
/// The mask of CF in the second byte of `HostFrame::raw_flags`.
const RAW_CF: i8 = 1;

/// How a bit changes after it has been copied to CF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bit {
    Test,
    Set,
    Reset,
    Complement,
}

/// How CF changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carry {
    Clear,
    Set,
    Complement,
}

/// Emits BT, BTS, BTR or BTC on a register or on memory; the bit number is in a register or an
/// immediate.
macro_rules! bit {
    ($asm:expr, $kind:expr, $($operands:tt)*) => {
        match $kind {
            Bit::Test => dynasm!($asm ; .arch x64 ; bt $($operands)*),
            Bit::Set => dynasm!($asm ; .arch x64 ; bts $($operands)*),
            Bit::Reset => dynasm!($asm ; .arch x64 ; btr $($operands)*),
            Bit::Complement => dynasm!($asm ; .arch x64 ; btc $($operands)*),
        }
    };
}

impl Emitter<'_> {
    pub fn bit(&mut self, item: &Item, op: *const Op, kind: Bit) {
        let (form, immediate) = (item.shape().form, (item.op().immediate & 31) as i8);
        if item.shape().uses_memory() {
            return self.bit_in_memory(item, op, kind);
        }
        let a = host(item.op().a);
        match form {
            Form::RI => bit!(self.asm, kind, Rd(a), BYTE immediate),
            _ => bit!(self.asm, kind, Rd(a), Rd(host(item.op().b))),
        }
        self.note_carry();
        self.done.add(own(item, None));
    }

    /// Emits a bit instruction on memory. A bit number from a register is signed and may lie
    /// outside the operand, before or after it.
    fn bit_in_memory(&mut self, item: &Item, op: *const Op, kind: Bit) {
        let (form, immediate) = (item.shape().form, (item.op().immediate & 31) as i8);
        let access = if kind == Bit::Test { Access::Load } else { Access::Modify };
        let (own, b) = (own(item, Some(access)), host(item.op().b));
        self.address(item.op());
        if form == Form::MR {
            dynasm!(self.asm ; .arch x64
                ; mov ecx, Rd(b)
                ; sar ecx, 5
                ; lea eax, [rax + rcx * 4]
            );
        }
        let rejoin = self.reach(item, op, 4, access, own, None);
        if form == Form::MR {
            dynasm!(self.asm ; .arch x64 ; mov ecx, Rd(b) ; and ecx, 31 ; add rdx, rax);
            bit!(self.asm, kind, [rdx], ecx);
        } else {
            bit!(self.asm, kind, DWORD [rdx + rax], BYTE immediate);
        }
        self.note_carry();
        self.rejoin_in_memory(rejoin, own);
    }

    /// Emits the copy of the host's CF to the guest's; clobbers AL and the host's flags.
    fn note_carry(&mut self) {
        dynasm!(self.asm ; .arch x64
            ; setb al
            ; and BYTE [rbp + offsets::RAW_FLAGS + 1], !RAW_CF
            ; or [rbp + offsets::RAW_FLAGS + 1], al
        );
        self.flags = Flags::Memory;
    }

    pub fn carry(&mut self, item: &Item, carry: Carry) {
        match carry {
            Carry::Clear => dynasm!(self.asm ; .arch x64
                ; and BYTE [rbp + offsets::RAW_FLAGS + 1], !RAW_CF
            ),
            Carry::Set => dynasm!(self.asm ; .arch x64
                ; or BYTE [rbp + offsets::RAW_FLAGS + 1], RAW_CF
            ),
            Carry::Complement => dynasm!(self.asm ; .arch x64
                ; xor BYTE [rbp + offsets::RAW_FLAGS + 1], RAW_CF
            ),
        }
        self.flags = Flags::Memory;
        self.done.add(own(item, None));
    }

    /// Emits BSF or BSR. Both change ZF alone; for a source of zero, the destination stays
    /// unchanged.
    pub fn scan(&mut self, item: &Item, op: *const Op, up: bool) {
        let a = host(item.op().a);
        let memory = item.shape().uses_memory();
        let own = own(item, memory.then_some(Access::Load));
        let rejoin = self.fetch(item, op, item.op().b, RDX, own);
        dynasm!(self.asm ; .arch x64 ; mov eax, Rd(a));
        if up {
            dynasm!(self.asm ; .arch x64 ; bsf ecx, edx);
        } else {
            dynasm!(self.asm ; .arch x64 ; bsr ecx, edx);
        }
        dynasm!(self.asm ; .arch x64
            ; cmovnz eax, ecx
            ; mov Rd(a), eax
            ; setz cl
            ; movzx ecx, cl
            ; shl ecx, 14
            ; and WORD [rbp + offsets::RAW_FLAGS], !RAW_ZF
            ; or [rbp + offsets::RAW_FLAGS], cx
        );
        self.flags = Flags::Memory;
        self.fetched(rejoin, own);
    }
}
