//! The slow path of an access: a stub finds the bytes, or the interpreter executes the instruction;
//! then the way back into the fast path.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use iced_x86::Code;

use super::transactions::Sent;
use crate::execute::op::Op;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::x87_state::Floating;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::integer::mov_push::Moved;
use crate::translator::x64::region::emit::{Done, Emitter};
use crate::translator::x64::region::slow_path::{Cold, Out, Resolve};
use crate::translator::x64::stubs::callbacks::{
    AS_EXPECTED, MAY_BE_MISALIGNED, MAY_WAIT, SETTLES, WAITS_HERE, flag,
};
use crate::translator::x64::stubs::enter_leave::{AGAIN, INTERPRET, STOPPED};
use crate::translator::x64::stubs::profile_counts::Called;
use crate::translator::x64::x87::misaligned::Skewed;
use crate::translator::x64::x87::ops::{Recorded, Unloading};
use crate::translator::x64::x87::posted::Posted;

/// An access whose line is not open: L1D and L2 are looked up, or the interpreter executes the
/// instruction.
pub(crate) struct ColdAccess {
    pub label: DynamicLabel,
    /// Label for an access that the interpreter must do although its line is there.
    pub interpreter: DynamicLabel,
    /// `Some` if the stub is called from the region's more frequent code.
    pub asked: Option<Asked>,
    /// Label for a load of a control word with another precision than the block was translated for,
    /// or with unmasked exceptions; and the states after it, by precision.
    pub other_control: DynamicLabel,
    pub precisions: Option<[u32; 3]>,
    /// The access, its size, and the label of the fast path once its line is known. `None`: the
    /// interpreter must do it for another reason.
    pub reach: Option<(Access, usize, DynamicLabel)>,
    /// The label at which the fast path continues; `None`: the block ends here.
    pub rejoin: Option<DynamicLabel>,
    /// The branch of this access, if the block ends here.
    pub branch: Option<Resolve>,
    pub eip: u32,
    pub op: *const Op,
    pub code: Code,
    /// Clocks and counts of the block before this instruction, and those of the instruction.
    pub before: Done,
    pub own: Done,
    /// Clocks that an x87 store waits for its value after that.
    pub waits: u64,
    /// The states of the pipes before and after it, by number.
    pub carried: (u32, u32),
    /// True if L2 may serve the access in the slow path; `late`: the continuation with the x87's
    /// state then.
    pub refills: bool,
    pub late: Option<Late>,
    /// True if the state of the x87 is known, and may be another one after the interpreter's way.
    pub x87: bool,
    /// The x87 state to move into the core before the instruction, and to load after it.
    pub unload: Option<Unloading>,
    pub load_after: Option<Floating>,
    /// `Some` for a store from the x87 that may be posted.
    pub posts: Option<Posted>,
    /// `Some` for an instruction that only performs a store that may be sent.
    pub sends: Option<Sent>,
    /// `Some` for an x87 operand that may be misaligned.
    pub skewed: Option<Skewed>,
    /// True for an integer whose misalignment penalty has no other effect (`misaligned.rs`).
    pub may_be_misaligned: bool,
    /// True for a load that may wait for its line and then look for it again.
    pub fetches: bool,
    /// The address of the next instruction.
    pub end: u32,
    /// True if the instruction uses, or sets, flags; the fast path continues with them in the
    /// host's.
    pub uses_flags: bool,
    pub sets_flags: bool,
}

/// A call of the stub for an access's place.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    /// The label of the call, and the label at which execution continues if the place is not found.
    pub again: DynamicLabel,
    pub unknown: DynamicLabel,
}

impl ColdAccess {
    /// True if the access waits for its line and then continues.
    pub fn stops(&self) -> bool {
        self.fetches && self.late.is_none()
    }

