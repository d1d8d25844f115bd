//! The 80-bit extended format: one data register of the x87.
//!
//! Layout as in the Pentium manual (`intel-pentium-manual`, chapter 6): 64-bit significand with an
//! explicit integer bit, 15-bit exponent biased by 16383, sign. Encodings that the 8087 accepted
//! and the 80387 and later reject (unnormals, pseudo-infinities, pseudo-NaNs) are
//! [`Class::Unsupported`].

use serde::{Deserialize, Serialize};

/// Exponent bias of the extended format.
pub(crate) const BIAS: i32 = 16383;
/// Biased exponent of infinities and NaNs.
pub(crate) const EXPONENT_MAX: i32 = 0x7FFF;
/// The explicit integer bit.
pub(crate) const INTEGER_BIT: u64 = 1 << 63;
/// The bit that distinguishes a quiet NaN (1) from a signalling NaN (0).
pub(crate) const QUIET_BIT: u64 = 1 << 62;

/// One 80-bit extended value, exactly as a data register holds it; its first ten bytes are those
/// that FSTP m80 stores on a little-endian host.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct F80 {
    /// Significand; bit 63 is the integer bit.
    pub significand: u64,
    /// Sign in bit 15, biased exponent below.
    pub sign_exponent: u16,
}

/// The class of an encoding on a P5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Plus or minus zero.
    Zero,
    /// Denormal or pseudo-denormal (biased exponent 0, significand not 0).
    Denormal,
    /// A normal number.
    Normal,
    /// Plus or minus infinity.
    Infinity,
    /// A NaN that raises no exception.
    QuietNan,
    /// A NaN that raises the invalid-operation exception.
    SignallingNan,
    /// Unnormal, pseudo-infinity or pseudo-NaN: an invalid operand.
    Unsupported,
}

/// A finite value other than zero, without its sign: `significand` has bit 63 set, and counts
/// 2^(`exponent` - 63). In the order of magnitude.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Magnitude {
    /// Not biased.
    pub exponent: i32,
    pub significand: u64,
}

impl F80 {
    /// Plus zero.
    pub const ZERO: F80 = F80 { significand: 0, sign_exponent: 0 };
    /// Plus one.
    pub const ONE: F80 = F80 { significand: INTEGER_BIT, sign_exponent: BIAS as u16 };
    /// The "real indefinite": the quiet NaN that a masked invalid operation delivers.
    pub const INDEFINITE: F80 = F80 { significand: 3 << 62, sign_exponent: 0xFFFF };

    /// A value from its parts; `exponent` is biased.
    #[inline]
    pub(crate) fn new(sign: bool, exponent: i32, significand: u64) -> F80 {
        debug_assert!((0..=EXPONENT_MAX).contains(&exponent));
        F80 { significand, sign_exponent: exponent as u16 | (u16::from(sign) << 15) }
    }

    /// A signed zero.
    #[inline]
    pub(crate) fn zero(sign: bool) -> F80 {
        F80::new(sign, 0, 0)
    }

    /// A signed infinity.
    #[inline]
    pub(crate) fn infinity(sign: bool) -> F80 {
        F80::new(sign, EXPONENT_MAX, INTEGER_BIT)
    }

    /// The sign bit.
    #[inline]
    pub fn sign(self) -> bool {
        self.sign_exponent >> 15 != 0
    }

    /// The biased exponent, 0 to 0x7FFF.
    #[inline]
    pub fn exponent(self) -> i32 {
        i32::from(self.sign_exponent & 0x7FFF)
    }

    /// This value with the other sign.
    #[inline]
    pub(crate) fn negated(self) -> F80 {
        F80 { sign_exponent: self.sign_exponent ^ 0x8000, ..self }
    }

    /// This value with the given sign.
    #[inline]
    pub(crate) fn with_sign(self, sign: bool) -> F80 {
        F80 { sign_exponent: (self.sign_exponent & 0x7FFF) | (u16::from(sign) << 15), ..self }
    }

    /// A NaN made quiet.
    #[inline]
    pub(crate) fn quieted(self) -> F80 {
        F80 { significand: self.significand | QUIET_BIT, ..self }
    }

    /// True for a normal number; the fast paths test this.
    #[inline]
    pub(crate) fn is_normal(self) -> bool {
        let exponent = self.sign_exponent & 0x7FFF;
        self.significand >> 63 != 0 && exponent != 0 && exponent != 0x7FFF
    }

    /// The class of this encoding.
    #[inline]
    pub fn class(self) -> Class {
        let exponent = self.exponent();
        if self.significand >> 63 == 0 {
            return match (exponent, self.significand) {
                (0, 0) => Class::Zero,
                (0, _) => Class::Denormal,
                _ => Class::Unsupported,
            };
        }
        match exponent {
            0 => Class::Denormal,
            EXPONENT_MAX if self.significand == INTEGER_BIT => Class::Infinity,
            EXPONENT_MAX if self.significand & QUIET_BIT != 0 => Class::QuietNan,
            EXPONENT_MAX => Class::SignallingNan,
            _ => Class::Normal,
        }
    }

    /// True for a NaN of either kind.
    #[inline]
    pub fn is_nan(self) -> bool {
        matches!(self.class(), Class::QuietNan | Class::SignallingNan)
    }

    /// The magnitude of the finite non-zero value. Denormals are normalised, so the exponent may
    /// lie below the format's range.
    #[inline]
    pub(crate) fn normalized(self) -> Magnitude {
        debug_assert!(matches!(self.class(), Class::Normal | Class::Denormal));
        let shift = self.significand.leading_zeros();
        Magnitude {
            exponent: self.exponent().max(1) - BIAS - shift as i32,
            significand: self.significand << shift,
        }
    }

    /// The ten bytes that FSTP m80 stores.
    pub fn to_bytes(self) -> [u8; 10] {
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&self.significand.to_le_bytes());
        bytes[8..].copy_from_slice(&self.sign_exponent.to_le_bytes());
        bytes
    }

    /// The value that FLD m80 loads; `bytes` holds at least ten.
    pub fn from_bytes(bytes: &[u8]) -> F80 {
        let mut significand = [0; 8];
        significand.copy_from_slice(&bytes[..8]);
        F80 {
            significand: u64::from_le_bytes(significand),
            sign_exponent: u16::from_le_bytes([bytes[8], bytes[9]]),
        }
    }
}
