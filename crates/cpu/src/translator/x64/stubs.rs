//! The way in, the way out, and the calls into the interpreter.

use std::mem::offset_of;

use dynasmrt::mmap::{ExecutableBuffer, MutableBuffer};
use dynasmrt::x64::X64Relocation;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, VecAssembler, dynasm};
use rockcreek_x87::layout;

use super::counts;
use super::lookup::{self, Ways};
use super::refill;
use super::saving::{self, Saving};
use super::tally::Tally;
use super::x87_stubs::X87Stubs;
use crate::branch_target::Branch;
use crate::core::Core;
use crate::op::Op;
use crate::segment::Segment;
use crate::translator::Translations;
use crate::translator::reach::Access;
use crate::translator::run::{BranchMemo, Stepped};

pub(super) type Assembler = VecAssembler<X64Relocation>;

/// Offsets of what translated code uses of a core.
pub(super) mod at {
    use super::{Core, Segment, layout, offset_of};
    pub const GENERAL: i32 = offset_of!(Core, state.general) as i32;
    pub const EIP: i32 = offset_of!(Core, state.eip) as i32;
    pub const CYCLES: i32 = offset_of!(Core, state.cycles) as i32;
    pub const END: i32 = offset_of!(Core, host.end) as i32;
    pub const LIMIT: i32 = offset_of!(Core, host.limit) as i32;
    pub const REACH_LIMIT: i32 = offset_of!(Core, host.reach_limit) as i32;
    pub const AROUND: i32 = offset_of!(Core, host.around) as i32;
    pub const STORES_AROUND: i32 = offset_of!(Core, host.stores_around) as i32;
    pub const SET_MASK: i32 = offset_of!(Core, host.set_mask) as i32;
    pub const L2_CYCLES: i32 = offset_of!(Core, host.l2_cycles) as i32;
    pub const RECENT_DATA: i32 = offset_of!(Core, host.recent_data) as i32;
    pub const RECENT_INDEX: i32 = offset_of!(Core, host.recent_index) as i32;
    pub const TREES: i32 = offset_of!(Core, host.trees) as i32;
    pub const TURNS: i32 = offset_of!(Core, host.turns) as i32;
    pub const TLB_MASK: i32 = offset_of!(Core, host.tlb_mask) as i32;
    pub const TLB_WAY_MASK: i32 = offset_of!(Core, host.tlb_way_mask) as i32;
    pub const PATIENCE: i32 = offset_of!(Core, host.patience) as i32;
    pub const PATIENCE_ANEW: i32 = offset_of!(Core, host.patience_anew) as i32;
    pub const PAGE_LOADS: i32 = offset_of!(Core, host.pages.loads) as i32;
    pub const PAGE_STORES: i32 = offset_of!(Core, host.pages.stores) as i32;
    pub const PAGE_FRAMES: i32 = offset_of!(Core, host.pages.frames) as i32;
    pub const PAGE_KNOWN: i32 = offset_of!(Core, host.pages.known) as i32;
    pub const CODE_TAGS: i32 = offset_of!(Core, host.code_tags) as i32;
    pub const CODE_SETS: i32 = offset_of!(Core, host.code_sets) as i32;
    pub const REFILLS: i32 = offset_of!(Core, host.refills) as i32;
    pub const WRITE_BACKS: i32 = offset_of!(Core, host.write_backs) as i32;
    pub const LOAD: i32 = offset_of!(Core, host.reach_stubs) as i32;
    pub const STORE: i32 = LOAD + 8;
    pub const MODIFY: i32 = LOAD + 16;
    pub const HOW: i32 = offset_of!(Core, host.how) as i32;
    pub const TLB_OPEN: i32 = offset_of!(Core, tlbs.data.open) as i32;
    pub const TLB_CHANGED: i32 = offset_of!(Core, tlbs.data.changed) as i32;
    pub const HELD: i32 = offset_of!(Core, host.held) as i32;
    pub const QUICK: i32 = offset_of!(Core, host.quick) as i32;
    pub const RECENT_CODE: i32 = offset_of!(Core, host.recent_code) as i32;
    pub const RAW_FLAGS: i32 = offset_of!(Core, host.raw_flags) as i32;
    pub const TARGETS: i32 = offset_of!(Core, host.targets) as i32;
    pub const EXIT: i32 = offset_of!(Core, host.exit) as i32;
    pub const COUNTS: i32 = offset_of!(Core, host.counts) as i32;
    pub const PAIRS: i32 = offset_of!(Core, host.pairs) as i32;
    pub const X87S: i32 = offset_of!(Core, host.x87s) as i32;
    pub const HOST_CONTROL: i32 = offset_of!(Core, host.control_word) as i32;
    pub const X87_IMAGE: i32 = offset_of!(Core, host.x87_image) as i32;
    pub const CLOCK_BEFORE: i32 = offset_of!(Core, host.clock_before) as i32;
    pub const ONWARD: i32 = offset_of!(Core, host.onward) as i32;
    pub const RESUME: i32 = offset_of!(Core, host.resume) as i32;
    pub const RESUME_OP: i32 = offset_of!(Core, host.resume_op) as i32;
    pub const OUTCOME: i32 = offset_of!(Core, host.outcome) as i32;
    pub const EXPECTED: i32 = offset_of!(Core, host.expected) as i32;
    pub const FPU: usize = offset_of!(Core, state.fpu);
    pub const X87_CONTROL: i32 = (FPU + layout::CONTROL) as i32;
    pub const X87_FLAGS: i32 = (FPU + layout::FLAGS) as i32;
    pub const X87_TOP: i32 = (FPU + layout::TOP) as i32;
    pub const X87_EMPTY: i32 = (FPU + layout::EMPTY) as i32;
    pub const X87_INSTRUCTION_SELECTOR: i32 = (FPU + layout::INSTRUCTION_SELECTOR) as i32;
    pub const X87_INSTRUCTION_OFFSET: i32 = (FPU + layout::INSTRUCTION_OFFSET) as i32;
    pub const X87_OPCODE: i32 = (FPU + layout::OPCODE) as i32;
    pub const X87_OPERAND_SELECTOR: i32 = (FPU + layout::OPERAND_SELECTOR) as i32;
    pub const X87_OPERAND_OFFSET: i32 = (FPU + layout::OPERAND_OFFSET) as i32;
    /// The selector of a segment register.
    pub const fn selector(segment: u8) -> i32 {
        let segments = offset_of!(Core, state.segments) + segment as usize * size_of::<Segment>();
        (segments + offset_of!(Segment, selector)) as i32
    }
    pub const CARRIED: i32 = offset_of!(Core, host.carried) as i32;
    pub const BANK: i32 = offset_of!(Core, bank) as i32;
    pub const PAIRED_ACCESSES: i32 = offset_of!(Core, state.counters.paired_accesses) as i32;
    pub const BANK_CONFLICTS: i32 = offset_of!(Core, state.counters.bank_conflicts) as i32;
    pub const MULTIPLIER: i32 = offset_of!(Core, state.x87.integer_multiplier) as i32;
    pub const FROM: i32 = offset_of!(Core, host.from) as i32;
    pub const BRANCH_TARGETS: i32 = offset_of!(Core, host.branch_targets) as i32;
    pub const GENERATION: i32 = offset_of!(Core, branches.generation) as i32;
    pub const HITS: i32 = offset_of!(Core, state.counters.branch_target_hits) as i32;
    pub const HITS_NOT_TAKEN: i32 =
        offset_of!(Core, state.counters.branch_target_hits_not_taken) as i32;
    pub const FETCHED: i32 = offset_of!(Core, fetched) as i32;
}

