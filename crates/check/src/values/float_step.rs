//! The classes of x87 instructions.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::step::Float;

/// The class of an x87 instruction; `None` for all others.
pub(super) fn float(instruction: &Instruction) -> Option<Float> {
    use Mnemonic as M;
    let has_memory = instruction.op_count() > 0 && instruction.op0_kind() == OpKind::Memory;
    let register = |n: u32| match n < instruction.op_count() {
        true if instruction.op_kind(n) == OpKind::Register => {
            (instruction.op_register(n) as u32).wrapping_sub(Register::ST0 as u32) as u8 & 7
        }
        _ => 0,
    };
    // Of two registers the one that is not ST0, or the second of a pair.
    let other = register(0).max(register(1));
    Some(match instruction.mnemonic() {
        M::Fld | M::Fild | M::Fbld if has_memory => Float::Load,
        M::Fld => Float::LoadRegister(other),
        M::Fld1 | M::Fldz | M::Fldpi | M::Fldl2e | M::Fldl2t | M::Fldlg2 | M::Fldln2 => {
            Float::Constant
        }
        M::Fst | M::Fstp | M::Fist | M::Fistp | M::Fbstp if has_memory => Float::Store,
        M::Fst | M::Fstp => Float::StoreRegister(other),
        M::Fxch => Float::Exchange(if instruction.op_count() == 0 { 1 } else { other }),
        M::Fadd | M::Fsub | M::Fsubr | M::Fmul | M::Fdiv | M::Fdivr if has_memory => {
            Float::WithMemory
        }
        M::Fiadd | M::Fisub | M::Fisubr | M::Fimul | M::Fidiv | M::Fidivr => Float::WithMemory,
        M::Fadd
        | M::Fsub
        | M::Fsubr
        | M::Fmul
        | M::Fdiv
        | M::Fdivr
        | M::Faddp
        | M::Fsubp
        | M::Fsubrp
        | M::Fmulp
        | M::Fdivp
        | M::Fdivrp => Float::Registers(register(0), register(1)),
        M::Fpatan | M::Fyl2x | M::Fyl2xp1 | M::Fprem | M::Fprem1 | M::Fscale => Float::Binary,
        M::Fsqrt
        | M::Fabs
        | M::Fchs
        | M::Frndint
        | M::Fsin
        | M::Fcos
        | M::F2xm1
        | M::Fptan
        | M::Fsincos
        | M::Fxtract => Float::Unary,
        M::Fcom | M::Fcomp | M::Ficom | M::Ficomp if has_memory => Float::CompareMemory,
        M::Fcompp | M::Fucompp => Float::Compare(1),
        M::Fcom | M::Fcomp | M::Fucom | M::Fucomp => Float::Compare(other),
        M::Ftst | M::Fxam => Float::Compare(0),
        M::Fnstsw | M::Fstsw => Float::Status,
        M::Fninit | M::Finit | M::Fnsave | M::Fsave | M::Frstor => Float::Reset,
        _ => return None,
    })
}
