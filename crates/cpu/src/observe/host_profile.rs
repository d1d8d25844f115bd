//! Where instructions are executed: by the interpreter, by translated code, or by the interpreter
//! on behalf of translated code. Watches; on demand, since translated code counts only if it was
//! made to.
//!
//! An instruction that was abandoned to wait and executed again counts once for each time.

use std::collections::BTreeMap;

use iced_x86::Code;

/// Counts by the decoder's code.
pub(crate) type ByCode = Box<[u64]>;

/// What has been counted since profiling was switched on.
#[derive(Debug)]
pub struct Profile {
    /// By the interpreter where there was no translated code.
    pub(crate) interpreted: ByCode,
    /// Translated code called the interpreter: it has no host code for the instruction.
    pub(crate) stepped: ByCode,
    /// Translated code called the interpreter: the access could not be done in place.
    pub(crate) missed: ByCode,
    /// Times that translated code was entered.
    pub(crate) stays: u64,
    /// Of the calls, those whose instruction had to wait or faulted; it is executed again.
    pub(crate) unfinished: u64,
    /// Regions translated, their host code, and places where nothing was to gain.
    pub(crate) regions: u64,
    pub(crate) code_bytes: u64,
    pub(crate) refused: u64,
}

impl Default for Profile {
    fn default() -> Profile {
        let none = || vec![0; Code::values().len()].into_boxed_slice();
        Profile {
            interpreted: none(),
            stepped: none(),
            missed: none(),
            stays: 0,
            unfinished: 0,
            regions: 0,
            code_bytes: 0,
            refused: 0,
        }
    }
}

/// The counts of one kind of instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executions {
    pub interpreted: u64,
    pub stepped: u64,
    pub missed: u64,
}

/// A profile in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileReport {
    /// By instruction, as manuals write it.
    pub instructions: BTreeMap<String, Executions>,
    pub stays: u64,
    pub unfinished: u64,
    pub regions: u64,
    pub code_bytes: u64,
    pub refused: u64,
}

impl Profile {
    /// Adds these counts to a report; a chip may have several profiles.
    pub fn add_to(&self, report: &mut ProfileReport) {
        for code in Code::values() {
            let at = code as usize;
            let (interpreted, stepped, missed) =
                (self.interpreted[at], self.stepped[at], self.missed[at]);
            if interpreted + stepped + missed == 0 {
                continue;
            }
            let name = code.op_code().instruction_string().to_owned();
            let counts = report.instructions.entry(name).or_default();
            counts.interpreted += interpreted;
            counts.stepped += stepped;
            counts.missed += missed;
        }
        report.stays += self.stays;
        report.unfinished += self.unfinished;
        report.regions += self.regions;
        report.code_bytes += self.code_bytes;
        report.refused += self.refused;
    }
}