/// Why translated code was left; what it leaves in EAX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::translator) enum Departure {
    /// An instruction waits or faults.
    Stopped,
    /// The interpreter must go on here.
    Interpret,
    /// At a direct branch out of the region; what is there may have been translated.
    Link,
    /// Behind an instruction that the interpreter has executed: the x87 is otherwise than what
    /// follows was translated for, or it is time to look up.
    Again,
}

pub(super) const STOPPED: i32 = 0;
pub(super) const INTERPRET: i32 = 1;
pub(super) const LINK: i32 = 2;
pub(super) const AGAIN: i32 = 3;

/// Code that all regions share.
pub(in crate::translator) struct Stubs {
    _code: ExecutableBuffer,
    enter: extern "sysv64" fn(*mut Core, u64, u64) -> i32,
    x87: X87Stubs,
    /// Leaves with the departure in EAX.
    pub leave: u64,
    /// RDX: the instruction, with EIP in the core. RCX: the linear address that its access goes
    /// to, or all ones. EAX is zero if it did not finish, `AS_EXPECTED` if the x87 is then what
    /// `HostFrame::expected` says.
    pub step: u64,
    /// The same for an instruction that uses or sets the arithmetic flags.
    pub step_flags: u64,
    /// A branch at `HostFrame::from` has gone to EIP. RDX: its memo. ECX: how. RAX is what it
    /// costs not to have foreseen it.
    pub resolve: u64,
    /// EAX: a linear address. ECX and EDX: its set, and what is compared with the set's open page.
    /// `HostFrame::how`: the clocks of the block so far, and from bit 16 on the size less one and
    /// `MAY_WAIT`. Then the access is done but for its bytes, which are at RDX + RAX; or the zero
    /// flag is set, and nothing is done.
    ///
    /// For loads, stores and both; called by way of `HostFrame::reach_stubs`, for no register is free.
    reach: [u64; 3],
    /// ESI: a linear address, EDX: a version. The zero flag is set if that is not what L1I gives
    /// there.
    pub fetch: u64,
    /// Ends a stay. The zero flag is set if no block may begin here.
    pub stay: u64,
    /// Where code counts, if it does.
    pub tally: Option<Tally>,
}

