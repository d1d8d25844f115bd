//! The code of a chip: decoded, and as host code where it is hot.

use std::collections::BTreeSet;

use crate::code_cache::interface::Translator;
use crate::frontend::decoded_code::DecodedCode;
use crate::observe::host_profile::ProfileReport;
use crate::observe::transfers::Entries;

/// What the cores that run on one host thread know of their code. It never affects a result.
#[derive(Debug)]
pub struct CodeCache<T: Translator> {
    /// Host code of what is hot; `None` where it is switched off.
    pub(crate) translations: Option<T>,
    pub(crate) decoded: DecodedCode,
    /// Linear addresses of instructions that are never translated: an observer looks at them.
    untranslated: BTreeSet<u32>,
    /// Host code notes control transfers, direct jumps to these addresses.
    pub(crate) transfers: Option<Entries>,
    /// How often code is interpreted before it is translated.
    heat: Option<u8>,
}

/// A copy knows nothing yet but which code is translated, when, and whether it is counted.
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
    /// Times that a block is interpreted before its region is translated, if nobody says otherwise.
    /// To translate one costs the host as much as to interpret it some hundreds of times.
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

    /// Drops all code; what is counted of it goes on.
    pub(crate) fn clear(&mut self) {
        let profile = self.decoded.profile.take();
        *self = self.clone();
        self.decoded.profile = profile;
        self.set_translation(self.heat);
    }

    /// Counts from now on where instructions are executed; what was translated is translated anew.
    pub fn set_profiling(&mut self, on: bool) {
        // The code that counts goes before its counts do.
        self.translations = None;
        self.decoded.profile = on.then(Box::default);
        self.set_translation(self.heat);
    }

    /// Adds what was counted to a report.
    pub fn report(&self, report: &mut ProfileReport) {
        if let Some(profile) = &self.decoded.profile {
            profile.add_to(report);
        }
    }

    /// Translates code when it has been interpreted `heat` times; `None`: never. No difference
    /// where there is no translator for the host.
    pub fn set_translation(&mut self, heat: Option<u8>) {
        self.heat = heat;
        let profile = self.decoded.profile.as_deref_mut();
        self.translations = heat.and_then(|hot| T::new(hot, profile));
    }

    /// Leaves the instruction at a linear address to the interpreter, for a probe there.
    pub fn leave_to_interpreter(&mut self, linear: u32) {
        if self.untranslated.insert(linear) {
            self.set_translation(self.heat);
        }
    }

    /// Code notes control transfers from now on, direct jumps to these addresses; or none. What was
    /// translated is translated anew.
    pub fn note_transfers(&mut self, entries: Option<Entries>) {
        self.transfers = entries;
        self.set_translation(self.heat);
    }

    /// Whether the instruction at a linear address is never translated.
    pub(crate) fn is_left_to_interpreter(&self, linear: u32) -> bool {
        self.untranslated.contains(&linear)
    }
}
