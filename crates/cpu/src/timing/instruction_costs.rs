//! The cost of a single instruction, with all its accesses in L1: the rows of `machine/isa/*.toml`.
//!
//! A row gives clocks and pipes by operand form; the decoder reads the row once for each decoded
//! instruction. `pipeline.rs` computes the cost of several instructions together.

use iced_x86::{Code, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind};

use crate::instruction::shape::{Form, Shape};
use crate::timing::pairing::Pipes;

/// One row of the instruction tables: the costs of a mnemonic by operand form.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    forms: &'static [(&'static str, u16, Pipes)],
    /// Flags that the manual leaves undefined after the instruction.
    pub undefined: &'static [&'static str],
}

#[expect(clippy::too_many_lines, reason = "generated: a row for each mnemonic")]
mod generated {
    use super::{Mnemonic, Pipes, Row};
    include!(concat!(env!("OUT_DIR"), "/integer_costs.rs"));
}

/// The row of a mnemonic in the table of costs; `None` if the table has none.
pub fn row(mnemonic: Mnemonic) -> Option<Row> {
    generated::row(mnemonic)
}

impl Row {
    fn get(&self, form: &str) -> Option<(u16, Pipes)> {
        let found = self.forms.iter().find(|(name, ..)| *name == form)?;
        Some((found.1, found.2))
    }

    fn first_of(&self, forms: &[&str]) -> Option<(u16, Pipes)> {
        forms.iter().find_map(|form| self.get(form))
    }
}

/// What an instruction costs, with all its accesses in L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Costs {
    pub clocks: u16,
    /// Core clocks of each iteration of a repeated string instruction.
    pub each: u16,
    pub pipes: Pipes,
}

/// The costs of an instruction; `None` if its mnemonic has no row.
pub(crate) fn costs(instruction: &Instruction, shape: &Shape) -> Option<Costs> {
    let row = row(shape.mnemonic)?;
    let repeated = instruction.has_rep_prefix() || instruction.has_repne_prefix();
    if repeated && let (Some(start), Some(each)) = (row.get("start"), row.get("each")) {
        return Some(Costs { clocks: start.0, each: each.0, pipes: Pipes::Alone });
    }
    let (clocks, pipes) = row
        .first_of(special_forms(instruction, shape))
        .or_else(|| row.first_of(shift_forms(shape)))
        .or_else(|| row.first_of(size_form(shape)))
        .or_else(|| row.first_of(memory_forms(instruction, shape)))
        .or_else(|| row.get("any"))?;
    Some(Costs { clocks, each: 0, pipes })
}

fn special_forms(instruction: &Instruction, shape: &Shape) -> &'static [&'static str] {
    let locks =
        instruction.has_lock_prefix() || shape.mnemonic == Mnemonic::Xchg && shape.uses_memory();
    let accumulator = shape.mnemonic == Mnemonic::Xchg && instruction.op1_register().number() == 0;
    let control = shape.first_is_control || shape.second_is_control;
    if locks {
        &["locked"]
    } else if shape.far {
        &["far"]
    } else if control {
        &["control"]
    } else if shape.special_register {
        &["debug"]
    } else if shape.first_is_segment {
        &["segment"]
    } else if shape.second_is_segment {
        &["from_segment"]
    } else if shape.mnemonic == Mnemonic::Test {
        test_forms(shape)
    } else if shape.mnemonic == Mnemonic::Ret && shape.operands > 0 {
        &["imm"]
    } else if accumulator && shape.form == Form::RR {
        &["accumulator"]
    } else {
        &[]
    }
}

fn test_forms(shape: &Shape) -> &'static [&'static str] {
    let accumulator =
        matches!(shape.code, Code::Test_AL_imm8 | Code::Test_AX_imm16 | Code::Test_EAX_imm32);
    match shape.form {
        Form::RI if accumulator => &["accumulator"],
        Form::RI => &["imm"],
        Form::MI => &["imm_m"],
        _ => &[],
    }
}

fn shift_forms(shape: &Shape) -> &'static [&'static str] {
    match (shape.form, shape.immediate_is_one) {
        (Form::RI, true) => &["one"],
        (Form::RI, false) => &["imm"],
        (Form::MI, true) => &["one_m"],
        (Form::MI, false) => &["imm_m"],
        (Form::RR, _) => &["cl"],
        (Form::MR, _) => &["cl_m"],
        _ => &[],
    }
}

fn size_form(shape: &Shape) -> &'static [&'static str] {
    match (shape.operands, shape.size) {
        (1, 1) => &["bits8"],
        (1, 2) => &["bits16"],
        (1, _) => &["bits32"],
        _ => &[],
    }
}

fn memory_forms(instruction: &Instruction, shape: &Shape) -> &'static [&'static str] {
    let memory = (0..shape.operands).find(|&i| instruction.op_kind(i) == OpKind::Memory);
    let Some(memory) = memory else {
        // Direct branches have no operand of these kinds; their rows use the form `any`.
        return if shape.is_branch { &[] } else { &["r"] };
    };
    let mut factory = InstructionInfoFactory::new();
    match factory.info(instruction).op_access(memory) {
        OpAccess::Read | OpAccess::CondRead => &["load"],
        OpAccess::Write | OpAccess::CondWrite => &["store"],
        OpAccess::ReadWrite | OpAccess::ReadCondWrite => &["modify"],
        _ => &["r"],
    }
}

#[cfg(test)]
mod tests {
    use crate::frontend::decode::{Decoded, decode};

    fn cost(bytes: &[u8]) -> u16 {
        match decode(bytes, true) {
            Decoded::Op { pipe, .. } => pipe.clocks,
            Decoded::Incomplete => panic!("incomplete"),
        }
    }

    #[test]
    fn clocks_follow_the_operand_form() {
        assert_eq!(cost(&[0x01, 0xD8]), 1); // add eax, ebx
        assert_eq!(cost(&[0x03, 0x03]), 2); // add eax, [ebx]
        assert_eq!(cost(&[0x01, 0x03]), 3); // add [ebx], eax
        assert_eq!(cost(&[0x39, 0x03]), 2); // cmp [ebx], eax
        assert_eq!(cost(&[0xD1, 0xE0]), 1); // shl eax, 1
        assert_eq!(cost(&[0xD3, 0xE0]), 4); // shl eax, cl
        assert_eq!(cost(&[0xF7, 0xF3]), 41); // div ebx
        assert_eq!(cost(&[0xC3]), 2); // ret
        assert_eq!(cost(&[0xE8, 0, 0, 0, 0]), 1); // call
        assert_eq!(cost(&[0xFF, 0xD0]), 2); // call eax
        assert_eq!(cost(&[0x0F, 0x0A]), 1); // cl1invmb
        assert_eq!(cost(&[0x66, 0x01, 0xD8]), 1); // add ax, bx
        assert_eq!(cost(&[0x8C, 0xD8]), 1); // mov eax, ds
        assert_eq!(cost(&[0x8E, 0xD8]), 2); // mov ds, eax
        assert_eq!(cost(&[0xF3, 0xA5]), 12); // rep movsd
        assert_eq!(cost(&[0x6A, 0x01]), 1); // push 1
    }
}
