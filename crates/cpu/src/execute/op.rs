//! A pre-decoded instruction: a handler and its operands.

use crate::core::parts::Core;
use crate::state::exception::Done;
use crate::timing::pipeline::Slot;

/// A function that executes one instruction. The function performs all memory accesses before it
/// changes registers, so that an instruction that waits or faults has changed nothing.
pub(crate) type Handler = fn(&mut Core, &Op) -> Done;

/// Bits of [`Op::prefixes`]: the instruction's prefixes, and marks that the decoder and the block's
/// schedule set.
pub(crate) mod prefix {
    pub const LOCK: u8 = 1 << 0;
    pub const REP: u8 = 1 << 1;
    pub const REPNE: u8 = 1 << 2;
    /// Not a prefix: the first instruction of a pair whose second also accesses memory, or may. The
    /// instruction records its bank (see `bank_conflict.rs`).
    pub const NOTES_BANK: u8 = 1 << 4;
    /// Not a prefix: the second instruction of a pair in which both access memory. The instruction
    /// checks for a bank conflict.
    pub const CHECKS_BANK: u8 = 1 << 5;
    /// Not a prefix: the instruction only performs one store, described by `Op::extra`.
    pub const ONLY_STORES: u8 = 1 << 6;
    /// Not a prefix: an x87 instruction that counts as a floating-point operation.
    pub const FLOATING_POINT: u8 = 1 << 7;
}

/// A bit of [`Op::extra`] of an instruction that only stores: it stores the immediate operand, not
/// a register.
pub(crate) const STORES_IMMEDIATE: u16 = 1 << 8;

/// One decoded instruction. The fields do not depend on the instruction's address: a branch
/// displacement counts from the branch instruction itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub handler: Handler,
    pub displacement: u32,
    /// The immediate operand; for a near branch, the value to be added to EIP if it is taken.
    pub immediate: u32,
    /// The mask of address bits: 0xFFFF for 16-bit addresses, 0xFFFF_FFFF for 32-bit ones.
    pub address_mask: u32,
    pub base: u8,
    pub index: u8,
    pub scale: u8,
    pub segment: u8,
    /// Numbers of the registers that are the first and the second operand, as encoded for their
    /// size.
    pub a: u8,
    pub b: u8,
    pub length: u8,
    pub prefixes: u8,
    /// The core clocks charged for the instruction, as its block's schedule gives them: after
    /// pairing, and with stalls for address registers and for decoding. 0 for the second
    /// instruction of a pair.
    pub cycles: u16,
    /// A value whose meaning depends on the instruction: a second immediate (ENTER's level, a far
    /// pointer's selector); iced-x86's code of the instruction (x87); the clocks of an iteration
    /// (string instructions); the number of bytes that a MOV stores, with `STORES_IMMEDIATE` if it
    /// stores its immediate operand.
    pub extra: u16,
}

impl Op {
    #[inline(always)]
    pub fn locked(&self) -> bool {
        self.prefixes & prefix::LOCK != 0
    }

    #[inline(always)]
    pub fn only_stores(&self) -> bool {
        self.prefixes & prefix::ONLY_STORES != 0
    }

    /// Takes over the clocks, and the marks for bank conflicts, that the block's schedule gives
    /// this instruction.
    pub fn schedule(&mut self, slot: Slot) {
        self.cycles = slot.clocks;
        self.prefixes &= !(prefix::NOTES_BANK | prefix::CHECKS_BANK);
        if slot.notes_bank {
            self.prefixes |= prefix::NOTES_BANK;
        }
        if slot.checks_bank {
            self.prefixes |= prefix::CHECKS_BANK;
        }
    }

    pub fn repeated(&self) -> bool {
        self.prefixes & (prefix::REP | prefix::REPNE) != 0
    }
}

/// Operand forms as constants, for handlers generic over their operands. R: register, M: memory, I:
/// immediate; the destination first.
pub(crate) mod form {
    pub const RR: u8 = 0;
    pub const RI: u8 = 1;
    pub const RM: u8 = 2;
    pub const MR: u8 = 3;
    pub const MI: u8 = 4;
}

