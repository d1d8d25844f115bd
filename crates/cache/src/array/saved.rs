//! The saved form of an array: geometry and contents, without values that follow from them.

use rockcreek_defs::LINE_BYTES;
use serde::{Deserialize, Serialize, Serializer};

use super::Array;
use crate::policy::config::Geometry;
use crate::policy::replacement::Replacement;
use crate::policy::set_state::SetState;
use crate::policy::true_lru;

#[derive(Deserialize)]
pub(super) struct SavedArray {
    geometry: Geometry,
    policy: Replacement,
    tags: Vec<u32>,
    /// The replacement state of each set in one byte. If the policy keeps an order of use, that
    /// order instead, in eight bytes, little-endian.
    #[serde(with = "serde_bytes")]
    replacement: Vec<u8>,
    #[serde(with = "serde_bytes")]
    data: Vec<u8>,
}

/// The saved form of an existing array, borrowed from it for writing.
#[derive(Serialize)]
#[serde(rename = "Array")]
struct ArrayToSave<'a> {
    geometry: &'a Geometry,
    policy: &'a Replacement,
    tags: &'a [u32],
    #[serde(with = "serde_bytes")]
    replacement: Vec<u8>,
    #[serde(with = "serde_bytes")]
    data: &'a [u8],
}

impl Serialize for Array {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = ArrayToSave {
            geometry: &self.geometry,
            policy: &self.policy,
            tags: &self.tags,
            replacement: match self.table.keeps_order() {
                true => self.orders.iter().flat_map(|order| order.to_le_bytes()).collect(),
                false => self.replacements().collect(),
            },
            data: self.data.as_flattened(),
        };
        saved.serialize(serializer)
    }
}

impl TryFrom<SavedArray> for Array {
    type Error = String;

    fn try_from(saved: SavedArray) -> Result<Array, String> {
        let Geometry { size_bytes, ways } = saved.geometry;
        if !ways.is_power_of_two()
            || ways as usize > saved.policy.most_ways()
            || !size_bytes.is_power_of_two()
        {
            return Err(format!("no cache has {size_bytes} bytes in {ways} ways"));
        }
        let smallest = ways.saturating_mul(LINE_BYTES as u32);
        if size_bytes < smallest || saved.data.len() != size_bytes as usize {
            return Err("a cache's contents do not fit its geometry".to_owned());
        }
        let mut array = Array::new(saved.geometry, saved.policy);
        let (data, rest) = saved.data.as_chunks();
        let states = match array.table.keeps_order() {
            true => array.take_orders(&saved.replacement)?,
            false => saved.replacement,
        };
        let expected = (array.tags.len(), array.sets.len(), array.data.len(), 0);
        if (saved.tags.len(), states.len(), data.len(), rest.len()) != expected {
            return Err("a cache's contents do not fit its geometry".to_owned());
        }
        let limit = array.table.states();
        if states.iter().any(|&state| usize::from(state) >= limit) {
            return Err("a cache's replacement state is out of range".to_owned());
        }
        array.tags = saved.tags;
        array.sets = states.into_iter().map(SetState::of).collect();
        array.data = data.to_vec();
        Ok(array)
    }
}

impl Array {
    /// Sets each set's order of use from its saved form; returns the sets' state bytes, which
    /// follow from the orders. `Err` if `saved` is too short, too long or no valid order.
    fn take_orders(&mut self, saved: &[u8]) -> Result<Vec<u8>, String> {
        let (words, rest) = saved.as_chunks();
        let ways = self.ways();
        self.orders = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        if !rest.is_empty() || !self.orders.iter().all(|&order| true_lru::is_order(order, ways)) {
            return Err("a cache's order of uses names its ways otherwise than once".to_owned());
        }
        Ok(self.orders.iter().map(|&order| true_lru::latest(order) as u8).collect())
    }
}
