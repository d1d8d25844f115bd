//! The request of a core that is in progress, for inspection of a stopped chip: it shows what the
//! core polls.

use rockcreek_defs::CoreId;

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::slot::Phase;
use crate::uncore::wiring::unit_names;

/// The request of a core that has no response yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outstanding {
    /// The unit's name, as statistics use it.
    pub unit: String,
    /// The byte offset of the accessed address in the unit's memory.
    pub offset: u64,
    pub is_read: bool,
}

impl<P: Processor> Chip<P> {
    /// The request for whose response a core waits; `None` if it waits for none. Call
    /// [`Chip::settle`] first.
    pub fn outstanding(&self, core: CoreId) -> Option<Outstanding> {
        let slot = self.slot(core);
        let request = slot.request()?;
        let flight = match slot.phase {
            Phase::Flight(flight) => flight,
            Phase::Inject | Phase::Answer(..) | Phase::Lost => {
                self.uncore.plan(core, self.now(), slot.clock.period_ps, request)
            }
            _ => return None,
        };
        let description = self.description();
        let tiles = self.uncore.tiles.len();
        let controllers = description.topology.memory_controllers.len();
        let number = flight.unit().number(tiles, controllers);
        let unit = unit_names(tiles, controllers).swap_remove(number);
        let offset = flight.offset();
        Some(Outstanding { unit, offset, is_read: request.is_read() })
    }
}
