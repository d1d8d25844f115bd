//! Decoded instructions, in the classes whose effect on shades is alike.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    OpKind, Register,
};

/// The registers by number.
pub(super) const EAX: usize = 0;
pub(super) const ECX: usize = 1;
pub(super) const EDX: usize = 2;
pub(super) const ESP: usize = 4;
pub(super) const EBP: usize = 5;
pub(super) const ESI: usize = 6;
pub(super) const EDI: usize = 7;

/// What an instruction does with shades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Move,
    ZeroExtend,
    SignExtend,
    Address,
    Add,
    Subtract,
    /// With the carry, as ADC and SBB do.
    Carry,
    /// INC and DEC: the carry stays.
    Count,
    And,
    Or,
    Xor,
    Compare,
    Test,
    Not,
    Negate,
    ShiftLeft,
    ShiftRight,
    ShiftArithmetic,
    /// A rotation, a double shift, or a bit scan: any bit of the result may come from any other.
    Stir,
    /// BT and its kin: the carry is a bit.
    BitTest,
    /// IMUL with two or three operands.
    Product,
    /// EDX:EAX from EAX, EDX and the operand.
    Wide,
    SwapBytes,
    ExtendInto,
    /// CBW and CWDE.
    ExtendWithin,
    Exchange,
    ExchangeAdd,
    CompareExchange,
    SetFlag,
    Branch,
    CountedBranch,
    Jump,
    Call,
    Return,
    Push,
    Pop,
    Leave,
    SystemCall,
    InterruptReturn,
    PushFlags,
    PopFlags,
    LoadFlags,
    StoreFlags,
    MoveString,
    StoreString,
    LoadString,
    CompareString,
    ScanString,
    /// OUT, and OUTS with its iterations: what goes to a device is used.
    Output,
    OutputString,
    Float(Float),
    /// What the instruction changes counts as written.
    Other,
}

/// What an x87 instruction does; the number is that of a register of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Float {
    Load,
    LoadRegister(u8),
    Constant,
    Store,
    StoreRegister(u8),
    Exchange(u8),
    /// Arithmetic on ST0 and memory.
    WithMemory,
    /// Arithmetic on two registers, of which the first has the result.
    Registers(u8, u8),
    /// The result, on the top of the stack afterwards, comes from ST0 and ST1 before.
    Binary,
    Unary,
    CompareMemory,
    Compare(u8),
    Status,
    /// All registers count as written.
    Reset,
}

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Nowhere,
    Register { number: u8, shift: u8, size: u8 },
    Memory,
    Immediate(u32),
}

/// A memory operand; 8 stands for no register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub base: u8,
    pub index: u8,
    pub scale: u8,
    pub displacement: u32,
    pub bytes: u8,
    /// True if a segment with a base of its own is used (FS, GS).
    pub elsewhere: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub kind: Kind,
    pub to: Place,
    pub from: Place,
    pub third: Place,
    pub memory: Operand,
    pub has_memory: bool,
    /// The flags that the instruction reads, as EFLAGS has them.
    pub reads: u32,
    /// The address behind the instruction, to which execution goes on.
    pub next: u32,
    /// True if execution may go on elsewhere.
    pub may_jump: bool,
    pub repeated: bool,
    /// True if the first operand's old value matters.
    pub reads_to: bool,
    /// True for divisions, which read EDX.
    pub divides: bool,
    /// The general registers that it writes, a bit each.
    pub writes: u8,
    pub writes_memory: bool,
}

pub(super) const CF: u32 = 1;
pub(super) const PF: u32 = 1 << 2;
pub(super) const AF: u32 = 1 << 4;
pub(super) const ZF: u32 = 1 << 6;
pub(super) const SF: u32 = 1 << 7;
pub(super) const OF: u32 = 1 << 11;
pub(super) const ALL: u32 = CF | PF | AF | ZF | SF | OF;

