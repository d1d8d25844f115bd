//! Instructions that wait for a bus response: where translated code resumes after the response; and
//! stores that no cache takes, which are sent from here.
//!
//! The stub for stores has found that no cache has the line, and has recorded the store's address
//! (`HostFrame::beyond`). The value is known here, and after the acknowledgement only the
//! instruction's clocks remain, so the interpreter is not needed. This holds only where no x87
//! instruction is in progress and the x87's values are in the core: a wait then changes nothing on
//! which the following code's translation depends.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use iced_x86::Mnemonic;

use super::slow_access::ColdAccess;
use crate::execute::op::{Op, STORES_IMMEDIATE};
use crate::registers::register_file::gpr;
use crate::translator::access::fast_access::Access;
use crate::translator::access::misaligned::NATURAL;
use crate::translator::regions::collect::Item;
use crate::translator::regions::x87_roles::X87Role;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::host;
use crate::translator::x64::region::coverage::{self, Kind};
use crate::translator::x64::region::emit::Emitter;
use crate::translator::x64::region::slow_path::Out;
use crate::translator::x64::stubs::enter_leave::{AGAIN, STOPPED};
use crate::translator_frame::host_frame::{FETCHES, SENT};
use crate::translator_frame::packed_counts::Packed;

const ESP: u8 = gpr::ESP as u8;

/// A store that translated code sends to the bus itself; its value is a register or a constant.
#[derive(Clone, Copy)]
pub(crate) struct Sent {
    op: Op,
    value: Value,
    size: usize,
    pushes: bool,
    notes_bank: bool,
    checks_bank: bool,
}

#[derive(Clone, Copy)]
enum Value {
    Register(u8),
    Number(u32),
}

/// The labels of an instruction that may have to wait for its response.
#[derive(Clone, Copy)]
pub(crate) struct Resumption {
    /// The code that records where the instruction resumes, then jumps to `stopped`.
    pub waits: DynamicLabel,
    pub stopped: DynamicLabel,
    /// Where execution continues after the response, with EAX = `HostFrame::outcome`.
    pub done: DynamicLabel,
}

