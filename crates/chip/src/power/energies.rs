//! Energies up to the present, by unit, part and domain, for the guest's power meter, an observer's
//! series and a result.

use rockcreek_board::METERED;
use rockcreek_defs::{BusRequest, CoreId, LINE_BYTES, Ps};
use rockcreek_engine::Key;
use rockcreek_observe::Statistic;
use rockcreek_power::{EnergySeries, Kind, MarkEnergy};

use crate::power::activity::Requests;
use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::slot::Phase;
use crate::uncore::voltage_domains::FIXED_RAILS;
use crate::uncore::wiring::Unit;

impl<P: Processor> Chip<P> {
    /// The level of a voltage domain, in steps of 6.25 mV. The rails that the regulator does not
    /// control always have the nominal level.
    pub(crate) fn level_of(&self, domain: usize) -> u8 {
        match domain {
            FIXED_RAILS => self.description().power.nominal_level,
            domain => self.uncore.board.voltage.level(domain),
        }
    }

    /// The energy in femtojoules of each part of all units of a kind since power-on. The cores must
    /// have been brought to the present.
    fn unit_energies(&self, kind: Kind, requests: &Requests) -> Vec<Vec<u64>> {
        let description = self.description();
        let energies = |unit| {
            let counts = self.unit_counts(kind, unit, requests);
            let level = self.level_of(description.domain_of_unit(kind, unit));
            self.uncore.accounts.energies(&description.power, kind, unit, &counts, level)
        };
        (0..description.population().of(kind)).map(energies).collect()
    }

    /// The energy in femtojoules that each voltage domain has taken since power-on; the last entry
    /// is that of the rails without a regulator.
    pub(crate) fn domain_energies(&self) -> [u64; METERED] {
        let mut domains = [0; METERED];
        let requests = self.requests();
        for kind in Kind::ALL {
            for (unit, parts) in self.unit_energies(kind, &requests).iter().enumerate() {
                domains[self.description().domain_of_unit(kind, unit)] += parts.iter().sum::<u64>();
            }
        }
        domains
    }

    /// Call before a read is performed: if the read is of a register of the FPGA's power meter,
    /// makes the meter measure now.
    pub(crate) fn convert_before(&mut self, core: CoreId, key: Key) {
        let slot = &self.slots[core.index()];
        let (Phase::Flight(flight), Some(request)) = (slot.phase, slot.request()) else { return };
        let bytes = match *request {
            BusRequest::Read { size, .. } => size.into(),
            BusRequest::ReadLine { .. } => LINE_BYTES as u32,
            _ => return,
        };
        let board = &self.uncore.board;
        if flight.unit() != Unit::System || !board.converts_power(key.time, flight.offset, bytes) {
            return;
        }
        self.now = self.now.max(key.time);
        self.settle_counts();
        let energies = self.domain_energies();
        self.uncore.board.power.convert(key.time, energies);
    }

    /// Brings the cores and all counts to the present.
    fn settle_counts(&mut self) {
        self.settle();
        self.uncore.count_routes();
    }

    /// Starts recording the domains' energies, at instants `every_ps` picoseconds apart and at the
    /// program's marks.
    pub fn observe_energy(&mut self, every_ps: u64) {
        self.settle_counts();
        let series = EnergySeries::new(every_ps, self.now.0, self.domain_energies().to_vec());
        self.energy_series = Some(Box::new(series));
    }

    /// The next instant at which the energy series has a sample; `Ps::NEVER` if no series is
    /// recorded.
    pub(crate) fn next_energy_sample(&self) -> Ps {
        self.energy_series.as_ref().map_or(Ps::NEVER, |series| Ps(series.next_ps()))
    }

    /// Records the energies of the present instant. All cores must have been brought to that
    /// instant.
    pub(crate) fn sample_energies(&mut self) {
        self.uncore.count_routes();
        let energies = self.domain_energies().to_vec();
        if let Some(series) = &mut self.energy_series {
            series.push(self.now.0, energies);
        }
    }

    /// Records the energies at a mark that the program on `core` has set; does nothing if no series
    /// is recorded.
    pub(crate) fn note_mark(&mut self, core: CoreId) {
        if self.energy_series.is_none() {
            return;
        }
        self.settle_counts();
        let domains = self.domain_energies().to_vec();
        let core = self.unit_energies(Kind::Core, &self.requests())[core.index()].iter().sum();
        let mark = self.uncore.board.host.marks().len() - 1;
        if let Some(series) = &mut self.energy_series {
            series.marks.push(MarkEnergy { mark, domains, core });
        }
    }

    /// All energies since power-on (in femtojoules) as one tree: domains, units by kind, the
    /// guest's meter, and the series if there is one. Brings the cores to the present.
    pub fn energy(&mut self) -> Statistic {
        self.settle_counts();
        let count = Statistic::Count;
        let list = |values: &[u64]| Statistic::List(values.iter().copied().map(count).collect());
        let requests = self.requests();
        let units = |kind: Kind| {
            let unit = |parts: &Vec<u64>| {
                let names = kind.parts().iter().map(|part| part.name);
                Statistic::group(names.zip(parts.iter().copied().map(count)))
            };
            Statistic::List(self.unit_energies(kind, &requests).iter().map(unit).collect())
        };
        let domain_of = |kind: Kind| {
            let units = 0..self.description().population().of(kind);
            let domains = units.map(|unit| self.description().domain_of_unit(kind, unit) as u64);
            list(&domains.collect::<Vec<_>>())
        };
        let names = ["cores", "tiles", "routers", "memory", "system", "clocks"];
        let meter = &self.uncore.board.power;
        let meter = Statistic::group([
            ("conversions", count(meter.conversions)),
            ("time_ps", count(meter.time().0)),
            ("domains_fj", list(meter.energy())),
            ("power_uw", count(meter.microwatts())),
        ]);
        let mut tree = vec![
            ("time_ps".to_owned(), count(self.now.0)),
            ("domains_fj".to_owned(), list(&self.domain_energies())),
            ("meter".to_owned(), meter),
        ];
        for (kind, name) in Kind::ALL.into_iter().zip(names) {
            tree.push((name.to_owned(), units(kind)));
            tree.push((format!("{name}_domain"), domain_of(kind)));
        }
        if let Some(series) = &self.energy_series {
            let samples = &series.samples;
            let times = samples.iter().map(|(time, _)| *time).collect::<Vec<_>>();
            let energies = samples.iter().map(|(_, domains)| list(domains)).collect();
            let marks = series.marks.iter().map(|mark| {
                Statistic::group([
                    ("mark", count(mark.mark as u64)),
                    ("domains_fj", list(&mark.domains)),
                    ("core_fj", count(mark.core)),
                ])
            });
            tree.push(("sample_ps".to_owned(), list(&times)));
            tree.push(("sample_fj".to_owned(), Statistic::List(energies)));
            tree.push(("marks".to_owned(), Statistic::List(marks.collect())));
            tree.push(("samples_dropped".to_owned(), count(series.dropped(self.now.0))));
        }
        Statistic::group(tree)
    }
}
