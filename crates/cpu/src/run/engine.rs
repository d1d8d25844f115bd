//! The translator that this host has.

#[cfg(not(translator))]
use crate::code_cache::no_translator::NoTranslator;
#[cfg(translator)]
use crate::translator::Translations;

#[cfg(translator)]
pub(crate) type Engine = Translations;
#[cfg(not(translator))]
pub(crate) type Engine = NoTranslator;

/// What the cores that run on one host thread know of their code.
pub type CodeCache = crate::code_cache::cache::CodeCache<Engine>;
