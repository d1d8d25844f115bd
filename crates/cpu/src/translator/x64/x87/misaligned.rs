//! Memory operands of the x87 that are not aligned to eight bytes, or that have ten bytes. These
//! operands are accessed in place (costs: `x87_misaligned.rs`). A misaligned store needs its line,
//! or both lines (`line_split.rs`), in L1D; an aligned store of ten bytes needs an open line.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::ops::Recorded;
use crate::execute::isa::x87::form_of;
use crate::execute::op::Op;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::regions::x87_misaligned::Skew;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::memory::l1d_lookup::{OPEN_LOADS, OPEN_STORES, ORIGIN};
use crate::translator::x64::memory::slow_access::ColdAccess;
use crate::translator::x64::region::emit::Emitter;
use crate::translator::x64::stubs::callbacks::MAY_WAIT;
use crate::translator_frame::packed_counts::Counts;

/// The size of an extended operand in bytes.
pub(crate) const EXTENDED: usize = 10;
const LINE: i32 = rockcreek_defs::LINE_BYTES as i32;
const PAGE: i32 = 0xFFFF_F000u32 as i32;

/// The data of the slow path for an x87 operand that may be misaligned.
pub(crate) struct Skewed {
    skew: Skew,
    op: Op,
    bytes: usize,
    precision: u16,
    notes_bank: bool,
    recorded: Option<Recorded>,
}

/// The labels at which an access to an x87 operand that may be misaligned continues.
#[derive(Clone, Copy)]
struct Ways {
    /// For an aligned operand.
    reached: DynamicLabel,
    /// For a load whose operand may be misaligned.
    there: DynamicLabel,
    /// For a misaligned store that has been done, but whose clocks have not been added yet.
    stored: DynamicLabel,
    /// For an operand of which parts are in two lines.
    split: DynamicLabel,
    interpreter: DynamicLabel,
}

