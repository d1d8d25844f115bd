//! The published latency tables (`barrelfish-tn005`), compared with requests to the uncore.
//!
//! The tables are raw: they include the reading of the time stamp counter, 13 core cycles net.

use rockcreek_chip::service::{Effects, Outcome};
use rockcreek_chip::{Description, Uncore};
use rockcreek_defs::bus::{DrainKind, FillKind};
use rockcreek_defs::{BusRequest, CoreAddr, CoreId, Ps};

const TIMER_CORE_CYCLES: u64 = 13;
/// A line is written by eight stores, two in a cycle; the last one drains the buffer.
const STORES: u64 = 4;

fn scc() -> Uncore {
    let text = include_str!("../../../machine/presets/scc.toml");
    Uncore::new(&Description::parse(text).unwrap())
}

/// Core cycles at 533 MHz from a request to its response, in an idle chip.
fn cycles(uncore: &mut Uncore, core: u16, request: &BusRequest) -> u64 {
    const PERIOD_PS: u64 = 1875;
    let core = CoreId(core);
    let flight = uncore.inject(core, Ps(0), PERIOD_PS, request);
    let mut effects = Effects::default();
    match uncore.arrive(core, PERIOD_PS, &flight, request, &mut effects) {
        Outcome::Done(departs, mut answer) => {
            let time = uncore.reply(core, PERIOD_PS, &flight, request, departs, &mut answer);
            time.0.div_ceil(PERIOD_PS)
        }
        Outcome::NeedsInput => panic!("no input is involved"),
    }
}

fn read(addr: u32) -> BusRequest {
    BusRequest::Read { addr: CoreAddr(addr), size: 4 }
}

fn write(addr: u32) -> BusRequest {
    BusRequest::Write { addr: CoreAddr(addr), size: 4, data: 1, posted: false }
}

fn write_line(addr: u32) -> BusRequest {
    BusRequest::WriteLine {
        addr: CoreAddr(addr),
        data: [1; 32],
        enable: u32::MAX,
        kind: DrainKind::WriteCombine,
    }
}

fn assert_close(what: &str, ours: u64, published: u64) {
    let error = ours.abs_diff(published) * 1000 / published;
    assert!(error <= 50, "{what}: {ours} core cycles, published {published}");
}

/// The values of the own tile were measured with the bypass bit set in LUT entry 0xD8.
fn own_with_bypass(uncore: &mut Uncore) -> u32 {
    const OWN_MPB: u32 = 0xD800_0000;
    let lut = uncore.tiles[0].registers.lut_mut(0);
    let mut entry = lut.entry(0xD8);
    entry.0 |= 1 << 21;
    lut.set(0xD8, entry);
    OWN_MPB
}

#[test]
fn an_mpb_read_takes_what_was_measured() {
    let published = [
        [20, 63, 69, 72, 78, 84],
        [63, 69, 72, 78, 84, 90],
        [69, 72, 78, 84, 90, 96],
        [72, 78, 84, 90, 96, 102],
    ];
    for (y, row) in published.iter().enumerate() {
        for (x, value) in row.iter().enumerate() {
            let mut uncore = scc();
            let own = own_with_bypass(&mut uncore);
            let tile = (6 * y + x) as u32;
            let addr = if tile == 0 { own } else { 0xC000_0000 + (tile << 24) };
            let ours = TIMER_CORE_CYCLES + cycles(&mut uncore, 0, &read(addr));
            assert_close(&format!("MPB read ({x},{y})"), ours, *value);
        }
    }
}

#[test]
fn an_mpb_line_write_takes_what_was_measured() {
    let published = [
        [39, 84, 89, 90, 95, 101],
        [84, 89, 89, 95, 101, 108],
        [89, 89, 95, 101, 107, 113],
        [89, 95, 101, 108, 113, 119],
    ];
    for (y, row) in published.iter().enumerate() {
        for (x, value) in row.iter().enumerate() {
            let mut uncore = scc();
            let own = own_with_bypass(&mut uncore);
            let tile = (6 * y + x) as u32;
            let addr = if tile == 0 { own } else { 0xC000_0000 + (tile << 24) };
            let ours = TIMER_CORE_CYCLES + STORES + cycles(&mut uncore, 0, &write_line(addr));
            assert_close(&format!("MPB line write ({x},{y})"), ours, *value);
        }
    }
}

