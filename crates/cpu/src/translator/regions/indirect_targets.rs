//! Targets of indirect branches: a small table from guest address to translated code.
//!
//! The code found in the table checks itself that it is still valid, so an old target does no harm.
//!
//! An interpreter's loop (`benches/programs/bytecode.c`) takes 4.3 times the host's instructions
//! without this path (2026-11-29).

use std::mem::offset_of;

/// The number of places in the table, a power of two. Translated code masks an address with this
/// number less one. CRuby has 25,000 translated blocks after its start, many reached by returns.
pub(crate) const TARGETS: usize = 32768;
/// Bits of a key: `VALID` is set in every place in use; `USER` is set for code of ring 3.
const VALID: u64 = 1 << 32;
const USER: u64 = 1 << 33;
/// The lowest bit of the field of a key that holds the number of the state of pipes and x87 (in
/// `Carries`).
const CARRIED: u32 = 34;

/// The upper half of a target's key; the lower half is the address.
pub(crate) fn key(user: bool, carried: u32) -> u64 {
    VALID | if user { USER } else { 0 } | u64::from(carried) << CARRIED
}

/// A value that is XORed with an address to find its place, because one address may be reached with
/// many states of pipes and x87.
pub(crate) fn spread(carried: u32) -> u32 {
    carried.wrapping_mul(0x9E37_79B9) >> (u32::BITS - TARGETS.trailing_zeros())
}

fn place(eip: u32, carried: u32) -> usize {
    (eip ^ spread(carried)) as usize % TARGETS
}

/// Where code for one state of pipes and x87 goes on: an indirect target, or an exit of a region.
/// Code is entered with the address of its `Target` in RAX, or 0, if the state's number is in
/// `HostFrame::carried`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Target {
    key: u64,
    /// The host address of the code.
    pub entry: u64,
}

/// The offset of a target's entry, and that of the upper half of its key, which shifted right by
/// `CARRIED_SHIFT` is the number of the state.
pub(crate) const ENTRY: i8 = offset_of!(Target, entry) as i8;
pub(crate) const UPPER: i8 = offset_of!(Target, key) as i8 + 4;
pub(crate) const CARRIED_SHIFT: i8 = CARRIED as i8 - 32;

impl Target {
    pub fn new(eip: u32, user: bool, carried: u32, entry: u64) -> Target {
        Target { key: u64::from(eip) | key(user, carried), entry }
    }
}

#[derive(Debug)]
pub(crate) struct Targets(Box<[Target]>);

impl Default for Targets {
    fn default() -> Targets {
        Targets(vec![Target::default(); TARGETS].into_boxed_slice())
    }
}

impl Targets {
    pub fn put(&mut self, eip: u32, user: bool, carried: u32, entry: u64) {
        self.0[place(eip, carried)] = Target::new(eip, user, carried, entry);
    }

    #[inline]
    pub fn get(&self, eip: u32, user: bool, carried: u32) -> Option<u64> {
        let target = &self.0[place(eip, carried)];
        let key = u64::from(eip) | key(user, carried);
        (target.key == key).then_some(target.entry)
    }

    pub fn forget(&mut self, eip: u32, carried: u32) {
        self.0[place(eip, carried)] = Target::default();
    }

    /// The host address of the table, for translated code.
    pub fn address(&self) -> u64 {
        self.0.as_ptr() as u64
    }
}
