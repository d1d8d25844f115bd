//! Multiplications into EDX:EAX, divisions of EDX:EAX, and PUSH of memory. Where the manual leaves
//! results undefined, they are as in the interpreter (`isa/multiply.rs`).

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::flags::{Fate, Flags};
use crate::execute::op::Op;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::x64::encoding::host_registers::{EAX, EDX, ESP, RCX, RDX};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::host;
use crate::translator::x64::region::coverage::own;
use crate::translator::x64::region::emit::{Done, Emitter};
use crate::translator_frame::host_frame::NO_AUXILIARY;

impl Emitter<'_> {
    /// Emits a copy of an operand, register `number` or memory, to `to` (the host's ECX or EDX).
    /// Clobbers for memory what [`Emitter::reach`] does. Returns the label at which execution
    /// continues after the interpreter has done an instruction with memory; `None` for a register.
    pub fn fetch(
        &mut self,
        item: &Item,
        op: *const Op,
        number: u8,
        to: u8,
        own: Done,
    ) -> Option<DynamicLabel> {
        if !item.shape().uses_memory() {
            dynasm!(self.asm ; .arch x64 ; mov Rd(to), Rd(host(number)));
            return None;
        }
        self.address(item.op());
        let rejoin = self.reach(item, op, 4, Access::Load, own, None);
        dynasm!(self.asm ; .arch x64 ; mov Rd(to), [rdx + rax]);
        Some(rejoin)
    }

    /// Ends an instruction whose operand was fetched; its flags are in the host frame. `rejoin`:
    /// the result of [`Emitter::fetch`]; `own`: the instruction's clocks and counts.
    pub fn fetched(&mut self, rejoin: Option<DynamicLabel>, own: Done) {
        match rejoin {
            Some(rejoin) => self.rejoin_in_memory(rejoin, own),
            None => self.done.add(own),
        }
    }

    /// Emits MUL or IMUL with one operand. SF, ZF and PF follow the low half, AF is 0.
    pub fn product(&mut self, item: &Item, op: *const Op, signed: bool, fate: Fate) {
        let memory = item.shape().uses_memory();
        let own = own(item, memory.then_some(Access::Load));
        let rejoin = self.fetch(item, op, item.op().a, RDX, own);
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
        self.fetched(rejoin, own);
    }

    /// Emits the setting of the flags: CF is CL, OF is DL, AF is 0, and SF, ZF and PF follow
    /// register `result`. Clobbers EAX.
    pub fn note_result(&mut self, result: u8) {
        dynasm!(self.asm ; .arch x64
            ; test Rd(result), Rd(result)
            ; lahf
            ; or ah, cl
            ; mov al, dl
            ; or eax, NO_AUXILIARY as i32
            ; mov [rbp + offsets::RAW_FLAGS], ax
        );
    }

    /// Emits DIV or IDIV, which keep the flags. The interpreter does those that might raise #DE.
    pub fn quotient(&mut self, item: &Item, op: *const Op, signed: bool) {
        let memory = item.shape().uses_memory();
        let own = own(item, memory.then_some(Access::Load));
        let rejoin = self.fetch(item, op, item.op().a, RCX, own);
        let (odd, back) = self.odd(item, op, own);
        if signed {
            // The interpreter does a divisor of 0 or -1, and a dividend of more than 32 bits.
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
        self.flags = Flags::Memory;
        self.fetched(rejoin, own);
    }

    /// Emits PUSH of memory. If the interpreter must do the store, it repeats the load; no event in
    /// between changes the result.
    pub fn push_memory(&mut self, item: &Item, op: *const Op) {
        let own = own(item, Some(Access::Modify));
        self.address(item.op());
        let first = self.reach(item, op, 4, Access::Load, own, None);
        dynasm!(self.asm ; .arch x64
            ; mov ecx, [rdx + rax]
            ; mov [rbp + offsets::HELD], ecx
            ; lea eax, [Rq(ESP) - 4]
        );
        let second = self.reach(item, op, 4, Access::Store, own, None);
        dynasm!(self.asm ; .arch x64
            ; mov ecx, [rbp + offsets::HELD]
            ; mov [rdx + rax], ecx
            ; mov Rd(ESP), eax
            ; =>first
        );
        self.rejoin(second, own);
    }
}
