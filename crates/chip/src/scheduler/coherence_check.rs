//! The coherence checker's inputs, in the order of events. The checker receives a core's accesses
//! to its own caches before the core's next transaction enters the mesh, and the transaction when
//! it takes effect.

use std::collections::HashMap;
use std::sync::Arc;

use rockcreek_board::{Action, SystemInterface};
use rockcreek_check::{Blocks, Finding, Object, Program, ProgramRace, Shadow, Transaction};
use rockcreek_defs::bus::DrainKind;
use rockcreek_defs::registers::crb::lock;
use rockcreek_defs::registers::fpga::{counter, counter_upper};
use rockcreek_defs::{
    Access, BusRequest, BusResponse, CoreAddr, CoreId, LINE_BYTES, ProgramMemory, Retired,
    TOP_WORDS,
};
use rockcreek_tile::Effect;

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::uncore::Uncore;
use crate::uncore::request_path::Flight;
use crate::uncore::wiring::Unit;

/// The checkers, and what they need to know of the chip.
pub(crate) struct CoherenceCheck {
    /// The check of coherence; `None` if it is off.
    shadow: Option<Shadow>,
    /// The check of a program's threads for races; `None` if it is off.
    program: Option<Program>,
    /// The check of a program's blocks of memory; `None` if it is off.
    blocks: Option<Blocks>,
    /// True if the checkers must learn the accesses of all cores in the order of their shared
    /// transactions.
    ordered: bool,
    /// For each core and each segment of its LUT, true if other cores can reach the segment's
    /// memory.
    shared: Vec<Vec<bool>>,
    /// The number of bits by which an address is shifted right to give the number of its LUT
    /// segment.
    shift: u32,
    taken: Vec<Access>,
    retired: Vec<Retired>,
    /// The bytes in memory, before it, of the line that the next write-back overwrites.
    was: [u8; LINE_BYTES],
}

/// From this number of recorded accesses of a core on, they are passed to the checker before the
/// core's next transaction.
const MUCH: usize = 1 << 12;
/// [`MUCH`], for recorded instructions.
const MANY: usize = 1 << 16;
/// The bytes of an atomic counter: it has two registers, one that counts and one that only reads.
const COUNTER_BYTES: u32 = 2 * counter::STRIDE;

/// Reads the words of the stack that no cache of the core has. A store that misses the caches goes
/// to memory alone, and the return address of a call is often such a store. The core's stores up to
/// the access have reached memory: its next transaction follows them.
fn fill_stack(uncore: &Uncore, core: CoreId, access: &mut Access) {
    let missing = access.missing;
    let words = access.stack[..TOP_WORDS].iter_mut().enumerate();
    for (n, word) in words.filter(|(n, _)| missing >> n & 1 == 1) {
        let mut bytes = [0; 4];
        if uncore.peek(core, CoreAddr(access.stack_at.0 + 4 * n as u32), &mut bytes) {
            *word = u32::from_le_bytes(bytes);
        }
    }
}

impl Uncore {
    /// For each core and each segment of its LUT, true if another core can reach the same memory.
    fn shared_segments(&self) -> Vec<Vec<bool>> {
        let luts = self.places.homes.iter().map(|home| {
            let lut = self.tiles[home.tile.index()].registers.lut(home.z);
            (0..lut.len()).map(|n| lut.entry(n)).collect::<Vec<_>>()
        });
        let luts = luts.collect::<Vec<_>>();
        let mut users: HashMap<(u16, u64), (usize, bool)> = HashMap::new();
        for (core, entries) in luts.iter().enumerate() {
            for entry in entries {
                if let Unit::Memory(n) = self.places.unit(Some(*entry)) {
                    let user = users.entry((n, entry.address())).or_insert((core, false));
                    user.1 |= user.0 != core;
                }
            }
        }
        let shared = |entry: &rockcreek_tile::LutEntry| match self.places.unit(Some(*entry)) {
            Unit::Memory(n) => users[&(n, entry.address())].1,
            Unit::Nowhere => false,
            _ => true,
        };
        luts.iter().map(|entries| entries.iter().map(shared).collect()).collect()
    }

