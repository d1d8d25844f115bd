//! Chips larger than the SCC: where their LUTs lead, the distances, and what is refused.

use rockcreek_chip::service::{Effects, Outcome};
use rockcreek_chip::wiring::Unit;
use rockcreek_chip::{Chip, Description, Uncore};
use rockcreek_cpu::Core;
use rockcreek_defs::{BusRequest, BusResponse, CoreAddr, CoreId, Ps, TileId};

const SCC_512: &str = include_str!("../../../machine/presets/scc-512.toml");
const SCC_128: &str = include_str!("../../../machine/presets/scc-128.toml");
const PERIOD_PS: u64 = 1875;

const MPB: u32 = 0x4000_0000;
const CRB: u32 = 0x9000_0000;

fn uncore() -> Uncore {
    Uncore::new(&Description::parse(SCC_512).unwrap())
}

fn perform(uncore: &mut Uncore, core: u16, request: &BusRequest) -> (Unit, u64, BusResponse) {
    let core = CoreId(core);
    let flight = uncore.inject(core, Ps(0), PERIOD_PS, request);
    match uncore.arrive(core, PERIOD_PS, &flight, request, &mut Effects::default()) {
        Outcome::Done(departs, mut answer) => {
            let time = uncore.reply(core, PERIOD_PS, &flight, request, departs, &mut answer);
            uncore.count_routes();
            (flight.unit(), time.0.div_ceil(PERIOD_PS), answer)
        }
        Outcome::NeedsInput => panic!("no input is involved"),
    }
}

fn read(uncore: &mut Uncore, core: u16, addr: u32) -> (Unit, u64, u64) {
    let request = BusRequest::Read { addr: CoreAddr(addr), size: 4 };
    match perform(uncore, core, &request) {
        (unit, cycles, BusResponse::Value(value)) => (unit, cycles, value),
        other => panic!("{other:?} is no value"),
    }
}

fn write(uncore: &mut Uncore, core: u16, addr: u32, data: u64) -> Unit {
    let request = BusRequest::Write { addr: CoreAddr(addr), size: 4, data, posted: false };
    perform(uncore, core, &request).0
}

/// Every core reaches every tile's buffer and registers, and those of its own tile.
#[test]
fn luts_lead_to_all_tiles() {
    let description = Description::parse(SCC_512).unwrap();
    assert_eq!((description.tiles(), description.cores()), (256, 512));
    let uncore = Uncore::new(&description);
    let topology = &description.topology;
    for core in [0, 17, 255, 256, 511] {
        let tile = topology.tile_of(CoreId(core));
        let lut = uncore.tiles[tile.index()].registers.lut(usize::from(core % 2));
        let unit = |addr: u32| topology.resolve(&lut.translate(CoreAddr(addr)));
        for other in 0..256 {
            let id = TileId(other as u16);
            assert_eq!(unit(MPB + (other << 22)), Unit::Mpb(id));
            assert_eq!(unit(CRB + (other << 22) + 0x200), Unit::Crb(id));
        }
        assert_eq!((unit(0xD800_0000), unit(0xF8C0_0000)), (Unit::Mpb(tile), Unit::Crb(tile)));
        for (addr, offset) in [(0xF900_8224, 0x1_0000_8224), (0xFA10_0000, 0x2_0010_0000)] {
            assert_eq!(unit(addr), Unit::System);
            assert_eq!(lut.translate(CoreAddr(addr)).offset, offset);
        }
    }
}

/// The private memory of all cores, their boot slots and the shared slots are different memory.
#[test]
fn memory_is_divided_without_overlap() {
    for text in [SCC_512, SCC_128] {
        let description = Description::parse(text).unwrap();
        let uncore = Uncore::new(&description);
        let topology = &description.topology;
        let mut seen = std::collections::BTreeSet::new();
        let places = |core: u16, addr: u32| {
            let tile = topology.tile_of(CoreId(core)).index();
            let lut = uncore.tiles[tile].registers.lut(usize::from(core % 2));
            let system = lut.translate(CoreAddr(addr));
            assert!(system.offset < description.memory_bytes_per_controller);
            (topology.resolve(&system), system.offset)
        };
        for core in 0..description.cores() as u16 {
            for slot in 0..description.address_map.private_slots {
                assert!(seen.insert(format!("{:?}", places(core, slot << 22))));
            }
            assert!(seen.insert(format!("{:?}", places(core, 0xFFC0_0000))));
        }
        for slot in 0..16 {
            assert!(seen.insert(format!("{:?}", places(0, 0x8000_0000 + (slot << 22)))));
        }
        assert_eq!(places(0, 0x8140_0000), places(77, 0x8140_0000), "shared memory is shared");
    }
}

/// 45 core cycles and 8 mesh cycles for each hop, as on the SCC, up to the 30 hops of the far
/// corner.
#[test]
fn distances_count_as_on_the_scc() {
    for (tile, hops) in [(1, 1), (17, 2), (15, 15), (240, 15), (255, 30), (136, 16)] {
        let mut uncore = uncore();
        let (_, cycles, _) = read(&mut uncore, 0, MPB + (tile << 22));
        assert_eq!(cycles, (45 * PERIOD_PS + hops * 8 * 1250).div_ceil(PERIOD_PS));
        assert_eq!(uncore.mesh.packets_by_hops[hops as usize], 2);
    }
}