/// Decodes an instruction of 32-bit code; `None` if the bytes are none.
pub(super) fn decode(bytes: &[u8], at: u32) -> Option<Step> {
    let mut decoder = Decoder::with_ip(32, bytes, at.into(), DecoderOptions::NONE);
    let instruction = decoder.decode();
    if instruction.is_invalid() {
        return None;
    }
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(&instruction);
    let written = |access: OpAccess| {
        matches!(
            access,
            OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
        )
    };
    let mut writes = 0;
    for used in info.used_registers() {
        let full = used.register().full_register32();
        if written(used.access()) && full.is_gpr32() {
            writes |= 1u8 << number(full);
        }
    }
    let writes_memory = info.used_memory().iter().any(|used| written(used.access()));
    let has_memory = (0..instruction.op_count()).any(|n| instruction.op_kind(n) == OpKind::Memory);
    let reads_to = !matches!(info.op0_access(), OpAccess::Write | OpAccess::CondWrite);
    let flow = instruction.flow_control();
    Some(Step {
        kind: kind(&instruction),
        to: place(&instruction, 0),
        from: place(&instruction, 1),
        third: place(&instruction, 2),
        memory: operand(&instruction),
        has_memory,
        reads: flags(instruction.rflags_read()),
        next: instruction.next_ip32(),
        may_jump: flow != FlowControl::Next,
        repeated: instruction.has_rep_prefix() || instruction.has_repne_prefix(),
        reads_to,
        divides: matches!(instruction.mnemonic(), Mnemonic::Div | Mnemonic::Idiv),
        writes,
        writes_memory,
    })
}

fn number(register: Register) -> u8 {
    register.number() as u8
}

fn flags(read: u32) -> u32 {
    use iced_x86::RflagsBits;
    let all = [
        (RflagsBits::CF, CF),
        (RflagsBits::PF, PF),
        (RflagsBits::AF, AF),
        (RflagsBits::ZF, ZF),
        (RflagsBits::SF, SF),
        (RflagsBits::OF, OF),
    ];
    all.iter().filter(|(bit, _)| read & bit != 0).fold(0, |sum, (_, flag)| sum | flag)
}

fn place(instruction: &Instruction, n: u32) -> Place {
    if n >= instruction.op_count() {
        return Place::Nowhere;
    }
    match instruction.op_kind(n) {
        OpKind::Register => {
            let register = instruction.op_register(n);
            if !register.is_gpr() {
                return Place::Nowhere;
            }
            let high =
                matches!(register, Register::AH | Register::CH | Register::DH | Register::BH);
            Place::Register {
                number: number(register.full_register32()),
                shift: if high { 8 } else { 0 },
                size: register.size() as u8,
            }
        }
        OpKind::Memory => Place::Memory,
        kind if is_immediate(kind) => Place::Immediate(instruction.immediate(n) as u32),
        _ => Place::Nowhere,
    }
}

fn is_immediate(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::Immediate8
            | OpKind::Immediate8_2nd
            | OpKind::Immediate16
            | OpKind::Immediate32
            | OpKind::Immediate8to16
            | OpKind::Immediate8to32
    )
}

fn operand(instruction: &Instruction) -> Operand {
    let register = |register: Register| match register.is_gpr32() {
        true => number(register),
        false => 8,
    };
    Operand {
        base: register(instruction.memory_base()),
        index: register(instruction.memory_index()),
        scale: instruction.memory_index_scale().trailing_zeros() as u8,
        displacement: instruction.memory_displacement32(),
        bytes: instruction.memory_size().size() as u8,
        elsewhere: matches!(instruction.memory_segment(), Register::FS | Register::GS),
    }
}

