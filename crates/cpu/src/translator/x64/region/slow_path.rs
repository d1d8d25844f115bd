//! The slow paths of a region: for a line, page or branch that is not as predicted, and for an
//! instruction that the interpreter executes (for accesses: `../memory/slow_access.rs`); and the
//! exits of the region.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::emit::Emitter;
use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::translator::regions::collect::Item;
use crate::translator::regions::indirect_targets::{CARRIED_SHIFT, UPPER};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::memory::slow_access::ColdAccess;
use crate::translator::x64::memory::transactions::Resumption;
use crate::translator::x64::stubs::callbacks::TAKEN;
use crate::translator::x64::stubs::enter_leave::{AGAIN, INTERPRET, LINK, STOPPED};
use crate::translator_frame::packed_counts::Packed;

/// The states of pipes and x87 before and after an instruction, as numbers in `Carries`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CarriedNumbers {
    pub before: u32,
    pub after: u32,
}

impl CarriedNumbers {
    pub fn of(item: &Item) -> CarriedNumbers {
        CarriedNumbers { before: item.before, after: item.after }
    }
}

/// A piece of code that is executed rarely and therefore emitted after the region's blocks.
pub(crate) enum Cold {
    Out(Out),
    Access(Box<ColdAccess>),
    /// The search for a branch that may not have been predicted.
    Resolve(Resolve),
    /// A line that was not the last one looked up in its set of L1I, or whose page was not the last
    /// one in its set of the ITLB.
    Fetch {
        label: DynamicLabel,
        go: DynamicLabel,
        before: Before,
        linear: u32,
        version: u32,
    },
    /// A block whose line had to be fetched with a loss of time, so that the pipes emptied: it
    /// continues as a block for that state.
    Gap {
        label: DynamicLabel,
        eip: u32,
        carried: u32,
    },
    /// A block that begins close to the deadline or to the end of the stay: it runs if its known
    /// length is short enough; otherwise the stay ends, or another one begins.
    Late {
        label: DynamicLabel,
        go: DynamicLabel,
        before: Before,
        longest: Option<i32>,
    },
    /// The exit to the interpreter of a block that is reached from elsewhere and may not begin. The
    /// state of the pipes is that of the `Target` in `HostFrame::came_by`.
    Unbegun {
        label: DynamicLabel,
        eip: u32,
        carried: u32,
    },
    /// The resumption of an instruction that the interpreter began and did not finish.
    Resumption {
        op: *const Op,
        labels: Resumption,
    },
    /// Execution leaves the region for guest address `eip`, at which other translated code may
    /// begin.
    Exit {
        slot: usize,
        eip: u32,
        carried: u32,
    },
}

impl Cold {
    fn is_often_executed(&self) -> bool {
        matches!(self, Cold::Access(_) | Cold::Resolve(_) | Cold::Fetch { .. })
    }
}

/// Where execution continues if a block cannot begin.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    /// The label of the exit out of the region.
    pub out: DynamicLabel,
    /// The label of the code for a fetch that took time; `None` if the state of the pipes after one
    /// is unknown.
    pub gap: Option<DynamicLabel>,
    /// True if RAX holds the address of the `Target` by which the block is reached, or 0.
    pub came_by: bool,
}

/// An exit of the region, to the interpreter or to be entered again.
pub(crate) struct Out {
    pub label: DynamicLabel,
    /// The guest address at which the interpreter continues; `None`: it is in the core's EIP
    /// already.
    pub eip: Option<u32>,
    /// The state of pipes and x87 at the exit, as a number in `Carries`.
    pub carried: u32,
    /// Counts that the exit must still add to the core's.
    pub counts: Packed,
    /// The reason for leaving, as EAX returns it: `STOPPED`, `INTERPRET` or `AGAIN`.
    pub how: i32,
}

/// The data of a branch for the branch target buffer; `from`: its guest address, `how`: flags as
/// for `resolve` in `callbacks.rs`.
#[derive(Clone, Copy)]
pub(crate) struct Resolve {
    pub label: DynamicLabel,
    /// The label at which execution continues if the branch was predicted correctly.
    pub rejoin: DynamicLabel,
    pub from: u32,
    pub how: u32,
    /// The guest address of the branch's target; `None`: it is in EIP and ECX.
    pub to: Option<u32>,
    /// The state of pipes and x87 if the branch was mispredicted, as a number in `Carries`.
    pub drained: u32,
}

