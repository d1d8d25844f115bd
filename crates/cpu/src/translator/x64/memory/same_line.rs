//! A store that L2 takes waits for the previous store if that one is to the same line and not done.
//! This is a copy of the rule in `run_ahead/same_line.rs`.
//!
//! While an x87 instruction is in progress, no store may wait in the stub: it is recorded (`BUSY`);
//! an x87 store then waits after the stub (`../x87/posted.rs`), or the interpreter does the store.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_defs::LINE_BYTES;

use super::l1d_lookup::{BYTES, TAGS, emit_undone};
use super::memory_fill::{MAY_WAIT, WAITS};
use crate::core::parts::Core;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;
use crate::translator_frame::host_frame::BUSY;

const STORE_LINE: i32 = offsets::of(offset_of!(Core, state.store_line));
pub(crate) const STORE_DONE: i32 = offsets::of(offset_of!(Core, state.store_done));
pub(crate) const STORE_WAITS: i32 = offsets::of(offset_of!(Core, host.store_waits));
pub(crate) const BUSY_ABOVE: i32 = (BUSY >> 32) as i32;

/// The labels of the slow part (the previous store is to the same line), which is emitted
/// elsewhere.
#[must_use]
pub(crate) struct Held {
    same: DynamicLabel,
    taken: DynamicLabel,
}

/// Emits code that counts a store to L2's line at ORIGIN + RAX, where the register TABLE holds the
/// address of L2's table, and that waits until the previous store to the line is done. Clobbers RCX
/// and RDI; TABLE may be RDI.
pub(crate) fn emit(asm: &mut Assembler, table: u8, origin: u8) -> Held {
    let [same, taken] = [(); 2].map(|()| asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; lea rcx, [Rq(origin) + rax]
        ; sub rcx, [Rq(table) + BYTES]
        ; shr rcx, LINE_BYTES.trailing_zeros() as i8
        ; mov rdi, [Rq(table) + TAGS]
        ; mov ecx, [rdi + rcx * 4]
        ; and ecx, -(LINE_BYTES as i32)
        ; movzx edi, WORD [rbp + offsets::HOW]
        ; add rdi, rbx
        ; cmp ecx, [rbp + STORE_LINE]
        ; je =>same
        ; mov [rbp + STORE_LINE], ecx
        ; =>taken
        ; add rdi, [rbp + offsets::L2_CYCLES]
        ; mov [rbp + STORE_DONE], rdi
        ; inc QWORD [rbp + offsets::STORES_AROUND]
    );
    Held { same, taken }
}

impl Held {
    /// Emits the slow part, which waits, or returns from the stub with the zero flag set if the
    /// store may not wait here, or would wait longer than one access to L2. `saved`: true if R8 to
    /// R11 have been saved and must be restored.
    pub fn emit(self, asm: &mut Assembler, saved: bool) {
        let Held { same, taken } = self;
        let [fails, late] = [(); 2].map(|()| asm.new_dynamic_label());
        dynasm!(asm ; .arch x64
            ; =>same
            ; cmp rdi, [rbp + STORE_DONE]
            ; jae =>taken
            ; test BYTE [rbp + WAITS], MAY_WAIT
            ; jz =>fails
            ; sub rdi, [rbp + STORE_DONE]
            ; neg rdi
            ; cmp rdi, [rbp + offsets::L2_CYCLES]
            ; ja =>late
            ; add rbx, rdi
            ; add [rbp + STORE_WAITS], rdi
            ; mov rdi, [rbp + STORE_DONE]
            ; jmp =>taken
            ; =>fails
            ; mov DWORD [rbp + offsets::BEYOND + 4], BUSY_ABOVE
            ; =>late
        );
        if saved {
            emit_undone(asm);
        } else {
            dynasm!(asm ; .arch x64 ; xor edx, edx ; ret);
        }
    }
}
