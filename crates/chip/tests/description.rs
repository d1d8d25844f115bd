//! A wrong description is refused with an error that names the key and the allowed values.

use crate::common;

use common::{LOCKED_COUNT, SCC, exit, kernel};
use rockcreek_chip::{Chip, Description};
use rockcreek_cpu::Core;
use rockcreek_defs::{CoreId, Ps};
use toml::{Table, Value};

fn error_of(from: &str, to: &str) -> String {
    assert!(SCC.contains(from), "{from} is not in the preset");
    Description::parse(&SCC.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn the_real_chip_is_48_cores() {
    let scc = Description::parse(SCC).unwrap();
    assert_eq!((scc.tiles(), scc.cores()), (24, 48));
    assert_eq!(scc.clocks.fast_period_ps * u64::from(scc.clocks.tile_divider), 1875);
    assert_eq!(scc.address_map.private_slots, 41);
}

#[test]
fn errors_name_the_key_and_what_is_allowed() {
    for (from, to, message) in [
        ("unit = \"tiles\"", "unit = \"cores\"", "topology.columns.unit: is \"cores\""),
        ("value = 6, unit", "value = 99, unit", "topology.columns: is 99; allowed: 1 to 16"),
        ("port = \"west\"", "port = \"north\"", "memory_controller[0].port: the north port"),
        ("port = \"west\"", "port = \"up\"", "allowed: east, south, west, north"),
        ("value = 1600, unit", "value = 1601, unit", "clocks.fast: 1601 MHz has no whole"),
        ("[timing.mesh]\nhop", "[timing.mesh]\nhopp", "timing.mesh.hop: is missing"),
        ("schema = 1", "schema = 2", "schema: is 2; allowed: 1"),
        ("schema = 1", "schema = 1\nspeed = 3", "speed: is not a key"),
        ("value = 41,", "value = 43,", "board.private_slots: 43 private slots"),
        ("value = 16384,", "value = 32768,", "cache: cache.l1i: a way"),
        ("dtlb_ways = { value = 4,", "dtlb_ways = { value = 64,", "is 64; allowed: 1 to 32"),
        ("dtlb_ways = { value = 4,", "dtlb_ways = { value = 3,", "64 entries in 3 ways"),
        (
            "large_entries = { value = 8",
            "large_entries = { value = 12",
            "is 12; allowed: powers of",
        ),
        ("large_entries = { value = 8", "large_entries = { value = 2", "is 2; allowed: 4 to 1024"),
        ("value = \"tree-plru\"", "value = \"random\"", "cache.replacement: is \"random\""),
        ("value = 3, unit = \"1\"", "value = true, unit = \"1\"", "tile_divider: is a boolean"),
        ("schema = 1", "schema = ", "line 7: not TOML"),
    ] {
        let error = error_of(from, to);
        assert!(error.contains(message), "{error:?} should contain {message:?}");
    }
}

#[test]
fn a_number_without_a_source_is_refused() {
    let with_source = "value = 6, unit = \"tiles\", source = [\"howard-jssc-2011\"]";
    let error = error_of(with_source, "value = 6, unit = \"tiles\"");
    assert_eq!(error, "topology.columns.source: is missing");
}

/// A description followed by a table `setup`.
fn set_up(lines: &str) -> Result<Description, String> {
    Description::parse(&format!("{SCC}\n[setup]\n{lines}\n")).map_err(|error| error.to_string())
}

#[test]
fn a_setup_chooses_the_clocks_of_the_published_presets() {
    for (clocks, expected) in [
        ("533/800/800", (3, 1250, 2500)),
        ("800/800/800", (2, 1250, 2500)),
        ("800/1600/800", (2, 625, 2500)),
        ("800/1600/1066", (2, 625, 1875)),
        ("266/800/800", (6, 1250, 2500)),
    ] {
        let scc = set_up(&format!("clocks = \"{clocks}\"")).unwrap();
        let clocks = scc.clocks;
        let found = (clocks.tile_divider, clocks.mesh_period_ps, clocks.memory_period_ps);
        assert_eq!(found, expected);
        assert_eq!(scc.memory_timing.period_ps, clocks.memory_period_ps);
        assert_eq!(scc.mesh_timing.period_ps, clocks.mesh_period_ps);
    }
    assert_eq!(set_up("").unwrap(), Description::parse(SCC).unwrap());
}

#[test]
fn an_impossible_setup_is_refused() {
    for (setup, message) in [
        ("clocks = \"533\"", "setup.clocks: is \"533\"; allowed: the MHz of tile, mesh"),
        ("clocks = \"500/800/800\"", "a tile of 500 MHz does not exist; allowed: 800, 533, 400"),
        ("clocks = \"533/700/800\"", "a mesh of 700 MHz does not exist"),
        ("clocks = \"533/0/800\"", "a mesh of 0 MHz does not exist"),
        ("clocks = \"533/9223372036854775809/800\"", "a mesh of 9223372036854775809 MHz"),
        ("clocks = \"533/800/801\"", "memory of 801 MHz data rate"),
        ("clocks = \"533/800/9223372036854775809\"", "memory of 9223372036854775809 MHz"),
        ("jitter = -1", "setup.jitter: is -1; allowed: 0 to"),
        ("seed = 1", "setup.seed: is not a key"),
    ] {
        let error = set_up(setup).unwrap_err();
        assert!(error.contains(message), "{error:?} should contain {message:?}");
    }
}

#[test]
fn an_alternative_is_chosen_by_its_name() {
    let choose = |what: &str| set_up(&format!("choose = {{ {what} }}"));
    let chosen = choose("\"timing.memory.access\" = \"guide\", \"tile.lock_start\" = \"taken\"");
    let chosen = chosen.unwrap();
    assert_eq!(chosen.memory_timing.access_memory_cycles, 46);
    assert!(!chosen.tile.locks_start_free);
    for (what, message) in [
        ("\"timing.memory.access\" = \"best\"", "no alternative \"best\"; allowed: guide"),
        ("\"timing.memory.banks\" = \"guide\"", "timing.memory.banks is no parameter with"),
        ("\"timing.memory\" = \"guide\"", "timing.memory is no parameter with"),
        ("\"tile.lock_start\" = 0", "tile.lock_start: must be a name"),
    ] {
        let error = choose(what).unwrap_err();
        assert!(error.starts_with("setup.choose: ") && error.contains(message), "{error}");
    }
}

/// The positions of the integers in a description.
fn integers(table: &Table, path: &[String], found: &mut Vec<Vec<String>>) {
    for (key, value) in table {
        let path = [path, std::slice::from_ref(key)].concat();
        match value {
            Value::Integer(_) if key != "schema" => found.push(path),
            Value::Table(inner) => integers(inner, &path, found),
            _ => {}
        }
    }
}

fn with_integer(path: &[String], value: i64) -> String {
    let mut all: Table = SCC.parse().unwrap();
    let (first, rest) = path.split_first().unwrap();
    let place = rest.iter().fold(&mut all[first], |place, key| &mut place[key]);
    *place = Value::Integer(value);
    all.to_string()
}

/// The bounds that an error names, except those of sizes that would take too much of the host's
/// memory.
fn bounds(error: &str) -> Vec<i64> {
    let Some((key, allowed)) = error.split_once("; allowed: ") else { return Vec::new() };
    let most = if key.contains("_size") { 1 << 16 } else { i64::MAX };
    let numbers = allowed.split(" to ").filter_map(|word| word.parse().ok());
    numbers.filter(|value| *value <= most).collect()
}

/// Whatever number a description contains, it is refused or makes a chip that executes.
#[test]
fn every_number_is_refused_or_makes_a_chip() {
    let mut paths = Vec::new();
    integers(&SCC.parse().unwrap(), &[], &mut paths);
    assert!(paths.len() > 60, "{} numbers", paths.len());
    let program = [&LOCKED_COUNT[..], &exit(0, 0)].concat();
    let mut made = 0;
    for path in &paths {
        let mut values = vec![0, 1, 3, 12, 1 << 31, i64::MAX, i64::MIN];
        while let Some(value) = values.pop() {
            let description = match Description::parse(&with_integer(path, value)) {
                Ok(description) => description,
                Err(error) if value == i64::MAX => {
                    values.splice(0..0, bounds(&error.to_string()));
                    continue;
                }
                Err(_) => continue,
            };
            let mut chip = Chip::new(&description, |core| Core::new(core, &description.cpu));
            chip.load(CoreId(0), &kernel(&program), "", &[]).unwrap();
            chip.release(CoreId(0));
            chip.run(Some(Ps(100_000_000)), || true);
            made += 1;
        }
    }
    assert!(made > 100, "{made} chips");
}
