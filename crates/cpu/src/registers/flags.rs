//! The six arithmetic flags, computed lazily.
//!
//! An arithmetic instruction leaves its sign-extended result and the vector of carries out of each
//! bit; a flag is computed when it is read. A flag that does not follow from the result (after
//! POPF, SAHF, shifts) is stored in spare bits of the carry vector:
//!
//! * bit 31: CF; bit 30 differs from bit 31 when OF is set; bit 3: AF;
//! * bit 0: inverts SF; bits 15:8: XORed into the byte whose parity is PF.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, appendix A ("flag cross-reference").
//! Flags that the manual leaves undefined get a fixed value, named where it is chosen, so that
//! every run is the same.

use serde::{Deserialize, Serialize};

pub const CF: u32 = 1 << 0;
pub const PF: u32 = 1 << 2;
pub const AF: u32 = 1 << 4;
pub const ZF: u32 = 1 << 6;
pub const SF: u32 = 1 << 7;
pub const TF: u32 = 1 << 8;
pub const IF: u32 = 1 << 9;
pub const DF: u32 = 1 << 10;
pub const OF: u32 = 1 << 11;
pub const IOPL: u32 = 3 << 12;
pub const NT: u32 = 1 << 14;
pub const RF: u32 = 1 << 16;
pub const VM: u32 = 1 << 17;
pub const AC: u32 = 1 << 18;
pub const VIF: u32 = 1 << 19;
pub const VIP: u32 = 1 << 20;
pub const ID: u32 = 1 << 21;

/// The flags that arithmetic sets.
pub const ARITHMETIC: u32 = CF | PF | AF | ZF | SF | OF;
/// All flags that exist on the P54C.
pub const ALL: u32 = ARITHMETIC | TF | IF | DF | IOPL | NT | RF | VM | AC | VIF | VIP | ID;
/// Bit 1 of EFLAGS always reads as one.
pub const ALWAYS_ONE: u32 = 1 << 1;

const CARRY: u32 = 1 << 31;
const CARRY_BELOW: u32 = 1 << 30;
const AUXILIARY: u32 = 1 << 3;
const SIGN_DELTA: u32 = 1;
const KEPT: u32 = CARRY | CARRY_BELOW | AUXILIARY;

/// The arithmetic flags in lazy form; two values are equal if they mean equal flags.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub struct Flags {
    result: u32,
    carries: u32,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags::from(0)
    }
}

impl PartialEq for Flags {
    fn eq(&self, other: &Flags) -> bool {
        self.image() == other.image()
    }
}

impl Eq for Flags {}

impl From<u32> for Flags {
    fn from(image: u32) -> Flags {
        let mut flags = Flags { result: 0, carries: 0 };
        flags.load(image);
        flags
    }
}

impl From<Flags> for u32 {
    fn from(flags: Flags) -> u32 {
        flags.image()
    }
}

/// Sign-extends the low `SIZE` (1, 2 or 4) bytes of a value to 32 bits.
#[inline(always)]
pub fn extend<const SIZE: usize>(value: u32) -> u32 {
    match SIZE {
        1 => value as u8 as i8 as u32,
        2 => value as u16 as i16 as u32,
        _ => value,
    }
}

/// Moves the carries of an 8- or 16-bit operation to the bit positions that a 32-bit operation
/// uses.
#[inline(always)]
fn place<const SIZE: usize>(carries: u32) -> u32 {
    match SIZE {
        1 => (carries << 24) & (CARRY | CARRY_BELOW) | carries & AUXILIARY,
        2 => (carries << 16) & (CARRY | CARRY_BELOW) | carries & AUXILIARY,
        _ => carries & KEPT,
    }
}

impl Flags {
    /// Sets the flags of the addition `result = a + b (+ carry)` of `SIZE` bytes.
    #[inline(always)]
    pub fn after_add<const SIZE: usize>(&mut self, a: u32, b: u32, result: u32) {
        self.result = extend::<SIZE>(result);
        self.carries = place::<SIZE>((a & b) | ((a | b) & !result));
    }

    /// Sets the flags of the subtraction `result = a - b (- borrow)` of `SIZE` bytes.
    #[inline(always)]
    pub fn after_sub<const SIZE: usize>(&mut self, a: u32, b: u32, result: u32) {
        self.result = extend::<SIZE>(result);
        self.carries = place::<SIZE>((!a & b) | ((!a | b) & result));
    }

    /// Sets the flags of AND, OR, XOR or TEST: CF = OF = 0; AF (undefined) = 0.
    #[inline(always)]
    pub fn after_logic<const SIZE: usize>(&mut self, result: u32) {
        self.result = extend::<SIZE>(result);
        self.carries = 0;
    }

    /// Sets the flags of INC: those of an addition of one, but CF keeps its value.
    #[inline(always)]
    pub fn after_inc<const SIZE: usize>(&mut self, a: u32, result: u32) {
        let carry = self.cf();
        self.after_add::<SIZE>(a, 1, result);
        self.keep_carry(carry);
    }

