//! The configuration register block (CRB): pins, clocks and resets, tile number, locks, LUTs.
//!
//! Modelled: 32-bit registers at 8-byte spacing as `machine/registers/tile_config.toml` and
//! `lut.toml` list them; byte-wide and line-wide accesses reach the registers they overlap. GLCFG
//! shows HALT, SHUTDOWN, PRDY and FERR# of its core as the chip sets them before a read; the other
//! outputs are never driven. The thermal sensors count as if the temperature never changed.
//! Undefined offsets may hang the real chip; here they read 0 and ignore writes. Chips that are not
//! the SCC have three more registers, which describe their size to software.

use rockcreek_defs::registers::crb::{
    chip, crb_windows, gcbcfg, glcfg, l2cfg, lock, mpb_windows, sensor, sensor_value, tileid,
};
use rockcreek_defs::registers::lut::lut0;
use rockcreek_defs::{Coord, OutputPins, Pins};
use serde::{Deserialize, Serialize};

use crate::lut::{Lut, LutEntry};
use crate::test_and_set::TestAndSet;
use crate::{Extension, TileConfig};

/// Bytes from one register to the next.
const SPACING: u32 = 8;
/// GCBCFG holds the ratio of two clocks as this number times the divider of the fast clock.
const RATIO: u32 = 7;
/// Outputs that are high while they are not asserted.
const INACTIVE_OUTPUTS: u32 = glcfg::SMIACT_N | glcfg::FERR_N | glcfg::IERR_N;
/// A chip description allows no more cores in a tile.
const MAX_CORES: usize = 2;
/// The pulses of the sensors' gate for which the parameters state their counts.
const SENSOR_GATE: u32 = 1024;

/// The core that accesses a register; the value of TILEID depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requester {
    /// The sub-destination of the requesting core in its own tile.
    pub sub: u32,
}

/// An effect of a register write on the rest of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The pins of this core of the tile may have changed.
    Pins(usize),
    /// The L2 of this core may have been switched on or off.
    Level2(usize),
    /// Resets or the divider of the tile may have changed.
    ClocksAndResets,
}

/// The registers of one tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfigRegisters {
    coord: Coord,
    glcfg: Vec<u32>,
    l2cfg: Vec<u32>,
    sensor: u32,
    /// Counts of the two sensors over [`SENSOR_GATE`] pulses.
    sensor_counts: [u32; 2],
    gcbcfg: u32,
    locks: Vec<TestAndSet>,
    luts: Vec<Lut>,
    extension: Option<Extension>,
    /// The output bits of GLCFG as of the last look; they are the cores' state, not this block's.
    #[serde(skip)]
    outputs: [u32; MAX_CORES],
}

enum Place {
    Glcfg(usize),
    L2cfg(usize),
    Sensor,
    SensorValue,
    Gcbcfg,
    TileId,
    /// A word of the registers that describe a chip other than the SCC.
    Extension(fn(Extension) -> u32),
    Lock(usize),
    Lut(usize, usize),
    Nothing,
}

impl ConfigRegisters {
    pub fn new(coord: Coord, config: &TileConfig) -> ConfigRegisters {
        let field = |value: u32, shift: u32, mask: u32| value << shift & mask;
        let clocks = field(config.divider - 1, gcbcfg::DIVIDER_SHIFT, gcbcfg::DIVIDER)
            | field(RATIO * config.mesh_divider, gcbcfg::TILE_RATIO_SHIFT, gcbcfg::TILE_RATIO)
            | field(RATIO * config.divider, gcbcfg::ROUTER_RATIO_SHIFT, gcbcfg::ROUTER_RATIO);
        let clock_fields = gcbcfg::DIVIDER | gcbcfg::TILE_RATIO | gcbcfg::ROUTER_RATIO;
        ConfigRegisters {
            coord,
            glcfg: vec![glcfg::RESET; config.cores],
            l2cfg: vec![l2cfg::RESET; config.cores],
            sensor: sensor::RESET,
            sensor_counts: config.sensor_counts,
            gcbcfg: gcbcfg::RESET & !clock_fields | clocks,
            locks: vec![TestAndSet::new(config.locks_start_free); config.cores],
            luts: vec![Lut::new(config.lut_entries, config.lut_segment_bytes); config.cores],
            extension: config.extension,
            outputs: [INACTIVE_OUTPUTS; MAX_CORES],
        }
    }