/// Executes one instruction with the interpreter.
extern "sysv64" fn step(core: *mut Core, op: *const Op, linear: u64) -> u32 {
    // SAFETY: `enter` was given an exclusive reference to this core, which it does not use until
    // translated code returns; `op` is in the region's own list.
    let (core, op) = unsafe { (&mut *core, &*op) };
    step_from(core, op, linear)
}

/// What `step` leaves in EAX if the instruction finished.
pub(super) const AS_EXPECTED: i32 = 1;
const OTHERWISE: u32 = 2;

fn step_from(core: &mut Core, op: &Op, linear: u64) -> u32 {
    // SAFETY: `CodeCache::enter` has put the address of its translations there, which it borrows
    // until translated code returns.
    let translations = unsafe { &*(core.host.translations as *const Translations) };
    core.step_amid(translations, op, u32::try_from(linear).ok()).outcome()
}

impl Stepped {
    /// As the stub leaves it in EAX.
    pub(in crate::translator) fn outcome(self) -> u32 {
        match self {
            Stepped::Stopped => STOPPED as u32,
            Stepped::AsExpected => AS_EXPECTED as u32,
            Stepped::Otherwise => OTHERWISE,
        }
    }
}

extern "sysv64" fn step_flags(core: *mut Core, op: *const Op, linear: u64) -> u32 {
    // SAFETY: as in `step`.
    let (core, op) = unsafe { (&mut *core, &*op) };
    core.settle_flags();
    let done = step_from(core, op, linear);
    core.host.raw_flags = core.raw_flags();
    done
}

/// How a branch went, for [`resolve`].
pub(super) const TAKEN: u32 = 1;
pub(super) const CONDITIONAL: u32 = 2;
pub(super) const SECOND: u32 = 4;

