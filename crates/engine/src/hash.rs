//! The hash of a state: XXH3-128 of its postcard encoding, computed while the state is encoded.

use postcard::ser_flavors::Flavor;
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

/// A hash of 128 bits; printed as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateHash(pub u128);

impl std::fmt::Display for StateHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

struct Hasher(Xxh3);

impl Flavor for Hasher {
    type Output = StateHash;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.update(&[byte]);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.update(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<StateHash> {
        Ok(StateHash(self.0.digest128()))
    }
}

/// Hashes plain data. Panics only for types that postcard cannot encode at all.
pub fn state_hash<T: Serialize + ?Sized>(state: &T) -> StateHash {
    postcard::serialize_with_flavor(state, Hasher(Xxh3::new())).expect("state is plain data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_states_have_equal_hashes() {
        assert_eq!(state_hash(&(1u8, vec![2u32])), state_hash(&(1u8, vec![2u32])));
        assert_ne!(state_hash(&(1u8, vec![2u32])), state_hash(&(1u8, vec![3u32])));
        assert_eq!(state_hash(&0u8).to_string().len(), 32);
    }
}
