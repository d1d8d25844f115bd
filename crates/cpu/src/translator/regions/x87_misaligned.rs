//! Operands of the x87 across their natural boundary, in one line or in two
//! (`x64/x87/line_split.rs`).
//!
//! Compilers align the stack to four bytes, so many a double there is not aligned to eight. That
//! costs clocks (`Core::check_alignment`): before a load, and after a store, which has waited for
//! its value by then. What is in progress in the x87 comes nearer meanwhile, so what follows may be
//! another block than without. Where alignment is checked no code is translated.

use super::collect::{Item, Source};
use super::pipeline_state::Carried;
use super::x87_roles::X87Role;
use crate::execute::isa::x87::{form_of, is_x87};
use crate::execute::op::Op;
use crate::state::core_state::ZERO;

/// What is aligned to this lies across no boundary; smaller operands are left to the interpreter.
const NATURAL: u32 = 8;
const LINE: u32 = rockcreek_defs::LINE_BYTES as u32;

/// Whether an operand lies across its natural boundary, which is done in place then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skew {
    /// It does not, or the interpreter does it then.
    Never,
    /// Its address is known, and all of it in one line.
    Always,
    /// It shows when the instruction executes: its clocks then, and what the pipes and the x87 hold
    /// after it.
    Perhaps { clocks: u64, after: u32 },
}

impl Source<'_> {
    /// What the address tells, if it is known.
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

    /// The same of an instruction whose place in the pipes and the x87 is known; `after`: what they
    /// hold behind it if it is not skewed.
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

/// The bytes of an x87 instruction's operand in memory.
fn operand_bytes(item: &Item) -> u32 {
    if is_x87(item.shape().code) { memory_bytes(item.op()) } else { 0 }
}

fn memory_bytes(op: &Op) -> u32 {
    let form = form_of(op);
    u32::from(form.read_bytes.max(form.write_bytes))
}

impl Item {
    /// It is done in place, by two accesses: eight bytes, then two.
    pub fn is_extended(&self) -> bool {
        self.x87_role == X87Role::InPlace && memory_bytes(self.op()) == 10
    }
}
