//! The code of a chip as the loop of a core sees it: decoded code with the translator's beside it,
//! and the interface of the translator.
//!
//! How code is decoded is in `frontend/`, how it is translated in `translator/`.

pub(crate) mod cache;
pub(crate) mod interface;
#[cfg(not(translator))]
pub(crate) mod no_translator;