    /// The value of `HostFrame::how`.
    pub fn how(&self, size: usize) -> i32 {
        let may = flag(MAY_WAIT, self.late.is_none()) | flag(WAITS_HERE, self.stops());
        let may = may | flag(MAY_BE_MISALIGNED, self.may_be_misaligned);
        let may = may | flag(SETTLES, self.late.as_ref().is_some_and(|late| late.settles));
        (((size as u32 - 1) | may) << 16) as i32 | (self.before.clocks + self.waits) as i32
    }

    /// True if L2 may serve the access, whatever the state of the x87.
    fn is_ordinary(&self) -> bool {
        self.refills && self.late.is_none() && self.skewed.is_none()
    }
}

/// The continuation of an access that L2 has served while an x87 instruction was in progress.
pub(crate) struct Late {
    /// The address at which execution continues, and the states of pipes and x87 then: after one
    /// access to L2, after two.
    pub eip: u32,
    pub carried: [u32; 2],
    /// The store that is done first, if it is one.
    pub stores: Option<Stored>,
    /// True if the first of a pair records its bank.
    pub notes_bank: bool,
    pub recorded: Option<Recorded>,
    /// True for a load such that no x87 instruction is in progress after one access to L2.
    pub settles: bool,
}

pub(crate) enum Stored {
    /// A store by the x87, with its precision control.
    X87(Op, u16),
    Moved(Moved),
}

impl Emitter<'_> {
    /// Emits the call of the stub for an ordinary access near the fast path; the rest of its slow
    /// path is executed rarely.
    pub fn ask_ahead(&mut self, mut access: Box<ColdAccess>) {
        if let Some((kind, size, reached)) = access.reach
            && access.is_ordinary()
        {
            let label = access.label;
            dynasm!(self.asm ; .arch x64 ; =>label);
            access.asked = Some(self.ask_for_place(&access, kind, size, reached));
        }
        self.cold.push(Cold::Access(access));
    }

    /// Emits the way after the interpreter has executed a branch, which is not looked up yet.
    fn cold_branch(&mut self, branch: &Resolve, after: &Out) {
        let again = after.how == AGAIN;
        let leave = if again { self.leave_again } else { self.leave_interpret };
        let label = after.label;
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.add_counts(after.counts);
        self.likely_entry(branch.from);
        self.call_resolve(branch);
        dynasm!(self.asm ; .arch x64
            ; mov QWORD [rbp + offsets::ONWARD], 0
            ; mov DWORD [rbp + offsets::CARRIED], after.carried as i32
            ; jz =>leave
            ; mov DWORD [rbp + offsets::CARRIED], branch.drained as i32
            ; jmp =>leave
        );
    }

    /// Emits the slow path of an access; EAX is the linear address. The interpreter counts accesses
    /// and branches, the block counts instructions.
    #[expect(
        clippy::too_many_lines,
        reason = "one piece of host code, its ways out beside each other"
    )]
    pub fn cold_access(&mut self, access: &ColdAccess) {
        let (before, own) = (access.before, access.own);
        let stub = if access.uses_flags { self.stubs.step_flags } else { self.stubs.step };
        let out = |label, carried, counts, how| Out { label, eip: None, carried, counts, how };
        let finishes = if access.x87 { AGAIN } else { INTERPRET };
        let (stopped, finished) = (self.label(), self.label());
        let (waits, done) = (self.label(), self.label());
        if access.asked.is_none() {
            let label = access.label;
            dynasm!(self.asm ; .arch x64 ; =>label);
        }
        match access.reach {
            Some((kind, size, reached)) => {
                if access.posts.is_some() && access.asked.is_none() {
                    self.forget_beyond();
                }
                match (&access.skewed, access.asked) {
                    (_, Some(asked)) => self.after_reach(access, size, reached, asked),
                    (Some(skewed), _) => self.skewed_access(access, skewed, kind, reached),
                    _ if access.refills => {
                        self.refill(access, kind, size, reached);
                    }
                    _ => self.reach_at_once(kind, size, reached),
                }
                if let Some(posted) = &access.posts {
                    self.post_x87(access, posted);
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
            ; mov DWORD [rbp + offsets::EIP], access.eip as i32
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
                ; cmp rbx, [rbp + offsets::LIMIT]
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
