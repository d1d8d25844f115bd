//! Entering and leaving translated code, and the calls into the interpreter.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::callbacks::{self, Reached};
use super::profile_counts::Tally;
use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::translator::access::fast_access::Access;
use crate::translator::x64::CodeMemory;
use crate::translator::x64::control::branch_prediction;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::memory::l1d_lookup::{self, Ways};
use crate::translator::x64::memory::undo_log::{self, Saving};
use crate::translator::x64::memory::{locked, misaligned, mpbt, write_around, write_combine};
use crate::translator::x64::paging::code_fetch;
use crate::translator::x64::x87::line_split::SplitStubs;
use crate::translator::x64::x87::posted;
use crate::translator::x64::x87::stubs::X87Stubs;

/// Why translated code was left; it returns the reason in EAX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Departure {
    /// An instruction waits for a transaction, or faults.
    Stopped,
    /// The interpreter must continue at EIP.
    Interpret,
    /// A branch left the region; there may be translated code at its target.
    Link,
    /// The interpreter has executed an instruction. Now the x87 is in another state than the
    /// following code was translated for, or a check for interrupts is due.
    Again,
}

pub(crate) const STOPPED: i32 = 0;
pub(crate) const INTERPRET: i32 = 1;
pub(crate) const LINK: i32 = 2;
pub(crate) const AGAIN: i32 = 3;

/// Code that all regions share.
pub(in crate::translator) struct Stubs {
    enter: extern "sysv64" fn(*mut Core, u64, u64) -> i32,
    pub(crate) x87: X87Stubs,
    pub(crate) split: SplitStubs,
    /// Leaves translated code with the reason in EAX.
    pub leave: u64,
    /// Executes one instruction with the interpreter. RDX: the instruction; EIP is in the core.
    /// RCX: the linear address of its access, or all ones. Returns EAX: zero if the instruction did
    /// not finish, `AS_EXPECTED` or `OTHERWISE` afterwards.
    pub step: u64,
    /// Like [`Stubs::step`], for an instruction that uses or sets the arithmetic flags.
    pub step_flags: u64,
    /// Calls an instruction's handler. RDX: the instruction; it uses only general registers.
    pub handle: u64,
    /// Like [`Stubs::handle`], for an instruction that uses or sets the arithmetic flags.
    pub handle_flags: u64,
    /// Looks up the branch to EIP in the branch target buffer. EDX: its address. RAX: the host
    /// address of its probable entry. ECX: flags. Returns RAX: a misprediction's clocks, or 0.
    pub resolve: u64,
    /// `reach`: stubs for each kind of [`Access`], in its order. EAX: a linear address. ECX:
    /// its L1D set, times `SET_BYTES`. EDX: the value that is compared with the set's open page.
    /// `HostFrame::how`: the clocks of the block so far, and from bit 16 on the size less one and
    /// flags. On return the access is done, except for moving the bytes at RDX + RAX; or the zero
    /// flag is set: another way must be found.
    ///
    /// `at_once`: the stubs for loads and for stores that L1D alone does.
    pub(crate) at_once: [u64; 2],
    pub reach: [u64; 3],
    /// Like [`Stubs::reach`], for a read-modify-write with LOCK.
    pub locked: u64,
    /// Sends a store to the address in `HostFrame::beyond`. EDX: the value. ECX: its size. Sets the
    /// zero flag if the run must end for the store.
    pub send: u64,
    /// Posts the x87 store in `HostFrame::split`. ECX: `how` of `callbacks::post_x87`. Returns ECX:
    /// the result of that function; keeps EAX. Zero flag: nothing was done.
    pub post: u64,
    /// Fetches code. ESI: a linear address. EDX: a version. Sets the zero flag if no line with that
    /// version is fetched; sets the carry flag if it is after a gap in fetching, whose clocks have
    /// been added. The first stub fetches only without a gap.
    pub fetch: [u64; 2],
    /// Executes CL1INVMB.
    pub invalidate: u64,
    /// Ends a stay and begins another. Sets the zero flag if the region must be left instead.
    pub stay: u64,
    /// The host addresses of the profile's counts, if there is a profile.
    pub tally: Option<Tally>,
}

fn load_registers(asm: &mut Assembler) {
    for number in 0..8u8 {
        let offset = offsets::GENERAL + 4 * i32::from(number);
        dynasm!(asm ; .arch x64 ; mov Rd(8 + number), [rbp + offset]);
    }
    dynasm!(asm ; .arch x64
        ; mov rbx, [rbp + offsets::CYCLES]
        ; mov rsi, [rbp + offsets::QUICK]
        ; movdqu xmm15, [rbp + offsets::COUNTS]
    );
}

fn store_registers(asm: &mut Assembler) {
    for number in 0..8u8 {
        let offset = offsets::GENERAL + 4 * i32::from(number);
        dynasm!(asm ; .arch x64 ; mov [rbp + offset], Rd(8 + number));
    }
    dynasm!(asm ; .arch x64 ; mov [rbp + offsets::CYCLES], rbx ; movdqu [rbp + offsets::COUNTS], xmm15);
}

