//! The pins of a core: inputs that GLCFG and GCBCFG drive, outputs that GLCFG shows.

use serde::{Deserialize, Serialize};

/// Levels of the core's input pins; `true` = asserted (active-low pins are already inverted).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pins {
    /// LINT0: the INTR input of the local APIC (GLCFG bit 1).
    pub lint0: bool,
    /// LINT1: the NMI input of the local APIC (GLCFG bit 0).
    pub lint1: bool,
    /// INIT (GLCFG bit 2).
    pub init: bool,
    /// STPCLK# (GLCFG bit 6).
    pub stpclk: bool,
    /// IGNNE# (GLCFG bit 4).
    pub ignne: bool,
    /// A20M# (GLCFG bit 8).
    pub a20m: bool,
    /// FLUSH# (GLCFG bit 3).
    pub flush: bool,
    /// R/S# (GLCFG bit 5).
    pub stop: bool,
    /// RESET (GCBCFG bit 0 or 1).
    pub reset: bool,
}

/// The state of a core's output pins and of its bus cycles; `true` = asserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputPins {
    /// The core has reported that it executed HLT, and still waits (GLCFG bit 15).
    pub halt: bool,
    /// The core has reported that it shut down (GLCFG bit 17).
    pub shutdown: bool,
    /// PRDY: R/S# has stopped it (GLCFG bit 19).
    pub probe_ready: bool,
    /// FERR# (GLCFG bit 20).
    pub ferr: bool,
}
