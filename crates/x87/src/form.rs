//! What the decoder's instruction codes mean to the floating-point unit.
//!
//! Instructions that later processors added (FCMOVcc, FCOMI, FISTTP) have no [`Form`]: the core
//! raises #UD. The aliases of the opcode map that the P5 executes (DC D0 = FCOM and so on) do.

use iced_x86::Code;

use crate::cost::{Cost, cost_of};
use crate::op::{Arith, Binary, Constant, Format, Op, Pushing, Source, Target, Unary};

/// All that the core must know about an instruction before it executes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The operation.
    pub op: Op,
    /// Bytes of its memory operand that it reads first; 0 = none.
    pub read_bytes: u8,
    /// Bytes of its memory operand that it may write; 0 = none.
    pub write_bytes: u8,
    /// A pending unmasked exception is reported before it executes.
    pub waits: bool,
    /// True if the instruction sets the last-instruction and last-operand pointers.
    pub records: bool,
    /// The clocks.
    pub cost: Cost,
}

/// The form of an instruction code; `None` if it is no x87 instruction of the P5.
///
/// FSTCW and its kin are a WAIT and an FN instruction: two instructions, for the decoder as well.
pub fn describe(code: Code) -> Option<Form> {
    let op = operation(code)?;
    let (read_bytes, write_bytes) = memory_bytes(op, code);
    let control = is_control(op);
    Some(Form {
        op,
        read_bytes,
        write_bytes,
        waits: !never_waits(code),
        records: !control,
        cost: cost_of(code),
    })
}

fn operation(code: Code) -> Option<Op> {
    arithmetic(code)
        .or_else(|| comparison(code))
        .or_else(|| transfer(code))
        .or_else(|| on_top(code))
        .or_else(|| administrative(code))
}

fn arithmetic(code: Code) -> Option<Op> {
    use Arith::{Add, Div, DivReversed, Mul, Sub, SubReversed};
    const F32: Target = Target::Top(Source::Memory(Format::F32));
    const F64: Target = Target::Top(Source::Memory(Format::F64));
    const I16: Target = Target::Top(Source::Memory(Format::I16));
    const I32: Target = Target::Top(Source::Memory(Format::I32));
    const TOP: Target = Target::Top(Source::Register);
    const STI: Target = Target::Register { pop: false };
    const POP: Target = Target::Register { pop: true };
    let (kind, target) = match code {
        Code::Fadd_m32fp => (Add, F32),
        Code::Fmul_m32fp => (Mul, F32),
        Code::Fsub_m32fp => (Sub, F32),
        Code::Fsubr_m32fp => (SubReversed, F32),
        Code::Fdiv_m32fp => (Div, F32),
        Code::Fdivr_m32fp => (DivReversed, F32),
        Code::Fadd_m64fp => (Add, F64),
        Code::Fmul_m64fp => (Mul, F64),
        Code::Fsub_m64fp => (Sub, F64),
        Code::Fsubr_m64fp => (SubReversed, F64),
        Code::Fdiv_m64fp => (Div, F64),
        Code::Fdivr_m64fp => (DivReversed, F64),
        Code::Fiadd_m16int => (Add, I16),
        Code::Fimul_m16int => (Mul, I16),
        Code::Fisub_m16int => (Sub, I16),
        Code::Fisubr_m16int => (SubReversed, I16),
        Code::Fidiv_m16int => (Div, I16),
        Code::Fidivr_m16int => (DivReversed, I16),
        Code::Fiadd_m32int => (Add, I32),
        Code::Fimul_m32int => (Mul, I32),
        Code::Fisub_m32int => (Sub, I32),
        Code::Fisubr_m32int => (SubReversed, I32),
        Code::Fidiv_m32int => (Div, I32),
        Code::Fidivr_m32int => (DivReversed, I32),
        Code::Fadd_st0_sti => (Add, TOP),
        Code::Fmul_st0_sti => (Mul, TOP),
        Code::Fsub_st0_sti => (Sub, TOP),
        Code::Fsubr_st0_sti => (SubReversed, TOP),
        Code::Fdiv_st0_sti => (Div, TOP),
        Code::Fdivr_st0_sti => (DivReversed, TOP),
        Code::Fadd_sti_st0 => (Add, STI),
        Code::Fmul_sti_st0 => (Mul, STI),
        Code::Fsub_sti_st0 => (Sub, STI),
        Code::Fsubr_sti_st0 => (SubReversed, STI),
        Code::Fdiv_sti_st0 => (Div, STI),
        Code::Fdivr_sti_st0 => (DivReversed, STI),
        Code::Faddp_sti_st0 => (Add, POP),
        Code::Fmulp_sti_st0 => (Mul, POP),
        Code::Fsubp_sti_st0 => (Sub, POP),
        Code::Fsubrp_sti_st0 => (SubReversed, POP),
        Code::Fdivp_sti_st0 => (Div, POP),
        Code::Fdivrp_sti_st0 => (DivReversed, POP),
        _ => return None,
    };
    Some(Op::Arith(kind, target))
}

