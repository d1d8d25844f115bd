//! The end of a block: branches to the next one.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::branch_prediction::{ENTRY_BRANCH, ENTRY_STATE, ENTRY_TARGET, count, place};
use super::conditional::Conditional;
use crate::execute::op::Op;
use crate::instruction::shape::{Branch, Form};
use crate::observe::transfers::TransferKind;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::block_end::End;
use crate::translator::regions::collect::{Block, Item};
use crate::translator::regions::indirect_targets::{ENTRY, TARGETS, key, spread};
use crate::translator::x64::control::transfers::Stack;
use crate::translator::x64::encoding::host_registers::ESP;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::host;
use crate::translator::x64::memory::access::is_plain;
use crate::translator::x64::region::coverage::own;
use crate::translator::x64::region::emit::{Done, Emitter};
use crate::translator::x64::region::slow_path::{Cold, Resolve};
use crate::translator::x64::stubs::callbacks::{CONDITIONAL, SECOND, TAKEN};
use crate::translator_frame::packed_counts::Counts;
use crate::units::branch_target_buffer::state;

impl Emitter<'_> {
    /// Emits the end of a block; `following` is the number of the block whose code comes next, so
    /// that no jump to it is needed.
    pub fn end(&mut self, block: &Block, last: *const Op, following: usize) {
        self.note_x87();
        match (block.end, &block.last) {
            (End::Next(eip), _) => {
                self.settle();
                self.go_to(eip, block.after(), following);
            }
            (End::Leave(eip), _) => {
                self.settle();
                self.leave_at(eip, block.after());
            }
            (End::Again, _) => {
                self.settle();
                self.again();
            }
            (End::Jump(target), Some(item)) => {
                self.done.add(branch(item, true));
                self.settle();
                self.note_transfer(TransferKind::Jump, item, Some(target), Stack::Here);
                let resolve = self.resolve(item, true, Some(target));
                self.look_up(resolve);
                self.go_to(target, block.after(), following);
            }
            (End::Branch(condition, taken, next), Some(item)) => {
                let branch = Conditional { condition, taken, next };
                self.conditional(item, branch, following);
            }
            (End::Call(target), Some(item)) => {
                let resolve = self.resolve(item, true, Some(target));
                self.push_return(item, last, resolve);
                self.settle();
                self.note_transfer(TransferKind::Call, item, Some(target), Stack::Here);
                self.look_up(resolve);
                self.go_to(target, block.after(), usize::MAX);
            }
            (End::Return, Some(item)) => self.return_(item, last),
            (End::JumpIndirect | End::CallIndirect, Some(item)) => {
                let call = block.end == End::CallIndirect;
                match item.shape().form {
                    Form::R if !call || host(item.op().a) != ESP => {
                        self.indirect(item, last, call);
                    }
                    Form::M if is_plain(item.op()) => self.indirect_by_memory(item, last, call),
                    _ => self.settle_before_transfer(item),
                }
            }
            _ => unreachable!("a block that ends with a transfer has it"),
        }
    }

    /// Emits an exit at a control transfer that the interpreter executes.
    fn settle_before_transfer(&mut self, item: &Item) {
        self.settle();
        self.leave_at(item.eip, item.before);
    }

    /// What the lookup of a branch in the branch target buffer needs. `to`: the branch's target,
    /// `None` if it is in ECX.
    pub fn resolve(&mut self, item: &Item, taken: bool, to: Option<u32>) -> Resolve {
        let mark = |on: bool, bit: u32| if on { bit } else { 0 };
        let conditional = matches!(item.decoding.pipe.branch(), Branch::Conditional);
        Resolve {
            label: self.label(),
            rejoin: self.label(),
            from: item.eip,
            how: mark(taken, TAKEN)
                | mark(conditional, CONDITIONAL)
                | mark(item.issue.second, SECOND),
            to,
            drained: item.drained,
        }
    }

    /// Emits the lookup of a branch in the branch target buffer. The inline code is enough if the
    /// branch was predicted correctly and its entry does not change; the slow path does the rest,
    /// and after a misprediction the slow path continues at the target with empty pipes (the state
    /// `resolve.drained`). The target is `resolve.to`, or in ECX, which is kept.
    pub fn look_up(&mut self, resolve: Resolve) {
        let (slow, foreseen) = (resolve.label, resolve.rejoin);
        self.cold.push(Cold::Resolve(resolve));
        let taken = resolve.how & TAKEN != 0;
        if resolve.to.is_none() {
            dynasm!(self.asm ; .arch x64 ; mov [rbp + offsets::EIP], ecx);
        }
        if !taken {
            // Branches of this place without any entry are the most frequent case in large
            // programs.
            dynasm!(self.asm ; .arch x64
                ; cmp BYTE [rbp + count(resolve.from)], 0
                ; je =>foreseen
            );
        }
        self.likely_entry(resolve.from);
        match resolve.to {
            Some(to) if taken => {
                let both = u64::from(resolve.from) | u64::from(to) << 32;
                dynasm!(self.asm ; .arch x64
                    ; mov rcx, QWORD both as i64
                    ; cmp [BYTE rax + offsets::near(ENTRY_BRANCH)], rcx
                    ; jne =>slow
                );
            }
            to => {
                dynasm!(self.asm ; .arch x64
                    ; cmp DWORD [BYTE rax + offsets::near(ENTRY_BRANCH)], resolve.from as i32
                    ; jne =>slow
                );
                if to.is_none() {
                    dynasm!(self.asm ; .arch x64 ; cmp [BYTE rax + offsets::near(ENTRY_TARGET)], ecx ; jne =>slow);
                }
            }
        }
        let settled = if taken { state::STRONGLY_TAKEN } else { state::STRONGLY_NOT_TAKEN };
        dynasm!(self.asm ; .arch x64 ; cmp BYTE [BYTE rax + offsets::near(ENTRY_STATE)], settled as i8 ; jne =>slow);
        if !taken {
            dynasm!(self.asm ; .arch x64
                ; inc QWORD [rbp + offsets::HITS]
                ; inc QWORD [rbp + offsets::HITS_NOT_TAKEN]
            );
        }
        dynasm!(self.asm ; .arch x64 ; =>foreseen);
    }

    /// Emits code that loads RAX with the host address of the buffer's entry at which a branch in
    /// the place of `from` was last found (`branch_places.rs`).
    pub fn likely_entry(&mut self, from: u32) {
        dynasm!(self.asm ; .arch x64
            ; movzx eax, WORD [rbp + place(from)]
            ; add rax, [BYTE rbp + offsets::near(offsets::BRANCH_TARGETS)]
        );
    }

    /// Emits a jump to the region's block at `eip` for the state `carried` of pipes and x87; if
    /// there is none, the exit of the region. `following`: the block whose code comes next.
    pub fn go_to(&mut self, eip: u32, carried: u32, following: usize) {
        match self.region.find(eip, carried) {
            Some(number) if number == following && carried == self.in_line[number] => {}
            Some(number) => {
                let label = self.way_to(number, carried);
                dynasm!(self.asm ; .arch x64 ; jmp =>label);
            }
            None => self.exit_to(eip, carried),
        }
    }

    /// Emits the push of CALL's return address, and adds the call's clocks and counts.
    fn push_return(&mut self, item: &Item, op: *const Op, resolve: Resolve) {
        let counts = Counts { stores: 1, ..branch(item, true).counts };
        let own = Done { counts, ..branch(item, true) };
        let after = item.end();
        dynasm!(self.asm ; .arch x64 ; lea eax, [Rq(ESP) - 4]);
        self.reach(item, op, 4, Access::Store, own, Some(resolve));
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rdx + rax], after as i32
            ; mov Rd(ESP), eax
        );
        self.done.add(own);
    }

    fn return_(&mut self, item: &Item, op: *const Op) {
        let counts = Counts { loads: 1, ..branch(item, true).counts };
        let own = Done { counts, ..branch(item, true) };
        let moved = item.op().immediate.wrapping_add(4) as i32;
        dynasm!(self.asm ; .arch x64 ; mov eax, Rd(ESP));
        let resolve = self.resolve(item, true, None);
        self.reach(item, op, 4, Access::Load, own, Some(resolve));
        dynasm!(self.asm ; .arch x64
            ; mov ecx, [rdx + rax]
        );
        self.check_loaded_target();
        dynasm!(self.asm ; .arch x64
            ; lea Rd(ESP), [Rq(ESP) + moved]
        );
        self.done.add(own);
        self.settle();
        self.note_transfer(TransferKind::Return, item, None, Stack::Below(moved));
        self.look_up(resolve);
        self.go_to_ecx(item.after);
    }

    fn indirect(&mut self, item: &Item, op: *const Op, call: bool) {
        let target = host(item.op().a);
        self.check_target(item, target);
        let resolve = self.resolve(item, true, None);
        if call {
            self.push_return(item, op, resolve);
        } else {
            self.done.add(branch(item, true));
        }
        self.settle();
        dynasm!(self.asm ; .arch x64 ; mov ecx, Rd(target));
        self.note_transfer(kind(call), item, None, Stack::Here);
        self.look_up(resolve);
        self.go_to_ecx(item.after);
    }

    /// Emits an indirect branch through memory. If the interpreter must do a call's second access,
    /// it repeats the first; no event in between changes the result.
    fn indirect_by_memory(&mut self, item: &Item, op: *const Op, call: bool) {
        let resolve = self.resolve(item, true, None);
        let mut own = branch(item, true);
        own.counts.loads = 1;
        self.address(item.op());
        if call {
            self.reach(item, op, 4, Access::Load, branch(item, true), Some(resolve));
            dynasm!(self.asm ; .arch x64 ; mov ecx, [rdx + rax] ; mov [rbp + offsets::HELD], ecx);
            self.check_loaded_target();
            self.push_return(item, op, resolve);
            self.done.counts.loads += 1;
            dynasm!(self.asm ; .arch x64 ; mov ecx, [rbp + offsets::HELD]);
        } else {
            self.reach(item, op, 4, Access::Load, own, Some(resolve));
            dynasm!(self.asm ; .arch x64 ; mov ecx, [rdx + rax]);
            self.check_loaded_target();
            self.done.add(own);
        }
        self.settle();
        self.note_transfer(kind(call), item, None, Stack::Here);
        self.look_up(resolve);
        self.go_to_ecx(item.after);
    }

    /// Emits a jump to the translated code for the guest address in ECX, which it finds in the
    /// table of indirect targets; an exit (`LINK`, not to be joined) if it is not there.
    pub fn go_to_ecx(&mut self, carried: u32) {
        let key = key(self.user, carried);
        let miss = self.label();
        let spread = spread(carried) as i32;
        dynasm!(self.asm ; .arch x64
            ; mov [rbp + offsets::EIP], ecx
            ; mov eax, ecx
            ; xor eax, spread
            ; and eax, TARGETS as i32 - 1
            ; shl eax, 4
            ; add rax, [rbp + offsets::TARGETS]
            ; mov rdx, QWORD key as i64
            ; or rcx, rdx
            ; cmp [rax], rcx
            ; jne =>miss
            ; jmp QWORD [BYTE rax + ENTRY]
            ; =>miss
        );
        self.unload(carried);
        dynasm!(self.asm ; .arch x64
            ; mov QWORD [rbp + offsets::EXIT], 0
            ; mov DWORD [rbp + offsets::CARRIED], carried as i32
            ; mov eax, crate::translator::x64::stubs::enter_leave::LINK
            ; jmp QWORD [BYTE rbp + offsets::near(offsets::LEAVE)]
        );
    }
}

fn kind(call: bool) -> TransferKind {
    if call { TransferKind::Call } else { TransferKind::Jump }
}

pub(crate) fn branch(item: &Item, taken: bool) -> Done {
    let mut own = own(item, None);
    own.counts.branches = 1;
    own.counts.taken = u64::from(taken);
    own
}
