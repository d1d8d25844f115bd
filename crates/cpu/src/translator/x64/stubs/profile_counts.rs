//! Counts of translated code for a profile: two more host instructions before each call of the
//! interpreter; without a profile there are none.

use dynasmrt::{DynasmApi, dynasm};
use iced_x86::Code;

use crate::observe::host_profile::Profile;
use crate::translator::x64::region::emit::Emitter;

/// The host addresses of the counts. The addresses stay valid as long as the code that uses them.
#[derive(Clone, Copy, Debug)]
pub(in crate::translator) struct Tally {
    stepped: u64,
    missed: u64,
}

/// Why translated code calls the interpreter: it has no code for the instruction (`Stepped`), or
/// could not do the access (`Missed`).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Called {
    Stepped,
    Missed,
}

impl Tally {
    pub fn of(profile: &mut Profile) -> Tally {
        Tally { stepped: address(&mut profile.stepped), missed: address(&mut profile.missed) }
    }
}

impl Emitter<'_> {
    /// Emits the counting of a call of the interpreter; clobbers RCX and the host's flags.
    pub fn tally(&mut self, called: Called, code: Code) {
        let Some(tally) = self.stubs.tally else { return };
        let counts = match called {
            Called::Stepped => tally.stepped,
            Called::Missed => tally.missed,
        };
        let address = (counts + 8 * code as u64) as i64;
        dynasm!(self.asm ; .arch x64 ; mov rcx, QWORD address ; inc QWORD [rcx]);
    }
}

fn address(counts: &mut [u64]) -> u64 {
    counts.as_mut_ptr() as u64
}
