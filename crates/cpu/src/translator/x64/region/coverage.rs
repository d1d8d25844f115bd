//! Lists the instructions that translated code executes itself; for each other one it calls the
//! interpreter.

use iced_x86::Mnemonic as M;

use super::emit::Done;
use crate::execute::op::prefix;
use crate::instruction::shape::Form;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::x64::integer::bits::{Bit, Carry};
use crate::translator::x64::integer::handler_calls::touches_registers_alone;
use crate::translator::x64::memory::access::{is_addressable, is_plain};
use crate::translator::x64::x87::ops;
use crate::translator_frame::packed_counts::Counts;

/// The largest number of core clocks for which an integer multiplication waits for the x87's
/// multiplier.
const MULTIPLIER_CLOCKS: u64 = 16;

/// The instructions that translated code executes itself, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Nothing,
    Move,
    Binary(Binary),
    Unary(Unary),
    Shift(Shift),
    Lea,
    Widen {
        signed: bool,
    },
    Push,
    Pop,
    Leave,
    Exchange,
    SwapBytes,
    SignToEdx,
    WordToLong,
    Set(u8),
    SetMemory(u8),
    Multiply,
    /// MUL or IMUL with one operand; the product goes into EDX:EAX.
    Product {
        signed: bool,
    },
    /// DIV or IDIV of EDX:EAX.
    Quotient {
        signed: bool,
    },
    ShiftByCl(Shift),
    Rotate {
        left: bool,
        by_cl: bool,
    },
    DoubleShift {
        left: bool,
        by_cl: bool,
    },
    /// BSF or BSR: searches a bit upwards or downwards.
    Scan {
        up: bool,
    },
    Bit(Bit),
    Carry(Carry),
    PushMemory,
    /// XADD, CMPXCHG and XCHG, each with an operand in memory.
    ExchangeAdd,
    CompareExchange,
    ExchangeMemory,
    /// An instruction for which translated code calls the interpreter's handler
    /// (`handler_calls.rs`).
    Handled,
    /// A string instruction without a repeat prefix: one element.
    Element(Element),
    AhToFlags,
    /// CL1INVMB: makes every L1D line invalid that was filled from an MPBT page.
    InvalidateMessages,
}

/// What a string instruction does with one element: LODS, STOS, MOVS or SCAS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Load,
    Store,
    Move,
    Scan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Adc,
    Sub,
    Sbb,
    And,
    Or,
    Xor,
    Cmp,
    Test,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Inc,
    Dec,
    Neg,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shift {
    Left,
    Right,
    Arithmetic,
}

impl Binary {
    pub fn writes(self) -> bool {
        !matches!(self, Binary::Cmp | Binary::Test)
    }

    /// True if the manual leaves AF undefined after the operation.
    pub fn is_logic(self) -> bool {
        matches!(self, Binary::And | Binary::Or | Binary::Xor | Binary::Test)
    }

    pub fn uses_carry(self) -> bool {
        matches!(self, Binary::Adc | Binary::Sbb)
    }
}

