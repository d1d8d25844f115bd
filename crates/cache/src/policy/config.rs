//! Geometry and latency of the caches; the chip description contains them.

use rockcreek_defs::LINE_BYTES;
use serde::{Deserialize, Serialize};

use crate::policy::StoreMiss;
use crate::policy::replacement::Replacement;

/// The size in bytes of the smallest page. A way of L1 must fit into it, so that address
/// translation does not change the index of a set.
const PAGE_BYTES: u32 = 4096;

/// The size in bytes and the number of ways of one cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Geometry {
    pub size_bytes: u32,
    pub ways: u32,
}

impl Geometry {
    /// The number of sets.
    pub fn sets(&self) -> u32 {
        self.way_bytes() / LINE_BYTES as u32
    }

    /// The number of bytes in one way: lines this far apart share a set.
    pub fn way_bytes(&self) -> u32 {
        self.size_bytes / self.ways
    }
}

/// Sizes, policies and latencies of one core's caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheConfig {
    pub line_bytes: u32,
    pub l1i: Geometry,
    pub l1d: Geometry,
    pub l2: Geometry,
    pub replacement: Replacement,
    /// L2's own replacement policy, if it differs from L1's. This field and the next are not
    /// encoded, so that a chip with the default values keeps its state hash.
    #[serde(skip)]
    pub l2_replacement: Option<Replacement>,
    #[serde(skip)]
    pub l2_store_miss: StoreMiss,
    /// Core cycles that an access served by L2 takes in addition to an L1 hit.
    pub l2_hit_cycles: u32,
}

/// The error of a cache configuration whose sizes or numbers of ways the model cannot simulate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The line size is not 32 bytes, which the mesh, the MPB and the write-combine buffer require.
    #[error("cache.line is {0} bytes, but packets carry lines of {LINE_BYTES} bytes")]
    Line(u32),
    #[error("cache.{cache}_ways is {ways}; it must be a power of two, at most {most}")]
    Ways { cache: &'static str, ways: u32, most: usize },
    #[error("cache.{cache}_size is {size} bytes; it must be a power of two of whole sets")]
    Size { cache: &'static str, size: u32 },
    #[error("cache.{cache}: a way of {way} bytes is larger than a page of {PAGE_BYTES} bytes")]
    WayLargerThanPage { cache: &'static str, way: u32 },
}

impl CacheConfig {
    /// Returns an error if the configuration has a value that the model does not support.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if self.line_bytes as usize != LINE_BYTES {
            return Err(ConfigError::Line(self.line_bytes));
        }
        let first = self.replacement;
        let second = self.l2_replacement.unwrap_or(first);
        for (cache, geometry, policy) in
            [("l1i", self.l1i, first), ("l1d", self.l1d, first), ("l2", self.l2, second)]
        {
            let most = policy.most_ways();
            let Geometry { size_bytes: size, ways } = geometry;
            if !ways.is_power_of_two() || ways as usize > most {
                return Err(ConfigError::Ways { cache, ways, most });
            }
            if !size.is_power_of_two() || size < ways * self.line_bytes {
                return Err(ConfigError::Size { cache, size });
            }
            if cache != "l2" && geometry.way_bytes() > PAGE_BYTES {
                return Err(ConfigError::WayLargerThanPage { cache, way: geometry.way_bytes() });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> CacheConfig {
        CacheConfig {
            line_bytes: 32,
            l1i: Geometry { size_bytes: 16 << 10, ways: 4 },
            l1d: Geometry { size_bytes: 16 << 10, ways: 4 },
            l2: Geometry { size_bytes: 256 << 10, ways: 4 },
            replacement: Replacement::TreePlru,
            l2_replacement: None,
            l2_store_miss: StoreMiss::Around,
            l2_hit_cycles: 18,
        }
    }

    #[test]
    fn the_real_geometry_is_valid() {
        assert_eq!(config().validate(), Ok(()));
        assert_eq!(config().l2.sets(), 2048);
        assert_eq!(config().l2.way_bytes(), 64 << 10);
    }

    #[test]
    fn what_cannot_be_built_is_refused_by_name() {
        let mut large_way = config();
        large_way.l1d.ways = 2;
        let error = large_way.validate().unwrap_err();
        assert_eq!(error, ConfigError::WayLargerThanPage { cache: "l1d", way: 8192 });
        assert!(error.to_string().contains("l1d"));

        let mut odd = config();
        odd.l2.size_bytes = 200 << 10;
        assert_eq!(odd.validate(), Err(ConfigError::Size { cache: "l2", size: 200 << 10 }));
        let mut ways = config();
        ways.l1i.ways = 3;
        assert_eq!(ways.validate(), Err(ConfigError::Ways { cache: "l1i", ways: 3, most: 8 }));
        ways.l1i.ways = 0;
        assert_eq!(ways.validate(), Err(ConfigError::Ways { cache: "l1i", ways: 0, most: 8 }));
        let mut wide = config();
        wide.l2.ways = 16;
        assert_eq!(wide.validate(), Err(ConfigError::Ways { cache: "l2", ways: 16, most: 8 }));
        wide.l2_replacement = Some(Replacement::TrueLru);
        assert_eq!(wide.validate(), Ok(()));
        let mut line = config();
        line.line_bytes = 64;
        assert_eq!(line.validate(), Err(ConfigError::Line(64)));
        let mut none = config();
        none.l1d.size_bytes = 0;
        assert_eq!(none.validate(), Err(ConfigError::Size { cache: "l1d", size: 0 }));
    }
}
