//! The pins of a core that GLCFG and GCBCFG drive.

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
    /// RESET (GCBCFG bit 0 or 1).
    pub reset: bool,
}