fn emit_step(asm: &mut Assembler, function: extern "sysv64" fn(*mut Core, *const Op, u64) -> u32) {
    let address = function as usize as i64;
    store_registers(asm);
    dynasm!(asm ; .arch x64
        ; sub rsp, 8
        ; lea rdi, [rbp - offsets::MIDDLE]
        ; mov rsi, rdx
        ; mov rdx, rcx
        ; mov rax, QWORD address
        ; call rax
        ; add rsp, 8
    );
    load_registers(asm);
    dynasm!(asm ; .arch x64 ; ret);
}

/// Emits the saving of those guest registers that a call may change, and of the counts.
pub(crate) fn push_registers(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; movdqu [rbp + offsets::COUNTS], xmm15
        ; sub rsp, 8
        ; push r8
        ; push r9
        ; push r10
        ; push r11
    );
}

pub(crate) fn pop_registers(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; pop r11
        ; pop r10
        ; pop r9
        ; pop r8
        ; lea rsp, [rsp + 8]
        ; mov rsi, [rbp + offsets::QUICK]
        ; movdqu xmm15, [rbp + offsets::COUNTS]
    );
}

fn emit_reach(
    asm: &mut Assembler,
    access: Access,
    savings: [Saving; 2],
    compared: DynamicLabel,
    at_once: DynamicLabel,
    function: extern "sysv64" fn(*mut Core, u32, u32) -> Reached,
) {
    let ways = Ways::new(asm, access, savings, compared);
    let unaligned = misaligned::emit_check(asm);
    if access == Access::Store {
        write_around::emit_open_store(asm);
        write_around::emit_turned_store(asm);
        write_combine::emit_again(asm);
    }
    l1d_lookup::emit(asm, &ways);
    emit_call_for_place(asm, function);
    unaligned.emit(asm, access, at_once);
}

/// Emits the call of a function that does an access but for moving the bytes, and the return as
/// from [`Stubs::reach`]; without enough time, no call and the zero flag. ECX: `HostFrame::how`.
pub(crate) fn emit_call_for_place(
    asm: &mut Assembler,
    function: extern "sysv64" fn(*mut Core, u32, u32) -> Reached,
) {
    let address = function as usize as i64;
    dynasm!(asm ; .arch x64
        ; movzx edx, cx
        ; add rdx, rbx
        ; cmp rdx, [rbp + offsets::REACH_LIMIT]
        ; jb >early
        ; xor edx, edx
        ; ret
        ; early:
        ; mov [rbp + offsets::CYCLES], rdx
    );
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; push rax
        ; sub rsp, 8
        ; shr ecx, 16
        ; lea rdi, [rbp - offsets::MIDDLE]
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

fn emit_send(asm: &mut Assembler) {
    let address = callbacks::send as *const () as usize as i64;
    dynasm!(asm ; .arch x64
        ; mov [rbp + offsets::CYCLES], rbx
        ; xor eax, eax
        ; cmp eax, [rbp + offsets::ANSWERS]
        ; jne >ask
        ; mov [rbp + offsets::SENT_VALUE], edx
        ; mov [rbp + offsets::SENT_SIZE], ecx
        ; ret
        ; ask:
    );
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; lea rdi, [rbp - offsets::MIDDLE]
        ; mov esi, edx
        ; mov edx, ecx
        ; mov rax, QWORD address
        ; call rax
    );
    pop_registers(asm);
    dynasm!(asm ; .arch x64 ; mov rbx, [rbp + offsets::CYCLES] ; test eax, eax ; ret);
}

fn emit_fetch(asm: &mut Assembler, function: extern "sysv64" fn(*mut Core, u32, u32) -> u32) {
    let address = function as usize as i64;
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; mov [rbp + offsets::CYCLES], rbx
        ; lea rdi, [rbp - offsets::MIDDLE]
        ; mov rax, QWORD address
        ; call rax
    );
    pop_registers(asm);
    dynasm!(asm ; .arch x64
        ; mov rbx, [rbp + offsets::CYCLES]
        ; cmp eax, callbacks::NOT_THERE
        ; ret
    );
}

fn emit_stay(asm: &mut Assembler) {
    let address = callbacks::stay as *const () as usize as i64;
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; lea rdi, [rbp - offsets::MIDDLE]
        ; mov rsi, rbx
        ; mov rax, QWORD address
        ; call rax
    );
    pop_registers(asm);
    dynasm!(asm ; .arch x64 ; test eax, eax ; ret);
}

