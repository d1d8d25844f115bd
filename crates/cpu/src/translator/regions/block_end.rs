//! How a block ends: its control transfer, and where execution continues.

use iced_x86::{FlowControl, Mnemonic};

use super::collect::Item;
use crate::execute::op::prefix;

/// The condition of a conditional branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A condition on the flags, by its number.
    Flags(u8),
    /// LOOP: ECX, decremented, is not 0. LOOPE and LOOPNE also require this value of ZF (true: 1).
    Count(Option<bool>),
    /// JECXZ: ECX is 0.
    NoCount,
}

/// How a block ends, and where execution continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Execution runs on at this address, in another block.
    Next(u32),
    Jump(u32),
    /// A conditional branch: its condition, the address if taken, the address if not taken.
    Branch(Condition, u32, u32),
    Call(u32),
    Return,
    JumpIndirect,
    CallIndirect,
    /// Execution leaves translated code; the interpreter continues at this address.
    Leave(u32),
    /// The region is left, and entered again at a block for the x87's state, unknown until then.
    Again,
}

impl Condition {
    /// The condition that holds if this one does not; `None` if it has no number.
    pub fn opposite(self) -> Option<Condition> {
        match self {
            Condition::Flags(number) => Some(Condition::Flags(number ^ 1)),
            _ => None,
        }
    }
}

impl End {
    /// The addresses in other blocks at which execution continues without a call or an indirect
    /// branch. The code of the block that begins at the last one may follow without a jump.
    pub fn successors(self) -> Vec<u32> {
        match self {
            End::Next(next) | End::Jump(next) => vec![next],
            End::Branch(_, taken, next) => vec![taken, next],
            _ => vec![],
        }
    }

    /// The address to which a direct control transfer leads; `None` for other ends.
    pub fn target(self) -> Option<u32> {
        match self {
            End::Jump(target) | End::Branch(_, target, _) | End::Call(target) => Some(target),
            _ => None,
        }
    }
}

/// The end of a block with this control transfer.
pub(crate) fn transfer(item: &Item) -> End {
    let (op, shape) = (item.op(), item.shape());
    let target = item.eip.wrapping_add(op.immediate);
    let marks = prefix::LOCK | prefix::REP | prefix::REPNE;
    let near = shape.default_size == 4 && op.prefixes & marks == 0 && shape.size == 4;
    match item.decoding.instruction.flow_control() {
        _ if !near || shape.far => End::Leave(item.eip),
        FlowControl::ConditionalBranch => condition(item)
            .map_or(End::Leave(item.eip), |condition| End::Branch(condition, target, item.end())),
        FlowControl::UnconditionalBranch => End::Jump(target),
        FlowControl::Call => End::Call(target),
        FlowControl::IndirectCall => End::CallIndirect,
        FlowControl::IndirectBranch => End::JumpIndirect,
        FlowControl::Return if shape.mnemonic == Mnemonic::Ret => End::Return,
        _ => End::Leave(item.eip),
    }
}

/// The condition of a conditional branch; `None` if it depends on the 16-bit CX.
fn condition(item: &Item) -> Option<Condition> {
    let all = item.op().address_mask == u32::MAX;
    Some(match item.shape().mnemonic {
        Mnemonic::Loop if all => Condition::Count(None),
        Mnemonic::Loope if all => Condition::Count(Some(true)),
        Mnemonic::Loopne if all => Condition::Count(Some(false)),
        Mnemonic::Jecxz if all => Condition::NoCount,
        _ => Condition::Flags(item.shape().condition?),
    })
}
