//! Emits the saving of a set or a line in the undo log of the open window, as the cache crate's
//! `journal.rs` does.

use std::mem::offset_of;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::{QuickLines, SAVED, SavedLine, SavedSet};

use super::l1d_lookup::{BYTES, SETS, TAGS};
use crate::translator::x64::encoding::assembler::Assembler;

const WINDOW: i32 = offset_of!(QuickLines, arrays.window) as i32;
const USED: i32 = offset_of!(QuickLines, arrays.journal.used) as i32;
/// Offsets at `JournalAddresses::used`: of the number of saved sets, and of saved lines.
const SETS_USED: i32 = 0;
const LINES_USED: i32 = 8;
pub(crate) const LINE_MARKS: i32 = offset_of!(QuickLines, arrays.journal.line_marks) as i32;
const SAVED_SETS: i32 = offset_of!(QuickLines, arrays.journal.sets) as i32;
const SAVED_LINES: i32 = offset_of!(QuickLines, arrays.journal.lines) as i32;
const SET: i32 = offset_of!(SavedSet, set) as i32;
const STATE: i32 = offset_of!(SavedSet, replacement) as i32;
const SET_TAGS: i32 = offset_of!(SavedSet, tags) as i32;
const LINE: i32 = offset_of!(SavedLine, line) as i32;
const _: () = assert!(offset_of!(SavedLine, data) == 0);
const SET_BYTES: i32 = size_of::<SavedSet>() as i32;
const LINE_BYTES: i32 = size_of::<SavedLine>() as i32;
/// [`SAVED`], a bit in the replacement state of a set.
pub(crate) const MARK: i8 = SAVED as i8;

/// The registers that hold the address of L1D's table, and of L2's.
pub(crate) const FIRST: u8 = 6;
pub(crate) const SECOND: u8 = 2;

/// The labels of the two routines that save a set, and a line, of one cache before it changes, so
/// that a rollback can restore it.
#[derive(Clone, Copy)]
pub(crate) struct Saving {
    set: DynamicLabel,
    line: DynamicLabel,
}

/// The labels of the slow part: the saving of a set or line that is not saved yet in this window.
#[must_use]
pub(crate) struct Unsaved {
    routine: DynamicLabel,
    unsaved: DynamicLabel,
    back: DynamicLabel,
    number: u8,
    /// The number of the host register that holds a set's replacement state; `None` if none does.
    state: Option<u8>,
}

impl Unsaved {
    pub fn emit(self, asm: &mut Assembler) {
        let Unsaved { routine, unsaved, back, number, state } = self;
        dynasm!(asm ; .arch x64 ; =>unsaved ; mov edi, Rd(number) ; call =>routine);
        if let Some(state) = state {
            dynasm!(asm ; .arch x64 ; or Rb(state), MARK);
        }
        dynasm!(asm ; .arch x64 ; jmp =>back);
    }
}

impl Saving {
    pub fn new(asm: &mut Assembler) -> Saving {
        Saving { set: asm.new_dynamic_label(), line: asm.new_dynamic_label() }
    }

    /// Emits the saving of a set before its first change in the window, and the marking of its
    /// state, in memory and in the register. `set`, `state`: the registers with the set's number
    /// and its state. Clobbers RDI and XMM5 if the set had not been saved.
    pub fn set(&self, asm: &mut Assembler, set: u8, state: u8) -> Unsaved {
        let (unsaved, back) = (asm.new_dynamic_label(), asm.new_dynamic_label());
        dynasm!(asm ; .arch x64 ; test Rb(state), MARK ; jz =>unsaved ; =>back);
        Unsaved { routine: self.set, unsaved, back, number: set, state: Some(state) }
    }

    /// Emits the saving of a set, with the registers of its number and its state. If the set had
    /// not been saved, RDI and XMM5 are clobbered, and the code at `again` reads the state again.
    pub fn set_again(
        &self,
        asm: &mut Assembler,
        set: u8,
        state: u8,
        again: DynamicLabel,
    ) -> Unsaved {
        let unsaved = asm.new_dynamic_label();
        dynasm!(asm ; .arch x64 ; test Rb(state), MARK ; jz =>unsaved);
        Unsaved { routine: self.set, unsaved, back: again, number: set, state: None }
    }

    /// Emits the saving of a line's bytes before their first change in the window. Clobbers RDI,
    /// and XMM5 and XMM6 if the line had not been saved.
    pub fn line(&self, asm: &mut Assembler, table: u8, line: u8) -> Unsaved {
        let (unsaved, back) = (asm.new_dynamic_label(), asm.new_dynamic_label());
        dynasm!(asm ; .arch x64
            ; mov rdi, [Rq(table) + LINE_MARKS]
            ; cmp BYTE [rdi + Rq(line)], 0
            ; je =>unsaved
            ; =>back
        );
        Unsaved { routine: self.line, unsaved, back, number: line, state: None }
    }

    /// Emits the saving of a set that is known not to be saved. Clobbers RDI and XMM5.
    pub fn emit_call(&self, asm: &mut Assembler, set: u8) {
        let routine = self.set;
        dynasm!(asm ; .arch x64 ; mov edi, Rd(set) ; call =>routine);
    }

    /// Emits the two routines, which save and mark a set, or a line, with the number in EDI; if no
    /// window is open, they only mark it. Both clobber RDI and XMM5, the second XMM6 too.
    pub fn emit(&self, asm: &mut Assembler, table: u8) {
        let (set, line) = (self.set, self.line);
        dynasm!(asm ; .arch x64
            ; =>set
            ; push rax
            ; push rcx
            ; mov rcx, [Rq(table) + SETS]
            ; or BYTE [rcx + rdi], MARK
            ; cmp BYTE [Rq(table) + WINDOW], 0
            ; je >no_window
            ; movzx ecx, BYTE [rcx + rdi]
            ; mov rax, [Rq(table) + USED]
            ; inc QWORD [rax + SETS_USED]
            ; imul rax, [rax + SETS_USED], SET_BYTES
            ; add rax, [Rq(table) + SAVED_SETS]
            ; mov [rax + SET - SET_BYTES], edi
            ; shr ecx, 1
            ; mov [rax + STATE - SET_BYTES], cl
            ; shl rdi, 4
            ; add rdi, [Rq(table) + TAGS]
            ; movdqu xmm5, [rdi]
            ; movdqu [rax + SET_TAGS - SET_BYTES], xmm5
            ; no_window:
            ; pop rcx
            ; pop rax
            ; ret
            ; =>line
            ; push rax
            ; mov rax, [Rq(table) + LINE_MARKS]
            ; mov BYTE [rax + rdi], 1
            ; cmp BYTE [Rq(table) + WINDOW], 0
            ; je >no_window
            ; mov rax, [Rq(table) + USED]
            ; inc QWORD [rax + LINES_USED]
            ; imul rax, [rax + LINES_USED], LINE_BYTES
            ; add rax, [Rq(table) + SAVED_LINES]
            ; mov [rax + LINE - LINE_BYTES], edi
            ; shl rdi, 5
            ; add rdi, [Rq(table) + BYTES]
            ; movdqu xmm5, [rdi]
            ; movdqu xmm6, [rdi + 16]
            ; movdqu [rax - LINE_BYTES], xmm5
            ; movdqu [rax + 16 - LINE_BYTES], xmm6
            ; no_window:
            ; pop rax
            ; ret
        );
    }
}