impl Emitter<'_> {
    /// Emits all slow paths, and after them those that they need. Frequently executed ones are
    /// placed together, so that they take few cache lines of the host.
    pub fn cold_code(&mut self, core: &Core) {
        let (often, seldom): (Vec<_>, _) =
            std::mem::take(&mut self.cold).into_iter().partition(Cold::is_often_executed);
        self.cold = seldom;
        for cold in often {
            match cold {
                Cold::Access(access) => self.ask_ahead(access),
                other => self.emit_cold(other),
            }
        }
        self.asm.begin_seldom();
        loop {
            if let Some(cold) = self.cold.pop() {
                self.emit_cold(cold);
            } else if let Some(way) = self.ways.pop() {
                self.way(core, &way);
            } else {
                break;
            }
        }
        self.leave();
    }

    fn emit_cold(&mut self, cold: Cold) {
        match cold {
            Cold::Out(out) => self.cold_out(&out),
            Cold::Exit { slot, eip, carried } => self.cold_exit(slot, eip, carried),
            Cold::Access(access) => self.cold_access(&access),
            Cold::Resolve(resolve) => self.cold_resolve(&resolve),
            Cold::Unbegun { label, eip, carried } => self.cold_unbegun(label, eip, carried),
            Cold::Resumption { op, labels } => {
                self.resumption(op as i64, labels, Packed::default());
            }
            Cold::Fetch { label, go, before, linear, version } => {
                self.cold_fetch(label, go, before, linear, version);
            }
            Cold::Gap { label, eip, carried } => {
                dynasm!(self.asm ; .arch x64 ; =>label);
                self.go_to(eip, carried, usize::MAX);
            }
            Cold::Late { label, go, before, longest } => {
                self.cold_late(label, go, before, longest);
            }
        }
    }

    fn cold_late(
        &mut self,
        label: DynamicLabel,
        go: DynamicLabel,
        before: Before,
        longest: Option<i32>,
    ) {
        let out = before.out;
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.note_came_by(before);
        if let Some(clocks) = longest {
            dynasm!(self.asm ; .arch x64
                ; lea rcx, [rbx + clocks]
                ; cmp rcx, [rbp + offsets::END]
                ; jb =>go
            );
        }
        self.asm.call(self.stubs.stay);
        self.restore_came_by(before);
        dynasm!(self.asm ; .arch x64 ; jnz =>go ; jmp =>out);
    }

    /// Emits the store of RAX in `HostFrame::came_by` on the way into a block from elsewhere.
    fn note_came_by(&mut self, before: Before) {
        if before.came_by {
            dynasm!(self.asm ; .arch x64 ; mov [rbp + offsets::CAME_BY], rax);
        }
    }

    /// Emits the load of RAX that undoes the changes since [`Emitter::note_came_by`]; keeps flags.
    fn restore_came_by(&mut self, before: Before) {
        if before.came_by {
            dynasm!(self.asm ; .arch x64 ; mov rax, [rbp + offsets::CAME_BY]);
        }
    }

    /// Emits the two ways out of the region that all its instructions share: to the interpreter;
    /// and `AGAIN`, or instead to the code at `HostFrame::onward`, if there is any and a block may
    /// begin.
    fn leave(&mut self) {
        let (interpret, again) = (self.leave_interpret, self.leave_again);
        dynasm!(self.asm ; .arch x64
            ; =>interpret
            ; mov eax, INTERPRET
            ; jmp QWORD [BYTE rbp + offsets::near(offsets::LEAVE)]
            ; =>again
            ; mov rcx, [rbp + offsets::ONWARD]
            ; test rcx, rcx
            ; jz >unknown
            ; cmp rbx, [rbp + offsets::LIMIT]
            ; jae >unknown
            ; xor eax, eax
            ; jmp rcx
            ; unknown:
            ; mov eax, AGAIN
            ; jmp QWORD [BYTE rbp + offsets::near(offsets::LEAVE)]
        );
    }

    fn cold_fetch(
        &mut self,
        label: DynamicLabel,
        go: DynamicLabel,
        before: Before,
        linear: u32,
        version: u32,
    ) {
        let Before { out, gap, .. } = before;
        let stub = self.stubs.fetch[usize::from(gap.is_some())];
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.note_came_by(before);
        dynasm!(self.asm ; .arch x64
            ; mov esi, linear as i32
            ; mov edx, version as i32
        );
        self.asm.call(stub);
        if let Some(gap) = gap {
            dynasm!(self.asm ; .arch x64 ; jc =>gap);
        }
        self.restore_came_by(before);
        dynasm!(self.asm ; .arch x64 ; jnz =>go ; jmp =>out);
    }

    pub fn cold_out(&mut self, out: &Out) {
        let label = out.label;
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.add_counts(out.counts);
        if out.how == INTERPRET {
            self.unload(out.carried);
        }
        if let Some(eip) = out.eip {
            dynasm!(self.asm ; .arch x64 ; mov DWORD [rbp + offsets::EIP], eip as i32);
        }
        if out.how != AGAIN {
            // In the other case the interpreter's step has stored the state.
            dynasm!(self.asm ; .arch x64 ; mov DWORD [rbp + offsets::CARRIED], out.carried as i32);
        }
        match out.how {
            STOPPED => {
                dynasm!(self.asm ; .arch x64 ; xor eax, eax ; jmp QWORD [BYTE rbp + offsets::near(offsets::LEAVE)])
            }
            INTERPRET => dynasm!(self.asm ; .arch x64 ; jmp =>self.leave_interpret),
            _ => dynasm!(self.asm ; .arch x64 ; jmp =>self.leave_again),
        }
    }

    fn cold_unbegun(&mut self, label: DynamicLabel, eip: u32, carried: u32) {
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.unload(carried);
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rbp + offsets::EIP], eip as i32
            ; mov rax, [rbp + offsets::CAME_BY]
            ; test rax, rax
            ; jz =>self.leave_interpret
            ; mov eax, [BYTE rax + UPPER]
            ; shr eax, CARRIED_SHIFT
            ; mov [rbp + offsets::CARRIED], eax
            ; jmp =>self.leave_interpret
        );
    }

    /// Emits the call of the stub for a branch; RAX is as `likely_entry` sets it. Adds the clocks
    /// of a misprediction; the zero flag is set if there are none.
    pub fn call_resolve(&mut self, resolve: &Resolve) {
        dynasm!(self.asm ; .arch x64
            ; mov ecx, resolve.how as i32
            ; mov edx, resolve.from as i32
        );
        self.asm.call(self.stubs.resolve);
        dynasm!(self.asm ; .arch x64
            ; test eax, eax
            ; lea rbx, [rbx + rax]
        );
    }

    fn cold_resolve(&mut self, resolve: &Resolve) {
        let (label, rejoin) = (resolve.label, resolve.rejoin);
        dynasm!(self.asm ; .arch x64 ; =>label);
        if resolve.how & TAKEN != 0 {
            // The taken branch was counted as a hit in advance.
            dynasm!(self.asm ; .arch x64 ; dec QWORD [rbp + offsets::HITS]);
        }
        if let Some(to) = resolve.to {
            dynasm!(self.asm ; .arch x64 ; mov DWORD [rbp + offsets::EIP], to as i32);
        }
        self.call_resolve(resolve);
        if resolve.to.is_none() {
            dynasm!(self.asm ; .arch x64 ; mov ecx, [rbp + offsets::EIP]);
        }
        dynasm!(self.asm ; .arch x64 ; jz =>rejoin);
        match resolve.to {
            Some(to) => self.exit_to(to, resolve.drained),
            None => self.go_to_ecx(resolve.drained),
        }
    }

    fn cold_exit(&mut self, slot: usize, eip: u32, carried: u32) {
        let label = self.exit_labels[slot];
        let address = std::ptr::from_ref(&self.exits[slot]) as i64;
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.unload(carried);
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rbp + offsets::EIP], eip as i32
            ; mov DWORD [rbp + offsets::CARRIED], carried as i32
            ; mov rax, QWORD address
            ; mov [rbp + offsets::EXIT], rax
            ; mov eax, LINK
            ; jmp QWORD [BYTE rbp + offsets::near(offsets::LEAVE)]
        );
    }
}