    /// LUTs, and entries of the smallest of them.
    pub(crate) fn lut_counts(&self) -> (usize, usize) {
        (self.luts.len(), self.luts.iter().map(Lut::len).min().unwrap_or(0))
    }

    pub fn lut(&self, core: usize) -> &Lut {
        &self.luts[core]
    }

    pub fn lut_mut(&mut self, core: usize) -> &mut Lut {
        &mut self.luts[core]
    }

    /// The levels that GLCFG and GCBCFG put on the pins of a core of this tile.
    pub fn pins(&self, core: usize) -> Pins {
        let bits = self.glcfg[core];
        Pins {
            lint0: bits & glcfg::INTR != 0,
            lint1: bits & glcfg::NMI != 0,
            init: bits & glcfg::INIT != 0,
            stpclk: bits & glcfg::STPCLK_N == 0,
            ignne: bits & glcfg::IGNNE_N == 0,
            a20m: bits & glcfg::A20M_N == 0,
            flush: bits & glcfg::FLUSH_N == 0,
            stop: bits & glcfg::RS_N == 0,
            reset: self.gcbcfg >> gcbcfg::RESET_CORE_SHIFT >> core & 1 != 0,
        }
    }

    /// Sets the bits of GLCFG that show a core's output pins.
    pub fn show_outputs(&mut self, core: usize, pins: OutputPins) {
        let bits = [
            (pins.halt, glcfg::HALT),
            (pins.shutdown, glcfg::SHUTDOWN),
            (pins.probe_ready, glcfg::PRDY),
            (pins.ferr, glcfg::FERR_N),
        ];
        let changed = bits.iter().filter(|(asserted, _)| *asserted);
        self.outputs[core] = changed.fold(INACTIVE_OUTPUTS, |word, (_, bit)| word ^ bit);
    }

    /// True if a read of these bytes shows output pins of cores.
    pub fn reads_outputs(&self, offset: u32, bytes: u32) -> bool {
        let end = glcfg::OFFSET + glcfg::STRIDE * self.glcfg.len() as u32;
        offset < end && offset + bytes > glcfg::OFFSET
    }

    /// True if a write of these bytes changes entries of LUTs.
    pub fn reaches_luts(&self, offset: u32, bytes: u32) -> bool {
        let entries = self.luts.iter().map(Lut::len).sum::<usize>() as u32;
        offset < lut0::OFFSET + SPACING * entries && offset + bytes > lut0::OFFSET
    }

    /// The counts of both sensors, or nothing while they are off.
    fn sensor_value(&self) -> u32 {
        if self.sensor & sensor::ENABLE == 0 {
            return 0;
        }
        let gate = self.sensor & sensor::GATE;
        let [first, second] = self.sensor_counts.map(|counts| gate * counts / SENSOR_GATE);
        first & sensor_value::COUNT0 | second << sensor_value::COUNT1_SHIFT & sensor_value::COUNT1
    }

    /// True unless L2CFG switches the L2 of a core off.
    pub fn level2_enabled(&self, core: usize) -> bool {
        self.l2cfg[core] & l2cfg::WAYDISABLE == 0
    }

    /// True while GCBCFG holds the L2 of a core in reset.
    pub fn level2_reset(&self, core: usize) -> bool {
        self.gcbcfg >> gcbcfg::RESET_L2_SHIFT >> core & 1 != 0
    }

    /// The divisor between the fast clock and the tile clock.
    pub fn divider(&self) -> u32 {
        ((self.gcbcfg & gcbcfg::DIVIDER) >> gcbcfg::DIVIDER_SHIFT) + 1
    }

    /// The host's side of a release: clears the reset bits of a core and its L2.
    pub fn release(&mut self, core: usize) {
        let core_bit = 1 << gcbcfg::RESET_CORE_SHIFT << core;
        let l2_bit = 1 << gcbcfg::RESET_L2_SHIFT << core;
        self.gcbcfg &= !(core_bit | l2_bit);
    }

    /// A packet of the interrupt controller sets one pin bit, without touching the others.
    pub fn raise(&mut self, core: usize, lint1: bool) {
        self.glcfg[core] |= if lint1 { glcfg::NMI } else { glcfg::INTR };
    }

