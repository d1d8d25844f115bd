//! Operands of the x87 that cross their natural boundary (a multiple of eight bytes), in one line
//! or in two (`x64/x87/line_split.rs`).
//!
//! Compilers align the stack to four bytes, so many a double there is not aligned to eight.
//! Crossing the boundary costs clocks (`Core::check_alignment`): before a load, and after a store,
//! which has then waited for its value. Meanwhile x87 instructions in progress advance, so the
//! block that follows may be another one than for an aligned operand. Code for which alignment is
//! checked (#AC) is not translated.

use super::collect::{Item, Source};
use super::pipeline_state::Carried;
use super::x87_roles::X87Role;
use crate::execute::isa::x87::{form_of, is_x87};
use crate::execute::op::Op;
use crate::state::core_state::ZERO;

/// The natural boundary in bytes. An operand with this alignment crosses none; the interpreter does
/// smaller operands that are misaligned.
const NATURAL: u32 = 8;
const LINE: u32 = rockcreek_defs::LINE_BYTES as u32;

/// Whether, and how, translated code accesses an x87 operand that crosses its natural boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skew {
    /// The operand crosses no boundary; or the interpreter does the instruction whenever it does.
    Never,
    /// The operand's address is known, crosses a boundary, is even, and lies in one line.
    Always,
    /// Only when the instruction executes is it known whether the operand crosses a boundary. If it
    /// does: the instruction's core clocks, and the state of pipes and x87 after it (a number in
    /// `Carries`).
    Perhaps { clocks: u64, after: u32 },
}

impl Source<'_> {
    /// `Skew::Always` for an instruction whose operand of at least eight bytes has a constant, even
    /// address, crosses a boundary and lies in one line, if crossing costs clocks; `Never` for
    /// others.
    pub fn known_skew(&self, item: &Item) -> Skew {
        let op = item.op();
        let known = usize::from(op.base) == ZERO && usize::from(op.index) == ZERO;
        let (at, bytes) = (op.displacement, operand_bytes(item));
        let skewed = !at.is_multiple_of(NATURAL) && at.is_multiple_of(2);
        let inside = at % LINE + bytes <= LINE;
        match bytes >= NATURAL && known && skewed && inside && self.misaligned_cycles > 0 {
            true => Skew::Always,
            false => Skew::Never,
        }
    }

    /// Whether and how the operand may cross a boundary, for an instruction before which the state
    /// of pipes and x87 is known; `after` is the state after it if its operand crosses none.
    pub fn skew(&mut self, item: &Item, after: Carried) -> Skew {
        let op = item.op();
        let varies = usize::from(op.base) != ZERO || usize::from(op.index) != ZERO;
        let bytes = operand_bytes(item);
        let splits = op.displacement % LINE + bytes > LINE;
        let wide = item.x87_role == X87Role::InPlace && bytes >= NATURAL;
        match wide && (varies || splits) && self.misaligned_cycles > 0 {
            true => self.skewed(item, after).unwrap_or(Skew::Never),
            false => item.skew,
        }
    }

    fn skewed(&mut self, item: &Item, mut after: Carried) -> Option<Skew> {
        let mut x87 = item.x87.0?;
        let more = x87.issue_skewed(item.op(), self.misaligned_cycles)?;
        let clocks = u64::from(item.issue.clocks) + more;
        x87.pass(clocks);
        after.x87 = Some(x87);
        Some(Skew::Perhaps { clocks, after: self.carries.number(after) })
    }
}

/// The number of bytes of an x87 instruction's memory operand; 0 without one, and for other
/// instructions.
fn operand_bytes(item: &Item) -> u32 {
    if is_x87(item.shape().code) { memory_bytes(item.op()) } else { 0 }
}

fn memory_bytes(op: &Op) -> u32 {
    let form = form_of(op);
    u32::from(form.read_bytes.max(form.write_bytes))
}

impl Item {
    /// True if the instruction is done in place and its operand has ten bytes, so that two accesses
    /// are made: of eight bytes, then of two.
    pub fn is_extended(&self) -> bool {
        self.x87_role == X87Role::InPlace && memory_bytes(self.op()) == 10
    }
}
