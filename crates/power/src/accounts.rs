//! One account for each unit: its counts so far, weighted by the level that they happened at.
//!
//! A count is a number that only ever grows: cycles, instructions, picoseconds. Before a unit's
//! level changes its account is settled ([`Accounts::settle`]); energies at any instant follow
//! from the account, the counts then and the level, without changing anything.

use serde::{Deserialize, Serialize};

use crate::parameters::{Kind, Part, PowerConfig, Scaling};

/// A femtojoule in microwatts times picoseconds.
const FEMTOJOULE: i128 = 1_000;

/// The number of units of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Population {
    pub cores: usize,
    pub tiles: usize,
    pub controllers: usize,
}

impl Population {
    pub fn of(&self, kind: Kind) -> usize {
        match kind {
            Kind::Core => self.cores,
            Kind::Tile | Kind::Router => self.tiles,
            Kind::Memory => self.controllers,
            Kind::System | Kind::Clocks => 1,
        }
    }
}

/// One part of one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sum {
    /// The counts up to the last settlement, each weighted by the level at which it happened, to
    /// the power with which the part's energy follows the voltage.
    weighted: i128,
    /// The count at the last settlement.
    settled: u64,
}

impl Sum {
    fn at(&self, part: &Part, count: u64, level: u8) -> i128 {
        let since = i128::from(count) - i128::from(self.settled);
        self.weighted + since * weight(part.scaling, level)
    }
}

fn weight(scaling: Scaling, level: u8) -> i128 {
    let level = i128::from(level);
    match scaling {
        Scaling::Fixed => 1,
        Scaling::Square => level * level,
        Scaling::Cube => level * level * level,
    }
}

/// All accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accounts {
    /// The sums by kind, unit and part.
    sums: Vec<Vec<Vec<Sum>>>,
}

impl Accounts {
    pub fn new(population: &Population) -> Accounts {
        let of = |kind: Kind| vec![vec![Sum::default(); kind.parts().len()]; population.of(kind)];
        Accounts { sums: Kind::ALL.into_iter().map(of).collect() }
    }

    /// True if these accounts have the sizes for a chip of this population.
    pub fn fit(&self, population: &Population) -> bool {
        let sizes = |accounts: &Accounts| -> Vec<Vec<usize>> {
            let units = |units: &Vec<Vec<Sum>>| units.iter().map(Vec::len).collect();
            accounts.sums.iter().map(units).collect()
        };
        sizes(self) == sizes(&Accounts::new(population))
    }

    /// Settles a unit's account, before the level of its voltage changes. `level`: the level that the
    /// unit has had since the last settlement.
    pub fn settle(&mut self, kind: Kind, unit: usize, counts: &[u64], level: u8) {
        let sums = &mut self.sums[kind as usize][unit];
        debug_assert_eq!(sums.len(), counts.len());
        for ((sum, part), count) in sums.iter_mut().zip(kind.parts()).zip(counts) {
            *sum = Sum { weighted: sum.at(part, *count, level), settled: *count };
        }
    }

    /// The femtojoules of each part of a unit that has these counts and, since the account was
    /// settled, this level.
    pub fn energies(
        &self,
        config: &PowerConfig,
        kind: Kind,
        unit: usize,
        counts: &[u64],
        level: u8,
    ) -> Vec<u64> {
        let sums = &self.sums[kind as usize][unit];
        debug_assert_eq!(sums.len(), counts.len());
        let parts = sums.iter().zip(kind.parts()).zip(counts).zip(config.costs(kind));
        let told = parts.map(|(((sum, part), count), cost)| {
            let nominal = weight(part.scaling, config.nominal_level);
            let unit = if part.by_time { FEMTOJOULE } else { 1 };
            let energy = sum.at(part, *count, level) * i128::from(*cost) / (nominal * unit);
            u64::try_from(energy.max(0)).unwrap_or(u64::MAX)
        });
        told.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Population = Population { cores: 1, tiles: 1, controllers: 1 };

    fn config() -> PowerConfig {
        let costs = Kind::ALL.map(|kind| vec![1_000; kind.parts().len()]).to_vec();
        PowerConfig { nominal_level: 100, costs, needs: Vec::new() }
    }

    #[test]
    fn energy_follows_the_voltage_by_its_power() {
        let mut accounts = Accounts::new(&ONE);
        let counts = [1_000_000, 0, 0, 10, 0, 0, 0, 0];
        // 1 mW of leakage for 1 us, ten cycles of 1 pJ.
        let told = accounts.energies(&config(), Kind::Core, 0, &counts, 100);
        assert_eq!((told[0], told[3]), (1_000_000, 10_000));
        let told = accounts.energies(&config(), Kind::Core, 0, &counts, 50);
        assert_eq!((told[0], told[3]), (125_000, 2_500));
        accounts.settle(Kind::Core, 0, &counts, 100);
        let twice = counts.map(|count| 2 * count);
        let told = accounts.energies(&config(), Kind::Core, 0, &twice, 50);
        assert_eq!((told[0], told[3]), (1_125_000, 12_500));
    }

    #[test]
    fn what_has_its_own_rail_does_not_follow() {
        let accounts = Accounts::new(&ONE);
        let told = accounts.energies(&config(), Kind::Memory, 0, &[1_000, 3], 50);
        assert_eq!(told, [1_000, 3_000]);
    }

    #[test]
    fn settling_more_often_changes_nothing() {
        let steps: Vec<(u64, u8)> = vec![(7, 96), (7_919, 176), (0, 176), (104_729, 208)];
        let (mut seldom, mut often) = (Accounts::new(&ONE), Accounts::new(&ONE));
        let mut count = 0;
        for (more, level) in steps {
            for part in 1..=7 {
                often.settle(Kind::Router, 0, &[count + more * part / 7; 3], level);
            }
            count += more;
            seldom.settle(Kind::Router, 0, &[count; 3], level);
        }
        let told = |of: &Accounts| of.energies(&config(), Kind::Router, 0, &[count + 9; 3], 120);
        assert_eq!(told(&seldom), told(&often));
        assert!(seldom.fit(&ONE) && !seldom.fit(&Population { cores: 2, ..ONE }));
    }
}
