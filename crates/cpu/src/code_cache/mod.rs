//! The code of the cores on one host thread, as a core's loop sees it: decoded code together with
//! translated code, and the interface of the translator.
//!
//! Decoding is in `frontend/`, translation in `translator/`.

pub(crate) mod cache;
pub(crate) mod interface;
#[cfg(not(translator))]
pub(crate) mod no_translator;
