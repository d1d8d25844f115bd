//! The code beside the straight path: where a line, a page or a branch is not what it was, where an
//! instruction is for the interpreter, and the ways out of the region.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use iced_x86::Code;

use super::calls::{AS_EXPECTED, TAKEN};
use super::counts::Packed;
use super::emit::{Done, Emitter};
use super::floating::{Recorded, Unloading};
use super::moved::Moved;
use super::skewed::Skewed;
use super::stubs::{AGAIN, INTERPRET, LINK, STOPPED, at};
use super::tally::Called;
use super::waiting::Sent;
use crate::op::Op;
use crate::translator::floating::Floating;
use crate::translator::reach::Access;
use crate::translator::step::BranchMemo;

/// Code beside the straight path.
pub(super) enum Cold {
    Out(Out),
    Access(Box<ColdAccess>),
    /// A branch that may not have been foreseen.
    Resolve(Resolve),
    /// A line was not the one looked up last in its set of L1I, or its page in its set of the ITLB.
    Fetch {
        label: DynamicLabel,
        go: DynamicLabel,
        before: Before,
        linear: u32,
        version: u32,
    },
    /// A block begins after a gap in fetching.
    Gap {
        label: DynamicLabel,
        eip: u32,
        carried: u32,
    },
    /// A block begins late: it is short enough, if it is known what it takes at most, or the stay
    /// ends, or another begins.
    Late {
        label: DynamicLabel,
        go: DynamicLabel,
        out: DynamicLabel,
        longest: Option<i32>,
    },
    /// The interpreter's step did not finish: where it goes on when it has.
    Resumption {
        op: *const Op,
        labels: (DynamicLabel, DynamicLabel, DynamicLabel),
    },
    /// Out of the region by a direct branch.
    Exit {
        slot: usize,
        eip: u32,
        carried: u32,
    },
}

/// The ways on where a block does not begin.
#[derive(Clone, Copy)]
pub(super) struct Before {
    /// Out of the region.
    pub out: DynamicLabel,
    /// To what follows a gap in fetching, if that is known.
    pub gap: Option<DynamicLabel>,
}

/// A way out of the region.
pub(super) struct Out {
    pub label: DynamicLabel,
    /// Where the interpreter goes on; `None`: the core has it.
    pub eip: Option<u32>,
    /// What the pipes hold there.
    pub carried: u32,
    /// Counts that are still to be added.
    pub counts: Packed,
    /// `STOPPED`, `INTERPRET` or `AGAIN`.
    pub how: i32,
}

/// A branch, for the branch target buffer.
#[derive(Clone, Copy)]
pub(super) struct Resolve {
    pub label: DynamicLabel,
    /// Where it goes on if it was foreseen.
    pub rejoin: DynamicLabel,
    pub from: u32,
    pub how: u32,
    pub memo: *const BranchMemo,
    /// Where it went; `None`: where EIP and ECX say.
    pub to: Option<u32>,
    /// What the pipes hold if it was not foreseen.
    pub drained: u32,
}

/// An access whose line is not known: L1D and L2 look, or else the interpreter does the
/// instruction.
pub(super) struct ColdAccess {
    pub label: DynamicLabel,
    /// Its line is there, but it is for the interpreter.
    pub interpreter: DynamicLabel,
    /// It loads a control word with another precision than the block was translated for, or with
    /// exceptions unmasked. What follows then, by precision.
    pub other_control: DynamicLabel,
    pub precisions: Option<[u32; 3]>,
    /// The access, its size, and where the straight path goes on once its line is known; `None`:
    /// it is for the interpreter for another reason.
    pub reach: Option<(Access, usize, DynamicLabel)>,
    /// Where the straight path goes on; `None`: the block ends here.
    pub rejoin: Option<DynamicLabel>,
    /// The branch that it is, if the block ends here.
    pub branch: Option<Resolve>,
    pub eip: u32,
    pub op: *const Op,
    pub code: Code,
    /// Done by the block before this instruction, and what the block counts for it.
    pub before: Done,
    pub own: Done,
    /// What the pipes hold before and after it.
    pub carried: (u32, u32),
    /// L2 may serve it beside the straight path; what then becomes of the x87.
    pub refills: bool,
    pub late: Option<Late>,
    /// The x87 is known, and may be another behind the interpreter's way.
    pub x87: bool,
    /// The x87 to be put into the core before, and to be loaded after it.
    pub unload: Option<Unloading>,
    pub load_after: Option<Floating>,
    /// It is no more than a store that may be sent.
    pub sends: Option<Sent>,
    /// An operand of the x87 that may not be aligned.
    pub skewed: Option<Skewed>,
    /// An integer whose penalty, if it is not aligned, changes nothing else (`misaligned.rs`).
    pub may_be_misaligned: bool,
    /// It is a load that may wait for its line and then look for it again.
    pub fetches: bool,
    /// What follows the instruction.
    pub end: u32,
    /// The instruction uses or sets flags; the straight path goes on with them in the host's.
    pub uses_flags: bool,
    pub sets_flags: bool,
}