impl Stubs {
    #[expect(clippy::too_many_lines, reason = "the list of all stubs")]
    pub fn new(tally: Option<Tally>, memory: &mut CodeMemory) -> Option<Stubs> {
        let mut asm = Assembler::new();
        dynasm!(asm ; .arch x64
            ; push rbp
            ; push rbx
            ; push r12
            ; push r13
            ; push r14
            ; push r15
            ; sub rsp, 8
            ; lea rbp, [rdi + offsets::MIDDLE]
            ; mov rax, rsi
        );
        load_registers(&mut asm);
        dynasm!(asm ; .arch x64
            ; test rdx, rdx
            ; jz >in_core
            ; push rax
            ; call rdx
            ; pop rax
            ; in_core:
            ; mov rcx, rax
            ; xor eax, eax
            ; jmp rcx
        );
        let leave = asm.offset().0;
        store_registers(&mut asm);
        dynasm!(asm ; .arch x64
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
        emit_step(&mut asm, callbacks::step);
        let step_flags_at = asm.offset().0;
        emit_step(&mut asm, callbacks::step_flags);
        let handle_at = asm.offset().0;
        emit_step(&mut asm, callbacks::handle);
        let handle_flags_at = asm.offset().0;
        emit_step(&mut asm, callbacks::handle_flags);
        let resolve_at = asm.offset().0;
        branch_prediction::emit(&mut asm);
        let savings = [(); 2].map(|()| Saving::new(&mut asm));
        let [compared, load_at_once, store_at_once] = [(); 3].map(|()| asm.new_dynamic_label());
        let load = asm.new_dynamic_label();
        let load_at = asm.offset().0;
        dynasm!(asm ; .arch x64 ; =>load);
        emit_reach(&mut asm, Access::Load, savings, compared, load_at_once, callbacks::load);
        let store_at = asm.offset().0;
        emit_reach(&mut asm, Access::Store, savings, compared, store_at_once, callbacks::store);
        let modify_at = asm.offset().0;
        emit_reach(&mut asm, Access::Modify, savings, compared, store_at_once, callbacks::modify);
        let by_access = [(Access::Load, load_at_once), (Access::Store, store_at_once)];
        let at_once_at = by_access.map(|(access, label)| {
            let at = asm.offset().0;
            dynasm!(asm ; .arch x64 ; =>label);
            let ways = Ways::new(&mut asm, access, savings, compared);
            l1d_lookup::emit_at_once(&mut asm, &ways);
            at
        });
        savings[0].emit(&mut asm, undo_log::FIRST);
        savings[1].emit(&mut asm, undo_log::SECOND);
        l1d_lookup::emit_compared(&mut asm, compared);
        let locked_at = asm.offset().0;
        locked::emit(&mut asm);
        let send_at = asm.offset().0;
        emit_send(&mut asm);
        let post_at = asm.offset().0;
        posted::emit(&mut asm);
        let fetch_at = [callbacks::fetch::<false>, callbacks::fetch::<true>].map(|function| {
            let at = asm.offset().0;
            code_fetch::emit(&mut asm, compared);
            emit_fetch(&mut asm, function);
            at
        });
        let invalidate_at = asm.offset().0;
        mpbt::emit(&mut asm);
        let stay_at = asm.offset().0;
        emit_stay(&mut asm);
        let (x87, split) = (X87Stubs::emit(&mut asm), SplitStubs::emit(&mut asm, load));
        let base = memory.put(asm, |_, places| places.fast)? as usize;
        // SAFETY: the code at `base` follows this calling convention and signature.
        let enter = unsafe {
            std::mem::transmute::<usize, extern "sysv64" fn(*mut Core, u64, u64) -> i32>(base)
        };
        let stub = |offset: usize| (base + offset) as u64;
        Some(Stubs {
            enter,
            x87: x87.at(base as u64),
            split: split.at(base as u64),
            leave: stub(leave),
            step: stub(step_at),
            step_flags: stub(step_flags_at),
            handle: stub(handle_at),
            handle_flags: stub(handle_flags_at),
            resolve: stub(resolve_at),
            reach: [stub(load_at), stub(store_at), stub(modify_at)],
            at_once: at_once_at.map(stub),
            locked: stub(locked_at),
            send: stub(send_at),
            post: stub(post_at),
            fetch: fetch_at.map(stub),
            invalidate: stub(invalidate_at),
            stay: stub(stay_at),
            tally,
        })
    }

    /// The stub that loads the host's x87 registers from the core; `top`: the stack's top (0 to 7).
    pub fn load_x87(&self, top: u8) -> u64 {
        self.x87.load[usize::from(top)]
    }

    /// The stub that moves the host's x87 registers into the core; keeps ECX. `top` as above.
    pub fn store_x87(&self, top: u8) -> u64 {
        self.x87.store[usize::from(top)]
    }

    /// Runs translated code from host address `entry` until it returns, and returns why. `loaded`:
    /// `Some` if the code expects the x87 registers in the host's x87, with this top of the stack;
    /// `None` if it expects them in the core.
    #[inline]
    pub fn enter(&self, core: &mut Core, entry: u64, loaded: Option<u8>) -> Departure {
        core.host.combining = 0;
        let load = loaded.map_or(0, |top| self.load_x87(top));
        match (self.enter)(std::ptr::from_mut(core), entry, load) {
            STOPPED => Departure::Stopped,
            INTERPRET => Departure::Interpret,
            AGAIN => Departure::Again,
            _ => Departure::Link,
        }
    }
}
