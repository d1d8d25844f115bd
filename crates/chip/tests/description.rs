//! A wrong description is refused with the key and what is allowed.

use rockcreek_chip::Description;

const SCC: &str = include_str!("../../../machine/presets/scc.toml");

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
        ("value = \"tree-plru\"", "value = \"random\"", "cache.replacement: is \"random\""),
        ("value = 3, unit = \"1\"", "value = true, unit = \"1\"", "tile_divider: is a boolean"),
        ("schema = 1", "schema = ", "line 5: not TOML"),
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
