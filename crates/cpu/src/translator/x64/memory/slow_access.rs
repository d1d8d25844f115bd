//! The slow path of an access: a stub finds the bytes, or the interpreter executes the instruction;
//! then the fast path continues.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use iced_x86::Code;

use super::transactions::{Resumption, Sent};
use crate::execute::op::Op;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::x87_state::Floating;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::integer::mov_push::Moved;
use crate::translator::x64::region::emit::{Done, Emitter};
use crate::translator::x64::region::slow_path::{CarriedNumbers, Cold, Out, Resolve};
use crate::translator::x64::stubs::callbacks::{
    AS_EXPECTED, MAY_BE_MISALIGNED, MAY_WAIT, MUST_NOT_WALK, SETTLES, flag,
};
use crate::translator::x64::stubs::enter_leave::{AGAIN, INTERPRET, STOPPED};
use crate::translator::x64::stubs::profile_counts::Called;
use crate::translator::x64::x87::misaligned::Skewed;
use crate::translator::x64::x87::ops::{Recorded, Unloading};
use crate::translator::x64::x87::posted::Posted;

/// The slow path of an access whose line is not open: L1D and L2 are looked up, or the interpreter
/// executes the instruction.
pub(crate) struct ColdAccess {
    pub label: DynamicLabel,
    /// The label for an access that the interpreter must do although its line is in L1D.
    pub interpreter: DynamicLabel,
    /// The call of the stub, if it was emitted near the fast path; `None` if the slow path must
    /// emit it.
    pub asked: Option<Asked>,
    /// `other_control`: the label for FLDCW if it loads another precision than the block was
    /// translated for, or unmasks exceptions. `precisions`: the states after it, by precision.
    pub other_control: DynamicLabel,
    pub precisions: Option<[u32; 3]>,
    /// The access, its size in bytes, and the label of the fast path after the line has been found.
    /// `None`: the interpreter must do the access whatever the caches hold.
    pub reach: Option<(Access, usize, DynamicLabel)>,
    /// The label at which the fast path continues; `None` if the access ends its block.
    pub rejoin: Option<DynamicLabel>,
    /// The branch that uses this access, if it ends the block; otherwise `None`.
    pub branch: Option<Resolve>,
    pub eip: u32,
    pub op: *const Op,
    pub code: Code,
    /// Clocks and counts: of the block before this instruction, and of the instruction itself.
    pub before: Done,
    pub own: Done,
    /// Core clocks for which an x87 store waits for its value, in addition to `before`.
    pub waits: u64,
    pub carried: CarriedNumbers,
    /// `refills`: true if L2 may serve the access in the slow path. `late`: how to continue if x87
    /// instructions in progress have advanced meanwhile; `None` if that makes no difference.
    pub refills: bool,
    pub late: Option<Late>,
    /// True if an x87 instruction is in progress before this one.
    pub meets_pending: bool,
    /// True if the translator knows the x87's state before the instruction. Translated code then
    /// compares the state after the interpreter's step with the expected state, and leaves the
    /// region if they differ.
    pub x87: bool,
    /// `unload`: the x87 state to move into the core before the interpreter executes the
    /// instruction. `load_after`: the state to load into the host's x87 afterwards.
    pub unload: Option<Unloading>,
    pub load_after: Option<Floating>,
    /// The data of an x87 store that may be posted; `None` for other accesses.
    pub posts: Option<Posted>,
    /// The data of an instruction that only performs a store that may be sent; `None` for others.
    pub sends: Option<Sent>,
    /// The data of an x87 operand that may be misaligned; `None` for others.
    pub skewed: Option<Skewed>,
    /// True for an integer operand whose misalignment only adds a penalty (`misaligned.rs`).
    pub may_be_misaligned: bool,
    /// True for a load that may stop here to wait for its line, and then looks the line up again.
    pub fetches: bool,
    /// The guest's address of the instruction after this one.
    pub end: u32,
    /// `uses_flags`, `sets_flags`: true if the instruction uses, or sets, the arithmetic flags. The
    /// fast path continues with them in the host's flags.
    pub uses_flags: bool,
    pub sets_flags: bool,
}

/// The labels around a call of the stub that finds an access's bytes in the caches.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    /// `again`: the label of the call. `unknown`: the label at which execution continues if the
    /// stub does not find the bytes.
    pub again: DynamicLabel,
    pub unknown: DynamicLabel,
}

impl ColdAccess {
    /// True if the access may stop here to wait for its line, and then continues here.
    pub fn stops(&self) -> bool {
        self.fetches && self.late.is_none()
    }

    /// The value that this access, of `size` bytes, passes to the slow path in `HostFrame::how`.
    pub fn how(&self, size: usize) -> i32 {
        let may =
            flag(MAY_WAIT, self.late.is_none()) | flag(MAY_BE_MISALIGNED, self.may_be_misaligned);
        let may = may | flag(SETTLES, self.late.as_ref().is_some_and(|late| late.settles));
        let may = may | flag(MUST_NOT_WALK, self.meets_pending);
        (((size as u32 - 1) | may) << 16) as i32 | (self.before.clocks + self.waits) as i32
    }

    /// True if L2 may serve the access, whatever x87 instructions are in progress, and the access
    /// has no x87 operand that may be misaligned.
    fn is_ordinary(&self) -> bool {
        self.refills && self.late.is_none() && self.skewed.is_none()
    }
}

/// How to continue after L2 has served an access while an x87 instruction was in progress: in a
/// block translated for the new state of the x87.
pub(crate) struct Late {
    /// The guest address at which execution continues, and the states of pipes and x87 there
    /// (numbers in `Carries`): after one access to L2, and after two.
    pub eip: u32,
    pub carried: [u32; 2],
    /// If the access is a store: the store, which is performed before execution continues. `None`
    /// for a load.
    pub stores: Option<Stored>,
    /// True if the bank of this access must be recorded, for the second instruction of a pair.
    pub notes_bank: bool,
    pub recorded: Option<Recorded>,
    /// True for a load after which no x87 instruction is in progress any more, once L2 has been
    /// accessed.
    pub settles: bool,
}

pub(crate) enum Stored {
    /// A store of the x87: the instruction, and its precision control.
    X87(Op, u16),
    Moved(Moved),
}

impl Emitter<'_> {
    /// True if no x87 instruction is in progress in state `carried`, and L1I has several sets.
    pub fn has_settled(&self, carried: u32) -> bool {
        self.code_sets > 1 && self.carries.get(carried).x87.is_some_and(|x87| x87.is_settled())
    }

    /// Called for the slow paths that are often executed, which lie together behind the region's
    /// fast code. For an ordinary access, emits the call of the stub here, and leaves the rest of
    /// the slow path to the rarely executed code behind. For another access, leaves the whole slow
    /// path to that code.
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

    /// Emits the code after the interpreter has executed a branch, which is still to be looked up
    /// in the branch target buffer.
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
        );
        self.asm.call(stub);
        dynasm!(self.asm ; .arch x64
            ; test eax, eax
            ; jz =>waits
            ; =>done
        );
        let stepped = own.counts.stepped().packed();
        let counted = before.counts.packed();
        let after = out(finished, access.carried.after, counted.plus(stepped), finishes);
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
        self.resumption(access.op as i64, Resumption { waits, stopped, done }, counted);
        self.cold_out(&out(stopped, access.carried.before, counted, STOPPED));
    }
}