    /// The checker's name for the target of an address that a core accesses.
    fn object(&self, core: CoreId, addr: CoreAddr) -> Object {
        let home = self.places.home(core);
        let (entry, within) = self.tiles[home.tile.index()].registers.lut(home.z).find(addr);
        let offset = entry.address() | u64::from(within);
        self.object_at(self.places.unit(Some(entry)), offset)
    }

    fn object_at(&self, unit: Unit, offset: u64) -> Object {
        let at = offset as u32;
        match unit {
            Unit::Mpb(_) | Unit::Memory(_) => Object::Memory(self.number(unit) as u32, offset),
            Unit::Crb(tile) => {
                let row = at.wrapping_sub(lock::OFFSET);
                match row / lock::STRIDE {
                    n if row.is_multiple_of(lock::STRIDE) && n < lock::COUNT => {
                        Object::Lock(tile.index() as u32 * lock::COUNT + n)
                    }
                    _ => Object::Other,
                }
            }
            Unit::System => {
                let row = at & 0xFFFF;
                let of = |first: u32| row.wrapping_sub(first) / counter::STRIDE < counter::COUNT;
                let counts = of(counter::OFFSET) || of(counter_upper::OFFSET);
                match counts && !SystemInterface::is_host(offset) {
                    true => Object::Counter((at & 0x00FF_FFFF) / COUNTER_BYTES),
                    false => Object::Other,
                }
            }
            Unit::Voltage | Unit::Nowhere => Object::Other,
        }
    }
}

impl CoherenceCheck {
    /// True if other cores can reach the memory or unit that a core's request goes to.
    pub fn is_shared(&self, core: CoreId, request: &BusRequest) -> bool {
        let segments = &self.shared[core.index()];
        request.addr().is_none_or(|addr| segments[(addr.0 >> self.shift) as usize])
    }

    /// For each segment of a core's LUT, true if other cores can reach its memory; and the number
    /// of bits of an address below the segment's number.
    pub fn shared_by(&self, core: CoreId) -> (&[bool], u32) {
        (&self.shared[core.index()], self.shift)
    }
}

impl<P: Processor> Chip<P> {
    /// True if coherence is checked and this core's request goes to something that other cores can
    /// reach.
    #[inline]
    pub(crate) fn is_checked(&self, core: CoreId) -> bool {
        self.check.is_some() && self.asks_for_shared(core)
    }

    #[inline(never)]
    fn asks_for_shared(&self, core: CoreId) -> bool {
        let request = self.slots[core.index()].request();
        self.check
            .as_ref()
            .zip(request)
            .is_some_and(|(check, request)| check.is_shared(core, request))
    }

    /// Passes a core's recorded accesses to the checker if there are many. Returns true if it did;
    /// the core must then begin a new window, because no rollback may undo accesses that were
    /// passed.
    pub(crate) fn tell_much(&mut self, core: CoreId) -> bool {
        let much = self.has_much(core);
        if much {
            self.tell_accesses(core);
        }
        much
    }

    /// True if a checked core has recorded so much that it must not run ahead: the next window
    /// begins with [`Chip::tell_much`].
    #[inline]
    pub(crate) fn has_much(&self, core: CoreId) -> bool {
        let processor = &self.slots[core.index()].processor;
        self.check.is_some()
            && (processor.noted_accesses() >= MUCH || processor.recorded_instructions() >= MANY)
    }