fn comparison(code: Code) -> Option<Op> {
    let ordered = |source, pops| Op::Compare { source, pops, quiet: false };
    let quiet = |pops| Op::Compare { source: Source::Register, pops, quiet: true };
    Some(match code {
        Code::Fcom_st0_sti | Code::Fcom_st0_sti_DCD0 => ordered(Source::Register, 0),
        Code::Fcomp_st0_sti | Code::Fcomp_st0_sti_DCD8 | Code::Fcomp_st0_sti_DED0 => {
            ordered(Source::Register, 1)
        }
        Code::Fcompp => ordered(Source::Register, 2),
        Code::Fcom_m32fp => ordered(Source::Memory(Format::F32), 0),
        Code::Fcomp_m32fp => ordered(Source::Memory(Format::F32), 1),
        Code::Fcom_m64fp => ordered(Source::Memory(Format::F64), 0),
        Code::Fcomp_m64fp => ordered(Source::Memory(Format::F64), 1),
        Code::Ficom_m16int => ordered(Source::Memory(Format::I16), 0),
        Code::Ficomp_m16int => ordered(Source::Memory(Format::I16), 1),
        Code::Ficom_m32int => ordered(Source::Memory(Format::I32), 0),
        Code::Ficomp_m32int => ordered(Source::Memory(Format::I32), 1),
        Code::Fucom_st0_sti => quiet(0),
        Code::Fucomp_st0_sti => quiet(1),
        Code::Fucompp => quiet(2),
        Code::Ftst => ordered(Source::Zero, 0),
        Code::Fxam => Op::Examine,
        _ => return None,
    })
}

fn transfer(code: Code) -> Option<Op> {
    let store = |format, pop| Op::Store { format, pop };
    Some(match code {
        Code::Fld_m32fp => Op::Load(Format::F32),
        Code::Fld_m64fp => Op::Load(Format::F64),
        Code::Fld_m80fp => Op::Load(Format::F80),
        Code::Fild_m16int => Op::Load(Format::I16),
        Code::Fild_m32int => Op::Load(Format::I32),
        Code::Fild_m64int => Op::Load(Format::I64),
        Code::Fbld_m80bcd => Op::Load(Format::Bcd),
        Code::Fst_m32fp => store(Format::F32, false),
        Code::Fstp_m32fp => store(Format::F32, true),
        Code::Fst_m64fp => store(Format::F64, false),
        Code::Fstp_m64fp => store(Format::F64, true),
        Code::Fstp_m80fp => store(Format::F80, true),
        Code::Fist_m16int => store(Format::I16, false),
        Code::Fistp_m16int => store(Format::I16, true),
        Code::Fist_m32int => store(Format::I32, false),
        Code::Fistp_m32int => store(Format::I32, true),
        Code::Fistp_m64int => store(Format::I64, true),
        Code::Fbstp_m80bcd => store(Format::Bcd, true),
        Code::Fld_sti => Op::LoadRegister,
        Code::Fst_sti => Op::StoreRegister { pop: false },
        Code::Fstp_sti | Code::Fstp_sti_DFD0 | Code::Fstp_sti_DFD8 => {
            Op::StoreRegister { pop: true }
        }
        Code::Fstpnce_sti => Op::StoreRegisterUnchecked,
        Code::Fxch_st0_sti | Code::Fxch_st0_sti_DDC8 | Code::Fxch_st0_sti_DFC8 => Op::Exchange,
        Code::Fld1 => Op::LoadConstant(Constant::One),
        Code::Fldl2t => Op::LoadConstant(Constant::Log2Ten),
        Code::Fldl2e => Op::LoadConstant(Constant::Log2E),
        Code::Fldpi => Op::LoadConstant(Constant::Pi),
        Code::Fldlg2 => Op::LoadConstant(Constant::Log10Two),
        Code::Fldln2 => Op::LoadConstant(Constant::LnTwo),
        Code::Fldz => Op::LoadConstant(Constant::Zero),
        _ => return None,
    })
}

