//! The registers that software finds at the addresses of the SCC's map: those of tiles and FPGA
//! through a core's LUT, as the SCC's drivers and loaders use them (`scc-linux-2011`,
//! `intel-sysfpga-2011`, `intel-scckit-2011`).

use rockcreek_board::Action;
use rockcreek_chip::service::{Effects, Outcome};
use rockcreek_chip::{Description, Uncore};
use rockcreek_defs::{BusRequest, BusResponse, CoreAddr, CoreId, Ps};
use rockcreek_tile::Effect;

const PERIOD_PS: u64 = 1875;
const OWN_CRB: u32 = 0xF800_0000;
const FPGA: u32 = 0xF900_0000;

struct Chip {
    uncore: Uncore,
    effects: Effects,
}

impl Chip {
    fn new() -> Chip {
        let text = include_str!("../../../machine/presets/scc.toml");
        let uncore = Uncore::new(&Description::parse(text).unwrap());
        Chip { uncore, effects: Effects::default() }
    }

    fn ask(&mut self, core: u16, request: BusRequest) -> BusResponse {
        let core = CoreId(core);
        let flight = self.uncore.inject(core, Ps(0), PERIOD_PS, &request);
        match self.uncore.arrive(core, PERIOD_PS, &flight, &request, &mut self.effects) {
            Outcome::Done(_, response) => response,
            Outcome::NeedsInput => panic!("no input is involved"),
        }
    }

    fn read(&mut self, core: u16, addr: u32) -> u32 {
        match self.ask(core, BusRequest::Read { addr: CoreAddr(addr), size: 4 }) {
            BusResponse::Value(value) => value as u32,
            other => panic!("{other:?}"),
        }
    }

    fn write(&mut self, core: u16, addr: u32, value: u32) {
        self.ask(
            core,
            BusRequest::Write { addr: CoreAddr(addr), size: 4, data: value.into(), posted: false },
        );
    }
}

#[test]
fn what_a_driver_finds_at_the_start() {
    let table: &[(u16, u32, u32, &str)] = &[
        (0, OWN_CRB + 0x100, 0, "TILEID: x = y = 0, core 0 asks"),
        (1, OWN_CRB + 0x100, 1, "its tile mate is told that it is core 1"),
        (47, OWN_CRB + 0x100, 3 << 7 | 5 << 3 | 1, "x = 5 in bits 6:3, y = 3 in bits 10:7"),
        (47, 0xE000_0100, 1, "tile 0, asked by a core 1"),
        (46, 0xF700_0100, 3 << 7 | 5 << 3, "tile 23 through its own window"),
        (0, OWN_CRB + 0x010, 0x34_0DF8, "GLCFG0"),
        (0, OWN_CRB + 0x018, 0x34_0DF8, "GLCFG1"),
        (0, OWN_CRB + 0x020, 0x6CF, "L2CFG0"),
        (0, OWN_CRB + 0x040, 0, "SENSOR"),
        (0, OWN_CRB + 0x080, 0x00A8_E2FF, "GCBCFG: 533 MHz, all held in reset"),
        (0, FPGA + 0x8014, 0xA5A5_A5A5, "test register"),
        (0, FPGA + 0x8018, 0xDEAD_BEEF, "test register"),
        (0, FPGA + 0x8230, 1600, "the fast clock in MHz"),
        (0, FPGA + 0x8234, 0xAAAA, "eight slots with 4 GB each"),
        (0, FPGA + 0x8244, 41, "private slots of a board with 32 GB"),
        (0, FPGA + 0x822C, 0, "no Ethernet port, no disk"),
        (5, FPGA + 0xD200 + 8 * 5, u32::MAX, "all interrupts are masked"),
        (5, FPGA + 0xE004, 0, "an atomic counter"),
        (0, 0xFB00_0000, 0, "the voltage regulator is not read"),
        (0, 0xFC00_0000, 0, "no SATA behind its window"),
        (0, FPGA + 0x1234, 0, "an undefined offset"),
    ];
    let mut chip = Chip::new();
    for (core, addr, value, what) in table {
        assert_eq!(chip.read(*core, *addr), *value, "{addr:#x} by core {core}: {what}");
        assert_eq!(chip.read(*core, *addr), *value, "and again");
    }
    assert_eq!(chip.uncore.board.registers.undefined, 2);
}

/// An interrupt request sets its sender's bit in the target's status; the target's tile receives
/// the packet.
#[test]
fn inter_core_interrupts_name_their_sender() {
    let mut chip = Chip::new();
    for (sender, target) in [(5, 3u32), (30, 47), (47, 0)] {
        let (word, bit) = ((target / 32) * 4, 1 << (target % 32));
        let place = |base: u32, core: u32| FPGA + base + 8 * core;
        let status = 6 + u32::from(sender);
        let (half, mask) = (status / 32 * 4, 1u32 << (status % 32));
        chip.write(target as u16, place(0xD200, target) + half, !mask);
        chip.write(target as u16, FPGA + 0xD800 + 4 * target, u32::from(sender == 30));
        chip.write(sender, place(0xD600, sender.into()) + word, bit);
        assert_eq!(chip.read(target as u16, place(0xD000, target) + half), mask);
        let packet = Action::Interrupt { core: CoreId(target as u16), lint1: sender == 30 };
        assert_eq!(std::mem::take(&mut chip.effects.board), [packet]);
        // Until the end of the interrupt, a second request only sets bits.
        chip.write(sender, place(0xD600, sender.into()) + word, bit);
        assert!(chip.effects.board.is_empty());
        chip.write(target as u16, place(0xD400, target) + half, mask);
        assert_eq!(chip.read(target as u16, place(0xD000, target) + half), 0);
    }
    chip.write(0, FPGA + 0xD900, 1 << 9);
    assert_eq!(chip.read(9, FPGA + 0xD000 + 8 * 9 + 4), 1 << 22, "the management PC");
}

