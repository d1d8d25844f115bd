//! The interface of the translator: what the loop of a core asks of it.
//!
//! The translator sits behind this trait; `translator/` is the one for x86-64 hosts, and
//! [`NoTranslator`](super::no_translator::NoTranslator) is that of all others. What a core keeps
//! for it has an interface of its own, in `translator_frame/`.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::code_cache::cache::CodeCache;
use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::observe::host_profile::Profile;
use crate::state::exception::{Done, Stop};

/// Whether the host has refused to let memory of this process become code.
static DENIED: AtomicBool = AtomicBool::new(false);

/// The host lets no memory become code, by a rule of its user's: all is interpreted from then on.
pub(crate) fn note_denied() {
    DENIED.store(true, Ordering::Relaxed);
}

/// Whether that was so, wherever in this process it was tried.
pub fn is_host_code_denied() -> bool {
    DENIED.load(Ordering::Relaxed)
}

/// Host code for hot guest code. Whatever it executes, it leaves the core as the interpreter
/// would.
pub trait Translator: Debug + Sized {
    /// Translates code that has been interpreted `hot` times. Code that counts for `profile` lives
    /// no longer than that. `None` if there is no translator for the host. Memory for code is asked
    /// for when the first code is translated.
    fn new(hot: u8, profile: Option<&mut Profile>) -> Option<Self>;

    /// Executes translated code from the core's EIP on, if there is some; true if it has executed
    /// an instruction. The interpreter goes on wherever the core then is.
    fn enter(core: &mut Core, code: &mut CodeCache<Self>, bus: &mut dyn Bus) -> Result<bool, Stop>;

    /// Goes on with an instruction of translated code that has waited; `None` if the interpreter
    /// has to.
    fn resume(
        core: &mut Core,
        code: &mut CodeCache<Self>,
        limit: u64,
        bus: &mut dyn Bus,
    ) -> Option<Done>;
}