impl Emitter<'_> {
    /// True if translated code may wait at this instruction, because the code after it does not
    /// depend on how much time passes.
    pub fn may_wait_here(&self, item: &Item) -> bool {
        let settled = item.x87.0.is_none_or(|x87| x87.is_settled() && !x87.loaded);
        // If L1I had a single set, a second fetch could change the recency in the ITLB.
        item.x87_role == X87Role::None && settled && self.code_sets > 1
    }

    /// The store to send for an instruction if no cache takes it; `None` if the interpreter must do
    /// it.
    pub fn sent(&self, item: &Item, access: Access, size: usize) -> Option<Sent> {
        if access != Access::Store || !self.may_wait_here(item) {
            return None;
        }
        let op = *item.op();
        let pushes = coverage::kind(item) == Some(Kind::Push);
        let value = match (pushes, op.only_stores()) {
            (true, _) if item.shape().mnemonic == Mnemonic::Push => pushed(item),
            (_, true) if op.extra & STORES_IMMEDIATE != 0 => Value::Number(op.immediate),
            (_, true) => Value::Register(op.b),
            _ => return None,
        };
        let (notes_bank, checks_bank) = (item.notes_bank, item.checks_bank);
        Some(Sent { op, value, size, pushes, notes_bank, checks_bank })
    }

    /// Emits the sending of the store, for the case that the stub has recorded why no cache takes
    /// it. In other cases, EAX keeps its value.
    pub fn send(&mut self, access: &ColdAccess, sent: &Sent) {
        let (before, own) = (access.before, access.own);
        let [interpreter, waits, stopped, done, late] = [(); 5].map(|()| self.label());
        let rejoin = access.rejoin.expect("it is no branch");
        dynasm!(self.asm ; .arch x64
            ; mov rdx, [rbp + offsets::BEYOND]
            ; shr rdx, 32
            ; je =>interpreter
        );
        self.put_value(sent);
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rbp + offsets::EIP], access.eip as i32
            ; mov DWORD [rbp + offsets::NEXT_EIP], access.end as i32
            ; lea rbx, [rbx + before.clocks as i32]
            ; mov ecx, sent.size as i32
        );
        self.asm.call(self.stubs.send);
        dynasm!(self.asm ; .arch x64 ; jz =>waits ; =>done);
        self.after_sent(sent);
        if access.may_be_misaligned && sent.size > 1 {
            self.pay_misaligned(sent);
        }
        let stepped = own.counts.stepped().packed();
        dynasm!(self.asm ; .arch x64
            ; lea rcx, [rbx + own.clocks as i32]
            ; cmp rcx, [rbp + offsets::LIMIT]
            ; jae =>late
            ; lea rbx, [rbx - before.clocks as i32]
        );
        self.add_counts(own.counts.packed().negative().plus(stepped));
        dynasm!(self.asm ; .arch x64
            ; jmp =>rejoin
            ; =>late
            ; mov rbx, rcx
            ; mov QWORD [rbp + offsets::ONWARD], 0
            ; mov DWORD [rbp + offsets::CARRIED], access.carried.after as i32
        );
        let out = |label, eip, carried, counts, how| Out { label, eip, carried, counts, how };
        let counts = before.counts.packed();
        let (finished, behind) = (self.label(), Some(access.end));
        self.cold_out(&out(finished, behind, access.carried.after, counts.plus(stepped), AGAIN));
        let place = SENT as i64 | access.op as i64;
        self.resumption(place, Resumption { waits, stopped, done }, counts);
        self.cold_out(&out(stopped, None, access.carried.before, counts, STOPPED));
        dynasm!(self.asm ; .arch x64 ; =>interpreter);
    }

    /// Emits the stop for a load whose line the stub has requested. The load resumes at `reached`,
    /// or at `retry` if the line has not come. In other cases, EAX keeps its value.
    pub fn wait_for_line(
        &mut self,
        access: &ColdAccess,
        size: usize,
        reached: DynamicLabel,
        retry: DynamicLabel,
    ) {
        let [here, waits, stopped, done] = [(); 4].map(|()| self.label());
        let before = access.before.clocks as i32;
        let counts = access.before.counts.packed();
        dynasm!(self.asm ; .arch x64
            ; cmp DWORD [rbp + offsets::FETCHING + 4], 0
            ; je =>here
            ; mov DWORD [rbp + offsets::FETCHING + 4], 0
            ; mov DWORD [rbp + offsets::EIP], access.eip as i32
            ; mov DWORD [rbp + offsets::NEXT_EIP], access.end as i32
            ; lea rbx, [rbx + before]
        );
        let place = FETCHES as i64 | access.op as i64;
        self.resumption(place, Resumption { waits, stopped, done }, counts);
        dynasm!(self.asm ; .arch x64
            ; =>done
            ; lea rbx, [rbx - before]
            ; mov eax, [rbp + offsets::FETCHING]
            ; mov rdx, [rbp + offsets::ARRIVED]
            ; test rdx, rdx
            ; jnz =>reached
        );
        self.place_in_l1d(size);
        dynasm!(self.asm ; .arch x64 ; jmp =>retry);
        let (label, carried, how) = (stopped, access.carried.before, STOPPED);
        self.cold_out(&Out { label, eip: None, carried, counts, how });
        dynasm!(self.asm ; .arch x64 ; =>here);
    }

    /// Emits the load of EDX with the value to store, of the store's size.
    fn put_value(&mut self, sent: &Sent) {
        match (sent.value, sent.size) {
            (Value::Number(number), _) => {
                dynasm!(self.asm ; .arch x64 ; mov edx, number as i32);
            }
            (Value::Register(number), 1) if number >= 4 => {
                dynasm!(self.asm ; .arch x64
                    ; mov edx, Rd(host(number & 3))
                    ; shr edx, 8
                    ; movzx edx, dl
                );
            }
            (Value::Register(number), 1) => {
                dynasm!(self.asm ; .arch x64 ; movzx edx, Rb(host(number)));
            }
            (Value::Register(number), 2) => {
                dynasm!(self.asm ; .arch x64 ; movzx edx, Rw(host(number)));
            }
            (Value::Register(number), _) => {
                dynasm!(self.asm ; .arch x64 ; mov edx, Rd(host(number)));
            }
        }
    }

    /// Emits the instruction's effects other than its store: ESP for a PUSH, and the record of its
    /// bank or the check for a bank conflict. Clobbers EAX and ECX.
    fn after_sent(&mut self, sent: &Sent) {
        if sent.pushes {
            dynasm!(self.asm ; .arch x64 ; lea Rd(host(ESP)), [Rq(host(ESP)) - 4]);
        }
        if !(sent.notes_bank || sent.checks_bank) {
            return;
        }
        self.address_of_sent(sent);
        self.bank_of_address();
        match sent.checks_bank {
            true => self.check_bank(),
            false => self.note_bank(),
        }
    }

    /// Emits the load of EAX with the store's linear address: for a PUSH, ESP after it was lowered;
    /// otherwise computed again from registers that the store leaves unchanged.
    fn address_of_sent(&mut self, sent: &Sent) {
        match sent.pushes {
            true => dynasm!(self.asm ; .arch x64 ; mov eax, Rd(host(ESP))),
            false => self.address(&sent.op),
        }
    }

    /// Emits the charge for a store that crosses its natural boundary, as `access/misaligned.rs`
    /// makes it. Clobbers EAX and ECX.
    fn pay_misaligned(&mut self, sent: &Sent) {
        let within = self.label();
        self.address_of_sent(sent);
        dynasm!(self.asm ; .arch x64
            ; lea ecx, [rax + sent.size as i32 - 1]
            ; xor ecx, eax
            ; test ecx, -(NATURAL as i32)
            ; jz =>within
            ; add QWORD [rbp + offsets::MISALIGNED], 1
            ; add rbx, [rbp + offsets::MISALIGNED_CYCLES]
            ; =>within
        );
    }

    /// Emits the stop and the resumption of an instruction (`op`: the value of
    /// `HostFrame::resume_op`). On resumption, the block's counts before the instruction, which the
    /// stop has added, are subtracted again.
    pub fn resumption(&mut self, op: i64, labels: Resumption, counts: Packed) {
        let Resumption { waits, stopped, done } = labels;
        let resume = self.label();
        dynasm!(self.asm ; .arch x64
            ; =>waits
            ; lea rax, [=>resume]
            ; mov [rbp + offsets::RESUME], rax
            ; mov rax, QWORD op
            ; mov [rbp + offsets::RESUME_OP], rax
            ; jmp =>stopped
            ; =>resume
        );
        self.add_counts(counts.negative());
        dynasm!(self.asm ; .arch x64 ; mov eax, [rbp + offsets::OUTCOME] ; jmp =>done);
    }
}

fn pushed(item: &Item) -> Value {
    match item.shape().form {
        crate::instruction::shape::Form::R => Value::Register(item.op().a),
        _ => Value::Number(item.op().immediate),
    }
}
