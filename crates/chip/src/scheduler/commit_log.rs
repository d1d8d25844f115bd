//! The commit log of a run: the retired instructions of each core, and the transactions in the
//! chip's order.

use std::fs::File;

use rockcreek_defs::{BusRequest, BusResponse, CoreId};
use rockcreek_observe::{Header, LogError, LogWriter, Transaction, TransactionKind, value_hash};

use crate::processor::Processor;
use crate::scheduler::chip::{Chip, Event};
use crate::uncore::request_path::Flight;
use crate::uncore::wiring::{Unit, unit_names};

/// Moves a core's retired instructions into the log. The caller makes sure that no rollback can
/// undo them afterwards.
fn log_instructions<P: Processor>(log: &mut LogWriter, core: CoreId, processor: &mut P) {
    processor.drain(&mut |instruction| log.instruction(core.index(), instruction));
    log.commit(core.index());
}

impl<P: Processor> Chip<P> {
    /// Starts a commit log in an empty file; error messages call the file `name`.
    pub fn start_log(&mut self, file: File, name: &str) -> Result<(), LogError> {
        let (tiles, controllers) = (self.uncore.tiles.len(), self.uncore.controllers.len());
        let header = Header {
            chip: self.description().name.clone(),
            cores: self.slots.len() as u16,
            units: unit_names(tiles, controllers),
        };
        self.log = Some(LogWriter::create(file, name, &header)?);
        for slot in &mut self.slots {
            slot.processor.record(true);
        }
        Ok(())
    }

    /// Ends the commit log with the statistics. Does nothing if there is none.
    pub fn finish_log(&mut self) -> Result<(), LogError> {
        self.settle();
        let statistics = self.statistics().flatten();
        let Some(mut log) = self.log.take() else { return Ok(()) };
        for (n, slot) in self.slots.iter_mut().enumerate() {
            log_instructions(&mut log, CoreId(n as u16), &mut slot.processor);
            slot.processor.record(false);
        }
        log.finish(statistics)
    }

    /// Moves a core's retired instructions into the log, if there is one.
    pub(crate) fn log_core(&mut self, core: CoreId) {
        if let Some(log) = &mut self.log {
            log_instructions(log, core, &mut self.slots[core.index()].processor);
        }
    }

    fn unit_number(&self, unit: Unit) -> u32 {
        unit.number(self.uncore.tiles.len(), self.uncore.controllers.len()) as u32
    }

    pub(crate) fn log_transaction(
        &mut self,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        response: &BusResponse,
    ) {
        let address = match *request {
            BusRequest::IoRead { port, .. } | BusRequest::IoWrite { port, .. } => port.into(),
            _ => flight.offset,
        };
        let value = match (request, response) {
            (_, BusResponse::Line(line)) => value_hash(line),
            (_, BusResponse::Value(value)) => value_hash(&value.to_le_bytes()),
            (BusRequest::Write { data, .. }, _) => value_hash(&data.to_le_bytes()),
            (BusRequest::IoWrite { data, .. }, _) => value_hash(&data.to_le_bytes()),
            (BusRequest::WriteLine { data, .. }, _) => value_hash(data),
            _ => 0,
        };
        let transaction = Transaction {
            time_ps: flight.arrive.0,
            source: core.0.into(),
            target: self.unit_number(flight.unit()),
            kind: TransactionKind::of(request),
            address,
            value,
        };
        if let Some(log) = &mut self.log {
            log.transaction(&transaction);
        }
    }

    /// Logs a change of a pin or clock that no core's request has caused.
    pub(crate) fn log_event(&mut self, event: &Event) {
        let (tile, kind, value) = match *event {
            Event::Interrupt { core, lint1 } => {
                let tile = self.description().topology.tile_of(core);
                (tile, TransactionKind::Pin, u64::from(lint1))
            }
            Event::Divider { tile } => {
                let divider = self.uncore.tiles[tile.index()].registers.divider();
                (tile, TransactionKind::Control, divider.into())
            }
            Event::HostReply { .. }
            | Event::Release { .. }
            | Event::VoltageStep
            | Event::Fault { .. } => return,
        };
        let transaction = Transaction {
            time_ps: self.now.0,
            source: self.slots.len() as u32,
            target: self.unit_number(Unit::Crb(tile)),
            kind,
            address: 0,
            value,
        };
        if let Some(log) = &mut self.log {
            log.transaction(&transaction);
        }
    }
}
