//! True LRU: the ways of a set in the order of their last use, in one word for each set.
//!
//! A word has four bits for each way: the lowest are the number of the way used last, the highest
//! that of the next victim. Sets of 16 ways have more orders than a table of states can hold. The
//! state byte of such a set (`set_state.rs`) is the way used last, so that a touch that changes no
//! order changes no state. Translated code does not look lines up in a cache with this policy.

/// The largest number of ways for which a word has room.
pub(crate) const MAX_WAYS: usize = 16;
const BITS: u32 = 4;
const WAY: u64 = (1 << BITS) - 1;

/// The order of a set that has not been used.
pub(crate) fn fresh(ways: usize) -> u64 {
    (0..ways).fold(0, |order, way| order | (way as u64) << (BITS as usize * way))
}

/// The order after a use of `way`: that way moves to the front, the ways used since its last use
/// move back by one.
pub(crate) fn touched(order: u64, way: usize) -> u64 {
    let way = way as u64;
    let mut place = 0;
    while order >> (BITS * place) & WAY != way {
        place += 1;
        debug_assert!(place < MAX_WAYS as u32, "a way of the set");
    }
    // The ways used after this one move one place back.
    let newer = order & ((1 << (BITS * place)) - 1);
    let older = order & !(newer | WAY << (BITS * place));
    older | newer << BITS | way
}

/// The way that was used last.
pub(crate) fn latest(order: u64) -> usize {
    (order & WAY) as usize
}

/// The way whose last use is longest ago.
pub(crate) fn oldest(order: u64, ways: usize) -> usize {
    (order >> (BITS as usize * (ways - 1)) & WAY) as usize
}

/// True if the word contains each of the `ways` ways exactly once and nothing else.
pub(crate) fn is_order(order: u64, ways: usize) -> bool {
    let places = (0..ways).map(|place| order >> (BITS as usize * place) & WAY);
    let seen = places.fold(0u32, |seen, way| seen | 1 << way);
    let rest = if ways == MAX_WAYS { 0 } else { order >> (BITS as usize * ways) };
    seen == (1 << ways) - 1 && rest == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the words with a list of ways.
    #[test]
    fn a_word_is_the_list_of_uses() {
        for ways in [1, 2, 4, 8, 16] {
            let (mut word, mut list) = (fresh(ways), (0..ways).collect::<Vec<_>>());
            let mut random = 12345u32;
            for _ in 0..1000 {
                random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
                let way = (random >> 16) as usize % ways;
                list.retain(|&other| other != way);
                list.insert(0, way);
                word = touched(word, way);
                assert!(is_order(word, ways));
                assert_eq!((latest(word), oldest(word, ways)), (list[0], list[ways - 1]));
            }
            assert!(!is_order(0x11, ways) && !is_order(!0, ways));
        }
    }
}
