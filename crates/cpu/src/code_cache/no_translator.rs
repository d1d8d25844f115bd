//! The translator for hosts without one: all code is interpreted.

use crate::code_cache::cache::CodeCache;
use crate::code_cache::interface::Translator;
use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::observe::host_profile::Profile;
use crate::state::exception::{Done, Stop};

/// A type without values, so no translator of this kind can exist.
#[derive(Debug)]
pub enum NoTranslator {}

impl Translator for NoTranslator {
    fn new(_: u8, _: Option<&mut Profile>) -> Option<NoTranslator> {
        None
    }

    fn is_full(&self) -> bool {
        match *self {}
    }

    fn enter(_: &mut Core, _: &mut CodeCache<NoTranslator>, _: &mut dyn Bus) -> Result<bool, Stop> {
        Ok(false)
    }

    fn resume(
        _: &mut Core,
        _: &mut CodeCache<NoTranslator>,
        _: u64,
        _: &mut dyn Bus,
    ) -> Option<Done> {
        None
    }
}
