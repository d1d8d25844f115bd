//! The interface of the translator, as a core's loop uses it.
//!
//! The translator sits behind this trait. `translator/` is the one for x86-64 hosts;
//! [`NoTranslator`](super::no_translator::NoTranslator) stands for it on all others. The data that
//! a core keeps for the translator has an interface of its own, in `translator_frame/`.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::code_cache::cache::CodeCache;
use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::observe::host_profile::Profile;
use crate::state::exception::{Done, Stop};

/// True if the host has refused to make memory of this process executable.
static DENIED: AtomicBool = AtomicBool::new(false);

/// Records that the host lets no memory become code, by a rule of its administrator. All code is
/// interpreted from then on.
pub(crate) fn note_denied() {
    DENIED.store(true, Ordering::Relaxed);
}

/// True if the host has refused to make memory executable, anywhere in this process.
pub fn is_host_code_denied() -> bool {
    DENIED.load(Ordering::Relaxed)
}

/// Host code for hot guest code. After any instruction, the core is in the state that the
/// interpreter would leave.
pub trait Translator: Debug + Sized {
    /// A translator for code that has been interpreted `hot` times. Its code counts into `profile`,
    /// and must be dropped before it. `None` if there is no translator for the host. Memory for
    /// code is allocated with the first translation.
    fn new(hot: u8, profile: Option<&mut Profile>) -> Option<Self>;

    /// Whether there is so much host code that all must go.
    fn is_full(&self) -> bool;

    /// Executes translated code from the core's EIP on, if there is any. True if it has executed an
    /// instruction. The interpreter continues at the core's EIP then.
    fn enter(core: &mut Core, code: &mut CodeCache<Self>, bus: &mut dyn Bus) -> Result<bool, Stop>;

    /// Resumes an instruction of translated code that has waited; `None` if the interpreter must do
    /// it.
    fn resume(
        core: &mut Core,
        code: &mut CodeCache<Self>,
        limit: u64,
        bus: &mut dyn Bus,
    ) -> Option<Done>;
}