/// Looks a branch up in the branch target buffer.
extern "sysv64" fn resolve(core: *mut Core, from: u32, memo: *mut BranchMemo, how: u32) -> u64 {
    // SAFETY: the core as in `step`; the memo is in the region's own list.
    let (core, memo) = unsafe { (&mut *core, &mut *memo) };
    let kind = if how & CONDITIONAL != 0 { Branch::Conditional } else { Branch::Always };
    let (taken, second) = (how & TAKEN != 0, how & SECOND != 0);
    core.resolve_for_translated(from, taken, kind, second, memo)
}

/// What [`reach`] leaves in RAX and RDX.
#[repr(C)]
struct Reached {
    /// 0 if the access is for the interpreter, after these cycles.
    origin: u64,
    cycles: u64,
}

/// A load may be done with transactions and a page walk.
pub(super) const MAY_WAIT: u32 = 1 << 15;

/// Lets the caches do an access but for its bytes. `how`: the bits that are clear in an aligned
/// address, and if a load may wait.
#[inline(always)]
fn reach(core: *mut Core, linear: u32, how: u32, access: Access) -> Reached {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    let low_bits = how & !MAY_WAIT;
    let (mut place, mut cycles) = (None, 0);
    if linear & low_bits == 0 {
        if access == Access::Load && how & MAY_WAIT != 0 {
            (place, cycles) = core.reach_beyond(linear);
        } else {
            let reached = core.reach(linear, low_bits as u8 + 1, access);
            place = reached.map_err(|beyond| core.host.beyond = beyond).ok();
        }
    }
    cycles += place.map_or(0, |place| u64::from(place.cycles));
    Reached { origin: place.map_or(0, |place| place.origin), cycles }
}

extern "sysv64" fn load(core: *mut Core, linear: u32, low_bits: u32) -> Reached {
    reach(core, linear, low_bits, Access::Load)
}

extern "sysv64" fn store(core: *mut Core, linear: u32, low_bits: u32) -> Reached {
    reach(core, linear, low_bits, Access::Store)
}

extern "sysv64" fn modify(core: *mut Core, linear: u32, low_bits: u32) -> Reached {
    reach(core, linear, low_bits, Access::Modify)
}

extern "sysv64" fn fetch(core: *mut Core, linear: u32, version: u32) -> u32 {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    u32::from(core.fetch_for_translated(linear, version))
}

/// Stays in one go at the most: then the loop of `run` looks whether this only lets time pass.
const STAYS: u32 = 16;

/// Ends a stay and begins another at `cycles`, if a block may begin there.
extern "sysv64" fn stay(core: *mut Core, cycles: u64) -> u32 {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    settle(core);
    core.host.stays = core.host.stays.wrapping_add(1);
    let goes_on = core.begin_stay(cycles) && !core.host.stays.is_multiple_of(STAYS);
    u32::from(goes_on)
}

/// Counts what generated code has counted for itself.
fn settle(core: &mut Core) {
    let user = core.state.cpl == 3;
    counts::settle(&mut core.state.counters, std::mem::take(&mut core.host.counts), user);
    counts::settle_pairs(&mut core.state.counters, std::mem::take(&mut core.host.pairs));
    counts::settle_x87s(&mut core.state.counters, std::mem::take(&mut core.host.x87s));
    core.settle_stores_around();
    core.settle_refills();
}

fn load_registers(asm: &mut Assembler) {
    for number in 0..8u8 {
        let offset = at::GENERAL + 4 * i32::from(number);
        dynasm!(asm ; .arch x64 ; mov Rd(8 + number), [rbp + offset]);
    }
    dynasm!(asm ; .arch x64 ; mov rbx, [rbp + at::CYCLES] ; mov rsi, [rbp + at::QUICK]);
}

fn store_registers(asm: &mut Assembler) {
    for number in 0..8u8 {
        let offset = at::GENERAL + 4 * i32::from(number);
        dynasm!(asm ; .arch x64 ; mov [rbp + offset], Rd(8 + number));
    }
    dynasm!(asm ; .arch x64 ; mov [rbp + at::CYCLES], rbx);
}

