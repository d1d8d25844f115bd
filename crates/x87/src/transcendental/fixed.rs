//! Fixed-point arithmetic for the transcendental functions.
//!
//! Two forms. *Fixed*: a `u128` that counts units of 2^-127, for values in [0, 2). *Float*: a
//! [`Wide`], 128 significant bits and an exponent, for what must keep its relative precision
//! however small it is. A multiplication errs by less than 2^-126, so a polynomial of thirty terms
//! keeps about 120 bits where the result needs 64.

/// 1.0 as fixed.
pub(super) const ONE: u128 = 1 << 127;
/// ln 2 as fixed.
pub(super) const LN_2: u128 = 0x58B90BFB_E8E7BCD5_E4F1D9CC_01F97B57;
/// log2 e as fixed.
pub(super) const LOG2_E: u128 = 0xB8AA3B29_5C17F0BB_BE87FED0_691D3E88;
/// The square root of 2 as fixed.
pub(super) const SQRT_2: u128 = 0xB504F333_F9DE6484_597D89B3_754ABE9F;
/// pi in units of 2^-126.
pub(super) const PI_2_126: u128 = 0xC90FDAA2_2168C234_C4C6628B_80DC1CD1;

/// atan(i/16) as fixed. Made with mpmath:
/// `mp.prec = 400; [hex(int(floor(atan(mpf(i) / 16) * 2**127))) for i in range(17)]`.
pub(super) const ATAN_SIXTEENTHS: [u128; 17] = [
    0x00000000_00000000_00000000_00000000,
    0x07FD56ED_CB3F7A71_B6593C96_E071706A,
    0x0FEADD4D_5617B6E3_2C897989_F3E888EF,
    0x17B97B4B_CE5B0226_8F6169F1_03938E90,
    0x1F5B75F9_2C80DD62_ADB8F3DE_BEF442FC,
    0x26C4EE6E_0FD7979A_716AED26_349EBCCA,
    0x2DEC3283_C9BDE11C_E2A8C848_B73F9120,
    0x34C9DD87_9847F96D_909F257A_40079C4D,
    0x3B58CE0A_C3769ED1_5BF9117B_2F0EA340,
    0x4195FA53_6CC33F15_25B504E5_B0D28AE0,
    0x47802EAF_7BFACFCD_AE41AF0B_32E21BA3,
    0x4D17C073_38DEED10_21137C71_1027F9DE,
    0x525E3E8C_9A7B8492_0CD43F95_22BED64F,
    0x5756261C_5A6C6040_0A392F17_9F290385,
    0x5C029F15_E118CF39_E596D2A9_0852221E,
    0x606742DC_56293320_44EEB162_37497D12,
    0x6487ED51_10B4611A_62633145_C06E0E68,
];

/// A positive value `significand / 2^127 * 2^exponent`; bit 127 of the significand is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    pub exponent: i32,
    pub significand: u128,
}

impl Wide {
    /// `value * 2^exponent / 2^127`, normalised; `value` is not 0.
    #[inline]
    pub fn new(exponent: i32, value: u128) -> Wide {
        let shift = value.leading_zeros();
        Wide { exponent: exponent - shift as i32, significand: value << shift }
    }

    /// This value as fixed; below 2.
    #[inline]
    pub fn fixed(self) -> u128 {
        debug_assert!(self.exponent <= 0);
        self.significand.checked_shr(self.exponent.unsigned_abs()).unwrap_or(0)
    }

    /// This value times a fixed one that is not 0.
    #[inline]
    pub fn times(self, fixed: u128) -> Wide {
        Wide::new(self.exponent + 1, mul_high(self.significand, fixed))
    }

    /// The quotient of two values, less than 2^-122 of it below the true one and never above.
    pub fn over(self, divisor: Wide) -> Wide {
        let d = divisor.significand;
        // 2^254 / d: 63 bits by division, then one Newton step.
        let first = (u128::MAX / (d >> 64)) << 62;
        let unity = mul_high(d, first);
        let half = 1u128 << 126;
        let reciprocal = if unity > half {
            first - (mul_high(first, unity - half) << 2)
        } else {
            first + (mul_high(first, half - unity) << 2)
        };
        let quotient = mul_high(self.significand, reciprocal) - 16;
        Wide::new(self.exponent - divisor.exponent + 1, quotient)
    }
}

