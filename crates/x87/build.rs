//! Turns `machine/isa/x87.toml` into a Rust function, so that the table is the only place that
//! holds clock counts and can never differ from the code.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

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
    codes: Vec<String>,
    /// One latency, a range `[low, high]` of which the middle is used, or one per precision.
    clocks: Clocks,
    #[serde(default)]
    integer_overlap: u16,
    #[serde(default)]
    fp_overlap: u16,
    #[serde(default)]
    pairing: Pairing,
    multiplier: Option<u16>,
    #[serde(default)]
    holds_multiplier: bool,
    source: Vec<String>,
    #[serde(default, rename = "note")]
    _note: String,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Pairing {
    #[default]
    Alone,
    WithExchange,
    Exchange,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Clocks {
    Fixed(u16),
    Range([u16; 2]),
    ByPrecision { single: u16, double: u16, extended: u16 },
}

impl Clocks {
    fn columns(&self) -> [u16; 3] {
        match *self {
            Clocks::Fixed(clocks) => [clocks; 3],
            Clocks::Range([low, high]) => [low.midpoint(high); 3],
            Clocks::ByPrecision { single, double, extended } => [single, double, extended],
        }
    }
}

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let path = root.join("../../machine/isa/x87.toml");
    println!("cargo:rerun-if-changed={}", path.display());
    let text = std::fs::read_to_string(&path).expect("machine/isa/x87.toml is readable");
    let table: Table = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!((table.schema, table.unit.as_str()), (1, "core clocks"));
    let out = std::env::var_os("OUT_DIR").expect("set by cargo");
    std::fs::write(Path::new(&out).join("cost_table.rs"), generate(&table)).expect("OUT_DIR");
}

fn generate(table: &Table) -> String {
    let mut seen = BTreeSet::new();
    let mut code = String::from(
        "/// The cost of an instruction, by the decoder's code for its FN form.\n\
         pub(crate) fn cost_of(code: Code) -> Cost {\n    match code {\n",
    );
    for row in &table.instruction {
        assert!(!row.source.is_empty(), "{:?}: a row needs a source", row.codes);
        for name in &row.codes {
            assert!(seen.insert(name), "{name} has two rows");
        }
        let names: Vec<String> = row.codes.iter().map(|name| format!("Code::{name}")).collect();
        writeln!(
            code,
            "        {} => Cost {{ clocks: {:?}, integer_overlap: {}, fp_overlap: {}, \
             pairing: Pairing::{:?}, multiplier: {:?}, holds_multiplier: {} }},",
            names.join(" | "),
            row.clocks.columns(),
            row.integer_overlap,
            row.fp_overlap,
            row.pairing,
            row.multiplier,
            row.holds_multiplier,
        )
        .expect("writing to a string");
    }
    code.push_str(
        "        other => unreachable!(\"{other:?} has no row in machine/isa/x87.toml\"),\n    }\n}\n",
    );
    code
}