fn emit_step(asm: &mut Assembler, function: extern "sysv64" fn(*mut Core, *const Op, u64) -> u32) {
    let address = function as usize as i64;
    store_registers(asm);
    dynasm!(asm ; .arch x64
        ; push rdi
        ; mov rdi, rbp
        ; mov rsi, rdx
        ; mov rdx, rcx
        ; mov rax, QWORD address
        ; call rax
        ; pop rdi
    );
    load_registers(asm);
    dynasm!(asm ; .arch x64 ; ret);
}

/// The guest's registers that a call may change, and the counts.
fn push_registers(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; push rdi ; push r8 ; push r9 ; push r10 ; push r11);
}

fn pop_registers(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; pop r11
        ; pop r10
        ; pop r9
        ; pop r8
        ; pop rdi
        ; mov rsi, [rbp + at::QUICK]
    );
}

fn emit_resolve(asm: &mut Assembler) {
    let address = resolve as *const () as usize as i64;
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; mov rdi, rbp
        ; mov esi, [rbp + at::FROM]
        ; mov rax, QWORD address
        ; call rax
    );
    pop_registers(asm);
    dynasm!(asm ; .arch x64 ; ret);
}

fn emit_reach(
    asm: &mut Assembler,
    (access, savings, compared): (Access, [Saving; 2], DynamicLabel),
    function: extern "sysv64" fn(*mut Core, u32, u32) -> Reached,
) {
    let address = function as usize as i64;
    let (unknown, missed) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    let [first, second] = savings;
    if access == Access::Store {
        refill::emit_turned_store(asm);
    }
    lookup::emit(asm, &Ways { access, unknown, missed, compared, first, second });
    dynasm!(asm ; .arch x64
        ; movzx edx, cx
        ; add rdx, rbx
        ; cmp rdx, [rbp + at::REACH_LIMIT]
        ; jb >early
        ; xor edx, edx
        ; ret
        ; early:
        ; mov [rbp + at::CYCLES], rdx
    );
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; push rax
        ; sub rsp, 8
        ; shr ecx, 16
        ; mov rdi, rbp
        ; mov esi, eax
        ; mov edx, ecx
        ; mov rax, QWORD address
        ; call rax
        ; add rsp, 8
        ; pop rcx
    );
    pop_registers(asm);
    dynasm!(asm ; .arch x64
        ; add rbx, rdx
        ; mov rdx, rax
        ; mov eax, ecx
        ; test rdx, rdx
        ; ret
    );
}

fn emit_fetch(asm: &mut Assembler) {
    let address = fetch as *const () as usize as i64;
    push_registers(asm);
    dynasm!(asm ; .arch x64 ; mov rdi, rbp ; mov rax, QWORD address ; call rax);
    pop_registers(asm);
    dynasm!(asm ; .arch x64 ; test eax, eax ; ret);
}

fn emit_stay(asm: &mut Assembler) {
    let address = stay as *const () as usize as i64;
    dynasm!(asm ; .arch x64 ; mov [rbp + at::COUNTS], rdi);
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; mov rdi, rbp
        ; mov rsi, rbx
        ; mov rax, QWORD address
        ; call rax
    );
    pop_registers(asm);
    dynasm!(asm ; .arch x64 ; xor edi, edi ; test eax, eax ; ret);
}