impl Emitter<'_> {
    /// The data for an instruction's operand; `None` for an operand that is always aligned, or that
    /// the interpreter accesses whenever it is not.
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

    /// Emits code that marks ten bytes at EAX that span two lines as misaligned, in EDX. Clobbers
    /// RDI.
    pub fn mark_line_end(&mut self) {
        dynasm!(self.asm ; .arch x64
            ; lea edi, [rax + EXTENDED as i32 - 1]
            ; xor edi, eax
            ; and edi, LINE
            ; or edx, edi
        );
    }

    pub fn count_misaligned(&mut self) {
        dynasm!(self.asm ; .arch x64 ; inc QWORD [rbp + offsets::MISALIGNED]);
    }

    /// Emits the slow path, with the linear address in EAX and its set in ECX. Execution falls
    /// through if the interpreter must do the instruction.
    pub fn skewed_access(
        &mut self,
        access: &ColdAccess,
        skewed: &Skewed,
        kind: Access,
        reached: DynamicLabel,
    ) {
        let load = kind == Access::Load;
        let [there, stored, split, interpreter] = [(); 4].map(|()| self.label());
        let ways = Ways { reached, there, stored, split, interpreter };
        match skewed.skew {
            Skew::Always if load => {
                self.refill(access, kind, 1, reached);
            }
            Skew::Always => {}
            Skew::Never if load => {
                self.leave_unless_inside(skewed, interpreter, interpreter);
                self.place_in_l1d(8);
                self.refill(access, kind, 8, reached);
            }
            Skew::Never => {}
            Skew::Perhaps { clocks, after } => {
                self.reach_perhaps(access, skewed, kind, &ways);
                self.go_on_skewed(access, skewed, clocks, after, &ways);
            }
        }
        dynasm!(self.asm ; .arch x64 ; =>interpreter);
    }

    /// Emits a jump to `split` unless the operand lies in one line, and to `interpreter` if an
    /// operand of ten bytes has an odd address. Clobbers EDX.
    fn leave_unless_inside(
        &mut self,
        skewed: &Skewed,
        split: DynamicLabel,
        interpreter: DynamicLabel,
    ) {
        if skewed.bytes == EXTENDED {
            dynasm!(self.asm ; .arch x64 ; test al, 1 ; jnz =>interpreter);
        }
        dynasm!(self.asm ; .arch x64
            ; mov edx, eax
            ; and edx, LINE - 1
            ; cmp edx, LINE - skewed.bytes as i32
            ; ja =>split
        );
    }

    /// Emits the check for misalignment. Execution falls through if the operand at RDX + RAX is
    /// misaligned; in the common case (aligned, line not in the table) the code jumps out.
    fn reach_perhaps(&mut self, access: &ColdAccess, skewed: &Skewed, kind: Access, ways: &Ways) {
        let Ways { reached, there, split, interpreter, .. } = *ways;
        let [skew, closed, closed_store] = [(); 3].map(|()| self.label());
        let load = kind == Access::Load;
        if skewed.bytes == EXTENDED {
            self.leave_unless_inside(skewed, split, interpreter);
            self.place_in_l1d(1);
        }
        dynasm!(self.asm ; .arch x64 ; test al, 7 ; jnz =>skew ; =>closed);
        let late = match load {
            true => self.refill(access, kind, 1, there),
            false if skewed.bytes == EXTENDED => None,
            false => self.refill(access, kind, skewed.bytes, reached),
        };
        dynasm!(self.asm ; .arch x64 ; jmp =>interpreter);
        match load {
            true => self.load_split(access, skewed, late, ways),
            false => {
                dynasm!(self.asm ; .arch x64 ; =>closed_store);
                self.reach_at_once(kind, 1, there);
                dynasm!(self.asm ; .arch x64 ; jmp =>interpreter);
                self.store_split(access, skewed, ways);
            }
        }
        dynasm!(self.asm ; .arch x64 ; =>skew);
        if skewed.bytes != EXTENDED {
            self.leave_unless_inside(skewed, split, interpreter);
        }
        let (pages, shut) = match load {
            true => (OPEN_LOADS, closed),
            false => (OPEN_STORES, closed_store),
        };
        dynasm!(self.asm ; .arch x64
            ; mov edx, eax
            ; and edx, PAGE
            ; cmp edx, [rsi + rcx + pages]
            ; jne =>shut
            ; mov rdx, [rsi + rcx + ORIGIN]
        );
        dynasm!(self.asm ; .arch x64 ; =>there);
        if load {
            dynasm!(self.asm ; .arch x64 ; test al, 7 ; jz =>reached);
        }
    }

    /// Emits the load of an operand from two lines. If clocks have passed while an x87 instruction
    /// was in progress, the load is tried again in a block of its own, as if only the first line
    /// had been read.
    fn load_split(
        &mut self,
        access: &ColdAccess,
        skewed: &Skewed,
        late: Option<[DynamicLabel; 2]>,
        ways: &Ways,
    ) {
        let Ways { there, split, interpreter, .. } = *ways;
        let one = self.l2_cycles;
        let waits = if late.is_none() { MAY_WAIT } else { 0 };
        let how = (waits << 16) as i32 | access.before.clocks as i32;
        dynasm!(self.asm ; .arch x64 ; =>split ; mov DWORD [rbp + offsets::HOW], how);
        if late.is_some() {
            dynasm!(self.asm ; .arch x64 ; mov [rbp + offsets::CLOCK_BEFORE], rbx);
        }
        self.asm.call(self.stubs.split.load);
        dynasm!(self.asm ; .arch x64 ; jz =>interpreter);
        if let Some([once, twice]) = late {
            dynasm!(self.asm ; .arch x64
                ; mov rcx, rbx
                ; sub rcx, [rbp + offsets::CLOCK_BEFORE]
                ; jz >in_time
                ; cmp ecx, one
                ; je =>once
                ; jmp =>twice
                ; in_time:
            );
        }
        if skewed.bytes == EXTENDED {
            // An aligned operand of ten bytes has one part in each line, so the first load is
            // counted already.
            dynasm!(self.asm ; .arch x64 ; test al, 7 ; jz =>there);
        }
        self.add_counts(Counts { loads: 1, ..Counts::default() }.packed());
        dynasm!(self.asm ; .arch x64 ; jmp =>there);
    }

    /// Emits the store of an operand of which parts are in two lines.
    fn store_split(&mut self, access: &ColdAccess, skewed: &Skewed, ways: &Ways) {
        let Ways { stored, split, interpreter, .. } = *ways;
        let rejoin = access.rejoin.expect("it is no branch");
        let stubs = self.stubs.split;
        let put = if skewed.bytes == EXTENDED { stubs.put_extended } else { stubs.put };
        dynasm!(self.asm ; .arch x64 ; =>split);
        self.asm.call(stubs.store);
        dynasm!(self.asm ; .arch x64 ; jz =>interpreter);
        self.recorded = skewed.recorded;
        if skewed.notes_bank {
            self.bank_of_address();
            self.note_bank();
        }
        self.float_at(&skewed.op, access.eip, skewed.precision);
        self.asm.call(put);
        if skewed.bytes == EXTENDED {
            dynasm!(self.asm ; .arch x64 ; test al, 7 ; jz =>rejoin);
        }
        self.add_counts(Counts { stores: 1, ..Counts::default() }.packed());
        self.count_misaligned();
        dynasm!(self.asm ; .arch x64 ; jmp =>stored);
    }

    /// Emits the charge of the penalty and the jump back to the fast path. If the fast path was
    /// translated for another x87 state after the instruction, the instruction is executed here and
    /// execution continues in a block of its own.
    fn go_on_skewed(
        &mut self,
        access: &ColdAccess,
        skewed: &Skewed,
        clocks: u64,
        after: u32,
        &Ways { reached, stored, .. }: &Ways,
    ) {
        self.count_misaligned();
        if after == access.carried.after {
            let more = clocks as i32 - access.own.clocks as i32;
            let rejoin = access.rejoin.expect("it is no branch");
            dynasm!(self.asm ; .arch x64
                ; lea rbx, [rbx + more]
                ; jmp =>reached
                ; =>stored
                ; lea rbx, [rbx + more]
                ; jmp =>rejoin
            );
            return;
        }
        self.recorded = skewed.recorded;
        if skewed.notes_bank {
            self.bank_of_address();
            self.note_bank();
        }
        self.float_at(&skewed.op, access.eip, skewed.precision);
        dynasm!(self.asm ; .arch x64 ; =>stored);
        self.note_x87();
        let mut done = access.before;
        done.add(access.own);
        let clocks = access.before.clocks + clocks;
        dynasm!(self.asm ; .arch x64 ; lea rbx, [rbx + clocks as i32]);
        self.add_counts(done.counts.packed());
        self.exit_to(access.end, after);
    }
}
