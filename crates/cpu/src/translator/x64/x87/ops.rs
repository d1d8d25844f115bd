//! x87 instructions executed in place, on the host's x87 unit.
//!
//! While the x87 is *loaded*, the host's x87 holds all eight of the guest's data registers,
//! including empty ones, because their contents stay visible to the guest: guest ST(i) is host
//! ST(i). A register that is empty to the host is empty to the guest, but not vice versa: a pop may
//! be FINCSTP, a push is FFREE ST(7) and a load; the contents of empty registers are moved back
//! too. Rounding and precision control are the guest's; all exceptions are masked. Exception flags
//! accumulate in the host's status word (which after loading has only flags that the guest has) and
//! are merged when the registers go back to the core; so is C1, which the host's instructions set
//! as the guest's do. The other condition codes are always in the core. The pointers to the last
//! instruction are written before they can be read ([`Recorded`]).
//!
//! Rust code that is called while the x87 is loaded (to look a branch up) uses only integers;
//! before any other call the registers go back to the core.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_x87::{Form, Op as Operation, Source};

use crate::execute::isa::x87::form_of;
use crate::execute::op::{Op, prefix};
use crate::registers::register_file::{gpr, sreg};
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::regions::x87_misaligned::Skew;
use crate::translator::regions::x87_roles::X87Role;
use crate::translator::regions::x87_state::{ALL_MASKED, PRECISION, PRECISIONS, is_computed, pops};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::host;
use crate::translator::x64::integer::flags::Flags;
use crate::translator::x64::memory::access::is_plain;
use crate::translator::x64::memory::slow_access::ColdAccess;
use crate::translator::x64::region::coverage::own;
use crate::translator::x64::region::emit::Emitter;
use crate::translator::x64::region::slow_path::Cold;

const AX: u8 = host(gpr::EAX as u8);
/// Bits of the x87's status word: exception flags, condition codes, and the position of TOP.
pub(crate) const EXCEPTIONS: i32 = 0x3F;
pub(crate) const C1: i32 = 0x0200;
const OTHER_CODES: i32 = 0x4500;
const TOP_SHIFT: u32 = 11;
/// Bits of the control word: `CONTROL_WRITABLE` can be written, `CONTROL_FIXED` is always set.
const CONTROL_WRITABLE: i32 = 0x1F3F;
const CONTROL_FIXED: i32 = 0x0040;

/// The last x87 instruction, whose pointers (address, opcode, operand) are still to be written into
/// the core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorded {
    eip: u32,
    opcode: u32,
    /// The segment register of the last memory operand; `None` if the instruction has none.
    segment: Option<u8>,
}

/// What is needed to move the x87's registers from the host's x87 back to the core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unloading {
    top: u8,
    empty: u8,
    recorded: Option<Recorded>,
}

/// True if translated code can address the instruction's memory operand, or if there is none.
pub(in crate::translator) fn can_float(item: &Item) -> bool {
    let form = form_of(item.op());
    let memory = form.read_bytes + form.write_bytes > 0;
    let marks = prefix::LOCK | prefix::REP | prefix::REPNE;
    item.op().prefixes & marks == 0 && (!memory || is_plain(item.op()))
}

/// The counts that an instruction in place adds: x87 instructions, floating-point operations.
pub(crate) fn counted(item: &Item) -> (u64, u64) {
    if item.x87_role != X87Role::InPlace || form_of(item.op()).op == Operation::Wait {
        return (0, 0);
    }
    (1, u64::from(item.op().prefixes & prefix::FLOATING_POINT != 0))
}

