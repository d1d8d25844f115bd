//! The counts of all blocks, as one tree of integers.

use rockcreek_defs::TileId;
use rockcreek_mesh::Direction;
use rockcreek_observe::Statistic;

use crate::processor::Processor;
use crate::scheduler::chip::Chip;

fn count(value: u64) -> Statistic {
    Statistic::Count(value)
}

impl<P: Processor> Chip<P> {
    /// The statistics at [`Chip::now`]. Cores may have run ahead of that instant; call
    /// [`Chip::settle`] first for numbers that do not depend on how far.
    pub fn statistics(&self) -> Statistic {
        let uncore = &self.uncore;
        let cores = self.slots.iter().enumerate().map(|(core, slot)| {
            let mut group = match slot.processor.statistics() {
                Statistic::Group(group) => group,
                other => [("core".to_owned(), other)].into(),
            };
            group.insert("cycles".into(), count(slot.processor.cycles()));
            group.insert("stalls".into(), self.stall_statistics(core));
            Statistic::Group(group)
        });
        let tiles = uncore.tiles.iter().enumerate().map(|(n, tile)| {
            let interface = &tile.interface;
            let (mpb, crb) = (&uncore.mpb_ports[n], &uncore.crb_ports[n]);
            Statistic::group([
                ("reads", count(interface.reads)),
                ("writes", count(interface.writes)),
                ("bypassed", count(interface.bypassed)),
                ("unmapped", count(interface.unmapped)),
                ("mpb_busy_ps", count(mpb.busy_ps)),
                ("mpb_waited_ps", count(mpb.waited_ps)),
                ("crb_busy_ps", count(crb.busy_ps)),
                ("crb_waited_ps", count(crb.waited_ps)),
            ])
        });
        let memory = uncore.controllers.iter().map(|controller| {
            Statistic::group([
                ("reads", count(controller.reads)),
                ("writes", count(controller.writes)),
                ("busy_ps", count(controller.busy_ps)),
                ("waited_ps", count(controller.waited_ps)),
            ])
        });
        let board = Statistic::group([
            ("system_busy_ps", count(uncore.system_port.busy_ps)),
            ("system_waited_ps", count(uncore.system_port.waited_ps)),
            ("undefined_registers", count(uncore.board.registers.undefined)),
            ("voltage_commands", count(uncore.board.voltage.commands)),
            ("voltage_waited_ps", count(uncore.board.voltage.waited_ps)),
        ]);
        Statistic::group([
            ("time_ps", count(self.reached().0)),
            ("cores", Statistic::List(cores.collect())),
            ("tiles", Statistic::List(tiles.collect())),
            ("mesh", self.mesh_statistics()),
            ("memory", Statistic::List(memory.collect())),
            ("board", board),
            ("traffic", self.traffic_statistics()),
        ])
    }

    /// How long a core has waited for units of each kind, from its requests to their responses, in
    /// picoseconds.
    fn stall_statistics(&self, core: usize) -> Statistic {
        let traffic = &self.uncore.traffic;
        let (tiles, controllers) = (self.uncore.tiles.len(), self.uncore.controllers.len());
        let waits = traffic.row(core).iter().map(|cell| cell.waited_ps).collect::<Vec<_>>();
        let (mpb, rest) = waits.split_at(tiles);
        let (crb, rest) = rest.split_at(tiles);
        let (memory, rest) = rest.split_at(controllers);
        let (system, other) = rest.split_at(1);
        let kinds = [mpb, crb, memory, system, other].map(|waits| count(waits.iter().sum()));
        let names = ["mpb_ps", "crb_ps", "memory_ps", "system_ps", "other_ps"];
        Statistic::group(names.into_iter().zip(kinds))
    }

    fn mesh_statistics(&self) -> Statistic {
        let mesh = &self.uncore.mesh;
        let mut flits = 0;
        let mut waited_ps = 0;
        let topology = &self.description().topology;
        let links = (0..self.uncore.tiles.len()).map(|n| {
            let router = topology.coord(TileId(n as u16));
            Statistic::group(Direction::ALL.map(|direction| {
                let link = mesh.link(router, direction);
                flits += link.flits;
                waited_ps += link.waited_ps;
                (direction.name(), count(link.flits))
            }))
        });
        let links = Statistic::List(links.collect());
        let by_hops = mesh.packets_by_hops.iter().copied();
        Statistic::group([
            ("packets", count(by_hops.clone().sum())),
            ("packets_by_hops", Statistic::List(by_hops.map(count).collect())),
            ("flits", count(flits)),
            ("waited_ps", count(waited_ps)),
            ("link_flits", links),
        ])
    }

    /// For each core and each unit to which it sent requests: their number, the bytes that they
    /// moved, and the picoseconds that the core waited for responses.
    fn traffic_statistics(&self) -> Statistic {
        let traffic = &self.uncore.traffic;
        let row = |core: usize| {
            let cells = traffic.units().iter().zip(traffic.row(core));
            let used = cells.filter(|(_, cell)| cell.packets > 0);
            Statistic::group(used.map(|(name, cell)| {
                let parts = [
                    ("packets", count(cell.packets)),
                    ("bytes", count(cell.bytes)),
                    ("waited_ps", count(cell.waited_ps)),
                ];
                (name.clone(), Statistic::group(parts))
            }))
        };
        Statistic::List((0..traffic.sources()).map(row).collect())
    }
}
