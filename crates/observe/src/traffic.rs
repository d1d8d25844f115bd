//! The message matrix: mesh packets from each source core to each target unit, and how long the
//! core waited for their answers.

use serde::{Deserialize, Serialize};

/// Packets and payload bytes of one pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    pub packets: u64,
    pub bytes: u64,
    /// The sum of the times from each request to its answer, in picoseconds.
    pub waited_ps: u64,
}

/// Traffic by source core (row) and target unit (column).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrafficMatrix {
    units: Vec<String>,
    cells: Vec<Traffic>,
}

impl TrafficMatrix {
    /// An empty matrix of `sources` cores and the units of these names.
    pub fn new(sources: usize, units: Vec<String>) -> TrafficMatrix {
        let cells = vec![Traffic::default(); sources * units.len()];
        TrafficMatrix { units, cells }
    }

    /// The names of the target units, in the order of the columns.
    pub fn units(&self) -> &[String] {
        &self.units
    }

    /// The number of source cores.
    pub fn sources(&self) -> usize {
        self.cells.len().checked_div(self.units.len()).unwrap_or(0)
    }

    fn cell(&mut self, source: usize, unit: usize) -> &mut Traffic {
        debug_assert!(unit < self.units.len(), "unit {unit} has no name");
        &mut self.cells[source * self.units.len() + unit]
    }

    /// Counts one packet.
    pub fn count(&mut self, source: usize, unit: usize, payload_bytes: u64) {
        self.add(source, unit, &Traffic { packets: 1, bytes: payload_bytes, waited_ps: 0 });
    }

    /// Counts an answer that came `ps` picoseconds after its request.
    pub fn wait(&mut self, source: usize, unit: usize, ps: u64) {
        self.cell(source, unit).waited_ps += ps;
    }

    /// Adds traffic that was counted elsewhere.
    pub fn add(&mut self, source: usize, unit: usize, more: &Traffic) {
        let cell = self.cell(source, unit);
        cell.packets += more.packets;
        cell.bytes += more.bytes;
        cell.waited_ps += more.waited_ps;
    }

    /// The traffic of one source, by unit.
    pub fn row(&self, source: usize) -> &[Traffic] {
        let start = source * self.units.len();
        &self.cells[start..start + self.units.len()]
    }

    /// All traffic.
    pub fn total(&self) -> Traffic {
        self.cells.iter().fold(Traffic::default(), |sum, cell| Traffic {
            packets: sum.packets + cell.packets,
            bytes: sum.bytes + cell.bytes,
            waited_ps: sum.waited_ps + cell.waited_ps,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_counted_where_they_go() {
        let units = vec!["mpb 00".to_owned(), "memory 0".to_owned(), "fpga".to_owned()];
        let mut matrix = TrafficMatrix::new(2, units);
        matrix.count(1, 0, 32);
        matrix.count(1, 0, 4);
        matrix.count(0, 2, 4);
        matrix.wait(1, 0, 70);
        assert_eq!(matrix.sources(), 2);
        assert_eq!(matrix.row(1)[0], Traffic { packets: 2, bytes: 36, waited_ps: 70 });
        assert_eq!(matrix.row(1)[1], Traffic::default());
        assert_eq!(matrix.total(), Traffic { packets: 3, bytes: 40, waited_ps: 70 });
    }
}