/// The kind of an instruction; `None`: the interpreter executes it.
#[expect(clippy::too_many_lines, reason = "a table of instructions")]
pub(crate) fn kind(item: &Item) -> Option<Kind> {
    let (shape, op) = (item.shape(), item.op());
    let scan = matches!(shape.mnemonic, M::Bsf | M::Bsr);
    // PAUSE is NOP with REP.
    let any = scan || shape.mnemonic == M::Pause;
    let repeat = if any { 0 } else { prefix::REP | prefix::REPNE };
    if item.probed || op.prefixes & repeat != 0 {
        return None;
    }
    if shape.uses_memory() && !is_addressable(op) {
        return None;
    }
    let kind = match shape.mnemonic {
        M::Nop | M::Pause if shape.operands == 0 => Kind::Nothing,
        _ if shape.first_is_segment => return None,
        M::Mov if !shape.second_is_segment => Kind::Move,
        M::Add => Kind::Binary(Binary::Add),
        M::Adc => Kind::Binary(Binary::Adc),
        M::Sub => Kind::Binary(Binary::Sub),
        M::Sbb => Kind::Binary(Binary::Sbb),
        M::And => Kind::Binary(Binary::And),
        M::Or => Kind::Binary(Binary::Or),
        M::Xor => Kind::Binary(Binary::Xor),
        M::Cmp => Kind::Binary(Binary::Cmp),
        M::Test => Kind::Binary(Binary::Test),
        M::Inc => Kind::Unary(Unary::Inc),
        M::Dec => Kind::Unary(Unary::Dec),
        M::Neg => Kind::Unary(Unary::Neg),
        M::Not => Kind::Unary(Unary::Not),
        M::Xadd if shape.form == Form::MR => Kind::ExchangeAdd,
        M::Cmpxchg if shape.form == Form::MR => Kind::CompareExchange,
        M::Shl | M::Sal if shift_count(item).is_some() => Kind::Shift(Shift::Left),
        M::Shr if shift_count(item).is_some() => Kind::Shift(Shift::Right),
        M::Sar if shift_count(item).is_some() => Kind::Shift(Shift::Arithmetic),
        M::Shl | M::Sal if shifts_by_cl(item) => Kind::ShiftByCl(Shift::Left),
        M::Shr if shifts_by_cl(item) => Kind::ShiftByCl(Shift::Right),
        M::Sar if shifts_by_cl(item) => Kind::ShiftByCl(Shift::Arithmetic),
        M::Rol | M::Ror if shifts_by_cl(item) || shift_count(item).is_some() => {
            Kind::Rotate { left: shape.mnemonic == M::Rol, by_cl: shifts_by_cl(item) }
        }
        M::Shld | M::Shrd if shape.form == Form::RR && shape.size == 4 => {
            let left = shape.mnemonic == M::Shld;
            Kind::DoubleShift { left, by_cl: shape.third_is_register }
        }
        M::Mul if shape.size == 4 => Kind::Product { signed: false },
        M::Imul if shape.size == 4 && shape.operands == 1 => Kind::Product { signed: true },
        M::Div | M::Idiv if shape.size == 4 => Kind::Quotient { signed: shape.mnemonic == M::Idiv },
        M::Bsf | M::Bsr if shape.size == 4 => Kind::Scan { up: shape.mnemonic == M::Bsf },
        M::Bt if shape.size == 4 => Kind::Bit(Bit::Test),
        M::Bts if shape.size == 4 => Kind::Bit(Bit::Set),
        M::Btr if shape.size == 4 => Kind::Bit(Bit::Reset),
        M::Btc if shape.size == 4 => Kind::Bit(Bit::Complement),
        M::Clc => Kind::Carry(Carry::Clear),
        M::Stc => Kind::Carry(Carry::Set),
        M::Cmc => Kind::Carry(Carry::Complement),
        M::Push if shape.form == Form::M && shape.stack_size() == 4 => Kind::PushMemory,
        M::Lea if shape.size == 4 && op.address_mask == u32::MAX => Kind::Lea,
        M::Movzx if shape.size == 4 => Kind::Widen { signed: false },
        M::Movsx if shape.size == 4 => Kind::Widen { signed: true },
        M::Lodsb | M::Lodsw | M::Lodsd if is_plain(op) => Kind::Element(Element::Load),
        M::Stosb | M::Stosw | M::Stosd if is_plain(op) => Kind::Element(Element::Store),
        M::Movsb | M::Movsw | M::Movsd if is_plain(op) => Kind::Element(Element::Move),
        M::Scasb | M::Scasw | M::Scasd if is_plain(op) => Kind::Element(Element::Scan),
        M::Push if stack_operand(item) => Kind::Push,
        M::Pop if shape.form == Form::R && shape.stack_size() == 4 => Kind::Pop,
        M::Leave if shape.stack_size() == 4 => Kind::Leave,
        M::Xchg if shape.form == Form::RR && shape.size == 4 => Kind::Exchange,
        M::Xchg if shape.memory_first() => Kind::ExchangeMemory,
        M::Bswap => Kind::SwapBytes,
        M::Cdq => Kind::SignToEdx,
        M::Sahf => Kind::AhToFlags,
        M::Cwde => Kind::WordToLong,
        M::Cl1invmb => Kind::InvalidateMessages,
        M::Imul if shape.operands > 1 && shape.size == 4 => Kind::Multiply,
        _ => match shape.condition {
            Some(condition) if shape.form == Form::R => Kind::Set(condition),
            Some(condition) if shape.form == Form::M => Kind::SetMemory(condition),
            None if touches_registers_alone(item) => Kind::Handled,
            _ => return None,
        },
    };
    (!is_locked(item) || is_lockable(item, kind)).then_some(kind)
}