    /// Starts checking coherence. `races`: `None` does not look for races, `Some(false)` looks for
    /// them in message buffers, `Some(true)` in all memory. The caches should be empty, because the
    /// checker does not know their contents.
    pub fn start_check(&mut self, races: Option<bool>) {
        self.settle();
        let mut shadow = Shadow::new(self.slots.len());
        if let Some(everywhere) = races {
            // The tiles' message buffers are the first units.
            shadow.watch_races(self.uncore.tiles.len() as u32, everywhere);
        }
        self.check = Some(Box::new(CoherenceCheck {
            shadow: Some(shadow),
            ordered: true,
            ..self.no_check()
        }));
        self.watch_shared_segments();
    }

    fn no_check(&self) -> CoherenceCheck {
        CoherenceCheck {
            shadow: None,
            program: None,
            blocks: None,
            ordered: false,
            shared: Vec::new(),
            shift: self.description().tile.lut_segment_bytes.trailing_zeros(),
            taken: Vec::new(),
            retired: Vec::new(),
            was: [0; LINE_BYTES],
        }
    }

    /// Adds a check of blocks to the checks that there are, or makes it the only one. `ordered`: it
    /// must learn the accesses of all cores in the order of their shared transactions.
    pub(crate) fn add_block_check(&mut self, blocks: Blocks, ordered: bool) {
        let mut check = self.check.take().unwrap_or_else(|| Box::new(self.no_check()));
        check.blocks = Some(blocks);
        check.ordered |= ordered;
        self.check = Some(check);
        self.watch_shared_segments();
    }

    pub(crate) fn blocks_mut(&mut self) -> Option<&mut Blocks> {
        self.check.as_mut().and_then(|check| check.blocks.as_mut())
    }

    /// Also looks for races between a program's threads. Does nothing unless coherence is checked.
    pub fn watch_program(&mut self, memory: ProgramMemory) {
        self.settle();
        let Some(check) = &mut self.check else { return };
        let memory = Arc::new(memory);
        for slot in &mut self.slots {
            slot.processor.watch_program(&memory);
        }
        check.program = Some(Program::new(self.slots.len(), memory));
    }

    /// The races between a program's threads up to the present, and how many were not stored for
    /// lack of room; none and 0 without [`Chip::watch_program`].
    pub fn program_races(&mut self) -> (Vec<ProgramRace>, u64) {
        self.tell_all_accesses();
        let program = self.check.as_ref().and_then(|check| check.program.as_ref());
        program.map(|program| (program.races().to_vec(), program.dropped())).unwrap_or_default()
    }

    pub(crate) fn tell_all_accesses(&mut self) {
        self.settle();
        for core in 0..self.slots.len() {
            self.tell_accesses(CoreId(core as u16));
        }
    }

    /// The checker's findings up to the present; none if coherence is not checked.
    pub fn check_findings(&mut self) -> Vec<Finding> {
        self.tell_all_accesses();
        self.shadow().map(Shadow::findings).unwrap_or_default()
    }

    /// The number of occurrences that were not kept, because there were too many findings.
    pub fn check_findings_dropped(&self) -> u64 {
        self.shadow().map_or(0, Shadow::findings_dropped)
    }

    /// The number of records that the checker has dropped to limit the host's memory.
    pub fn check_forgotten(&self) -> u64 {
        self.shadow().map_or(0, Shadow::forgotten)
    }

    fn shadow(&self) -> Option<&Shadow> {
        self.check.as_ref().and_then(|check| check.shadow.as_ref())
    }

    /// Sets the LUT segments in which each core records accesses, if LUTs have changed since.
    fn watch_shared_segments(&mut self) {
        let Some(check) = &mut self.check else { return };
        let mut shared = self.uncore.shared_segments();
        if !check.ordered {
            shared.iter_mut().for_each(|segments| segments.fill(false));
        }
        let bytes = self.uncore.description().tile.lut_segment_bytes;
        for (core, segments) in shared.iter().enumerate() {
            if check.shared.get(core) != Some(segments) {
                let nothing = vec![false; segments.len()];
                let recorded = if check.shadow.is_some() { segments } else { &nothing };
                self.slots[core].processor.watch_accesses(Some((recorded, bytes)));
            }
        }
        check.shared = shared;
    }