    /// Sets the flags of DEC: those of a subtraction of one, but CF keeps its value.
    #[inline(always)]
    pub fn after_dec<const SIZE: usize>(&mut self, a: u32, result: u32) {
        let carry = self.cf();
        self.after_sub::<SIZE>(a, 1, result);
        self.keep_carry(carry);
    }

    /// Sets the flags of a shift: ZF, SF and PF follow the result, CF and OF are given; AF
    /// (undefined) = 0.
    #[inline(always)]
    pub fn after_shift<const SIZE: usize>(&mut self, result: u32, cf: bool, of: bool) {
        self.result = extend::<SIZE>(result);
        self.carries = carry_bits(cf, of);
    }

    /// Sets CF and OF; the other flags keep their values.
    #[inline(always)]
    pub fn set_cf_of(&mut self, cf: bool, of: bool) {
        self.carries = self.carries & !(CARRY | CARRY_BELOW) | carry_bits(cf, of);
    }

    /// Sets CF; the other flags keep their values.
    pub fn set_cf(&mut self, cf: bool) {
        let of = self.of();
        self.set_cf_of(cf, of);
    }

    /// Sets ZF; the other flags keep their values.
    pub fn set_zf(&mut self, zf: bool) {
        let image = self.image() & !ZF | if zf { ZF } else { 0 };
        self.load(image);
    }

    #[inline(always)]
    fn keep_carry(&mut self, carry: bool) {
        let of = self.of();
        self.set_cf_of(carry, of);
    }

    #[inline(always)]
    pub fn cf(&self) -> bool {
        self.carries & CARRY != 0
    }

    #[inline(always)]
    pub fn of(&self) -> bool {
        (self.carries ^ self.carries << 1) & CARRY != 0
    }

    #[inline(always)]
    pub fn zf(&self) -> bool {
        self.result == 0
    }

    #[inline(always)]
    pub fn sf(&self) -> bool {
        (self.result >> 31 ^ self.carries & SIGN_DELTA) != 0
    }

    #[inline(always)]
    pub fn af(&self) -> bool {
        self.carries & AUXILIARY != 0
    }

    #[inline(always)]
    pub fn pf(&self) -> bool {
        ((self.result ^ self.carries >> 8) as u8).count_ones().is_multiple_of(2)
    }

    /// The six arithmetic flags at their bit positions in EFLAGS; all other bits are 0.
    pub fn image(&self) -> u32 {
        let bit = |set: bool, flag: u32| if set { flag } else { 0 };
        bit(self.cf(), CF)
            | bit(self.pf(), PF)
            | bit(self.af(), AF)
            | bit(self.zf(), ZF)
            | bit(self.sf(), SF)
            | bit(self.of(), OF)
    }

    /// Sets all six arithmetic flags to their bits in `image`, an EFLAGS value.
    pub fn load(&mut self, image: u32) {
        // A nonzero result must be positive with a low byte of even parity, so that the spare bits
        // alone give SF and PF.
        let zero = image & ZF != 0;
        self.result = if zero { 0 } else { 0x100 };
        let sign = if image & SF != 0 { SIGN_DELTA } else { 0 };
        let parity = if image & PF != 0 { 0 } else { 1 << 8 };
        let auxiliary = if image & AF != 0 { AUXILIARY } else { 0 };
        self.carries = carry_bits(image & CF != 0, image & OF != 0) | sign | parity | auxiliary;
    }

    /// True if the condition of Jcc and SETcc with number `CONDITION` holds (0 = O .. 15 = G).
    #[inline(always)]
    pub fn condition<const CONDITION: u8>(&self) -> bool {
        let holds = match CONDITION >> 1 {
            0 => self.of(),
            1 => self.cf(),
            2 => self.zf(),
            3 => self.cf() || self.zf(),
            4 => self.sf(),
            5 => self.pf(),
            6 => self.sf() != self.of(),
            _ => self.zf() || self.sf() != self.of(),
        };
        holds != (CONDITION & 1 != 0)
    }
}

#[inline(always)]
fn carry_bits(cf: bool, of: bool) -> u32 {
    u32::from(cf) << 31 | u32::from(cf != of) << 30
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_of_flags_survives_a_load() {
        for pattern in 0..64u32 {
            let places = [CF, PF, AF, ZF, SF, OF];
            let image: u32 =
                (0..6).filter(|i| pattern >> i & 1 != 0).map(|i| places[i as usize]).sum();
            let mut flags = Flags::default();
            flags.load(image);
            assert_eq!(flags.image(), image);
        }
    }

    #[test]
    fn inc_keeps_carry_and_overflows() {
        let mut flags = Flags::default();
        flags.load(CF);
        flags.after_inc::<4>(0x7FFF_FFFF, 0x8000_0000);
        assert_eq!(flags.image() & (CF | OF | SF | ZF), CF | OF | SF);
    }
}