fn kind(instruction: &Instruction) -> Kind {
    let by_flow = match instruction.flow_control() {
        FlowControl::Call | FlowControl::IndirectCall => Some(Kind::Call),
        FlowControl::UnconditionalBranch | FlowControl::IndirectBranch => Some(Kind::Jump),
        FlowControl::Interrupt => Some(Kind::SystemCall),
        _ => None,
    };
    if instruction.is_jcc_short_or_near() {
        return Kind::Branch;
    }
    by_flow
        .or_else(|| integer(instruction))
        .or_else(|| stack(instruction.mnemonic()))
        .or_else(|| string(instruction))
        .or_else(|| super::float_step::float(instruction).map(Kind::Float))
        .unwrap_or(Kind::Other)
}

fn integer(instruction: &Instruction) -> Option<Kind> {
    use Mnemonic as M;
    // A move to or from a segment or control register moves no value of interest.
    let is_general =
        |n: u32| instruction.op_kind(n) != OpKind::Register || instruction.op_register(n).is_gpr();
    Some(match instruction.mnemonic() {
        M::Mov if is_general(0) && is_general(1) => Kind::Move,
        M::Movzx => Kind::ZeroExtend,
        M::Movsx => Kind::SignExtend,
        M::Lea => Kind::Address,
        M::Add => Kind::Add,
        M::Sub => Kind::Subtract,
        M::Adc | M::Sbb => Kind::Carry,
        M::Inc | M::Dec => Kind::Count,
        M::And => Kind::And,
        M::Or => Kind::Or,
        M::Xor => Kind::Xor,
        M::Cmp => Kind::Compare,
        M::Test => Kind::Test,
        M::Not => Kind::Not,
        M::Neg => Kind::Negate,
        M::Shl | M::Sal => Kind::ShiftLeft,
        M::Shr => Kind::ShiftRight,
        M::Sar => Kind::ShiftArithmetic,
        M::Rol | M::Ror | M::Rcl | M::Rcr | M::Shld | M::Shrd | M::Bsf | M::Bsr => Kind::Stir,
        M::Bt | M::Bts | M::Btr | M::Btc => Kind::BitTest,
        M::Imul if instruction.op_count() > 1 => Kind::Product,
        M::Mul | M::Imul | M::Div | M::Idiv => Kind::Wide,
        M::Bswap => Kind::SwapBytes,
        M::Cwd | M::Cdq => Kind::ExtendInto,
        M::Cbw | M::Cwde => Kind::ExtendWithin,
        M::Xchg => Kind::Exchange,
        M::Xadd => Kind::ExchangeAdd,
        M::Cmpxchg => Kind::CompareExchange,
        M::Loop | M::Loope | M::Loopne | M::Jecxz | M::Jcxz => Kind::CountedBranch,
        _ if instruction.condition_code() != iced_x86::ConditionCode::None => Kind::SetFlag,
        _ => return None,
    })
}

fn stack(mnemonic: Mnemonic) -> Option<Kind> {
    use Mnemonic as M;
    Some(match mnemonic {
        M::Push => Kind::Push,
        M::Pop => Kind::Pop,
        M::Leave => Kind::Leave,
        M::Ret => Kind::Return,
        M::Iretd => Kind::InterruptReturn,
        M::Pushfd => Kind::PushFlags,
        M::Popfd => Kind::PopFlags,
        M::Lahf => Kind::LoadFlags,
        M::Out => Kind::Output,
        M::Sahf => Kind::StoreFlags,
        _ => return None,
    })
}

fn string(instruction: &Instruction) -> Option<Kind> {
    use Mnemonic as M;
    Some(match instruction.mnemonic() {
        M::Movsb | M::Movsw | M::Movsd => Kind::MoveString,
        M::Stosb | M::Stosw | M::Stosd => Kind::StoreString,
        M::Lodsb | M::Lodsw | M::Lodsd => Kind::LoadString,
        M::Cmpsb | M::Cmpsw | M::Cmpsd => Kind::CompareString,
        M::Outsb | M::Outsw | M::Outsd => Kind::OutputString,
        M::Scasb | M::Scasw | M::Scasd => Kind::ScanString,
        _ => return None,
    })
}
