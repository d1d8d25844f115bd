//! The reviewed table of what is undefined (`undefined.toml`), ready to be asked.

use std::collections::HashMap;
use std::sync::LazyLock;

use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use serde::Deserialize;

use crate::case::Case;

const ECX: usize = 1;

/// One row of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    instructions: Vec<String>,
    when: When,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default)]
    destination: bool,
    #[serde(default)]
    codes: Vec<String>,
    reason: String,
    source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    undefined: Vec<Row>,
    rule: Vec<Rule>,
}

/// A rule of `compare`: the table says why it is right.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    name: String,
    reason: String,
    source: String,
}

/// When a row applies.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum When {
    Always,
    #[serde(rename = "count-not-0")]
    CountNot0,
    #[serde(rename = "count-above-1")]
    CountAbove1,
    CountAboveSize,
    #[serde(rename = "source-is-0")]
    SourceIs0,
    #[serde(rename = "operand-16")]
    Operand16,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    when: When,
    mask: Mask,
}

/// What is not compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    pub eflags: u32,
    pub destination: bool,
    /// Bits of the x87 status word.
    pub status: u16,
}

fn table() -> Table {
    toml::from_str(include_str!("../undefined.toml")).expect("undefined.toml is well formed")
}

static TABLE: LazyLock<HashMap<Mnemonic, Vec<Entry>>> = LazyLock::new(|| {
    let table = table();
    let rows = table.undefined.iter().map(|row| (&row.reason, &row.source));
    let rules = table.rule.iter().map(|rule| (&rule.reason, &rule.source));
    let founded =
        rows.chain(rules).all(|(reason, source)| !reason.is_empty() && !source.is_empty());
    assert!(founded && table.rule.iter().all(|rule| !rule.name.is_empty()), "a row without reason");
    let names: HashMap<String, Mnemonic> =
        Mnemonic::values().map(|m| (format!("{m:?}").to_lowercase(), m)).collect();
    let mut entries: HashMap<Mnemonic, Vec<Entry>> = HashMap::new();
    for row in &table.undefined {
        let mask = Mask {
            eflags: row.flags.iter().map(|name| flag(name)).sum(),
            destination: row.destination,
            status: row.codes.iter().map(|name| status_bit(name)).sum(),
        };
        for name in &row.instructions {
            let mnemonic = *names.get(name).unwrap_or_else(|| panic!("no instruction {name}"));
            entries.entry(mnemonic).or_default().push(Entry { when: row.when, mask });
        }
    }
    entries
});

fn flag(name: &str) -> u32 {
    match name {
        "CF" => 1 << 0,
        "PF" => 1 << 2,
        "AF" => 1 << 4,
        "ZF" => 1 << 6,
        "SF" => 1 << 7,
        "OF" => 1 << 11,
        _ => panic!("undefined.toml: no flag {name}"),
    }
}

fn status_bit(name: &str) -> u16 {
    match name {
        "UE" => 1 << 4,
        "PE" => 1 << 5,
        "C0" => 1 << 8,
        "C1" => 1 << 9,
        "C2" => 1 << 10,
        "C3" => 1 << 14,
        _ => panic!("undefined.toml: no status bit {name}"),
    }
}

/// What the table says of this instruction in this case; `zero` is ZF after it.
pub fn mask(case: &Case, instruction: &Instruction, zero: bool) -> Mask {
    let mut all = Mask::default();
    for entry in TABLE.get(&instruction.mnemonic()).into_iter().flatten() {
        if applies(entry.when, case, instruction, zero) {
            all.eflags |= entry.mask.eflags;
            all.destination |= entry.mask.destination;
            all.status |= entry.mask.status;
        }
    }
    all
}

fn applies(when: When, case: &Case, instruction: &Instruction, zero: bool) -> bool {
    let count = shift_count(case, instruction);
    match when {
        When::Always => true,
        When::CountNot0 => count > 0,
        When::CountAbove1 => count > 1,
        When::CountAboveSize => count >= 8 * operand_bytes(instruction) as u32,
        // The bit scans say so in ZF.
        When::SourceIs0 => zero,
        When::Operand16 => operand_bytes(instruction) == 2,
    }
}

fn shift_count(case: &Case, instruction: &Instruction) -> u32 {
    let Some(last) = instruction.op_count().checked_sub(1) else { return 0 };
    match instruction.op_kind(last) {
        OpKind::Immediate8 => u32::from(instruction.immediate8()) & 31,
        OpKind::Register if instruction.op_register(last) == Register::CL => case.general[ECX] & 31,
        _ => 1,
    }
}

fn operand_bytes(instruction: &Instruction) -> usize {
    match instruction.op0_kind() {
        OpKind::Register => instruction.op0_register().size(),
        OpKind::Memory => instruction.memory_size().size(),
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_reason_and_a_source_in_the_bibliography() {
        let bibliography = include_str!("../../../docs/sources.bib");
        let table = table();
        let rows = table.undefined.iter().map(|row| (&row.reason, &row.source));
        let rules = table.rule.iter().map(|rule| (&rule.reason, &rule.source));
        for (reason, source) in rows.chain(rules) {
            let (key, place) = source.split_once(", ").expect("a key and a place");
            assert!(bibliography.contains(&format!("{{{key},")), "{source}");
            assert!(!place.is_empty() && !reason.is_empty());
        }
    }

    #[test]
    fn every_rule_of_the_comparison_is_in_the_table() {
        let program = include_str!("compare.rs");
        for rule in &table().rule {
            assert!(program.contains(&format!("rule {}", rule.name)), "{} is not used", rule.name);
        }
        let named = program.split("rule ").skip(1);
        for name in
            named.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '-').next())
        {
            assert!(table().rule.iter().any(|rule| rule.name == name), "rule {name} has no row");
        }
    }
}
