//! A chip small enough to be made for each input: one tile of two cores with small caches.

use std::sync::OnceLock;

use rockcreek_chip::{Chip, Description};
use rockcreek_cpu::Core;
use toml::{Table, Value};

/// The text of the real chip's description.
pub const SCC: &str = include_str!("../../machine/presets/scc.toml");

pub type Machine = Chip<Core>;

fn number(table: &mut Table, section: &str, key: &str, value: i64) {
    table[section][key]["value"] = Value::Integer(value);
}

fn edge(port: &str) -> Value {
    let mut unit = Table::new();
    unit.insert("x".into(), Value::Integer(0));
    unit.insert("y".into(), Value::Integer(0));
    unit.insert("port".into(), Value::String(port.into()));
    unit.insert("source".into(), Value::Array(vec![Value::String("intel-sysfpga-2011".into())]));
    Value::Table(unit)
}

/// The text of the small chip's description: that of the SCC with smaller numbers.
pub fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut all: Table = SCC.parse().expect("the preset is TOML");
        number(&mut all, "topology", "columns", 1);
        number(&mut all, "topology", "rows", 1);
        all["topology"]["memory_controller"] = Value::Array(vec![edge("west")]);
        all["topology"]["system_interface"] = edge("south");
        all["topology"]["voltage_regulator"] = edge("north");
        number(&mut all, "cache", "l1i_size", 4096);
        number(&mut all, "cache", "l1d_size", 4096);
        number(&mut all, "cache", "l2_size", 16384);
        number(&mut all, "board", "memory_per_controller", 1);
        number(&mut all, "board", "private_slots", 8);
        all.to_string()
    })
}

/// The description itself.
pub fn description() -> &'static Description {
    static DESCRIPTION: OnceLock<Description> = OnceLock::new();
    DESCRIPTION.get_or_init(|| Description::parse(text()).expect("the small chip is a chip"))
}

pub fn chip() -> Machine {
    let description = description();
    Chip::new(description, |core| Core::new(core, &description.cpu))
}