    fn place(&self, offset: u32) -> Place {
        let cores = self.glcfg.len();
        let row = |start: u32, stride: u32| {
            let n = (offset.wrapping_sub(start) / stride) as usize;
            (offset >= start && (offset - start).is_multiple_of(stride) && n < cores).then_some(n)
        };
        let lut_bytes = self.luts[0].len() as u32 * SPACING;
        if let Some(n) = row(glcfg::OFFSET, glcfg::STRIDE) {
            Place::Glcfg(n)
        } else if let Some(n) = row(l2cfg::OFFSET, l2cfg::STRIDE) {
            Place::L2cfg(n)
        } else if let Some(n) = row(lock::OFFSET, lock::STRIDE) {
            Place::Lock(n)
        } else if offset >= lut0::OFFSET && offset - lut0::OFFSET < lut_bytes * cores as u32 {
            let at = offset - lut0::OFFSET;
            Place::Lut((at / lut_bytes) as usize, (at % lut_bytes / SPACING) as usize)
        } else {
            match offset {
                sensor::OFFSET => Place::Sensor,
                sensor_value::OFFSET => Place::SensorValue,
                gcbcfg::OFFSET => Place::Gcbcfg,
                tileid::OFFSET => Place::TileId,
                chip::OFFSET => Place::Extension(|told| told.chip),
                mpb_windows::OFFSET => Place::Extension(|told| told.mpb_windows),
                crb_windows::OFFSET => Place::Extension(|told| told.crb_windows),
                _ => Place::Nothing,
            }
        }
    }

    fn tile_id(&self, requester: Requester) -> u32 {
        requester.sub << tileid::REQUESTER_SHIFT & tileid::REQUESTER
            | u32::from(self.coord.x) << tileid::X_SHIFT & tileid::X
            | u32::from(self.coord.y) << tileid::Y_SHIFT & tileid::Y
            | if self.extension.is_some() { tileid::EXTENDED } else { 0 }
    }

    /// Reads the register at `offset`, with its side effect.
    pub fn read_register(&mut self, requester: Requester, offset: u32) -> u32 {
        match self.place(offset) {
            Place::Lock(n) => self.locks[n].read(),
            _ => self.peek_register(requester, offset),
        }
    }

    /// Breaks the lock of a core, or makes it well again; what it read before.
    pub fn stick_lock(&mut self, z: usize, stuck: Option<bool>) -> u32 {
        let before = self.locks[z].peek();
        self.locks[z].stick(stuck);
        before
    }

    /// Reads the register at `offset` without side effects.
    pub fn peek_register(&self, requester: Requester, offset: u32) -> u32 {
        match self.place(offset) {
            Place::Glcfg(n) => self.glcfg[n] | self.outputs[n],
            Place::L2cfg(n) => self.l2cfg[n],
            Place::Sensor => self.sensor,
            Place::SensorValue => self.sensor_value(),
            Place::Gcbcfg => self.gcbcfg,
            Place::TileId => self.tile_id(requester),
            Place::Extension(word) => self.extension.map_or(0, word),
            Place::Lock(n) => self.locks[n].peek(),
            Place::Lut(core, n) => self.luts[core].entry(n).0,
            Place::Nothing => 0,
        }
    }

    /// Writes the bytes of `value` that `mask` covers.
    pub fn write_register(&mut self, offset: u32, value: u32, mask: u32) -> Option<Effect> {
        let merge = |old: u32, writable: u32| old & !(mask & writable) | value & mask & writable;
        match self.place(offset) {
            Place::Glcfg(n) => {
                self.glcfg[n] = merge(self.glcfg[n], glcfg::WRITABLE);
                return Some(Effect::Pins(n));
            }
            Place::Gcbcfg => {
                self.gcbcfg = merge(self.gcbcfg, gcbcfg::WRITABLE);
                return Some(Effect::ClocksAndResets);
            }
            Place::L2cfg(n) => {
                self.l2cfg[n] = merge(self.l2cfg[n], l2cfg::WRITABLE);
                return Some(Effect::Level2(n));
            }
            Place::Sensor => self.sensor = merge(self.sensor, sensor::WRITABLE),
            Place::Lock(n) => self.locks[n].write(),
            Place::Lut(core, n) => {
                let entry = merge(self.luts[core].entry(n).0, lut0::WRITABLE);
                self.luts[core].set(n, LutEntry(entry));
            }
            Place::TileId | Place::SensorValue | Place::Extension(_) | Place::Nothing => {}
        }
        None
    }

