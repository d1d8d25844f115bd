//! The difference between two starts of one chip: the instants at which cores leave reset.
//!
//! The management PC releases cores one after the other over PCIe, at instants that no program can
//! rely on. Without a seed, all cores leave reset at the instant of their release. With a seed,
//! each core leaves reset later by up to the description's spread, at an edge of the fast clock,
//! from which all tile clocks derive. A seed stands for one start of the chip: equal seeds give
//! equal runs, to the picosecond.

use rockcreek_defs::CoreId;

use crate::description::Description;

/// The time in picoseconds from a core's release by the host to the end of its reset; 0 without a
/// jitter seed.
pub(crate) fn release_delay_ps(description: &Description, core: CoreId) -> u64 {
    let Some(seed) = description.setup.jitter else { return 0 };
    let edge_ps = description.clocks.fast_period_ps;
    let edges = description.release_spread_ps / edge_ps + 1;
    scrambled(seed, core.0.into()) % edges * edge_ps
}

/// Output number `n` of the generator SplitMix64 [steele-2014-splitmix].
fn scrambled(seed: u64, n: u64) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut z = seed.wrapping_add(GOLDEN.wrapping_mul(n + 1));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for seed 1234567, as the generator's authors publish them.
    #[test]
    fn the_generator_is_splitmix64() {
        let outputs = [0, 1, 2].map(|n| scrambled(1_234_567, n));
        let published =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(outputs, published);
    }
}