/// The upper half of a product.
#[inline]
pub(super) fn mul_high(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let (low, middle_a, middle_b) = (a0 * b0, a1 * b0, a0 * b1);
    let carry = (low >> 64) + (middle_a & LOW) + (middle_b & LOW);
    a1 * b1 + (middle_a >> 64) + (middle_b >> 64) + (carry >> 64)
}

/// The product of two fixed values; below 2.
#[inline]
pub(super) fn mul(a: u128, b: u128) -> u128 {
    mul_high(a, b) << 1
}

/// How much of a series is added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Terms {
    /// What a result of 64 bits nearly always needs: less than 2^-81 from all, relatively.
    Few,
    All,
}

/// A power series with the constant first, as fixed; its coefficients fall.
pub(super) struct Series<const N: usize> {
    all: [u128; N],
    /// With few terms: `few` coefficients are summed, the first `wide` in 128 bits, others in 64.
    wide: usize,
    few: usize,
    /// The 64 bits of each coefficient that begin `shift` below the point.
    narrow: [u64; N],
    shift: u32,
}

impl<const N: usize> Series<N> {
    pub const fn new(all: [u128; N], wide: usize, few: usize) -> Series<N> {
        // Twice the first narrow sum is less than 2.
        let shift = all[wide].leading_zeros() - 1;
        let (mut narrow, mut i) = ([0; N], wide);
        while i < N {
            narrow[i] = (all[i] << shift >> 64) as u64;
            i += 1;
        }
        Series { all, wide, few, narrow, shift }
    }

    /// The value of the series at `x`, fixed.
    #[inline]
    pub fn at(&self, x: u128, terms: Terms) -> u128 {
        if terms == Terms::All {
            return self.all.iter().rev().fold(0, |sum, &c| c + mul(x, sum));
        }
        let short = (x >> 64) as u64;
        let rest = self.narrow[self.wide..self.few].iter().rev();
        let rest = rest.fold(0, |sum, &c| c + mul_narrow(short, sum));
        let rest = u128::from(rest) << 64 >> self.shift;
        self.all[..self.wide].iter().rev().fold(rest, |sum, &c| c + mul(x, sum))
    }

    /// The value of the series at `-x`; no partial sum is negative.
    #[inline]
    pub fn at_negative(&self, x: u128, terms: Terms) -> u128 {
        if terms == Terms::All {
            return self.all.iter().rev().fold(0, |sum, &c| c - mul(x, sum));
        }
        let short = (x >> 64) as u64;
        let rest = self.narrow[self.wide..self.few].iter().rev();
        let rest = rest.fold(0, |sum, &c| c - mul_narrow(short, sum));
        let rest = u128::from(rest) << 64 >> self.shift;
        self.all[..self.wide].iter().rev().fold(rest, |sum, &c| c - mul(x, sum))
    }
}

/// The product of two values in units of 2^-63; below 2.
#[inline]
fn mul_narrow(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 63) as u64
}

/// 1/(first)!, 1/(first + step)!, ... as fixed.
pub(super) const fn inverse_factorials<const N: usize>(first: u128, step: u128) -> [u128; N] {
    let mut table = [0; N];
    let (mut value, mut i, mut n) = (ONE, 0, 1);
    while i < N {
        while n <= first + i as u128 * step {
            value /= n;
            n += 1;
        }
        table[i] = value;
        i += 1;
    }
    table
}

/// 1, 1/3, 1/5, ... as fixed.
pub(super) const fn inverse_odds<const N: usize>() -> [u128; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = ONE / (2 * i as u128 + 1);
        i += 1;
    }
    table
}

#[cfg(test)]
impl<const N: usize> Series<N> {
    /// From 0 to `limit` few terms do as they should, at `x` or at `-x`.
    pub fn few_do(&self, limit: u128, negative: bool) {
        const STEPS: u128 = 100_000;
        for step in 0..=STEPS {
            let x = limit / STEPS * step;
            let value = |terms| match negative {
                true => self.at_negative(x, terms),
                false => self.at(x, terms),
            };
            let (few, all) = (value(Terms::Few), value(Terms::All));
            assert!(few.abs_diff(all) <= all >> 81, "{few:X} {all:X} at {x:X}");
        }
    }
}
