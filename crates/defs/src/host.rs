//! What is asked of the host's processor besides arithmetic.

use std::ptr;

/// Asks for the line of the host's caches that begins what somebody will soon look at. Changes
/// nothing but the host's time.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    prefetch_at(ptr::from_ref(place).cast());
}

/// Prefetches a value that may span two lines of the host.
#[inline(always)]
pub fn prefetch_ends<T>(place: &T) {
    prefetch(place);
    prefetch_at(ptr::from_ref(place).cast::<u8>().wrapping_add(size_of::<T>() - 1));
}

#[inline(always)]
fn prefetch_at(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch faults at no address, and changes nothing that a program can see.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