/// An access that L2 has served while something was in progress in the x87.
pub(super) struct Late {
    /// Where execution goes on, and what the pipes and the x87 then hold: served once, twice.
    pub eip: u32,
    pub carried: [u32; 2],
    /// It is a store, which is done first.
    pub stores: Option<Stored>,
    /// The first of a pair notes its bank.
    pub notes_bank: bool,
    pub recorded: Option<Recorded>,
}

pub(super) enum Stored {
    /// By the x87, with its precision control.
    X87(Op, u16),
    Moved(Moved),
}

impl Emitter<'_> {
    /// All of it; what it needs comes behind it.
    pub fn cold_code(&mut self) {
        while let Some(cold) = self.cold.pop() {
            match cold {
                Cold::Out(out) => self.cold_out(&out),
                Cold::Exit { slot, eip, carried } => self.cold_exit(slot, eip, carried),
                Cold::Access(access) => self.cold_access(&access),
                Cold::Resolve(resolve) => self.cold_resolve(&resolve),
                Cold::Resumption { op, labels } => {
                    self.resumption(op as i64, labels, Packed::default());
                }
                Cold::Fetch { label, go, before, linear, version } => {
                    self.cold_fetch(label, go, before, (linear, version));
                }
                Cold::Gap { label, eip, carried } => {
                    dynasm!(self.asm ; .arch x64 ; =>label);
                    self.go_to(eip, carried, usize::MAX);
                }
                Cold::Late { label, go, out, longest } => {
                    let stub = self.stubs.stay as i64;
                    dynasm!(self.asm ; .arch x64 ; =>label);
                    if let Some(clocks) = longest {
                        dynasm!(self.asm ; .arch x64
                            ; lea rax, [rbx + clocks]
                            ; cmp rax, [rbp + at::END]
                            ; jb =>go
                        );
                    }
                    dynasm!(self.asm ; .arch x64
                        ; mov rax, QWORD stub
                        ; call rax
                        ; jnz =>go
                        ; jmp =>out
                    );
                }
            }
        }
        let (interpret, again) = (self.leave_interpret, self.leave_again);
        dynasm!(self.asm ; .arch x64
            ; =>interpret
            ; mov eax, INTERPRET
            ; jmp QWORD [rbp + at::LEAVE]
            ; =>again
            ; mov rax, [rbp + at::ONWARD]
            ; test rax, rax
            ; jz >unknown
            ; cmp rbx, [rbp + at::LIMIT]
            ; jae >unknown
            ; jmp rax
            ; unknown:
            ; mov eax, AGAIN
            ; jmp QWORD [rbp + at::LEAVE]
        );
    }

    fn cold_fetch(
        &mut self,
        label: DynamicLabel,
        go: DynamicLabel,
        Before { out, gap }: Before,
        (linear, version): (u32, u32),
    ) {
        let stub = self.stubs.fetch[usize::from(gap.is_some())] as i64;
        dynasm!(self.asm ; .arch x64
            ; =>label
            ; mov esi, linear as i32
            ; mov edx, version as i32
            ; mov rax, QWORD stub
            ; call rax
        );
        if let Some(gap) = gap {
            dynasm!(self.asm ; .arch x64 ; jc =>gap);
        }
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
            dynasm!(self.asm ; .arch x64 ; mov DWORD [rbp + at::EIP], eip as i32);
        }
        if out.how != AGAIN {
            // Otherwise the interpreter's step has put it there.
            dynasm!(self.asm ; .arch x64 ; mov DWORD [rbp + at::CARRIED], out.carried as i32);
        }
        match out.how {
            STOPPED => dynasm!(self.asm ; .arch x64 ; xor eax, eax ; jmp QWORD [rbp + at::LEAVE]),
            INTERPRET => dynasm!(self.asm ; .arch x64 ; jmp =>self.leave_interpret),
            _ => dynasm!(self.asm ; .arch x64 ; jmp =>self.leave_again),
        }
    }

    fn call_resolve(&mut self, resolve: &Resolve) {
        dynasm!(self.asm ; .arch x64
            ; mov ecx, resolve.how as i32
            ; mov rdx, QWORD resolve.memo as i64
            ; call QWORD [rbp + at::RESOLVE]
            ; test eax, eax
            ; lea rbx, [rbx + rax]
        );
    }

    fn cold_resolve(&mut self, resolve: &Resolve) {
        let (label, rejoin) = (resolve.label, resolve.rejoin);
        dynasm!(self.asm ; .arch x64 ; =>label);
        if resolve.how & TAKEN != 0 {
            // It was counted as a hit with the branches taken.
            dynasm!(self.asm ; .arch x64 ; dec QWORD [rbp + at::HITS]);
        }
        if let Some(to) = resolve.to {
            dynasm!(self.asm ; .arch x64 ; mov DWORD [rbp + at::EIP], to as i32);
        }
        self.call_resolve(resolve);
        if resolve.to.is_none() {
            dynasm!(self.asm ; .arch x64 ; mov ecx, [rbp + at::EIP]);
        }
        dynasm!(self.asm ; .arch x64 ; jz =>rejoin);
        match resolve.to {
            Some(to) => self.exit_to(to, resolve.drained),
            None => self.go_to_ecx(resolve.drained),
        }
    }

    /// The interpreter has executed a branch; it is not yet looked up.
    fn cold_branch(&mut self, branch: &Resolve, after: &Out) {
        let again = after.how == AGAIN;
        let leave = if again { self.leave_again } else { self.leave_interpret };
        let label = after.label;
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.add_counts(after.counts);
        self.call_resolve(branch);
        dynasm!(self.asm ; .arch x64
            ; mov QWORD [rbp + at::ONWARD], 0
            ; mov DWORD [rbp + at::CARRIED], after.carried as i32
            ; jz =>leave
            ; mov DWORD [rbp + at::CARRIED], branch.drained as i32
            ; jmp =>leave
        );
    }

    fn cold_exit(&mut self, slot: usize, eip: u32, carried: u32) {
        let label = self.exit_labels[slot];
        let address = std::ptr::from_ref(&self.exits[slot]) as i64;
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.unload(carried);
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rbp + at::EIP], eip as i32
            ; mov DWORD [rbp + at::CARRIED], carried as i32
            ; mov rax, QWORD address
            ; mov [rbp + at::EXIT], rax
            ; mov eax, LINK
            ; jmp QWORD [rbp + at::LEAVE]
        );
    }

    /// EAX: the linear address. The interpreter counts accesses and branches, the block
    /// instructions.
    fn cold_access(&mut self, access: &ColdAccess) {
        let (before, own) = (access.before, access.own);
        let stub = if access.uses_flags { self.stubs.step_flags } else { self.stubs.step };
        let out = |label, carried, counts, how| Out { label, eip: None, carried, counts, how };
        let finishes = if access.x87 { AGAIN } else { INTERPRET };
        let (label, stopped, finished) = (access.label, self.label(), self.label());
        let (waits, done) = (self.label(), self.label());
        dynasm!(self.asm ; .arch x64 ; =>label);
        match access.reach {
            Some((kind, size, reached)) => {
                match &access.skewed {
                    Some(skewed) => self.skewed_access(access, skewed, kind, reached),
                    None if access.refills => {
                        self.refill(access, kind, size, reached);
                    }
                    None => self.reach_at_once(kind, size, reached),
                }
                if let Some(sent) = &access.sends {
                    self.send(access, sent);
                }
                if let Some(precisions) = &access.precisions {
                    dynasm!(self.asm ; .arch x64 ; jmp =>access.interpreter);
                    self.load_other_control(access, precisions);
                }
                dynasm!(self.asm ; .arch x64 ; =>access.interpreter);
                self.tally(Called::Missed, access.code);
                dynasm!(self.asm ; .arch x64 ; mov ecx, eax);
            }
            None => {
                self.tally(Called::Stepped, access.code);
                dynasm!(self.asm ; .arch x64 ; mov rcx, -1);
            }
        }
        if let Some(unloading) = &access.unload {
            self.put_x87(unloading);
        }
        self.expect(access.x87, access.carried);
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rbp + at::EIP], access.eip as i32
            ; mov rdx, QWORD access.op as i64
            ; lea rbx, [rbx + before.clocks as i32]
            ; mov rax, QWORD stub as i64
            ; call rax
            ; test eax, eax
            ; jz =>waits
            ; =>done
        );
        let stepped = own.counts.stepped().packed();
        let counted = before.counts.packed();
        let after = out(finished, access.carried.1, counted.plus(stepped), finishes);
        if access.x87 && access.rejoin.is_some() {
            dynasm!(self.asm ; .arch x64 ; cmp eax, AS_EXPECTED ; jne =>finished);
        }
        if let Some(rejoin) = access.rejoin {
            let clocks = (before.clocks + own.clocks) as i32;
            dynasm!(self.asm ; .arch x64
                ; cmp rbx, [rbp + at::LIMIT]
                ; jae =>finished
                ; lea rbx, [rbx - clocks]
            );
            self.add_counts(own.counts.packed().negative().plus(stepped));
            if let Some(x87) = access.load_after {
                self.load_x87(x87.top);
            }
            if access.sets_flags {
                self.load_flags();
            }
            dynasm!(self.asm ; .arch x64 ; jmp =>rejoin);
        }
        match &access.branch {
            Some(branch) => self.cold_branch(branch, &after),
            None => self.cold_out(&after),
        }
        self.resumption(access.op as i64, (waits, stopped, done), counted);
        self.cold_out(&out(stopped, access.carried.0, counted, STOPPED));
    }
}
