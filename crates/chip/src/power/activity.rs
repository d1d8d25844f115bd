//! The counts of every unit, in the order of the unit's parts (`rockcreek_power::Kind::parts`).

use rockcreek_defs::{CoreId, TileId};
use rockcreek_mesh::Direction;
use rockcreek_power::Kind;

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::uncore::wiring::Unit;

/// The number of requests to each unit so far.
pub(crate) struct Requests(Vec<u64>);

impl<P: Processor> Chip<P> {
    /// The requests of all cores so far, by unit.
    pub(crate) fn requests(&self) -> Requests {
        let traffic = &self.uncore.traffic;
        let mut sums = vec![0; traffic.units().len()];
        for source in 0..traffic.sources() {
            for (sum, cell) in sums.iter_mut().zip(traffic.row(source)) {
                *sum += cell.packets;
            }
        }
        Requests(sums)
    }

    /// The counts of one unit up to now, in the order of the unit's parts. If the unit is a core,
    /// it must have been brought to the present first.
    pub(crate) fn unit_counts(&self, kind: Kind, unit: usize, requests: &Requests) -> Vec<u64> {
        let now = self.now.0;
        let uncore = &self.uncore;
        let to = |unit: Unit| requests.0[uncore.number(unit)];
        let mesh_cycles = now / uncore.description().clocks.mesh_period_ps;
        match kind {
            Kind::Core => self.core_counts(CoreId(unit as u16)),
            Kind::Tile => {
                let tile = TileId(unit as u16);
                vec![to(Unit::Mpb(tile)) + to(Unit::Crb(tile))]
            }
            Kind::Router => {
                let router = uncore.description().topology.coord(TileId(unit as u16));
                let flits = |direction| uncore.mesh.link(router, direction).flits;
                vec![now, mesh_cycles, Direction::ALL.into_iter().map(flits).sum()]
            }
            Kind::Memory => {
                let controller = &uncore.controllers[unit];
                vec![now, controller.reads + controller.writes]
            }
            Kind::System => vec![mesh_cycles, to(Unit::System) + to(Unit::Voltage)],
            Kind::Clocks => vec![now],
        }
    }

    fn core_counts(&self, core: CoreId) -> Vec<u64> {
        let slot = &self.slots[core.index()];
        let done = slot.processor.activity();
        let cycles = slot.driven_cycles(self.now, done.halted_cycles);
        vec![
            self.now.0,
            cycles.in_reset,
            cycles.halted,
            cycles.active,
            done.instructions,
            done.x87_instructions,
            done.l1_accesses,
            done.l2_accesses,
        ]
    }
}