/// 96 counters in two rows; the register at +0 counts at each access, the one at +4 does not.
#[test]
fn atomic_counters_are_locks() {
    let mut chip = Chip::new();
    for counter in [0xE000, 0xE000 + 8 * 47, 0xF000, 0xF000 + 8 * 47] {
        assert_eq!((chip.read(1, FPGA + counter), chip.read(2, FPGA + counter)), (0, 1));
        chip.write(2, FPGA + counter, 0x77);
        assert_eq!(chip.read(3, FPGA + counter + 4), 1);
        chip.write(3, FPGA + counter + 4, 40);
        assert_eq!((chip.read(1, FPGA + counter), chip.read(1, FPGA + counter + 4)), (40, 41));
    }
}

/// Sets a port up as a network driver does: buffers, route, MAC address, then the enables.
#[test]
fn an_ethernet_driver_finds_its_registers() {
    let mut chip = Chip::new();
    for (port, core) in [(0, 0u32), (3, 47)] {
        let block = FPGA + 0x9000 + 0x1000 * port + 4 * core;
        let stores = [0x000, 0x100, 0x300, 0x400, 0x500, 0x600, 0x700, 0x900, 0xB00, 0xC00, 0xD00];
        for (n, at) in (1..).zip(stores) {
            chip.write(core as u16, block + at, n * 0x0101);
        }
        for (n, at) in (1..).zip(stores) {
            // The SCC's driver reads each register twice.
            assert_eq!(chip.read(core as u16, block + at), n * 0x0101);
            assert_eq!(chip.read(core as u16, block + at), n * 0x0101);
        }
        for (enable, index) in [(0x800, 0x200), (0xE00, 0xA00)] {
            chip.write(core as u16, block + enable, 1);
            chip.write(core as u16, block + index, 5);
            assert_eq!(chip.read(core as u16, block + enable), 1);
            assert_eq!(chip.read(core as u16, block + index), 0, "the port has moved nothing");
        }
    }
    assert_eq!(chip.uncore.board.registers.undefined, 0);
    for line in [0x00, 0x20, 0x40, 0x60, 0x80] {
        chip.write(4, 0xFA00_0000 + line, line + 1);
        assert_eq!(chip.read(4, 0xFA00_0000 + line), line + 1, "the host mailbox");
    }
}

/// Above its 16 KB, an MPB responds to all addresses of its segment: software evicts L2 lines with
/// it.
#[test]
fn unbacked_mpb_addresses_are_readable() {
    let mut chip = Chip::new();
    chip.write(0, 0xC000_0040, 0x1234_5678);
    for at in (0xD800_0000..0xD900_0000u32).step_by(0x4_0000) {
        assert_eq!(chip.read(0, at + 0x40), 0x1234_5678, "{at:#x}");
    }
    assert_eq!(chip.uncore.tiles[0].interface.unmapped, 0);
}

/// Any core can rewrite any core's LUT; the bypass bit skips the router, for the own tile only.
#[test]
fn luts_are_registers_like_others() {
    let mut chip = Chip::new();
    chip.write(0, 0xC000_0000, 7);
    let own = chip.read(0, OWN_CRB + 0x800 + 8 * 0xD8);
    assert_eq!(own, 0x400 * 3, "own MPB, without bypass");
    chip.write(47, 0xE000_0800 + 8 * 0xD8, own | 1 << 21);
    assert_eq!(chip.read(0, 0xD800_0000), 7);
    assert_eq!(chip.uncore.tiles[0].interface.bypassed, 1);
    // The bypass does not lead to another tile's MPB.
    chip.write(0, 0xD700_0000, 9);
    chip.write(0, OWN_CRB + 0x800 + 8 * 0xD7, 0x20_0000 + 0x2000 * 0x35 + 0x400 * 3);
    assert_eq!(chip.read(0, 0xD700_0000), 9);
    assert_eq!(chip.uncore.tiles[0].interface.bypassed, 1);
    // A slot of the core's own memory now leads to shared memory of another controller.
    let shared = chip.read(0, OWN_CRB + 0x800 + 8 * 0x82);
    chip.write(0, OWN_CRB + 0x800 + 8 * 0x29, shared | 0xFFC0_0000);
    assert_eq!(chip.read(0, OWN_CRB + 0x800 + 8 * 0x29), shared, "22 bits exist");
    chip.write(0, 0x2900_0010, 0xCAFE);
    assert_eq!(chip.read(30, 0x8200_0010), 0xCAFE);
}

/// L2CFG's switch, pins and resets return the effects that the chip must perform.
#[test]
fn registers_act_through_effects() {
    let mut chip = Chip::new();
    let stores = [
        (OWN_CRB + 0x028, 0x6DF, Effect::Level2(1)),
        (OWN_CRB + 0x010, 0xDF9, Effect::Pins(0)),
        (OWN_CRB + 0x080, 0x00A8_E2FA, Effect::ClocksAndResets),
    ];
    for (addr, value, effect) in stores {
        chip.write(0, addr, value);
        let tiles = std::mem::take(&mut chip.effects.tiles);
        assert_eq!(
            tiles.iter().map(|(tile, what)| (tile.0, *what)).collect::<Vec<_>>(),
            [(0, effect)]
        );
    }
    let registers = &chip.uncore.tiles[0].registers;
    assert!(!registers.level2_enabled(1) && registers.level2_enabled(0));
    assert!(!registers.pins(0).reset && registers.pins(1).reset);
}