/// Selects the instance of a generic handler whose first constant is the operand size.
macro_rules! sized {
    ($size:expr, $handler:ident $(, $argument:expr)*) => {
        match $size {
            1 => $handler::<1 $(, { $argument })*> as $crate::execute::op::Handler,
            2 => $handler::<2 $(, { $argument })*>,
            _ => $handler::<4 $(, { $argument })*>,
        }
    };
}
/// Selects the instance of a generic handler by operand size and by the form of two operands. Other
/// forms have no handler.
macro_rules! binary_forms {
    ($shape:expr, $handler:ident, $kind:expr) => {{
        use $crate::execute::op::{form, sized};
        use $crate::instruction::shape::Form;
        match $shape.form {
            Form::RR => sized!($shape.size, $handler, form::RR, $kind),
            Form::RI => sized!($shape.size, $handler, form::RI, $kind),
            Form::RM => sized!($shape.size, $handler, form::RM, $kind),
            Form::MR => sized!($shape.size, $handler, form::MR, $kind),
            Form::MI => sized!($shape.size, $handler, form::MI, $kind),
            _ => return None,
        }
    }};
}
/// Like `sized`, for instructions that have no byte operands.
macro_rules! wide {
    ($size:expr, $handler:ident $(, $argument:expr)*) => {
        match $size {
            2 => $handler::<2 $(, { $argument })*> as $crate::execute::op::Handler,
            _ => $handler::<4 $(, { $argument })*>,
        }
    };
}
pub(crate) use {binary_forms, sized, wide};

impl Core {
    /// The value of a register operand of `SIZE` bytes.
    #[inline(always)]
    pub(crate) fn register<const SIZE: usize>(&self, number: u8) -> u32 {
        match SIZE {
            // Byte registers 4 to 7 (AH, CH, DH, BH) are bits 15 to 8 of registers 0 to 3.
            1 => self.state.general[usize::from(number & 3)] >> ((number & 4) * 2) & 0xFF,
            2 => self.state.general[usize::from(number & 15)] & 0xFFFF,
            _ => self.state.general[usize::from(number & 15)],
        }
    }

    #[inline(always)]
    pub(crate) fn set_register<const SIZE: usize>(&mut self, number: u8, value: u32) {
        match SIZE {
            1 => {
                let shift = (number & 4) * 2;
                let register = &mut self.state.general[usize::from(number & 3)];
                *register = *register & !(0xFF << shift) | (value & 0xFF) << shift;
            }
            2 => {
                let register = &mut self.state.general[usize::from(number & 7)];
                *register = *register & !0xFFFF | value & 0xFFFF;
            }
            _ => self.state.general[usize::from(number & 7)] = value,
        }
    }

    /// The offset, in its segment, of the instruction's memory operand.
    #[inline(always)]
    pub(crate) fn address(&self, op: &Op) -> u32 {
        let general = &self.state.general;
        let base = general[usize::from(op.base & 15)];
        let index = general[usize::from(op.index & 15)] << (op.scale & 3);
        base.wrapping_add(index).wrapping_add(op.displacement) & op.address_mask
    }

    /// The number of the segment register of the instruction's memory operand.
    #[inline(always)]
    pub(crate) fn segment_of(&self, op: &Op) -> usize {
        usize::from(op.segment)
    }

    /// Reads the memory operand of `op`.
    #[inline(always)]
    pub(crate) fn load<const SIZE: usize>(
        &mut self,
        op: &Op,
    ) -> Result<u32, crate::state::exception::Stop> {
        let offset = self.address(op);
        self.read::<SIZE>(usize::from(op.segment), offset)
    }

    /// Writes `value` to the memory operand of `op`.
    #[inline(always)]
    pub(crate) fn store<const SIZE: usize>(&mut self, op: &Op, value: u32) -> Done {
        let offset = self.address(op);
        self.write::<SIZE>(usize::from(op.segment), offset, value)
    }

    /// Reads an operand that is memory if `MEMORY`, else the register `number`.
    #[inline(always)]
    pub(crate) fn operand<const SIZE: usize, const MEMORY: bool>(
        &mut self,
        op: &Op,
        number: u8,
    ) -> Result<u32, crate::state::exception::Stop> {
        if MEMORY { self.load::<SIZE>(op) } else { Ok(self.register::<SIZE>(number)) }
    }

    /// Replaces the first operand, in a register or in memory, by the result of `change` for it. If
    /// the write waits or faults, the flags are as before.
    #[inline(always)]
    pub(crate) fn modify<const SIZE: usize, const MEMORY: bool>(
        &mut self,
        op: &Op,
        change: impl FnOnce(&mut Core, u32) -> u32,
    ) -> Done {
        if MEMORY {
            let (segment, offset) = (usize::from(op.segment), self.address(op));
            let old = self.read_modify::<SIZE>(segment, offset, op.locked())?;
            let flags = self.state.flags;
            let new = change(self, old);
            let done = self.write_back::<SIZE>(segment, offset, new, op.locked());
            if done.is_err() {
                self.state.flags = flags;
            }
            done
        } else {
            let old = self.register::<SIZE>(op.a);
            let new = change(self, old);
            self.set_register::<SIZE>(op.a, new);
            Ok(())
        }
    }
}
