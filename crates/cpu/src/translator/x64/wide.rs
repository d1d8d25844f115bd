//! Products and quotients of EDX:EAX, shifts by CL, rotations, double shifts, bit scans, PUSH of
//! memory. What the manual leaves undefined is as the interpreter has it (`isa/shift.rs`,
//! `isa/multiply.rs`, `isa/bit.rs`), so the host's own OF is taken of single steps only.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::alu::{Shift, own};
use super::emit::{Emitter, Fate, Flags};
use super::host;
use super::stubs::at;
use crate::op::Op;
use crate::registers::gpr;
use crate::translator::reach::Access;
use crate::translator::region::Item;

const EAX: u8 = 8 + gpr::EAX as u8;
const ECX: u8 = 8 + gpr::ECX as u8;
const EDX: u8 = 8 + gpr::EDX as u8;
const ESP: u8 = 8 + gpr::ESP as u8;
/// In the form of `HostFrame::raw_flags`.
const RAW_OF: i16 = 1;
const RAW_CF: i16 = 1 << 8;
const RAW_ZF: i16 = 1 << 14;

impl Emitter<'_> {
    /// MUL and IMUL with one operand. SF, ZF and PF follow the low half, AF is 0.
    pub fn product(&mut self, item: &Item, op: *const Op, signed: bool, fate: Fate) {
        let memory = item.shape().uses_memory();
        let own = own(item, memory.then_some(Access::Load));
        let rejoin = memory.then(|| {
            self.address(item.op());
            let rejoin = self.reach(item, op, 4, Access::Load, own, None);
            dynasm!(self.asm ; .arch x64 ; mov edx, [rdx + rax]);
            rejoin
        });
        if !memory {
            dynasm!(self.asm ; .arch x64 ; mov edx, Rd(host(item.op().a)));
        }
        self.wait_for_multiplier(item);
        dynasm!(self.asm ; .arch x64 ; mov eax, Rd(EAX));
        if signed {
            dynasm!(self.asm ; .arch x64 ; imul edx);
        } else {
            dynasm!(self.asm ; .arch x64 ; mul edx);
        }
        dynasm!(self.asm ; .arch x64 ; mov Rd(EAX), eax ; mov Rd(EDX), edx);
        self.flags = Flags::Memory;
        if fate == Fate::Live {
            dynasm!(self.asm ; .arch x64 ; seto cl ; mov dl, cl);
            self.note_result(EAX);
        }
        match rejoin {
            Some(rejoin) => self.rejoin_in_memory(rejoin, own),
            None => self.done.add(own),
        }
    }

    /// CF is CL, OF is DL, AF is 0, and the others follow a result.
    fn note_result(&mut self, result: u8) {
        dynasm!(self.asm ; .arch x64
            ; test Rd(result), Rd(result)
            ; lahf
            ; or ah, cl
            ; mov al, dl
            ; mov [rbp + at::RAW_FLAGS], ax
            ; mov WORD [rbp + at::RAW_FLAGS + 2], 1
        );
    }

    /// DIV and IDIV, which keep the flags. #DE and what might raise it are for the interpreter.
    pub fn quotient(&mut self, item: &Item, op: *const Op, signed: bool) {
        let memory = item.shape().uses_memory();
        let own = own(item, memory.then_some(Access::Load));
        let reached = memory.then(|| {
            self.address(item.op());
            let rejoin = self.reach(item, op, 4, Access::Load, own, None);
            dynasm!(self.asm ; .arch x64 ; mov ecx, [rdx + rax]);
            rejoin
        });
        if !memory {
            dynasm!(self.asm ; .arch x64 ; mov ecx, Rd(host(item.op().a)));
        }
        let (odd, back) = self.odd(item, op, own);
        if signed {
            // By 0 or -1, or of more than 32 bits.
            dynasm!(self.asm ; .arch x64
                ; lea edx, [rcx + 1]
                ; cmp edx, 1
                ; jbe =>odd
                ; mov eax, Rd(EAX)
                ; cdq
                ; cmp edx, Rd(EDX)
                ; jne =>odd
                ; idiv ecx
            );
        } else {
            dynasm!(self.asm ; .arch x64
                ; cmp Rd(EDX), ecx
                ; jae =>odd
                ; mov eax, Rd(EAX)
                ; mov edx, Rd(EDX)
                ; div ecx
            );
        }
        dynasm!(self.asm ; .arch x64 ; mov Rd(EAX), eax ; mov Rd(EDX), edx ; =>back);
        match reached {
            Some(rejoin) => self.rejoin_in_memory(rejoin, own),
            None => {
                self.flags = Flags::Memory;
                self.done.add(own);
            }
        }
    }

    /// A count of 0 changes nothing; the last step is done alone where its OF is asked for.
    pub fn shift_by_cl(&mut self, item: &Item, kind: Shift, fate: Fate) {
        let a = host(item.op().a);
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
        self.done.add(own(item, None));
    }

    /// ROL and ROR: CF and OF alone change, by the last step.
    pub fn rotate(&mut self, item: &Item, left: bool, by_cl: bool, fate: Fate) {
        let a = host(item.op().a);
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
                ; and WORD [rbp + at::RAW_FLAGS], !(RAW_CF | RAW_OF)
                ; or [rbp + at::RAW_FLAGS], ax
            );
        }
        dynasm!(self.asm ; .arch x64 ; =>nothing);
        self.flags = Flags::Memory;
        self.done.add(own(item, None));
    }

    /// SHLD and SHRD: OF says that the sign has changed.
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

    /// BSF and BSR: ZF alone changes; of zero they leave their destination.
    pub fn scan(&mut self, item: &Item, op: *const Op, up: bool) {
        let (a, b) = (host(item.op().a), host(item.op().b));
        let memory = item.shape().uses_memory();
        let own = own(item, memory.then_some(Access::Load));
        let rejoin = memory.then(|| {
            self.address(item.op());
            let rejoin = self.reach(item, op, 4, Access::Load, own, None);
            dynasm!(self.asm ; .arch x64 ; mov edx, [rdx + rax]);
            rejoin
        });
        if !memory {
            dynasm!(self.asm ; .arch x64 ; mov edx, Rd(b));
        }
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
            ; and WORD [rbp + at::RAW_FLAGS], !RAW_ZF
            ; or [rbp + at::RAW_FLAGS], cx
        );
        self.flags = Flags::Memory;
        match rejoin {
            Some(rejoin) => self.rejoin_in_memory(rejoin, own),
            None => self.done.add(own),
        }
    }

    /// If the second access is for the interpreter, it does the first again: nothing has come
    /// between them that changes what that finds.
    pub fn push_memory(&mut self, item: &Item, op: *const Op) {
        let own = own(item, Some(Access::Modify));
        self.address(item.op());
        let first = self.reach(item, op, 4, Access::Load, own, None);
        dynasm!(self.asm ; .arch x64
            ; mov ecx, [rdx + rax]
            ; mov [rbp + at::HELD], ecx
            ; lea eax, [Rq(ESP) - 4]
        );
        let second = self.reach(item, op, 4, Access::Store, own, None);
        dynasm!(self.asm ; .arch x64
            ; mov ecx, [rbp + at::HELD]
            ; mov [rdx + rax], ecx
            ; mov Rd(ESP), eax
            ; =>first
        );
        self.rejoin(second, own);
    }
}