impl Stubs {
    pub fn new(tally: Option<Tally>) -> Option<Stubs> {
        let mut asm = Assembler::new(0);
        dynasm!(asm ; .arch x64
            ; push rbp
            ; push rbx
            ; push r12
            ; push r13
            ; push r14
            ; push r15
            ; sub rsp, 8
            ; mov rbp, rdi
            ; mov rax, rsi
            ; xor edi, edi
        );
        load_registers(&mut asm);
        dynasm!(asm ; .arch x64
            ; test rdx, rdx
            ; jz >in_core
            ; push rax
            ; call rdx
            ; pop rax
            ; in_core:
            ; jmp rax
        );
        let leave = asm.offset().0;
        store_registers(&mut asm);
        dynasm!(asm ; .arch x64
            ; mov [rbp + at::COUNTS], rdi
            ; add rsp, 8
            ; pop r15
            ; pop r14
            ; pop r13
            ; pop r12
            ; pop rbx
            ; pop rbp
            ; ret
        );
        let step_at = asm.offset().0;
        emit_step(&mut asm, step);
        let step_flags_at = asm.offset().0;
        emit_step(&mut asm, step_flags);
        let resolve_at = asm.offset().0;
        emit_resolve(&mut asm);
        let (savings, compared) =
            ([Saving::new(&mut asm), Saving::new(&mut asm)], asm.new_dynamic_label());
        let load_at = asm.offset().0;
        emit_reach(&mut asm, (Access::Load, savings, compared), load);
        let store_at = asm.offset().0;
        emit_reach(&mut asm, (Access::Store, savings, compared), store);
        let modify_at = asm.offset().0;
        emit_reach(&mut asm, (Access::Modify, savings, compared), modify);
        savings[0].emit(&mut asm, saving::FIRST);
        savings[1].emit(&mut asm, saving::SECOND);
        lookup::emit_compared(&mut asm, compared);
        let fetch_at = asm.offset().0;
        emit_fetch(&mut asm);
        let stay_at = asm.offset().0;
        emit_stay(&mut asm);
        let x87 = X87Stubs::emit(&mut asm);
        let code = executable(&asm.finalize().ok()?)?;
        let base = code.as_ptr() as usize;
        // SAFETY: the code at `base` follows this calling convention and signature.
        let enter = unsafe {
            std::mem::transmute::<usize, extern "sysv64" fn(*mut Core, u64, u64) -> i32>(base)
        };
        let stub = |offset: usize| (base + offset) as u64;
        Some(Stubs {
            enter,
            x87: x87.at(base as u64),
            leave: stub(leave),
            step: stub(step_at),
            step_flags: stub(step_flags_at),
            resolve: stub(resolve_at),
            reach: [stub(load_at), stub(store_at), stub(modify_at)],
            fetch: stub(fetch_at),
            stay: stub(stay_at),
            tally,
            _code: code,
        })
    }

    /// Puts the x87 registers from the core into the host's; the stack's top is there.
    pub fn load_x87(&self, top: u8) -> u64 {
        self.x87.load[usize::from(top)]
    }

    /// The way back; ECX stays.
    pub fn store_x87(&self, top: u8) -> u64 {
        self.x87.store[usize::from(top)]
    }

    /// Runs translated code from `entry` until it leaves. `loaded`: it wants the x87 registers
    /// loaded, with this top of stack.
    pub fn enter(&self, core: &mut Core, entry: u64, loaded: Option<u8>) -> Departure {
        core.host.raw_flags = core.raw_flags();
        core.host.reach_stubs = self.reach;
        let load = loaded.map_or(0, |top| self.load_x87(top));
        let departure = (self.enter)(std::ptr::from_mut(core), entry, load);
        settle(core);
        match departure {
            STOPPED => Departure::Stopped,
            INTERPRET => Departure::Interpret,
            AGAIN => Departure::Again,
            _ => Departure::Link,
        }
    }
}

/// Host code made from bytes.
pub(super) fn executable(bytes: &[u8]) -> Option<ExecutableBuffer> {
    let mut buffer = MutableBuffer::new(bytes.len().max(1)).ok()?;
    buffer.set_len(bytes.len());
    buffer.copy_from_slice(bytes);
    buffer.make_exec().ok()
}

/// Lets the exit at this address of an exit table go to `entry`.
pub(in crate::translator) fn join(exit: u64, entry: u64) {
    // SAFETY: `exit` is the address of an entry of a region's exit table, which lives as long as
    // the region; no translated code runs now.
    unsafe { *(exit as *mut u64) = entry };
}
