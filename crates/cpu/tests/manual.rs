//! Checks that the manual's table of undefined flags agrees with `machine/isa`. With `BLESS=1` the
//! table is written instead.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use iced_x86::Mnemonic;
use rockcreek_cpu::timing::instruction_costs as timing;

const BEGIN: &str = "<!-- undefined flags: begin -->\n";
const END: &str = "<!-- undefined flags: end -->\n";

/// One row for each set of flags, with the instructions that leave these flags undefined.
fn table() -> String {
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mnemonic in Mnemonic::values() {
        let undefined = timing::row(mnemonic).map_or(&[][..], |row| row.undefined);
        if !undefined.is_empty() {
            let mut flags = undefined.to_vec();
            flags.sort_unstable();
            let flags = flags.join(" ").to_uppercase();
            rows.entry(flags).or_default().push(format!("{mnemonic:?}").to_uppercase());
        }
    }
    let mut text = String::from("\n| undefined | after |\n| --- | --- |\n");
    for (flags, mnemonics) in rows {
        writeln!(text, "| {flags} | {} |", mnemonics.join(", ")).expect("writing to a string");
    }
    text + "\n"
}

#[test]
fn the_manual_lists_the_undefined_flags() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/chip/core.md");
    let manual = std::fs::read_to_string(&path).expect("the manual is there");
    let (head, rest) = manual.split_once(BEGIN).expect("the table begins");
    let (found, tail) = rest.split_once(END).expect("the table ends");
    let expected = table();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, [head, BEGIN, &expected, END, tail].concat()).expect("writable");
        return;
    }
    assert_eq!(found, expected, "hint: BLESS=1 cargo test -p rockcreek-cpu --test manual");
}
