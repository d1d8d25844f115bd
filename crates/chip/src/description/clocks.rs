//! The clocks of a chip description, and the start-up setting that may choose others.
//!
//! The name of a clock is its frequency in MHz with the fraction dropped, as in the platform's
//! presets: `533` means 1600/3 MHz, a period of 1875 ps. Every period is a whole number of
//! picoseconds; a frequency without one is refused.

use serde::{Deserialize, Serialize};

use crate::description::DescriptionError;
use crate::description::reader::Reader;

/// The clocks of a chip: names in MHz, periods in picoseconds. `tile_divider`: of all tiles' clocks
/// at the start; `memory_period_ps`: of the memory's bus clock, which transfers data twice in a
/// period; `divider_change_core_cycles`: cycles of a tile's old clock until a new divider takes
/// effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    pub fast_mhz: u32,
    pub fast_period_ps: u64,
    pub tile_divider: u32,
    pub tile_divider_min: u32,
    pub tile_divider_max: u32,
    pub mesh_mhz: u32,
    pub mesh_period_ps: u64,
    pub memory_period_ps: u64,
    pub timestamp_period_ps: u64,
    pub divider_change_core_cycles: u32,
}

/// The table `setup` of a description, for the start of a chip; its clocks go into `Clocks`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The seed that varies the instants at which cores leave reset; `None`: every core leaves
    /// reset at the instant of its release.
    pub jitter: Option<u64>,
}

/// The number of values (16) of GCBCFG's divider field.
const DIVIDERS: u64 = 16;
/// The number of data transfers in one period of DDR memory's bus clock: one at each of its two
/// edges.
const EDGES: u64 = 2;
const PS_PER_US: u64 = 1_000_000;

/// The period in ps of the clock named `mhz`, times `edges` (transfers in a period). The clock's
/// exact frequency is `mhz`, or one or two thirds of a MHz more; `None` if no such frequency has a
/// period of whole ps.
fn period_ps(mhz: u64, edges: u64) -> Option<u64> {
    let numerator = 3 * edges * PS_PER_US;
    let names = if (1..numerator).contains(&mhz) { 3 * mhz..3 * mhz + 3 } else { 0..0 };
    names.into_iter().find(|thirds| numerator.is_multiple_of(*thirds)).map(|f| numerator / f)
}

pub(crate) fn clocks(section: &mut Reader) -> Result<Clocks, DescriptionError> {
    let mut period = |key: &str| -> Result<(u32, u64), DescriptionError> {
        let mhz = section.number(key, "MHz", 1..=10_000)?;
        let found = period_ps(mhz, 1);
        let problem = || format!("{mhz} MHz has no whole number of ps as its period");
        found.map(|ps| (mhz as u32, ps)).ok_or_else(|| section.error(key, problem()))
    };
    let (fast_mhz, fast_period_ps) = period("fast")?;
    let (mesh_mhz, mesh_period_ps) = period("mesh")?;
    let (_, memory_period_ps) = period("memory")?;
    let (_, timestamp_period_ps) = period("timestamp")?;
    let tile_divider_min = section.number("tile_divider_min", "1", 1..=DIVIDERS)?;
    let tile_divider_max = section.number("tile_divider_max", "1", tile_divider_min..=DIVIDERS)?;
    let allowed = tile_divider_min..=tile_divider_max;
    Ok(Clocks {
        fast_mhz,
        fast_period_ps,
        tile_divider: section.number("tile_divider", "1", allowed)? as u32,
        tile_divider_min: tile_divider_min as u32,
        tile_divider_max: tile_divider_max as u32,
        mesh_mhz,
        mesh_period_ps,
        memory_period_ps,
        timestamp_period_ps,
        divider_change_core_cycles: section.cycles("divider_change_delay", "core cycles")?,
    })
}

/// Reads the table `setup`: clocks as `TILE/MESH/MEMORY`, where MEMORY is the data rate.
pub(crate) fn setup(section: &mut Reader, clocks: &mut Clocks) -> Result<Setup, DescriptionError> {
    if section.has("clocks") {
        let text = section.text("clocks")?;
        *clocks = clocks.set_up(&text).map_err(|problem| section.error("clocks", problem))?;
    }
    let jitter = match section.has("jitter") {
        true => Some(section.plain("jitter", 0..=i64::MAX as u64)?),
        false => None,
    };
    Ok(Setup { jitter })
}

impl Clocks {
    /// The name, in MHz, of a tile's clock at this divider (1 to 16) of the fast clock.
    fn tile_mhz(&self, divider: u32) -> u64 {
        u64::from(self.fast_mhz / divider)
    }

    /// The number of fast clock periods in one mesh period. GCBCFG's field TILE_RATIO is 7 times
    /// this number.
    pub fn mesh_divider(&self) -> u32 {
        (self.mesh_period_ps / self.fast_period_ps).max(1) as u32
    }

    /// The clocks at the start-up setting `text` (`TILE/MESH/MEMORY`, in MHz), or a message about
    /// the error in the setting.
    fn set_up(&self, text: &str) -> Result<Clocks, String> {
        let parts: Vec<u64> = text.split('/').map_while(|part| part.parse().ok()).collect();
        let &[tile, mesh, memory] = &parts[..] else {
            return Err(format!(
                "is \"{text}\"; allowed: the MHz of tile, mesh and memory data, as 533/800/800"
            ));
        };
        let dividers = self.tile_divider_min..=self.tile_divider_max;
        let divider = dividers.clone().find(|divider| self.tile_mhz(*divider) == tile);
        let tiles = || dividers.map(|n| self.tile_mhz(n).to_string()).collect::<Vec<_>>();
        let tile_divider = divider.ok_or_else(|| {
            format!("a tile of {tile} MHz does not exist; allowed: {}", tiles().join(", "))
        })?;
        let fast = u64::from(self.fast_mhz);
        if !(1..=DIVIDERS).any(|divider| mesh.checked_mul(divider) == Some(fast)) {
            return Err(format!(
                "a mesh of {mesh} MHz does not exist; allowed: {fast} MHz divided by 1 to \
                 {DIVIDERS}, without remainder"
            ));
        }
        let memory_period_ps = period_ps(memory, EDGES).ok_or_else(|| {
            format!("memory of {memory} MHz data rate has no period of whole ps; 800, 1066 have")
        })?;
        Ok(Clocks {
            tile_divider,
            mesh_mhz: mesh as u32,
            mesh_period_ps: self.fast_period_ps * (fast / mesh),
            memory_period_ps,
            ..*self
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_clocks_mean_whole_periods() {
        let periods = [533, 800, 1600, 400, 125].map(|mhz| period_ps(mhz, 1));
        assert_eq!(periods, [1875, 1250, 625, 2500, 8000].map(Some));
        assert_eq!([800, 1066, 1333].map(|rate| period_ps(rate, 2)), [2500, 1875, 1500].map(Some));
        assert_eq!([period_ps(1601, 1), period_ps(0, 1)], [None, None]);
    }
}