#[test]
fn dram_takes_what_was_measured() {
    let published = [(97, 779, 122), (121, 972, 146), (105, 843, 134), (134, 1069, 158)];
    for (mc, (one_read, eight_writes, line)) in published.into_iter().enumerate() {
        let addr = 0x8000_0000 + ((mc as u32) << 24);
        let ours = TIMER_CORE_CYCLES + cycles(&mut scc(), 0, &read(addr));
        assert_close(&format!("MC{mc} read"), ours, one_read);
        let ours = TIMER_CORE_CYCLES + 8 * cycles(&mut scc(), 0, &write(addr));
        assert_close(&format!("MC{mc} eight writes"), ours, eight_writes);
        let ours = TIMER_CORE_CYCLES + STORES + cycles(&mut scc(), 0, &write_line(addr));
        assert_close(&format!("MC{mc} line"), ours, line);
    }
}

/// 45 core cycles and 8 mesh cycles for each hop; without bypass, the own tile is as far as a
/// neighbour.
#[test]
fn distances_count_in_mesh_cycles() {
    let line = |tile: u32| BusRequest::ReadLine {
        addr: CoreAddr(0xC000_0000 + (tile << 24)),
        kind: FillKind::Mpbt,
    };
    for (tile, hops) in [(0, 1), (1, 1), (7, 2), (23, 8)] {
        let expected = (45 * 1875 + hops * 8 * 1250u64).div_ceil(1875);
        assert_eq!(cycles(&mut scc(), 0, &line(tile)), expected);
    }
    // Locks take the path of MPBs, on the own tile too.
    let expected = (45 * 1875 + 8 * 1250u64).div_ceil(1875);
    assert_eq!(cycles(&mut scc(), 1, &read(0xF800_0200)), expected);
    // A memory controller at the core's own router is at distance 0, as measured.
    let near = cycles(&mut scc(), 0, &read(0x8000_0000));
    let next = cycles(&mut scc(), 2, &read(0x8000_0000));
    assert_eq!(((next - near) as f64 * 1.5).round() as u32, 8);
}

/// The host responds to a port access microseconds later; until then the links of the response are
/// free.
#[test]
fn a_late_answer_keeps_nobody_waiting() {
    let mut uncore = scc();
    let port = BusRequest::IoWrite { port: 0x3F8, size: 1, data: 0 };
    let talker = CoreId(8);
    let flight = uncore.inject(talker, Ps(0), 1875, &port);
    let out = uncore.arrive(talker, 1875, &flight, &port, &mut Effects::default());
    let Outcome::Done(departs, mut answer) = out else { panic!() };
    let back = uncore.reply(talker, 1875, &flight, &port, departs, &mut answer);
    assert!(back.0 > 2_000_000);
    // Core 0 reads a register of that core's tile: its request uses links of the response.
    assert_eq!(
        cycles(&mut uncore, 0, &read(0xE400_0010)),
        cycles(&mut scc(), 0, &read(0xE400_0010))
    );
}

/// The links of a memory controller's response are free until it leaves, too.
#[test]
fn an_answer_of_memory_keeps_nobody_waiting_before_it_leaves() {
    let mut uncore = scc();
    let far = BusRequest::ReadLine { addr: CoreAddr(0), kind: FillKind::Data };
    let reader = CoreId(4);
    let flight = uncore.inject(reader, Ps(0), 1875, &far);
    let out = uncore.arrive(reader, 1875, &flight, &far, &mut Effects::default());
    let Outcome::Done(departs, mut answer) = out else { panic!() };
    uncore.reply(reader, 1875, &flight, &far, departs, &mut answer);
    // Core 0 reads a register of that core's tile, on the way of the response to come.
    assert_eq!(
        cycles(&mut uncore, 0, &read(0xE200_0010)),
        cycles(&mut scc(), 0, &read(0xE200_0010))
    );
}

/// A lock serves two requesters one after the other, in order of arrival.
#[test]
fn a_register_block_serves_one_at_a_time() {
    let mut uncore = scc();
    let lock = read(0xE000_0200);
    let mut answers = Vec::new();
    for core in [0, 1] {
        let flight = uncore.inject(CoreId(core), Ps(0), 1875, &lock);
        answers.push(uncore.arrive(CoreId(core), 1875, &flight, &lock, &mut Effects::default()));
    }
    let [Outcome::Done(first, a), Outcome::Done(second, b)] = answers[..] else { panic!() };
    assert_eq!((a, b), (value(1), value(0)));
    assert!(second > first);
    assert_eq!(second.0 - first.0, uncore.crb_ports[0].waited_ps);
}

fn value(n: u64) -> rockcreek_defs::BusResponse {
    rockcreek_defs::BusResponse::Value(n)
}