    /// Passes a core's accesses since its last transaction, up to the core's own time, to the
    /// checker.
    pub(crate) fn tell_accesses(&mut self, core: CoreId) {
        let Chip { check: Some(check), slots, uncore, .. } = self else { return };
        let slot = &mut slots[core.index()];
        if slot.waiting.is_some() {
            // The core's processor is at the start of the waiting; all accesses before that have
            // been passed.
            return;
        }
        let CoherenceCheck { shadow, program, blocks, taken, retired, .. } = &mut **check;
        slot.processor.take_accesses(taken);
        taken.iter_mut().for_each(|access| fill_stack(uncore, core, access));
        if let Some(blocks) = blocks {
            retired.clear();
            if blocks.watches_values() {
                slot.processor.take_retired(retired);
            }
            let clock = &slot.clock;
            let time = |cycle: u64| clock.time_of(cycle.max(clock.epoch_cycle)).0;
            blocks.tell(core.index(), taken, retired, &time);
        }
        for access in &*taken {
            let cycle = access.cycle.max(slot.clock.epoch_cycle);
            let time_ps = slot.clock.time_of(cycle).0;
            if let Some(program) = program {
                program.access(core.index(), time_ps, access);
            }
            if let Some(shadow) = shadow
                && access.shared
            {
                let place = uncore.object(core, access.addr);
                shadow.access(core.index(), time_ps, access, place);
            }
        }
    }

    /// Call before a write-back takes effect: saves the bytes in memory of the line that it will
    /// overwrite.
    pub(crate) fn look_at_line(&mut self, flight: &Flight, request: &BusRequest) {
        let Chip { check: Some(check), uncore, .. } = self else { return };
        let victim = |kind: &DrainKind| *kind != DrainKind::WriteCombine;
        if !matches!(request, BusRequest::WriteLine { kind, .. } if victim(kind)) {
            return;
        }
        match flight.unit() {
            Unit::Mpb(tile) => uncore.tiles[tile.index()].mpb.read(flight.offset, &mut check.was),
            Unit::Memory(n) => {
                uncore.controllers[usize::from(n)].dram.read(flight.offset, &mut check.was);
            }
            _ => {}
        }
    }

    /// Passes a request that has taken effect at its unit, with its response, to the checker.
    pub(crate) fn tell_effect(
        &mut self,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        response: &BusResponse,
    ) {
        let Chip { check: Some(check), slots, uncore, effects, .. } = self else { return };
        let place = match request.addr() {
            Some(_) => uncore.object_at(flight.unit(), flight.offset),
            None => return,
        };
        let time_ps = flight.arrive.0;
        let l1_is_dirty = match *request {
            BusRequest::WriteLine { addr, kind: DrainKind::L2Victim, .. } => {
                slots[core.index()].processor.holds_dirty(addr)
            }
            _ => false,
        };
        let CoherenceCheck { shadow, was, .. } = &mut **check;
        if let Some(shadow) = shadow {
            let transaction =
                Transaction { core: core.index(), time_ps, request, response, was, l1_is_dirty };
            shadow.effect(place, &transaction);
            for action in &effects.board {
                if let Action::Interrupt { core: target, .. } = action {
                    shadow.interrupt(core.index(), target.index(), time_ps);
                }
            }
            for (tile, effect) in &effects.tiles {
                if let Effect::Pins(z) = effect {
                    let target = uncore.description().topology.core(*tile, *z);
                    shadow.interrupt(core.index(), target.index(), time_ps);
                }
            }
        }
        if let Unit::Crb(tile) = flight.unit()
            && !request.is_read()
            && uncore.tiles[tile.index()]
                .registers
                .reaches_luts(flight.offset as u32, LINE_BYTES as u32)
        {
            self.watch_shared_segments();
        }
    }
}
