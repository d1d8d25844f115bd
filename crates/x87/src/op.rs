//! The operations of the P5's floating-point unit, with the formats of their operands. Which
//! instructions they are is in `form.rs`.

/// The format of a memory operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Single precision, 4 bytes.
    F32,
    /// Double precision, 8 bytes.
    F64,
    /// Extended precision, 10 bytes.
    F80,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer.
    I64,
    /// 18 packed decimal digits and a sign, 10 bytes.
    Bcd,
}

impl Format {
    /// Size in memory.
    pub fn bytes(self) -> u8 {
        match self {
            Format::I16 => 2,
            Format::F32 | Format::I32 => 4,
            Format::F64 | Format::I64 => 8,
            Format::F80 | Format::Bcd => 10,
        }
    }
}

/// The second operand of an operation on ST(0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A memory operand.
    Memory(Format),
    /// ST(i).
    Register,
    /// Plus zero (FTST).
    Zero,
}

/// The operands and the destination of an arithmetic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// ST(0) := ST(0) op source.
    Top(Source),
    /// ST(i) := ST(i) op ST(0), then perhaps a pop.
    Register {
        /// Pop ST(0) afterwards.
        pop: bool,
    },
}

/// A basic arithmetic operation, named as `target := target op source`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    /// target + source
    Add,
    /// target * source
    Mul,
    /// target - source
    Sub,
    /// source - target
    SubReversed,
    /// target / source
    Div,
    /// source / target
    DivReversed,
}

/// An operation that replaces ST(0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// FCHS
    ChangeSign,
    /// FABS
    Absolute,
    /// FSQRT
    Sqrt,
    /// FRNDINT
    RoundToInteger,
    /// F2XM1
    TwoToXMinusOne,
    /// FSIN
    Sin,
    /// FCOS
    Cos,
}

/// An operation on ST(0) and ST(1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// FPREM: result to ST(0).
    Remainder,
    /// FPREM1: result to ST(0).
    RemainderNearest,
    /// FSCALE: result to ST(0).
    Scale,
    /// FYL2X: result to ST(1), pop.
    YLog2X,
    /// FYL2XP1: result to ST(1), pop.
    YLog2XPlus1,
    /// FPATAN: result to ST(1), pop.
    ArcTangent,
}

/// An operation that replaces ST(0) and pushes a second result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushing {
    /// FXTRACT: exponent, then significand.
    Extract,
    /// FPTAN: tangent, then 1.0.
    Tangent,
    /// FSINCOS: sine, then cosine.
    SinCos,
}

/// The constants that FLD1 ... FLDZ push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// 1.0
    One,
    /// log2(10)
    Log2Ten,
    /// log2(e)
    Log2E,
    /// pi
    Pi,
    /// log10(2)
    Log10Two,
    /// ln(2)
    LnTwo,
    /// +0.0
    Zero,
}

/// The operation of an instruction; the core computes operand addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// FADD to FDIVR, FIADD to FIDIVR.
    Arith(Arith, Target),
    /// FCOM, FUCOM, FTST, FICOM with zero to two pops; `quiet` = FUCOM.
    Compare {
        /// The second operand.
        source: Source,
        /// The number of pops that follow.
        pops: u8,
        /// Quiet NaNs raise no exception.
        quiet: bool,
    },
    /// FXAM
    Examine,
    /// FLD, FILD, FBLD from memory.
    Load(Format),
    /// FLD ST(i)
    LoadRegister,
    /// FLD1 and its kin.
    LoadConstant(Constant),
    /// FST, FSTP, FIST, FISTP, FBSTP to memory.
    Store {
        /// Destination format.
        format: Format,
        /// Pop afterwards.
        pop: bool,
    },
    /// FST ST(i), FSTP ST(i)
    StoreRegister {
        /// Pop afterwards.
        pop: bool,
    },
    /// D9 D8+i: FSTP ST(i) that just pops if ST(0) is empty.
    StoreRegisterUnchecked,
    /// FXCH ST(i)
    Exchange,
    /// FCHS, FABS, FSQRT, FRNDINT, F2XM1, FSIN, FCOS
    Unary(Unary),
    /// FPREM, FPREM1, FSCALE, FYL2X, FYL2XP1, FPATAN
    Binary(Binary),
    /// FXTRACT, FPTAN, FSINCOS
    Pushing(Pushing),
    /// FFREE, FFREEP
    Free {
        /// Pop afterwards.
        pop: bool,
    },
    /// FINCSTP
    IncrementTop,
    /// FDECSTP
    DecrementTop,
    /// FLDCW
    LoadControl,
    /// FNSTCW
    StoreControl,
    /// FNSTSW m16
    StoreStatus,
    /// FNSTSW AX
    StoreStatusAx,
    /// FNCLEX
    ClearExceptions,
    /// FNINIT
    Init,
    /// FLDENV
    LoadEnvironment,
    /// FNSTENV
    StoreEnvironment,
    /// FRSTOR
    Restore,
    /// FNSAVE
    Save,
    /// FNOP, and FNENI, FNDISI, FNSETPM, which a P5 ignores.
    Nop,
    /// WAIT
    Wait,
}
