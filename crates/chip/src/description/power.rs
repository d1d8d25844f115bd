//! Voltages and power in a chip description: the range of the regulators, the voltages that clocks
//! need, the power that units take.

use rockcreek_board::VoltageConfig;
use rockcreek_power::{Kind, PowerConfig};

use crate::description::DescriptionError;
use crate::description::reader::Reader;
use crate::description::timing::LONGEST_PS;

const LEVELS: &str = "6.25 mV";
/// The largest cost of a unit or event that a description may have: 1 kW, or 1 uJ for an event.
/// Larger values are mistakes.
const MOST_COST: u64 = 1_000_000_000;
/// The highest frequency that a description may give a clock, in MHz.
const MOST_MHZ: u64 = 10_000;

/// The values that the section `power` of a chip description gives.
pub(crate) struct Power {
    pub config: PowerConfig,
    pub conversion_ps: u64,
}

/// Reads the voltage regulator's keys of the table `board`.
pub(crate) fn voltage(board: &mut Reader) -> Result<VoltageConfig, DescriptionError> {
    let least = board.number("voltage_least", LEVELS, 1..=255)?;
    let most = board.number("voltage_most", LEVELS, least..=255)?;
    Ok(VoltageConfig {
        start_level: board.number("voltage_start", LEVELS, least..=most)? as u8,
        least_level: least as u8,
        most_level: most as u8,
        transition_ps: board.number("voltage_transition", "ps", 0..=LONGEST_PS)?,
        step_levels: board.number("voltage_step", LEVELS, 1..=255)? as u8,
        adc_step_nanovolts: board.number("voltage_adc_step", "nV", 1..=1_000_000_000)?,
    })
}

fn table_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Core => "core",
        Kind::Tile => "tile",
        Kind::Router => "router",
        Kind::Memory => "memory",
        Kind::System => "system",
        Kind::Clocks => "clocks",
    }
}

pub(crate) fn power(section: &mut Reader) -> Result<Power, DescriptionError> {
    let mut costs = Vec::new();
    for kind in Kind::ALL {
        costs.push(section.section(table_of(kind), |table| {
            let cost = |part: &rockcreek_power::Part| {
                let unit = if part.by_time { "uW" } else { "fJ" };
                table.number(part.name, unit, 0..=MOST_COST)
            };
            kind.parts().iter().map(cost).collect::<Result<Vec<_>, _>>()
        })?);
    }
    let mut needs: Vec<(u32, u8)> = Vec::new();
    for mut row in section.tables("needs")? {
        let least = needs.last().map_or(1, |(mhz, _)| u64::from(*mhz) + 1);
        let mhz = row.plain("mhz", least..=MOST_MHZ)? as u32;
        let least = needs.last().map_or(1, |(_, level)| u64::from(*level));
        needs.push((mhz, row.plain("level", least..=255)? as u8));
        row.sources()?;
        row.finish()?;
    }
    Ok(Power {
        conversion_ps: section.number("adc_conversion", "ps", 1..=LONGEST_PS)?,
        config: PowerConfig {
            nominal_level: section.number("nominal", LEVELS, 1..=255)? as u8,
            costs,
            needs,
        },
    })
}
