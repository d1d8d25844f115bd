//! The state of the floating-point unit: registers, stack, words and pointers.
//!
//! `registers` are the physical data registers R0 to R7; ST(i) is R[(top + i) mod 8]. Of the tag
//! word only "empty" is kept, as the hardware uses no more of a loaded one: the other tags follow
//! from the registers' contents (`intel-pentium-manual`, chapter 6). The summary bit ES and its
//! copy B are not kept either: they are a function of the exception flags and masks.
//!
//! Invariant: `top < 8`; `flags` holds status bits 0 to 6 and the condition codes only.

use serde::{Deserialize, Serialize};

use crate::f80::{Class, F80};
use crate::round::STACK_FAULT;

/// Condition code bits of the status word.
pub(crate) const C0: u16 = 1 << 8;
pub(crate) const C1: u16 = 1 << 9;
pub(crate) const C2: u16 = 1 << 10;
pub(crate) const C3: u16 = 1 << 14;
const CONDITION_CODES: u16 = C0 | C1 | C2 | C3;
const EXCEPTION_FLAGS: u16 = 0x3F;
/// Error summary, and its copy at the place of the 8087's busy bit.
const SUMMARY: u16 = 1 << 7 | 1 << 15;
const TOP_SHIFT: u16 = 11;

/// Control word bits that can be written: masks, precision, rounding, infinity control.
const CONTROL_WRITABLE: u16 = 0x1F3F;
/// Reserved bit that always reads as 1.
const CONTROL_FIXED: u16 = 0x0040;

/// The address of an instruction or of its memory operand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pointer {
    /// Segment selector.
    pub selector: u16,
    /// Offset in the segment.
    pub offset: u32,
}

/// The floating-point unit of one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fpu {
    /// Physical data registers.
    pub(crate) registers: [F80; 8],
    /// Control word.
    pub(crate) control: u16,
    /// Exception flags, stack fault and condition codes, at their places in the status word.
    pub(crate) flags: u16,
    /// Physical number of ST(0).
    pub(crate) top: u8,
    /// Bit i: physical register i is empty.
    pub(crate) empty: u8,
    /// The last non-control instruction.
    pub(crate) instruction: Pointer,
    /// The memory operand of that instruction (of an earlier one if it had none).
    pub(crate) operand: Pointer,
    /// The opcode of that instruction without the five ESC bits.
    pub(crate) opcode: u16,
}

impl Default for Fpu {
    fn default() -> Fpu {
        Fpu::new()
    }
}

impl Fpu {
    /// The state after RESET: exceptions unmasked, all registers +0 and valid
    /// (`intel-pentium-manual`, table of the state after reset).
    pub fn new() -> Fpu {
        Fpu {
            registers: [F80::ZERO; 8],
            control: CONTROL_FIXED,
            flags: 0,
            top: 0,
            empty: 0,
            instruction: Pointer::default(),
            operand: Pointer::default(),
            opcode: 0,
        }
    }

    /// The RESET pin. (INIT leaves the unit as it is.)
    pub fn reset(&mut self) {
        *self = Fpu::new();
    }

    /// FNINIT: all masked, 64 bits, to nearest, stack empty. The registers keep their contents.
    pub fn init(&mut self) {
        *self = Fpu { registers: self.registers, control: 0x037F, empty: 0xFF, ..Fpu::new() };
    }

    /// Bit i: physical register i is empty.
    #[inline]
    pub fn empty(&self) -> u8 {
        self.empty
    }

    /// The physical number of ST(0).
    #[inline]
    pub fn top(&self) -> u8 {
        self.top
    }

    /// True if an unmasked exception waits to be reported (ES).
    #[inline]
    pub fn pending(&self) -> bool {
        self.flags & !self.control & EXCEPTION_FLAGS != 0
    }

