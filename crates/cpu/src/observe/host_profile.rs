//! The profile of execution: counts of instructions executed by the interpreter, by translated
//! code, or by the interpreter on behalf of translated code. Counting must be turned on, because it
//! needs other translated code.
//!
//! An instruction that was abandoned to wait and executed again counts once for each execution.

use std::collections::BTreeMap;

use iced_x86::Code;

use crate::state::counters::Unequal;

/// A count for each of iced-x86's codes of instructions, by number.
pub(crate) type ByCode = Box<[u64]>;

/// What profiling has counted since it was turned on. The arrays contain, for each instruction
/// code, how often the interpreter executed the instruction, by reason.
#[derive(Debug)]
pub struct Profile {
    /// Executed by the interpreter where there was no translated code.
    pub(crate) interpreted: ByCode,
    /// Executed by the interpreter for translated code that has no host code for the instruction.
    pub(crate) stepped: ByCode,
    /// Executed by the interpreter for translated code because the access could not be done in
    /// place.
    pub(crate) missed: ByCode,
    /// How often the core has left translated code, also after it resumed an instruction there.
    pub(crate) stays: u64,
    /// Stays whose last instruction had to wait or faulted. A stay is no longer counted once its
    /// instruction has been resumed in translated code.
    pub(crate) unfinished: u64,
    /// `regions`, `code_bytes`: the number of regions translated, and the bytes of their host code.
    /// `refused`: the number of places that were not translated.
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

/// How often the interpreter executed one kind of instruction, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executions {
    pub interpreted: u64,
    pub stepped: u64,
    pub missed: u64,
}

/// A profile in which instructions have names instead of codes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileReport {
    /// Counts by instruction, named as in Intel's manuals.
    pub instructions: BTreeMap<String, Executions>,
    pub unequal: Unequal,
    pub stays: u64,
    pub unfinished: u64,
    pub regions: u64,
    pub code_bytes: u64,
    pub refused: u64,
}

impl Profile {
    /// Adds these counts to a report. A chip may have several profiles, one for each code cache.
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