/// Packets go in X first, then in Y: the request of core 0 to tile (15,15) goes east along row 0,
/// the response west along row 15.
#[test]
fn routes_are_x_first() {
    use rockcreek_defs::Coord;
    use rockcreek_mesh::Direction;
    let mut uncore = uncore();
    read(&mut uncore, 0, MPB + (255 << 22));
    let packets = |x, y, direction| uncore.mesh.link(Coord { x, y }, direction).packets;
    for n in 0..15 {
        assert_eq!(packets(n, 0, Direction::East), 1);
        assert_eq!(packets(15, n, Direction::North), 1);
        assert_eq!(packets(15 - n, 15, Direction::West), 1);
        assert_eq!(packets(0, 15 - n, Direction::South), 1);
    }
    // Each packet also enters its first router.
    let links = (0..16).flat_map(|y| (0..16).map(move |x| Coord { x, y }));
    let all = links.flat_map(|at| Direction::ALL.map(|direction| (at, direction)));
    assert_eq!(all.map(|(at, direction)| packets(at.x, at.y, direction)).sum::<u64>(), 60 + 2);
}

/// Software reads the properties of the chip from its own tile's registers.
#[test]
fn a_tile_tells_the_size_of_the_chip() {
    let mut uncore = uncore();
    let own: u32 = 0xF800_0000;
    let mut value = |offset| read(&mut uncore, 511, own + offset).2;
    assert_eq!(value(0x100), 1 << 31 | 15 << 7 | 15 << 3 | 1);
    let chip = 16 | 16 << 5 | 2 << 10 | 4 << 12 | 13 << 15 | 22 << 20 | 22 << 25;
    assert_eq!(value(0x108), chip);
    assert_eq!((value(0x110), value(0x118)), (MPB.into(), CRB.into()));
}

/// The last core's LUT ends at 0x4800 of the register block; a changed entry leads to another
/// address, with all address bits.
#[test]
fn entries_can_be_changed() {
    let mut uncore = uncore();
    let entry = CRB + (255 << 22) + 0x800 + 8 * 1024 + 8 * 0x100;
    let west = 1 << 31 | 8 << 17 | 6 << 10 | 0x3FE;
    assert_eq!(write(&mut uncore, 0, entry, west), Unit::Crb(TileId(255)));
    assert_eq!(read(&mut uncore, 0, entry).2, west);
    assert_eq!(write(&mut uncore, 511, 0x4000_0040, 77), Unit::Memory(2));
    let mut bytes = [0; 4];
    uncore.controllers[2].dram.read(0x3_FE80_0040, &mut bytes);
    assert_eq!(u32::from_le_bytes(bytes), 77);
}

fn error_of(from: &str, to: &str) -> String {
    assert!(SCC_512.contains(from), "{from} is not in the preset");
    Description::parse(&SCC_512.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn what_cannot_be_is_refused() {
    for (from, to, message) in [
        ("value = 16, unit", "value = 17, unit", "topology.columns: is 17; allowed: 1 to 16"),
        ("base = \"scc\"", "base = \"sccc\"", "base: is \"sccc\"; allowed: \"scc\""),
        ("base = \"scc\"\n", "", "topology.cores_per_tile: is missing"),
        ("value = 0x40000000", "value = 0x40100000", "map.mpb_windows: is 0x40100000, no multiple"),
        (
            "value = 0x40000000",
            "value = 0x50000000",
            "would reach into shared memory at 0x80000000",
        ),
        ("value = 0x90000000", "value = 0xC0000000", "own tile's message buffer at 0xd8000000"),
        ("value = 0x90000000", "value = 0x40000000", "map: the configuration registers of 256"),
        (
            "value = 4194304, unit = \"bytes\", source = [\"rockcreek\"], note",
            "value = 2097152, \
          unit = \"bytes\", source = [\"rockcreek\"], note",
            "powers of two from the LUT's 4194304",
        ),
        ("value = 30, unit", "value = 31, unit", "board.private_slots: 31 private slots for 128"),
        ("[map]", "[maps]", "maps: is not a key"),
    ] {
        let error = error_of(from, to);
        assert!(error.contains(message), "{error:?} should contain {message:?}");
    }
    // Without a map of its own, a chip has the SCC's windows, and room for 24 tiles.
    let scc = include_str!("../../../machine/presets/scc.toml");
    let more = scc.replacen("value = 4, unit = \"tiles\"", "value = 6, unit = \"tiles\"", 1);
    let more = more.replacen("value = 41, unit", "value = 20, unit", 1);
    let error = Description::parse(&more).unwrap_err().to_string();
    assert!(error.contains("the message buffers of 36 tiles, 0x24000000 bytes"), "{error}");
}

/// sccKit's LUT data assume tables of 256 entries; for another chip, an error is reported.
#[test]
fn lut_data_are_for_the_scc_s_tables() {
    let description = Description::parse(SCC_128).unwrap();
    let mut chip = Chip::new(&description, |id| Core::new(id, &description.cpu));
    let error = chip.load_lut_data(b"00 2 800 1\n").unwrap_err().to_string();
    assert!(error.contains("256 entries, here are 1024"), "{error}");
}
