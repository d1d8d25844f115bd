//! Operands of the x87 that are not aligned to eight bytes, or have ten: in place if they lie in one
//! line (`skew.rs`). A store that is not aligned, or of ten bytes, must find its line open.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::cold::ColdAccess;
use super::emit::Emitter;
use super::floating::Recorded;
use super::lookup::{OPEN_LOADS, OPEN_STORES, ORIGIN};
use super::stubs::at;
use crate::isa::x87::form_of;
use crate::op::Op;
use crate::translator::reach::Access;
use crate::translator::region::Item;
use crate::translator::skew::Skew;

/// Of ten bytes.
pub(super) const EXTENDED: usize = 10;
const LINE: i32 = rockcreek_defs::LINE_BYTES as i32;
const PAGE: i32 = 0xFFFF_F000u32 as i32;

/// What the code beside the straight path knows of such an operand.
pub(super) struct Skewed {
    skew: Skew,
    op: Op,
    bytes: usize,
    precision: u16,
    notes_bank: bool,
    recorded: Option<Recorded>,
}

/// Where such an access goes on: aligned, or for the interpreter.
#[derive(Clone, Copy)]
struct Ways {
    reached: DynamicLabel,
    interpreter: DynamicLabel,
}

impl Emitter<'_> {
    /// `None`: the access is an ordinary one.
    pub fn skewed(&self, item: &Item) -> Option<Skewed> {
        if item.skew == Skew::Never && !item.is_extended() {
            return None;
        }
        let form = form_of(item.op());
        Some(Skewed {
            skew: item.skew,
            op: *item.op(),
            bytes: usize::from(form.read_bytes.max(form.write_bytes)),
            precision: item.x87.0?.precision,
            notes_bank: item.notes_bank,
            recorded: self.recorded,
        })
    }

    /// Ten bytes at EAX that end in another line are not aligned, in EDX. RDI goes.
    pub fn mark_line_end(&mut self) {
        dynasm!(self.asm ; .arch x64
            ; lea edi, [rax + EXTENDED as i32 - 1]
            ; xor edi, eax
            ; and edi, LINE
            ; or edx, edi
        );
    }

    pub fn count_misaligned(&mut self) {
        dynasm!(self.asm ; .arch x64 ; inc QWORD [rbp + at::MISALIGNED]);
    }

    /// Beside the straight path, with the linear address in EAX and its set in ECX; falls through
    /// to the interpreter.
    pub fn skewed_access(
        &mut self,
        access: &ColdAccess,
        skewed: &Skewed,
        kind: Access,
        reached: DynamicLabel,
    ) {
        let load = kind == Access::Load;
        let ways = Ways { reached, interpreter: self.label() };
        let interpreter = ways.interpreter;
        match skewed.skew {
            Skew::Always if load => self.refill(access, kind, 1, reached),
            Skew::Always => {}
            Skew::Never if load => {
                self.leave_unless_inside(skewed, interpreter);
                self.place_in_l1d(8);
                self.refill(access, kind, 8, reached);
            }
            Skew::Never => {}
            Skew::Perhaps { clocks, after } => {
                let there = self.label();
                self.reach_perhaps(access, skewed, kind, (there, ways));
                self.go_on_skewed(access, skewed, (clocks, after), reached);
            }
        }
        dynasm!(self.asm ; .arch x64 ; =>interpreter);
    }

    /// All of the operand is in one line, and its last two bytes in one word.
    fn leave_unless_inside(&mut self, skewed: &Skewed, interpreter: DynamicLabel) {
        dynasm!(self.asm ; .arch x64
            ; mov edx, eax
            ; and edx, LINE - 1
            ; cmp edx, LINE - skewed.bytes as i32
            ; ja =>interpreter
        );
        if skewed.bytes == EXTENDED {
            dynasm!(self.asm ; .arch x64 ; test al, 1 ; jnz =>interpreter);
        }
    }

    /// Goes on behind it, with the operand at RDX + RAX, if that is skewed. Mostly it is not, and
    /// its line is closed.
    fn reach_perhaps(
        &mut self,
        access: &ColdAccess,
        skewed: &Skewed,
        kind: Access,
        (there, Ways { reached, interpreter }): (DynamicLabel, Ways),
    ) {
        let [skew, closed] = [(); 2].map(|()| self.label());
        let load = kind == Access::Load;
        if skewed.bytes == EXTENDED {
            self.leave_unless_inside(skewed, interpreter);
            self.place_in_l1d(1);
        }
        dynasm!(self.asm ; .arch x64 ; test al, 7 ; jnz =>skew ; =>closed);
        match load {
            true => self.refill(access, kind, 1, there),
            false if skewed.bytes == EXTENDED => {}
            false => self.refill(access, kind, skewed.bytes, reached),
        }
        dynasm!(self.asm ; .arch x64 ; jmp =>interpreter ; =>skew);
        if skewed.bytes != EXTENDED {
            self.leave_unless_inside(skewed, interpreter);
        }
        let (pages, shut) = match load {
            true => (OPEN_LOADS, closed),
            false => (OPEN_STORES, interpreter),
        };
        dynasm!(self.asm ; .arch x64
            ; mov edx, eax
            ; and edx, PAGE
            ; cmp edx, [rsi + rcx + pages]
            ; jne =>shut
            ; mov rdx, [rsi + rcx + ORIGIN]
        );
        if load {
            dynasm!(self.asm ; .arch x64 ; =>there ; test al, 7 ; jz =>reached);
        }
    }

    /// The penalty, then as on the straight path, or, where that was translated for another x87
    /// behind the instruction, all of it and on to a block of its own.
    fn go_on_skewed(
        &mut self,
        access: &ColdAccess,
        skewed: &Skewed,
        (clocks, after): (u64, u32),
        reached: DynamicLabel,
    ) {
        self.count_misaligned();
        if after == access.carried.1 {
            let more = clocks as i32 - access.own.clocks as i32;
            dynasm!(self.asm ; .arch x64 ; lea rbx, [rbx + more] ; jmp =>reached);
            return;
        }
        self.recorded = skewed.recorded;
        if skewed.notes_bank {
            self.bank_of_address();
            self.note_bank();
        }
        self.float_at(&skewed.op, access.eip, skewed.precision);
        self.note_x87();
        let mut done = access.before;
        done.add(access.own);
        let clocks = access.before.clocks + clocks;
        dynasm!(self.asm ; .arch x64 ; lea rbx, [rbx + clocks as i32]);
        self.add_counts(done.counts.packed());
        self.exit_to(access.end, after);
    }
}
