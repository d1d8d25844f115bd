//! The choice of the translator for this host.

#[cfg(not(translator))]
use crate::code_cache::no_translator::NoTranslator;
#[cfg(translator)]
use crate::translator::Translations;

#[cfg(translator)]
pub(crate) type Engine = Translations;
#[cfg(not(translator))]
pub(crate) type Engine = NoTranslator;

/// The decoded and translated code of the cores on one host thread.
pub type CodeCache = crate::code_cache::cache::CodeCache<Engine>;
