//! Memory operands of the x87, of eight bytes or ten, that span two lines. These operands are
//! copied through `HostFrame::split`, so that the host's x87 finds them in one piece.
//!
//! A load reads the first line, then the second, as two loads of the interpreter would. A store
//! needs both lines in L1D, and then takes no clocks.
//!
//! EAX is the linear address, which is kept. The last eight bytes of the first line and the first
//! eight of the second together contain the operand's first eight.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use crate::core::parts::Core;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::memory::l1d_lookup::{OPEN_LOADS, OPEN_STORES, ORIGIN, SET_SHIFT};
use crate::translator::x64::stubs::callbacks::MAY_WAIT;
use crate::translator::x64::stubs::enter_leave::{pop_registers, push_registers};
use crate::translator_frame::host_frame::Split;

const LINE: i32 = rockcreek_defs::LINE_BYTES as i32;
const PAGE: i32 = 0xFFFF_F000u32 as i32;
const FIRST: i32 = offsets::SPLIT + offset_of!(Split, places) as i32;
const SECOND: i32 = FIRST + 8;
const OPERAND: i32 = offsets::SPLIT + offset_of!(Split, operand) as i32;
/// The highest byte of `HostFrame::how`, whose upper 16 bits are the flags, and the bit of
/// `MAY_WAIT` in that byte.
const MAY_WAIT_BYTE: i32 = offsets::HOW + 3;
const MAY_WAIT_BIT: i8 = (MAY_WAIT >> 8) as i8;

/// The stubs for x87 operands that span two lines. EAX is the linear address, which is kept; `load`
/// and `store` clobber RCX, RDX, RDI and XMM0 to XMM14.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitStubs {
    /// Loads an operand. `HostFrame::how` as for `Stubs::reach`; with `MAY_WAIT` no x87 instruction
    /// is in progress, otherwise `HostFrame::clock_before` is the clock before the load. Sets the
    /// zero flag if the interpreter must do the load; otherwise the operand is at RDX + RAX, unless
    /// clocks have passed that an x87 instruction in progress forbids.
    pub load: u64,
    /// Prepares a store. Sets the zero flag if the interpreter must do it; otherwise the caller
    /// writes the operand to RDX + RAX.
    pub store: u64,
    /// Copy the operand in `HostFrame::split` to the two lines that `store` has prepared: ten bytes
    /// (`put_extended`), or eight (`put`). EAX is the linear address. Clobber RCX, RDX and RDI.
    pub put_extended: u64,
    pub put: u64,
}

impl SplitStubs {
    /// Emits the stubs and returns their offsets in the code; [`SplitStubs::at`] converts them to
    /// addresses.
    /// `reach`: the label of the stub that finds the bytes of a load.
    pub fn emit(asm: &mut Assembler, reach: DynamicLabel) -> SplitStubs {
        let load = asm.offset().0 as u64;
        emit_load(asm, reach);
        let store = asm.offset().0 as u64;
        emit_store(asm);
        let put_extended = asm.offset().0 as u64;
        emit_put_end(asm);
        let put = asm.offset().0 as u64;
        emit_put(asm);
        SplitStubs { load, store, put_extended, put }
    }

    pub fn at(self, base: u64) -> SplitStubs {
        let SplitStubs { load, store, put_extended, put } = self;
        SplitStubs {
            load: base + load,
            store: base + store,
            put_extended: base + put_extended,
            put: base + put,
        }
    }
}

/// Emits the load of ECX and EDX as `Stubs::reach` needs them. Sets the zero flag if the line is
/// open.
fn emit_is_open(asm: &mut Assembler, pages: i32) {
    dynasm!(asm ; .arch x64
        ; mov ecx, eax
        ; shr ecx, SET_SHIFT
        ; and ecx, [rbp + offsets::SET_MASK]
        ; mov edx, eax
        ; and edx, PAGE
        ; cmp edx, [rsi + rcx + pages]
    );
}

/// Emits the search for a line; afterwards the byte of linear address EAX is at RDX + RAX. If the
/// interpreter must do the load, the code jumps to `fails`.
fn emit_reach(asm: &mut Assembler, reach: DynamicLabel, fails: DynamicLabel) {
    let (look, reached) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    emit_is_open(asm, OPEN_LOADS);
    dynasm!(asm ; .arch x64
        ; jne =>look
        ; mov rdx, [rsi + rcx + ORIGIN]
        ; jmp =>reached
        ; =>look
        ; call =>reach
        ; jz =>fails
        ; =>reached
    );
}