    /// A bus read: fills `out` from the registers that it overlaps; gaps read 0.
    pub fn read(&mut self, requester: Requester, offset: u32, out: &mut [u8]) {
        out.fill(0);
        let end = offset + out.len() as u32;
        let mut register = offset & !(SPACING - 1);
        while register < end {
            if offset < register + 4 {
                let bytes = self.read_register(requester, register).to_le_bytes();
                for (n, byte) in bytes.into_iter().enumerate() {
                    let at = register + n as u32;
                    if (offset..end).contains(&at) {
                        out[(at - offset) as usize] = byte;
                    }
                }
            }
            register += SPACING;
        }
    }

    /// A bus write of those bytes of `data` whose bit in `enable` is set. The effect of the last
    /// register that has one is returned through `effect` for each.
    pub fn write(&mut self, offset: u32, data: &[u8], enable: u32, mut effect: impl FnMut(Effect)) {
        let end = offset + data.len() as u32;
        let mut register = offset & !(SPACING - 1);
        while register < end {
            let (mut value, mut mask) = ([0; 4], [0; 4]);
            for n in 0..4 {
                let at = register + n as u32;
                if (offset..end).contains(&at) && enable >> (at - offset) & 1 != 0 {
                    value[n] = data[(at - offset) as usize];
                    mask[n] = 0xFF;
                }
            }
            if mask != [0; 4] {
                let (value, mask) = (u32::from_le_bytes(value), u32::from_le_bytes(mask));
                if let Some(what) = self.write_register(register, value, mask) {
                    effect(what);
                }
            }
            register += SPACING;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCC: TileConfig = TileConfig {
        cores: 2,
        locks_start_free: true,
        mpb_bytes: 16384,
        lut_entries: 256,
        lut_segment_bytes: 1 << 24,
        divider: 3,
        mesh_divider: 2,
        sensor_counts: [900, 512],
        extension: None,
    };

    fn registers() -> ConfigRegisters {
        ConfigRegisters::new(Coord { x: 5, y: 2 }, &SCC)
    }

    fn core(sub: u32) -> Requester {
        Requester { sub }
    }

    #[test]
    fn tileid_tells_the_reader_which_core_it_is() {
        let mut crb = registers();
        assert_eq!(crb.read_register(core(0), 0x100), 2 << 7 | 5 << 3);
        assert_eq!(crb.read_register(core(1), 0x100), 2 << 7 | 5 << 3 | 1);
    }

    #[test]
    fn reset_values_are_the_published_ones() {
        let crb = registers();
        // The outputs of a quiet core, as the SCC's loaders find them: SMIACT#, FERR#, IERR# high.
        assert_eq!(crb.peek_register(core(0), 0x010), 0x34_0DF8);
        assert_eq!(crb.peek_register(core(0), 0x028), 0x6CF);
        assert_eq!(crb.peek_register(core(0), 0x080), 0x00A8_E2FF);
        assert_eq!(crb.divider(), 3);
        let idle = Pins { reset: true, ..Pins::default() };
        assert_eq!((crb.pins(0), crb.pins(1)), (idle, idle));
    }

    #[test]
    fn a_line_read_takes_only_the_lock_it_covers() {
        let mut crb = registers();
        let mut line = [0xAA; 32];
        crb.read(core(0), 0x200, &mut line);
        assert_eq!((line[0], &line[1..]), (1, &[0; 31][..]));
        assert_eq!(crb.read_register(core(0), 0x200), 0);
        assert_eq!(crb.read_register(core(0), 0x400), 1);
        let mut upper = [0; 4];
        crb.write(0x200, &[0], 1, |_| ());
        crb.read(core(0), 0x204, &mut upper);
        assert_eq!(crb.peek_register(core(0), 0x200), 1, "the gap above a lock takes nothing");
    }

    #[test]
    fn luts_are_written_and_read_back() {
        let mut crb = registers();
        crb.write(0x1000 + 8 * 0x80, &0x0012_3456u32.to_le_bytes(), 0xF, |_| ());
        assert_eq!(crb.peek_register(core(0), 0x1400), 0x0012_3456);
        assert_eq!(crb.lut(1).entry(0x80).0, 0x0012_3456);
        assert_eq!(crb.lut(0).entry(0x80).0, 0);
    }

    #[test]
    fn pins_and_resets_follow_their_bits() {
        let mut crb = registers();
        let mut seen = Vec::new();
        crb.write(0x018, &0xDFAu32.to_le_bytes(), 0xF, |effect| seen.push(effect));
        crb.write(0x080, &[0xFA], 1, |effect| seen.push(effect));
        assert_eq!(seen, [Effect::Pins(1), Effect::ClocksAndResets]);
        assert!(crb.pins(1).lint0 && !crb.pins(1).lint1 && crb.pins(1).reset);
        assert!(!crb.pins(0).reset);
        crb.raise(0, true);
        assert!(crb.pins(0).lint1);
    }

    /// Word list of RCCE for a mesh of 800 MHz: 7 d << 11 | 14 << 4 | d - 1, in bits 25:8.
    #[test]
    fn clock_words_are_the_published_ones() {
        let words = [
            0x38E0, 0x70E1, 0xA8E2, 0xE0E3, 0x118E4, 0x150E5, 0x188E6, 0x1C0E7, 0x1F8E8, 0x230E9,
            0x268EA, 0x2A0EB, 0x2D8EC, 0x310ED, 0x348EE, 0x380EF,
        ];
        for (divider, word) in (1..).zip(words) {
            let config = TileConfig { divider, ..SCC };
            let crb = ConfigRegisters::new(Coord { x: 0, y: 0 }, &config);
            assert_eq!(crb.peek_register(core(0), 0x080), word << 8 | 0xFF);
            assert_eq!(crb.divider(), divider);
        }
    }

    /// On the SCC the registers that describe other chips do not exist: its LUTs are adjacent.
    #[test]
    fn only_other_chips_tell_their_size() {
        let mut scc = registers();
        assert_eq!([0x108, 0x110, 0x118].map(|offset| scc.read_register(core(0), offset)), [0; 3]);
        let extension = Extension { chip: 7, mpb_windows: 1 << 30, crb_windows: 9 << 28 };
        let (lut_entries, lut_segment_bytes) = (1024, 1 << 22);
        let config =
            TileConfig { lut_entries, lut_segment_bytes, extension: Some(extension), ..SCC };
        let mut crb = ConfigRegisters::new(Coord { x: 15, y: 15 }, &config);
        assert_eq!(crb.read_register(core(1), 0x100), 1 << 31 | 15 << 7 | 15 << 3 | 1);
        crb.write(0x108, &[0xFF; 4], 0xF, |_| ());
        let told = [0x108, 0x110, 0x118].map(|offset| crb.read_register(core(0), offset));
        assert_eq!(told, [7, 1 << 30, 9 << 28]);
        crb.write(0x800 + 8 * 1024 + 8 * 3, &[0x34, 0x12, 0, 0xC0], 0xF, |_| ());
        assert_eq!((crb.lut(1).entry(3).0, crb.lut(0).entry(3).0), (0xC000_1234, 0));
    }

    #[test]
    fn glcfg_shows_its_core_s_outputs() {
        let mut crb = registers();
        let pins = OutputPins { halt: true, ferr: true, ..OutputPins::default() };
        crb.show_outputs(1, pins);
        assert_eq!(crb.peek_register(core(0), 0x018), 0x24_8DF8, "HALT high, FERR# low");
        assert_eq!(crb.peek_register(core(0), 0x010), 0x34_0DF8);
        crb.write(0x018, &[0xFF; 4], 0xF, |_| ());
        assert_eq!(crb.peek_register(core(0), 0x018), 0x24_8FFF, "outputs are not written");
        let both = OutputPins { shutdown: true, probe_ready: true, ..OutputPins::default() };
        crb.show_outputs(1, both);
        assert_eq!(crb.peek_register(core(0), 0x018), 0x3E_0FFF);
        assert!(crb.reads_outputs(0x018, 4) && crb.reads_outputs(0, 32));
        assert!(!crb.reads_outputs(0x020, 4) && !crb.reads_outputs(0, 8));
    }

    #[test]
    fn sensors_count_while_they_are_on() {
        let mut crb = registers();
        assert_eq!(crb.peek_register(core(0), 0x048), 0);
        crb.write(0x040, &(1u32 << 13 | 1024).to_le_bytes(), 0xF, |_| ());
        assert_eq!(crb.peek_register(core(0), 0x048), 512 << 13 | 900);
        crb.write(0x040, &(1u32 << 13 | 0x1FFF).to_le_bytes(), 0xF, |_| ());
        assert_eq!(crb.peek_register(core(0), 0x048), 4095 << 13 | 7199);
        crb.write(0x048, &[0xFF; 4], 0xF, |_| ());
        assert_eq!(crb.peek_register(core(0), 0x048), 4095 << 13 | 7199, "it is read only");
    }
}