fn on_top(code: Code) -> Option<Op> {
    Some(match code {
        Code::Fchs => Op::Unary(Unary::ChangeSign),
        Code::Fabs => Op::Unary(Unary::Absolute),
        Code::Fsqrt => Op::Unary(Unary::Sqrt),
        Code::Frndint => Op::Unary(Unary::RoundToInteger),
        Code::F2xm1 => Op::Unary(Unary::TwoToXMinusOne),
        Code::Fsin => Op::Unary(Unary::Sin),
        Code::Fcos => Op::Unary(Unary::Cos),
        Code::Fprem => Op::Binary(Binary::Remainder),
        Code::Fprem1 => Op::Binary(Binary::RemainderNearest),
        Code::Fscale => Op::Binary(Binary::Scale),
        Code::Fyl2x => Op::Binary(Binary::YLog2X),
        Code::Fyl2xp1 => Op::Binary(Binary::YLog2XPlus1),
        Code::Fpatan => Op::Binary(Binary::ArcTangent),
        Code::Fxtract => Op::Pushing(Pushing::Extract),
        Code::Fptan => Op::Pushing(Pushing::Tangent),
        Code::Fsincos => Op::Pushing(Pushing::SinCos),
        _ => return None,
    })
}

fn administrative(code: Code) -> Option<Op> {
    Some(match code {
        Code::Ffree_sti => Op::Free { pop: false },
        Code::Ffreep_sti => Op::Free { pop: true },
        Code::Fincstp => Op::IncrementTop,
        Code::Fdecstp => Op::DecrementTop,
        Code::Fldcw_m2byte => Op::LoadControl,
        Code::Fnstcw_m2byte => Op::StoreControl,
        Code::Fnstsw_m2byte => Op::StoreStatus,
        Code::Fnstsw_AX => Op::StoreStatusAx,
        Code::Fnclex => Op::ClearExceptions,
        Code::Fninit => Op::Init,
        Code::Fldenv_m14byte | Code::Fldenv_m28byte => Op::LoadEnvironment,
        Code::Fnstenv_m14byte | Code::Fnstenv_m28byte => Op::StoreEnvironment,
        Code::Frstor_m94byte | Code::Frstor_m108byte => Op::Restore,
        Code::Fnsave_m94byte | Code::Fnsave_m108byte => Op::Save,
        Code::Fnop | Code::Fneni | Code::Fndisi | Code::Fnsetpm => Op::Nop,
        Code::Wait => Op::Wait,
        _ => return None,
    })
}

/// Bytes read from and written to memory.
fn memory_bytes(op: Op, code: Code) -> (u8, u8) {
    let wide = matches!(
        code,
        Code::Fldenv_m28byte
            | Code::Fnstenv_m28byte
            | Code::Frstor_m108byte
            | Code::Fnsave_m108byte
    );
    match op {
        Op::Arith(_, Target::Top(Source::Memory(format)))
        | Op::Compare { source: Source::Memory(format), .. }
        | Op::Load(format) => (format.bytes(), 0),
        Op::Store { format, .. } => (0, format.bytes()),
        Op::LoadControl => (2, 0),
        Op::StoreControl | Op::StoreStatus => (0, 2),
        Op::LoadEnvironment => (if wide { 28 } else { 14 }, 0),
        Op::StoreEnvironment => (0, if wide { 28 } else { 14 }),
        Op::Restore => (if wide { 108 } else { 94 }, 0),
        Op::Save => (0, if wide { 108 } else { 94 }),
        _ => (0, 0),
    }
}

/// The control instructions leave the last-instruction pointers alone.
fn is_control(op: Op) -> bool {
    matches!(
        op,
        Op::LoadControl
            | Op::StoreControl
            | Op::StoreStatus
            | Op::StoreStatusAx
            | Op::ClearExceptions
            | Op::Init
            | Op::LoadEnvironment
            | Op::StoreEnvironment
            | Op::Restore
            | Op::Save
            | Op::Wait
    )
}

/// The FN instructions execute although an exception is pending.
fn never_waits(code: Code) -> bool {
    matches!(
        code,
        Code::Fnstcw_m2byte
            | Code::Fnstsw_m2byte
            | Code::Fnstsw_AX
            | Code::Fnclex
            | Code::Fninit
            | Code::Fnstenv_m14byte
            | Code::Fnstenv_m28byte
            | Code::Fnsave_m94byte
            | Code::Fnsave_m108byte
            | Code::Fneni
            | Code::Fndisi
            | Code::Fnsetpm
    )
}
