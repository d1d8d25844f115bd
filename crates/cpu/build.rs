//! Turns the tables of `machine/isa` into a Rust function, so that clock counts stand in one
//! place only. The x87's table is read by its own crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

const TABLES: [&str; 5] = ["integer", "mov", "control", "string", "system"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    schema: u32,
    unit: String,
    instruction: Vec<Row>,
    prefix: Option<Prefix>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    mnemonics: Vec<String>,
    /// From operand form to clocks.
    clocks: BTreeMap<String, u16>,
    #[serde(default)]
    undefined: Vec<String>,
    source: Vec<String>,
    #[serde(default, rename = "note")]
    _note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prefix {
    clocks: u16,
    source: Vec<String>,
}

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let mut rows = String::new();
    let mut prefix = None;
    let mut seen = BTreeSet::new();
    for name in TABLES {
        let path = root.join(format!("../../machine/isa/{name}.toml"));
        println!("cargo:rerun-if-changed={}", path.display());
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let table: Table =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!((table.schema, table.unit.as_str()), (1, "core clocks"), "{name}");
        for row in &table.instruction {
            add(&mut rows, row, &mut seen);
        }
        if let Some(found) = table.prefix {
            assert!(!found.source.is_empty(), "the prefix's clocks have a source");
            prefix = Some(found.clocks);
        }
    }
    let prefix = prefix.expect("a table gives the clocks of a prefix");
    let text = format!(
        "/// Clocks of one decoded prefix.\n\
         pub(super) const PREFIX_CLOCKS: u16 = {prefix};\n\
         /// The row of a mnemonic: its forms with their clocks.\n\
         pub(super) fn row(mnemonic: Mnemonic) -> Option<Row> {{\n\
             Some(match mnemonic {{\n{rows}_ => return None,\n}})\n}}\n"
    );
    let out = std::env::var_os("OUT_DIR").expect("set by cargo");
    std::fs::write(Path::new(&out).join("integer_costs.rs"), text).expect("OUT_DIR is writable");
}

fn add(rows: &mut String, row: &Row, seen: &mut BTreeSet<String>) {
    assert!(!row.source.is_empty(), "{:?} has no source", row.mnemonics);
    for mnemonic in &row.mnemonics {
        assert!(seen.insert(mnemonic.clone()), "{mnemonic} has two rows");
    }
    let patterns: Vec<String> =
        row.mnemonics.iter().map(|mnemonic| format!("Mnemonic::{mnemonic}")).collect();
    let forms: Vec<String> =
        row.clocks.iter().map(|(form, clocks)| format!("({form:?}, {clocks})")).collect();
    writeln!(
        rows,
        "{} => Row {{ forms: &[{}], undefined: &{:?} }},",
        patterns.join(" | "),
        forms.join(", "),
        row.undefined
    )
    .expect("writing to a string");
}
