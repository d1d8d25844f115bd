//! The decoded instructions of the cores on one host thread, and the host code made of those that
//! are executed often.

use std::collections::BTreeSet;

use crate::code_cache::interface::Translator;
use crate::frontend::decoded_code::DecodedCode;
use crate::observe::host_profile::ProfileReport;
use crate::observe::transfers::Entries;

/// The decoded and translated code of the cores on one host thread. The code cache never affects a
/// result.
#[derive(Debug)]
pub struct CodeCache<T: Translator> {
    /// The host code of frequently executed regions; `None` if translation is off or the host has
    /// no translator.
    pub(crate) translations: Option<T>,
    pub(crate) decoded: DecodedCode,
    /// Linear addresses of instructions that are never translated, because an observer looks at
    /// them.
    untranslated: BTreeSet<u32>,
    /// `Some` if host code records control transfers. Direct jumps are recorded only to these
    /// addresses.
    pub(crate) transfers: Option<Entries>,
    /// After how many interpretations a block is translated; `None`: never.
    heat: Option<u8>,
}

/// A clone has the settings (what is translated, when, and whether executions are counted), but no
/// code and no counts.
impl<T: Translator> Clone for CodeCache<T> {
    fn clone(&self) -> CodeCache<T> {
        let (untranslated, transfers) = (self.untranslated.clone(), self.transfers.clone());
        let mut fresh = CodeCache { untranslated, transfers, heat: self.heat, ..CodeCache::new() };
        fresh.set_profiling(self.decoded.profile.is_some());
        fresh
    }
}

impl<T: Translator> Default for CodeCache<T> {
    fn default() -> CodeCache<T> {
        CodeCache::new()
    }
}

impl<T: Translator> CodeCache<T> {
    /// The default number of interpretations of a block before its region is translated. To
    /// translate a region costs the host as much as to interpret it some hundreds of times.
    pub const HOT: u8 = 100;

    pub fn new() -> CodeCache<T> {
        CodeCache {
            translations: T::new(Self::HOT, None),
            decoded: DecodedCode::default(),
            untranslated: BTreeSet::new(),
            transfers: None,
            heat: Some(Self::HOT),
        }
    }

    /// True if decoded and translated code takes so much of the host's memory that all of it must
    /// be dropped before the cores continue.
    pub(crate) fn is_full(&self) -> bool {
        self.decoded.is_full() || self.translations.as_ref().is_some_and(T::is_full)
    }

    /// Drops all decoded and translated code. Counts of executed instructions are kept.
    pub(crate) fn clear(&mut self) {
        let profile = self.decoded.profile.take();
        *self = self.clone();
        self.decoded.profile = profile;
        self.set_translation(self.heat);
    }

    /// Turns the profile (counts of executed instructions by kind and by who executed them) on,
    /// with all counts zero, or off. All translated code is dropped, because code with and without
    /// counting differs.
    pub fn set_profiling(&mut self, on: bool) {
        // Host code contains addresses of the profile's counters: drop the code first.
        self.translations = None;
        self.decoded.profile = on.then(Box::default);
        self.set_translation(self.heat);
    }

    /// Adds this cache's counts of executed instructions to `report`.
    pub fn report(&self, report: &mut ProfileReport) {
        if let Some(profile) = &self.decoded.profile {
            profile.add_to(report);
        }
    }

    /// Translates code after it has been interpreted `heat` times; `None`: never. Code translated
    /// so far is dropped. Has no effect if there is no translator for the host.
    pub fn set_translation(&mut self, heat: Option<u8>) {
        self.heat = heat;
        let profile = self.decoded.profile.as_deref_mut();
        self.translations = heat.and_then(|hot| T::new(hot, profile));
    }

    /// From now on, the interpreter always executes the instruction at this linear address, so that
    /// a probe there sees it. If the address is new, code translated so far is dropped.
    pub fn leave_to_interpreter(&mut self, linear: u32) {
        if self.untranslated.insert(linear) {
            self.set_translation(self.heat);
        }
    }

    /// From now on, host code records control transfers (calls, returns, interrupts, indirect
    /// jumps); of direct jumps, those to the addresses in `entries`. `None`: it records none. Code
    /// translated so far is dropped.
    pub fn note_transfers(&mut self, entries: Option<Entries>) {
        self.transfers = entries;
        self.set_translation(self.heat);
    }

    /// True if the instruction at a linear address is never translated.
    pub(crate) fn is_left_to_interpreter(&self, linear: u32) -> bool {
        self.untranslated.contains(&linear)
    }
}