impl Emitter<'_> {
    /// Emits one x87 instruction that is executed in place.
    pub fn float(&mut self, item: &Item, op: *const Op) {
        let x87 = item.x87.0.expect("an instruction in place has a known x87");
        if !x87.loaded {
            self.load_x87(x87.top);
        }
        let form = form_of(item.op());
        let bytes = usize::from(form.read_bytes.max(form.write_bytes));
        if is_computed(form.op) {
            return self.compute(item, op, form, &x87);
        }
        if bytes == 0 {
            self.float_in_registers(item, form, x87.top);
            self.record(item.op(), item.eip, form, false);
            self.done.add(own(item, None));
            return;
        }
        let access = if form.read_bytes > 0 { Access::Load } else { Access::Store };
        let own = own(item, Some(access));
        self.address(item.op());
        let skewed = item.skew == Skew::Always;
        let rejoin = self.reach(item, op, if skewed { 1 } else { bytes }, access, own, None);
        if skewed {
            self.count_misaligned();
        }
        self.float_at(item.op(), item.eip, x87.precision);
        self.rejoin(rejoin, own);
    }

    /// Emits one x87 instruction that is executed in place, with its operand at RDX + RAX; EAX is
    /// the linear address. Clobbers ECX, EDX (FLDCW) and EAX (comparisons).
    pub fn float_at(&mut self, op: &Op, eip: u32, precision: u16) {
        let form = form_of(op);
        if form.records {
            dynasm!(self.asm ; .arch x64 ; mov [rbp + offsets::X87_OPERAND_OFFSET], eax);
        }
        self.float_in_memory(op, form, precision);
        self.record(op, eip, form, true);
    }

    fn float_in_memory(&mut self, op: &Op, form: &Form, precision: u16) {
        match form.op {
            Operation::Load(_) => {
                self.make_room();
                self.on_memory(op, 7);
            }
            Operation::Compare { .. } => {
                self.on_memory(op, 6);
                self.compared(form);
            }
            Operation::LoadControl => self.load_control(precision),
            Operation::StoreControl => dynasm!(self.asm ; .arch x64
                ; movzx ecx, WORD [rbp + offsets::X87_CONTROL]
                ; mov [rdx + rax], cx
            ),
            _ => self.on_memory(op, 7),
        }
    }

    fn float_in_registers(&mut self, item: &Item, form: &Form, top: u8) {
        let (escape, modrm, i) = (escape(item.op()), modrm(item.op()), item.op().a & 7);
        match form.op {
            Operation::Compare { source, quiet, .. } => {
                let bytes = match source {
                    Source::Register if quiet => [0xDD, 0xE0 | i],
                    Source::Register => [0xD8, 0xD0 | i],
                    _ => [escape, modrm],
                };
                self.bytes(&bytes);
                self.compared(form);
            }
            Operation::Examine => {
                self.bytes(&[escape, modrm]);
                self.note_codes();
            }
            Operation::StoreStatusAx => self.status_to_ax(top),
            Operation::Nop | Operation::Wait => {}
            Operation::LoadRegister | Operation::LoadConstant(_) => {
                self.make_room();
                self.bytes(&[escape, modrm]);
            }
            Operation::StoreRegister { .. } => {
                self.bytes(&[0xDD, 0xD0 | i]);
                self.pop(form);
            }
            Operation::Exchange => self.bytes(&[0xD9, 0xC8 | i]),
            // FFREE changes only the tag, and C1 is 0.
            Operation::Free { .. } => dynasm!(self.asm ; .arch x64 ; fdecstp ; fincstp),
            _ => self.bytes(&[escape, modrm]),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.asm.extend(bytes);
    }

    /// Emits the instruction itself with operand [rdx + rax] and the given bits of its second
    /// opcode byte.
    fn on_memory(&mut self, op: &Op, opcode_bits: u8) {
        let opcode = modrm(op) >> 3 & opcode_bits;
        self.bytes(&[escape(op), opcode << 3 | 4, 0x02]);
    }

    /// Emits the preparation of a push: frees host ST(7).
    pub fn make_room(&mut self) {
        dynasm!(self.asm ; .arch x64 ; ffree st7);
    }

    fn pop(&mut self, form: &Form) {
        for _ in 0..pops(form.op) {
            dynasm!(self.asm ; .arch x64 ; fincstp);
        }
    }

    /// Emits the end of a comparison: stores the condition codes, and pops. Clobbers EAX and ECX.
    fn compared(&mut self, form: &Form) {
        self.note_codes();
        self.pop(form);
    }

    /// Emits the move of the condition codes except C1 from the host's status word into the core.
    /// Clobbers EAX and ECX.
    fn note_codes(&mut self) {
        dynasm!(self.asm ; .arch x64
            ; fnstsw ax
            ; and eax, OTHER_CODES
            ; movzx ecx, WORD [rbp + offsets::X87_FLAGS]
            ; and ecx, !OTHER_CODES
            ; or ecx, eax
            ; mov [rbp + offsets::X87_FLAGS], cx
        );
        self.flags = Flags::Memory;
    }

    /// Emits FNSTSW AX. Clobbers the host's EAX and ECX.
    fn status_to_ax(&mut self, top: u8) {
        dynasm!(self.asm ; .arch x64
            ; fnstsw ax
            ; and eax, EXCEPTIONS | C1
            ; movzx ecx, WORD [rbp + offsets::X87_FLAGS]
            ; and ecx, !C1
            ; or eax, ecx
        );
        let top = i32::from(top) << TOP_SHIFT;
        dynasm!(self.asm ; .arch x64 ; or eax, top ; mov Rw(AX), ax);
        self.flags = Flags::Memory;
    }

    /// Emits FLDCW, for the case that exceptions stay masked and that the block was translated for
    /// this precision; otherwise the code jumps to `ColdAccess::other_control`. Clobbers ECX and
    /// EDX.
    fn load_control(&mut self, precision: u16) {
        let Some(Cold::Access(access)) = self.cold.last() else {
            unreachable!("the operand has just been reached")
        };
        let other = access.other_control;
        dynasm!(self.asm ; .arch x64
            ; movzx ecx, WORD [rdx + rax]
            ; mov edx, ecx
            ; and edx, i32::from(ALL_MASKED | PRECISION)
            ; cmp edx, i32::from(ALL_MASKED | precision)
            ; jne =>other
        );
        self.put_control();
    }

    /// Emits FLDCW for another precision than the block was translated for, in EDX with the
    /// exception masks: execution continues in a block for that precision. Falls through to the
    /// interpreter if exceptions are unmasked.
    pub fn load_other_control(&mut self, access: &ColdAccess, precisions: &[u32; 3]) {
        let other = access.other_control;
        dynasm!(self.asm ; .arch x64 ; =>other);
        let before = self.carries.get(access.carried.after).x87.map(|x87| x87.precision);
        for (&precision, &after) in PRECISIONS.iter().zip(precisions) {
            if before == Some(precision) {
                continue;
            }
            let next = self.label();
            dynasm!(self.asm ; .arch x64
                ; cmp edx, i32::from(ALL_MASKED | precision)
                ; jne =>next
            );
            self.put_control();
            self.note(access.unload.and_then(|unload| unload.recorded));
            let mut done = access.before;
            done.add(access.own);
            dynasm!(self.asm ; .arch x64 ; lea rbx, [rbx + done.clocks as i32]);
            self.add_counts(done.counts.packed());
            self.exit_to(access.end, after);
            dynasm!(self.asm ; .arch x64 ; =>next);
        }
    }

    /// Emits the setting of the control word, the guest's and the host's, to ECX. Clobbers ECX.
    fn put_control(&mut self) {
        dynasm!(self.asm ; .arch x64
            ; and ecx, CONTROL_WRITABLE
            ; or ecx, CONTROL_FIXED
            ; mov [rbp + offsets::X87_CONTROL], cx
            ; fldcw [rbp + offsets::X87_CONTROL]
        );
    }

    pub fn record(&mut self, op: &Op, eip: u32, form: &Form, memory: bool) {
        if !form.records {
            return;
        }
        let before = self.recorded.and_then(|recorded| recorded.segment);
        let segment = if memory { Some(op.segment) } else { before };
        self.recorded = Some(Recorded { eip, opcode: op.immediate, segment });
    }

    /// Emits the writing of the pointers to the last instruction, at the end of a block. Changes
    /// EAX and no flags.
    pub fn note_x87(&mut self) {
        let recorded = self.recorded.take();
        self.note(recorded);
    }

    fn note(&mut self, recorded: Option<Recorded>) {
        let Some(Recorded { eip, opcode, segment }) = recorded else { return };
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rbp + offsets::X87_INSTRUCTION_OFFSET], eip as i32
            ; mov eax, opcode as i32 & 0x7FF
            ; mov [rbp + offsets::X87_OPCODE], ax
            ; movzx eax, WORD [rbp + offsets::selector(sreg::CS as u8)]
            ; mov [rbp + offsets::X87_INSTRUCTION_SELECTOR], ax
        );
        if let Some(segment) = segment {
            dynasm!(self.asm ; .arch x64
                ; movzx eax, WORD [rbp + offsets::selector(segment)]
                ; mov [rbp + offsets::X87_OPERAND_SELECTOR], ax
            );
        }
    }

    /// The data for moving the x87 back to the core before this instruction; `None` if it is
    /// already there.
    pub fn unloading(&self, item: &Item) -> Option<Unloading> {
        let in_place = item.x87_role == X87Role::InPlace;
        let x87 = item.x87.0.filter(|x87| x87.loaded || in_place)?;
        Some(Unloading { top: x87.top, empty: x87.empty, recorded: self.recorded })
    }

    /// Emits the move of the x87 back to the core; the host's x87 is then empty and has its own
    /// control word. Changes EAX, EDX and the flags.
    pub fn put_x87(&mut self, unloading: &Unloading) {
        self.note(unloading.recorded);
        dynasm!(self.asm ; .arch x64
            ; mov BYTE [rbp + offsets::X87_TOP], unloading.top as i8
            ; mov BYTE [rbp + offsets::X87_EMPTY], unloading.empty as i8
        );
        self.asm.call(self.stubs.store_x87(unloading.top));
    }

    /// Emits the move of the x87 back to the core between two blocks, if the host has it in state
    /// number `carried`.
    pub fn unload(&mut self, carried: u32) {
        let x87 = self.carries.get(carried).x87.filter(|x87| x87.loaded);
        if let Some(x87) = x87 {
            self.put_x87(&Unloading { top: x87.top, empty: x87.empty, recorded: None });
        }
    }

    /// Emits the move of the x87 from the core to the host's x87. Changes EAX, ECX and the flags.
    pub fn load_x87(&mut self, top: u8) {
        self.asm.call(self.stubs.load_x87(top));
        self.flags = Flags::Memory;
    }
}

/// The first byte of an x87 instruction's opcode: D8 to DF (hexadecimal).
fn escape(op: &Op) -> u8 {
    0xD8 | (op.immediate >> 8 & 7) as u8
}

fn modrm(op: &Op) -> u8 {
    op.immediate as u8
}
