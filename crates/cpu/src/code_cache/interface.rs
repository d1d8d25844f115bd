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

/// Records that the host forbids executable memory (a rule of its administrator, such as SELinux's
/// `execmem`). All code is interpreted from then on.
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
    /// Makes a translator for code that has been interpreted `hot` times. Host code counts
    /// executions into `profile`; drop the translator before the profile. `None` if there is no
    /// translator for the host. Memory for code is allocated at the first translation.
    fn new(hot: u8, profile: Option<&mut Profile>) -> Option<Self>;

    /// True if host code takes so much memory that all of it must be dropped.
    fn is_full(&self) -> bool;

    /// Executes the translated code at the core's EIP, if there is any and a block of it may begin.
    /// Returns true if at least one instruction was executed. The interpreter continues at the
    /// core's EIP afterwards. An error is the stop of an instruction that waits or faults.
    fn enter(core: &mut Core, code: &mut CodeCache<Self>, bus: &mut dyn Bus) -> Result<bool, Stop>;

    /// Resumes an instruction of translated code that waited for a bus response, and continues
    /// until core cycle `limit` or a stop. `None` if the interpreter must resume the instruction.
    fn resume(
        core: &mut Core,
        code: &mut CodeCache<Self>,
        limit: u64,
        bus: &mut dyn Bus,
    ) -> Option<Done>;
}