    /// Sets the last-instruction pointers; the core calls it before each instruction whose form
    /// says `records`. `opcode` is the low three bits of the first opcode byte and the second
    /// byte. Without a memory operand the operand pointer keeps its value.
    #[inline]
    pub fn record(&mut self, selector: u16, offset: u32, opcode: u16, data: Option<(u16, u32)>) {
        self.instruction = Pointer { selector, offset };
        self.opcode = opcode & 0x7FF;
        if let Some((selector, offset)) = data {
            self.operand = Pointer { selector, offset };
        }
    }

    /// The control word.
    #[inline]
    pub fn control(&self) -> u16 {
        self.control
    }

    /// Sets the control word as FLDCW does.
    pub fn set_control(&mut self, control: u16) {
        self.control = control & CONTROL_WRITABLE | CONTROL_FIXED;
    }

    /// The status word.
    pub fn status_word(&self) -> u16 {
        let summary = if self.pending() { SUMMARY } else { 0 };
        self.flags | u16::from(self.top) << TOP_SHIFT | summary
    }

    /// Sets the status word as FLDENV does; ES and B follow from flags and masks.
    pub fn set_status_word(&mut self, status: u16) {
        self.flags = status & (EXCEPTION_FLAGS | STACK_FAULT | CONDITION_CODES);
        self.top = (status >> TOP_SHIFT & 7) as u8;
    }

    /// The tag word: two bits for each physical register.
    pub fn tag_word(&self) -> u16 {
        (0..8).fold(0, |word, i| word | self.tag(i) << (2 * i))
    }

    fn tag(&self, physical: usize) -> u16 {
        if self.empty >> physical & 1 != 0 {
            return 3;
        }
        match self.registers[physical].class() {
            Class::Normal => 0,
            Class::Zero => 1,
            _ => 2,
        }
    }

    /// Sets the tags as FLDENV does: only "empty" matters.
    pub fn set_tag_word(&mut self, tags: u16) {
        self.empty = (0..8).fold(0, |mask, i| mask | u8::from(tags >> (2 * i) & 3 == 3) << i);
    }

    /// The last non-control instruction.
    pub fn instruction_pointer(&self) -> Pointer {
        self.instruction
    }

    /// The last memory operand.
    pub fn operand_pointer(&self) -> Pointer {
        self.operand
    }

    /// The last opcode (11 bits).
    pub fn opcode(&self) -> u16 {
        self.opcode
    }

    /// The contents of ST(i), whatever its tag.
    #[inline]
    pub fn st(&self, i: u8) -> F80 {
        self.registers[self.physical(i)]
    }

    /// Writes ST(i) and tags it valid.
    #[inline]
    pub fn set_st(&mut self, i: u8, value: F80) {
        let physical = self.physical(i);
        self.registers[physical] = value;
        self.empty &= !(1 << physical);
    }

    /// True if ST(i) is tagged empty.
    #[inline]
    pub fn is_empty(&self, i: u8) -> bool {
        self.empty >> self.physical(i) & 1 != 0
    }

    /// Tags ST(i) empty.
    #[inline]
    pub(crate) fn free(&mut self, i: u8) {
        self.empty |= 1 << self.physical(i);
    }

    #[inline]
    fn physical(&self, i: u8) -> usize {
        usize::from((self.top + i) & 7)
    }

    /// Moves the top of stack by one, down for a push.
    #[inline]
    pub(crate) fn rotate(&mut self, by: i8) {
        self.top = self.top.wrapping_add_signed(by) & 7;
    }

    /// Pops ST(0).
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.free(0);
        self.rotate(1);
    }

    /// Pushes a value; the caller has checked for overflow.
    #[inline]
    pub(crate) fn push(&mut self, value: F80) {
        self.rotate(-1);
        self.set_st(0, value);
    }

    /// Sets the condition codes in `mask` to those in `codes`.
    #[inline]
    pub(crate) fn set_codes(&mut self, mask: u16, codes: u16) {
        self.flags = self.flags & !mask | codes;
    }
}