fn emit_load(asm: &mut Assembler, reach: DynamicLabel) {
    let [fails, second, late] = [(); 3].map(|()| asm.new_dynamic_label());
    dynasm!(asm ; .arch x64 ; push rax);
    emit_reach(asm, reach, fails);
    dynasm!(asm ; .arch x64
        ; or eax, LINE - 1
        ; lea rdx, [rdx + rax - 7]
        ; mov [rbp + FIRST], rdx
        ; inc eax
        ; jz =>fails
        ; test BYTE [rbp + MAY_WAIT_BYTE], MAY_WAIT_BIT
        ; jnz =>second
        ; cmp rbx, [rbp + offsets::CLOCK_BEFORE]
        ; jne =>late
        ; =>second
        // If the second part could wait, the first part would already be counted.
        ; and BYTE [rbp + MAY_WAIT_BYTE], !MAY_WAIT_BIT
    );
    emit_reach(asm, reach, fails);
    dynasm!(asm ; .arch x64
        ; add rdx, rax
        ; pop rax
        ; push r8
        ; mov r8, [rdx]
        ; mov rdi, [rbp + FIRST]
        ; mov rdi, [rdi]
        ; mov ecx, eax
        ; shl ecx, 3
        ; shrd rdi, r8, cl
        ; mov [rbp + OPERAND], rdi
        ; pop r8
        ; mov ecx, eax
        ; and ecx, 7
        ; movzx ecx, WORD [rdx + rcx]
        ; mov [rbp + OPERAND + 8], cx
    );
    emit_return(asm);
    dynasm!(asm ; .arch x64
        ; =>late
        ; pop rax
        ; ret
        ; =>fails
        ; pop rax
        ; cmp eax, eax
        ; ret
    );
}

/// Emits the return with the zero flag clear; the operand is at RDX + RAX.
fn emit_return(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64 ; lea rdx, [rbp + OPERAND] ; sub rdx, rax ; ret);
}

/// Prepares both lines of a store; returns zero if the interpreter must do it.
extern "sysv64" fn reach_both(core: *mut Core, linear: u32) -> u32 {
    // SAFETY: as in `calls::step`.
    let core = unsafe { &mut *core };
    core.host.combining = 0;
    u32::from(core.reach_split_store(linear))
}

fn emit_store(asm: &mut Assembler) {
    let address = reach_both as *const () as usize as i64;
    let [closed, reached] = [(); 2].map(|()| asm.new_dynamic_label());
    dynasm!(asm ; .arch x64 ; push rax);
    emit_is_open(asm, OPEN_STORES);
    dynasm!(asm ; .arch x64
        ; jne =>closed
        ; or eax, LINE - 1
        ; mov rdi, [rsi + rcx + ORIGIN]
        ; lea rdi, [rdi + rax - 7]
        ; inc eax
        ; jz =>closed
    );
    emit_is_open(asm, OPEN_STORES);
    dynasm!(asm ; .arch x64
        ; jne =>closed
        ; add rax, [rsi + rcx + ORIGIN]
        ; mov [rbp + FIRST], rdi
        ; mov [rbp + SECOND], rax
        ; =>reached
        ; pop rax
    );
    emit_return(asm);
    dynasm!(asm ; .arch x64 ; =>closed ; mov eax, [rsp] ; sub rsp, 8);
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; lea rdi, [rbp - offsets::MIDDLE]
        ; mov esi, eax
        ; mov rax, QWORD address
        ; call rax
        ; mov edx, eax
    );
    pop_registers(asm);
    dynasm!(asm ; .arch x64
        ; add rsp, 8
        ; test edx, edx
        ; jnz =>reached
        ; pop rax
        ; ret
    );
}

/// Emits the copy of the last two of ten bytes. Clobbers RCX, RDX and RDI.
fn emit_put_end(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; mov rdi, [rbp + SECOND]
        ; mov ecx, eax
        ; and ecx, 7
        ; movzx edx, WORD [rbp + OPERAND + 8]
        ; mov [rdi + rcx], dx
    );
}

/// Emits the copy of the first eight bytes, and the return. Clobbers RCX, RDX and RDI.
fn emit_put(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; push r8
        ; mov ecx, eax
        ; shl ecx, 3
        ; mov rdx, [rbp + OPERAND]
        ; mov rdi, [rbp + SECOND]
        ; mov r8, [rdi]
        ; shr r8, cl
        ; shld r8, rdx, cl
        ; mov [rdi], r8
        ; mov rdi, [rbp + FIRST]
        ; mov r8, [rdi]
        ; ror r8, cl
        ; shld rdx, r8, cl
        ; mov [rdi], rdx
        ; pop r8
        ; ret
    );
}
