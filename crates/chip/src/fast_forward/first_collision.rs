//! The first round in which two streams of requests collide at a link or port.
//!
//! The distance between the rounds of two streams changes by a constant amount in each round,
//! modulo the other's period. The streams collide when the distance first falls into an interval.
//! The question is therefore which multiple of a number, modulo another one, first falls into an
//! interval; a few steps like those of Euclid's algorithm answer it.

/// A distance that grows in each round: `start + round * step`, modulo `modulus` (below 2^63).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distance {
    pub start: u64,
    pub step: u64,
    pub modulus: u64,
}

/// The `length` numbers that begin with `low`, counted modulo the modulus of a [`Distance`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    pub low: u64,
    pub length: u64,
}

/// The first round, from 0 on, in which the distance is in the interval. `None` if there is none.
pub(crate) fn first_within(distance: Distance, interval: Interval) -> Option<u64> {
    let Distance { start, step, modulus } = distance;
    let Interval { low, length } = interval;
    let behind = (start % modulus + modulus - low % modulus) % modulus;
    if behind < length {
        return Some(0);
    }
    let wanted = modulus - behind;
    first_multiple(step % modulus, modulus, wanted, wanted + length.checked_sub(1)?)
}

/// The smallest number whose product with `factor`, modulo `modulus`, is in `low..=high`. Requires
/// `0 < low <= high < modulus` and `factor < modulus`.
fn first_multiple(factor: u64, modulus: u64, low: u64, high: u64) -> Option<u64> {
    if factor == 0 {
        return None;
    }
    let first = low.div_ceil(factor);
    if first * factor <= high {
        return Some(first);
    }
    // No multiple lies between `low` and `high` without a wrap: find the number of wraps.
    let (from, to) = (factor - high % factor, factor - low % factor);
    let times = first_multiple(modulus % factor, factor, from, to)?;
    let wanted = u128::from(low) + u128::from(times) * u128::from(modulus);
    // The result is below `modulus`, because later multiples repeat earlier ones.
    Some(wanted.div_ceil(factor.into()) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_round_is_that_of_counting() {
        let mut found = 0;
        for modulus in 1..24 {
            for (step, start) in (0..30).flat_map(|step| (0..25).map(move |start| (step, start))) {
                for (low, length) in (0..24).flat_map(|low| (0..modulus).map(move |n| (low, n))) {
                    let within = |round: &u64| {
                        let at = (start + round * step) % modulus;
                        (at + 24 * modulus - low) % modulus < length
                    };
                    let counted = (0..modulus).find(within);
                    let distance = Distance { start, step, modulus };
                    let first = first_within(distance, Interval { low, length });
                    assert_eq!(
                        first, counted,
                        "{start} + n * {step} mod {modulus}: {low} {length}"
                    );
                    found += u32::from(first.is_some_and(|round| round > 2));
                }
            }
        }
        assert!(found > 10_000);
    }

    /// Checks periods of milliseconds and hours: each distance is reached in its round, and in no
    /// earlier one.
    #[test]
    fn long_periods_meet_as_short_ones_do() {
        // The moduli are primes, so that each number is reached in one of the first `modulus`
        // rounds.
        for modulus in [8_000_000_011, 4_611_686_018_427_387_847_u64] {
            let wide = u128::from(modulus);
            let product = |a: u64, b: u64| (u128::from(a) * u128::from(b) % wide) as u64;
            for step in [1, 2, 1_875, modulus / 3, modulus / 2 + 1, modulus - 7, modulus - 1] {
                let distance = Distance { start: 5, step, modulus };
                let within =
                    |at: u64, length| Interval { low: (distance.start + at) % modulus, length };
                let first = |at: u64| first_within(distance, within(at, 1));
                for round in [0, 1, 3, 1_000_003, modulus / 7 * 3, modulus - 1] {
                    let at = product(round, step);
                    assert_eq!(first(at), Some(round), "{round} * {step} mod {modulus}");
                    let each = (0..4).filter_map(|more| first((at + more) % modulus)).min();
                    let any = first_within(distance, within(at, 4));
                    assert_eq!(any, each, "{round} * {step} mod {modulus}, four numbers");
                }
            }
        }
    }
}
