//! Saving a set or a line for the open window, as the caches' journal does it.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{QuickLines, SavedLine, SavedSet};

use super::lookup::{BYTES, REPLACEMENT, TAGS};
use super::stubs::Assembler;

pub(super) const WINDOW: i32 = offset_of!(QuickLines, arrays.window) as i32;
const USED: i32 = offset_of!(QuickLines, arrays.journal.used) as i32;
/// What is at `JournalAddresses::used`: how many sets are saved, and how many lines.
const SETS_USED: i32 = 0;
const LINES_USED: i32 = 8;
pub(super) const SET_MARKS: i32 = offset_of!(QuickLines, arrays.journal.set_marks) as i32;
pub(super) const LINE_MARKS: i32 = offset_of!(QuickLines, arrays.journal.line_marks) as i32;
const SAVED_SETS: i32 = offset_of!(QuickLines, arrays.journal.sets) as i32;
const SAVED_LINES: i32 = offset_of!(QuickLines, arrays.journal.lines) as i32;
const SET: i32 = offset_of!(SavedSet, set) as i32;
const STATE: i32 = offset_of!(SavedSet, replacement) as i32;
const LINE: i32 = offset_of!(SavedLine, line) as i32;
const SET_BYTES: i32 = size_of::<SavedSet>() as i32;
const LINE_BYTES: i32 = size_of::<SavedLine>() as i32;

/// The register with the address of L1D's table, and of L2's.
pub(super) const FIRST: u8 = 6;
pub(super) const SECOND: u8 = 2;

/// The routines for one cache.
#[derive(Clone, Copy)]
pub(super) struct Saving {
    set: DynamicLabel,
    line: DynamicLabel,
}

/// The bytes of a line are not saved in this window yet. R9 goes.
fn emit_is_new(asm: &mut Assembler, table: u8, line: u8, saved: DynamicLabel) {
    dynasm!(asm ; .arch x64
        ; mov r9, [Rq(table) + LINE_MARKS]
        ; mov r9d, [r9 + Rq(line) * 4]
        ; cmp r9d, [Rq(table) + WINDOW]
        ; je =>saved
    );
}

impl Saving {
    pub fn new(asm: &mut Assembler) -> Saving {
        Saving { set: asm.new_dynamic_label(), line: asm.new_dynamic_label() }
    }

    /// Saves set RCX before its first change in the window. R9 and XMM5 go.
    pub fn set(&self, asm: &mut Assembler, table: u8) {
        let (saved, routine) = (asm.new_dynamic_label(), self.set);
        dynasm!(asm ; .arch x64
            ; mov r9, [Rq(table) + SET_MARKS]
            ; mov r9d, [r9 + rcx * 4]
            ; cmp r9d, [Rq(table) + WINDOW]
            ; je =>saved
            ; call =>routine
            ; =>saved
        );
    }

    /// Saves the bytes of a line before their first change in the window. RCX, R9, XMM5 and XMM6
    /// go.
    pub fn line(&self, asm: &mut Assembler, table: u8, line: u8) {
        let (saved, routine) = (asm.new_dynamic_label(), self.line);
        emit_is_new(asm, table, line, saved);
        dynasm!(asm ; .arch x64 ; mov ecx, Rd(line) ; call =>routine ; =>saved);
    }

    /// Both before a clean line is replaced. If its bytes are saved, its set is: it was filled in this
    /// window, a store found it clean, or it was made clean. RCX, R9, XMM5 and XMM6 go.
    pub fn filled(&self, asm: &mut Assembler, table: u8, (set, line): (u8, u8)) {
        let (saved, routine) = (asm.new_dynamic_label(), self.line);
        emit_is_new(asm, table, line, saved);
        dynasm!(asm ; .arch x64 ; mov ecx, Rd(set));
        self.set(asm, table);
        dynasm!(asm ; .arch x64 ; mov ecx, Rd(line) ; call =>routine ; =>saved);
    }

    /// The routines themselves.
    pub fn emit(&self, asm: &mut Assembler, table: u8) {
        let (set, line) = (self.set, self.line);
        dynasm!(asm ; .arch x64
            ; =>set
            ; mov r9d, [Rq(table) + WINDOW]
            ; test r9d, r9d
            ; jz >no_window
            ; push rax
            ; push rdi
            ; mov rdi, [Rq(table) + SET_MARKS]
            ; mov [rdi + rcx * 4], r9d
            ; mov rdi, [Rq(table) + USED]
            ; mov rax, [rdi + SETS_USED]
            ; inc QWORD [rdi + SETS_USED]
            ; imul rax, rax, SET_BYTES
            ; add rax, [Rq(table) + SAVED_SETS]
            ; mov [rax + SET], ecx
            ; mov rdi, [Rq(table) + REPLACEMENT]
            ; movzx r9d, BYTE [rdi + rcx]
            ; mov [rax + STATE], r9b
            ; mov r9d, ecx
            ; shl r9, 4
            ; add r9, [Rq(table) + TAGS]
            ; movdqu xmm5, [r9]
            ; movdqu [rax], xmm5
            ; pop rdi
            ; pop rax
            ; no_window:
            ; ret
            ; =>line
            ; mov r9d, [Rq(table) + WINDOW]
            ; test r9d, r9d
            ; jz >no_window
            ; push rax
            ; push rdi
            ; mov rdi, [Rq(table) + LINE_MARKS]
            ; mov [rdi + rcx * 4], r9d
            ; mov rdi, [Rq(table) + USED]
            ; mov rax, [rdi + LINES_USED]
            ; inc QWORD [rdi + LINES_USED]
            ; imul rax, rax, LINE_BYTES
            ; add rax, [Rq(table) + SAVED_LINES]
            ; mov [rax + LINE], ecx
            ; mov r9d, ecx
            ; shl r9, 5
            ; add r9, [Rq(table) + BYTES]
            ; movdqu xmm5, [r9]
            ; movdqu xmm6, [r9 + 16]
            ; movdqu [rax], xmm5
            ; movdqu [rax + 16], xmm6
            ; pop rdi
            ; pop rax
            ; no_window:
            ; ret
        );
    }
}
