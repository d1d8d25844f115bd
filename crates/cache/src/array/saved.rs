//! The saved form of an array: geometry and contents, without what can be derived from them.

use rockcreek_defs::LINE_BYTES;
use serde::{Deserialize, Serialize, Serializer};

use super::Array;
use crate::config::Geometry;
use crate::replacement::{MAX_WAYS, Replacement};
use crate::set_state::SetState;

#[derive(Deserialize)]
pub(super) struct SavedArray {
    geometry: Geometry,
    policy: Replacement,
    tags: Vec<u32>,
    #[serde(with = "serde_bytes")]
    replacement: Vec<u8>,
    #[serde(with = "serde_bytes")]
    data: Vec<u8>,
}

/// The same, of an array that is there.
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
            replacement: self.replacements().collect(),
            data: self.data.as_flattened(),
        };
        saved.serialize(serializer)
    }
}

impl TryFrom<SavedArray> for Array {
    type Error = String;

    fn try_from(saved: SavedArray) -> Result<Array, String> {
        let Geometry { size_bytes, ways } = saved.geometry;
        if !ways.is_power_of_two() || ways as usize > MAX_WAYS || !size_bytes.is_power_of_two() {
            return Err(format!("no cache has {size_bytes} bytes in {ways} ways"));
        }
        let smallest = ways.saturating_mul(LINE_BYTES as u32);
        if size_bytes < smallest || saved.data.len() != size_bytes as usize {
            return Err("a cache's contents do not fit its geometry".to_owned());
        }
        let mut array = Array::new(saved.geometry, saved.policy);
        let (data, rest) = saved.data.as_chunks();
        let expected = (array.tags.len(), array.sets.len(), array.data.len(), 0);
        if (saved.tags.len(), saved.replacement.len(), data.len(), rest.len()) != expected {
            return Err("a cache's contents do not fit its geometry".to_owned());
        }
        let limit = array.table.states();
        if saved.replacement.iter().any(|&state| usize::from(state) >= limit) {
            return Err("a cache's replacement state is out of range".to_owned());
        }
        array.tags = saved.tags;
        array.sets = saved.replacement.into_iter().map(SetState::of).collect();
        array.data = data.to_vec();
        Ok(array)
    }
}
