//! Where indirect branches went: a small table from address to translated code.
//!
//! The code found there checks by itself whether it is still what is to be executed, so an old
//! entry does no harm.

/// Entries; generated code masks an address with one less.
pub(super) const TARGETS: usize = 4096;
/// Set in the key of every entry that is used, and for ring 3.
const VALID: u64 = 1 << 32;
const USER: u64 = 1 << 33;
/// From here on, what the pipes hold.
const CARRIED: u32 = 34;

/// The key of an address without the address.
pub(super) fn key(user: bool, carried: u32) -> u64 {
    VALID | if user { USER } else { 0 } | u64::from(carried) << CARRIED
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Target {
    key: u64,
    entry: u64,
}

#[derive(Debug)]
pub(super) struct Targets(Box<[Target]>);

impl Default for Targets {
    fn default() -> Targets {
        Targets(vec![Target::default(); TARGETS].into_boxed_slice())
    }
}

impl Targets {
    pub fn put(&mut self, eip: u32, user: bool, carried: u32, entry: u64) {
        let key = u64::from(eip) | key(user, carried);
        self.0[eip as usize % TARGETS] = Target { key, entry };
    }

    #[inline]
    pub fn get(&self, eip: u32, user: bool, carried: u32) -> Option<u64> {
        let target = &self.0[eip as usize % TARGETS];
        let key = u64::from(eip) | key(user, carried);
        (target.key == key).then_some(target.entry)
    }

    pub fn forget(&mut self, eip: u32) {
        self.0[eip as usize % TARGETS] = Target::default();
    }

    /// Of the table, for generated code.
    pub fn address(&self) -> u64 {
        self.0.as_ptr() as u64
    }
}