/// True if LOCK# is asserted: by the prefix, or by XCHG with memory.
pub(crate) fn is_locked(item: &Item) -> bool {
    item.op().locked() || item.shape().mnemonic == M::Xchg && item.shape().uses_memory()
}

/// True if translated code can execute an instruction of this kind with LOCK.
fn is_lockable(item: &Item, kind: Kind) -> bool {
    let modifies = match kind {
        Kind::Binary(binary) => binary.writes(),
        Kind::Unary(_) | Kind::ExchangeAdd | Kind::CompareExchange | Kind::ExchangeMemory => true,
        _ => false,
    };
    let plain = item.shape().memory_first() && is_plain(item.op());
    modifies && plain && !(item.notes_bank || item.checks_bank)
}

fn shifts_by_cl(item: &Item) -> bool {
    matches!(item.shape().form, Form::RR | Form::MR) && item.shape().size == 4
}

fn shift_count(item: &Item) -> Option<i8> {
    let count = (item.op().immediate & 31) as i8;
    let counted = matches!(item.shape().form, Form::RI | Form::MI);
    (counted && item.shape().size == 4 && count > 0).then_some(count)
}

fn stack_operand(item: &Item) -> bool {
    let register = item.shape().form == Form::R && !item.shape().first_is_segment;
    item.shape().stack_size() == 4 && (register || item.shape().form == Form::I)
}

/// True if the instruction is executed without memory and without any call, so that it cannot fault
/// or wait.
pub(crate) fn is_private(item: &Item) -> bool {
    let memory = item.shape().uses_memory() && item.shape().mnemonic != M::Lea;
    let stack = matches!(item.shape().mnemonic, M::Push | M::Pop | M::Leave);
    let kind = kind(item);
    let element = matches!(kind, Some(Kind::Element(_)));
    let calls =
        matches!(kind, Some(Kind::Quotient { .. } | Kind::InvalidateMessages | Kind::Handled));
    kind.is_some() && !memory && !stack && !element && !calls
}

/// True if the interpreter may have to do the instruction after translated code has done an access
/// of it: one that loads from one address and stores to another, or a division, which may raise
/// #DE.
pub(crate) fn may_be_repeated(item: &Item) -> bool {
    let moves = matches!(kind(item), Some(Kind::PushMemory | Kind::Element(Element::Move)));
    moves || matches!(kind(item), Some(Kind::Quotient { .. }))
}

/// The largest number of core clocks that an instruction may take in addition to its own, apart
/// from its accesses; `None` if translated code does not execute it itself.
pub(crate) fn unforeseen_clocks(item: &Item) -> Option<u64> {
    let multiplies = matches!(item.shape().mnemonic, M::Mul | M::Imul);
    kind(item)?;
    Some(u64::from(item.checks_bank) + if multiplies { MULTIPLIER_CLOCKS } else { 0 })
}

/// True if the instruction may leave flags unchanged that iced-x86 reports as modified, or changes
/// CF or ZF alone.
pub(crate) fn keeps_flags(item: &Item) -> bool {
    matches!(
        kind(item),
        Some(
            Kind::ShiftByCl(_)
                | Kind::Rotate { .. }
                | Kind::DoubleShift { .. }
                | Kind::Scan { .. }
                | Kind::Bit(_)
                | Kind::Carry(_)
        )
    )
}

/// True if translated code executes the instruction itself, as long as its accesses are done in
/// place (in a line of L1D).
pub(in crate::translator) fn is_in_place(item: &Item) -> bool {
    kind(item).is_some()
}

/// True if the instruction is executed in place, but must wait until the multiplier is free.
pub(in crate::translator) fn waits_for_multiplier(item: &Item) -> bool {
    matches!(kind(item), Some(Kind::Multiply | Kind::Product { .. }))
}

/// The clocks and counts of an instruction with this access (`None`: it accesses no memory), which
/// are added to those of its block.
pub(crate) fn own(item: &Item, access: Option<Access>) -> Done {
    let loads = matches!(access, Some(Access::Load | Access::Modify));
    let stores = matches!(access, Some(Access::Store | Access::Modify));
    let (x87s, operations) = ops::counted(item);
    let accesses = if item.is_extended() { 2 } else { 1 };
    let counts = Counts {
        instructions: 1,
        loads: u64::from(loads) * accesses,
        stores: u64::from(stores) * accesses,
        seconds: u64::from(item.issue.second),
        stalls: u64::from(item.issue.stalls),
        x87s,
        operations,
        ..Counts::default()
    };
    Done { clocks: item.clocks, counts }
}
