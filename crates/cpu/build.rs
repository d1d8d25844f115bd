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
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    mnemonics: Vec<String>,
    /// Clocks by operand form.
    clocks: BTreeMap<String, u16>,
    pairing: Option<Pairing>,
    #[serde(default)]
    undefined: Vec<String>,
    source: Vec<String>,
    #[serde(default, rename = "note")]
    _note: String,
}

/// The pipes of all operand forms, or by operand form.
#[derive(Deserialize)]
#[serde(untagged)]
enum Pairing {
    All(String),
    ByForm(BTreeMap<String, String>),
}

/// An entry of pipeline.toml or gates.toml: a number, or the table of pairs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    value: toml::Value,
    source: Vec<String>,
    #[serde(default, rename = "note")]
    _note: String,
}

#[derive(Deserialize)]
struct Named {
    schema: u32,
    unit: String,
    #[serde(flatten)]
    entries: BTreeMap<String, Entry>,
}

fn read(root: &Path, name: &str) -> String {
    let path = root.join(format!("../../machine/isa/{name}.toml"));
    println!("cargo:rerun-if-changed={}", path.display());
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn main() {
    choose_translator();
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
    let mut rows = String::new();
    let mut seen = BTreeSet::new();
    for name in TABLES {
        let table: Table =
            toml::from_str(&read(&root, name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((table.schema, table.unit.as_str()), (1, "core clocks"), "{name}");
        for row in &table.instruction {
            add(&mut rows, row, &mut seen);
        }
    }
    let text = format!(
        "/// The row of a mnemonic: its forms with their clocks.\n\
         pub(super) fn row(mnemonic: Mnemonic) -> Option<Row> {{\n\
             Some(match mnemonic {{\n{rows}_ => return None,\n}})\n}}\n"
    );
    std::fs::write(out.join("integer_costs.rs"), text).expect("OUT_DIR is writable");
    for name in ["pipeline", "gates"] {
        std::fs::write(out.join(format!("{name}.rs")), constants(name, &read(&root, name)))
            .expect("OUT_DIR is writable");
    }
}

/// Sets `cfg(translator)` if there is a translator for the host and the build has not turned it
/// off.
fn choose_translator() {
    println!("cargo::rustc-check-cfg=cfg(translator)");
    let x86_64 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let interprets = std::env::var_os("CARGO_FEATURE_INTERPRETER_ONLY").is_some();
    if x86_64 && !interprets {
        println!("cargo::rustc-cfg=translator");
    }
}

/// The entries of pipeline.toml or gates.toml as constants.
fn constants(name: &str, text: &str) -> String {
    let table: Named = toml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!((table.schema, table.unit.as_str()), (1, "core clocks"));
    let mut code = String::new();
    for (name, entry) in &table.entries {
        assert!(!entry.source.is_empty(), "{name} has no source");
        let kind = if entry.value.is_integer() { "u16" } else { "[[u16; 3]; 3]" };
        let name = name.to_uppercase();
        writeln!(code, "pub(crate) const {name}: {kind} = {};", entry.value).expect("a string");
    }
    code
}

fn add(rows: &mut String, row: &Row, seen: &mut BTreeSet<String>) {
    assert!(!row.source.is_empty(), "{:?} has no source", row.mnemonics);
    for mnemonic in &row.mnemonics {
        assert!(seen.insert(mnemonic.clone()), "{mnemonic} has two rows");
    }
    let patterns: Vec<String> =
        row.mnemonics.iter().map(|mnemonic| format!("Mnemonic::{mnemonic}")).collect();
    let forms: Vec<String> = row
        .clocks
        .iter()
        .map(|(form, &clocks)| format!("({form:?}, {clocks}, Pipes::{})", pipes(row, form, clocks)))
        .collect();
    writeln!(
        rows,
        "{} => Row {{ forms: &[{}], undefined: &{:?} }},",
        patterns.join(" | "),
        forms.join(", "),
        row.undefined
    )
    .expect("writing to a string");
}

/// The pipes in which an operand form of the row may execute beside another instruction.
fn pipes(row: &Row, form: &str, clocks: u16) -> &'static str {
    let named = match &row.pairing {
        None => None,
        Some(Pairing::All(pipes)) => Some(pipes),
        Some(Pairing::ByForm(forms)) => {
            let unknown = forms.keys().find(|form| !row.clocks.contains_key(*form));
            assert!(unknown.is_none(), "{:?}: {unknown:?} has no clocks", row.mnemonics);
            forms.get(form)
        }
    };
    let Some(named) = named else { return "Alone" };
    assert!((1..=3).contains(&clocks), "{:?}: no pair takes {clocks} clocks", row.mnemonics);
    match named.as_str() {
        "uv" => "Both",
        "u" => "First",
        "v" => "Second",
        other => panic!("{:?}: no pipes {other}", row.mnemonics),
    }
}
