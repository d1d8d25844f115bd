//! The engine's memory, and a host that has no more of it.
//!
//! Rust asks for memory in a thousand places that cannot go on without. In the command `rck` a
//! refused request frees a reserve and is made again; the run sees that the reserve is gone and
//! ends with what it has computed. Once nothing is left the process ends with a message and an
//! exit code, which no place of the program has to lend a hand to. In a caller's own process there is
//! no reserve, and a refused request ends it as it ends other Rust programs.

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{CStr, c_void};
use std::io::Write;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use mimalloc::MiMalloc;

const RESERVE_BYTES: usize = 32 << 20;
const EX_OSERR: i32 = 71;
const OWN: &CStr = c"ROCKCREEK_OWN_PROCESS";

static IS_COMMAND: AtomicBool = AtomicBool::new(false);
static IS_SHORT: AtomicBool = AtomicBool::new(false);
static RESERVE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// The allocator of the engine.
pub struct Memory;

// SAFETY: each request goes to mimalloc, unchanged; what it returns is passed on.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout is passed on.
        answered(layout.size(), || unsafe { MiMalloc.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout is passed on.
        answered(layout.size(), || unsafe { MiMalloc.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's place is one of mimalloc's; a refused request leaves it as it was.
        answered(size, || unsafe { MiMalloc.realloc(place, layout, size) })
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's place is one of mimalloc's.
        unsafe { MiMalloc.dealloc(place, layout) }
    }
}

#[inline]
fn answered(bytes: usize, request: impl Fn() -> *mut u8) -> *mut u8 {
    let place = request();
    if place.is_null() { refused(bytes, request) } else { place }
}

#[cold]
fn refused(bytes: usize, request: impl Fn() -> *mut u8) -> *mut u8 {
    if !is_command() {
        return ptr::null_mut();
    }
    free_reserve();
    let place = request();
    if place.is_null() {
        end(bytes);
    }
    place
}

/// Whether the command has this process to itself. While the library is loaded nobody has called
/// `set_apart`: until then a variable of the environment says so (rockcreek/loading.py).
fn is_command() -> bool {
    // SAFETY: the name ends with a zero; the value is not looked at.
    IS_COMMAND.load(Ordering::Acquire) || !unsafe { libc::getenv(OWN.as_ptr()) }.is_null()
}

/// Whether the host has refused memory, so that a run must end.
pub fn is_short() -> bool {
    IS_SHORT.load(Ordering::Acquire)
}

/// Gives the host back what was set apart, once.
fn free_reserve() {
    IS_SHORT.store(true, Ordering::Release);
    let reserve = RESERVE.swap(ptr::null_mut(), Ordering::AcqRel);
    if !reserve.is_null() {
        // SAFETY: the block that `set_apart` has asked for; whoever swaps it out is its only owner.
        unsafe { libc::free(reserve) };
    }
}

/// Sets a reserve apart, which takes no memory before it is written to. For a process that the
/// command has to itself.
pub fn set_apart() {
    if IS_COMMAND.swap(true, Ordering::AcqRel) {
        return;
    }
    // SAFETY: a block of the C library's, which takes one of this size from the host by itself and
    // gives it back at once; null if there is none.
    RESERVE.store(unsafe { libc::malloc(RESERVE_BYTES) }, Ordering::Release);
}

/// Ends the process without another request for memory.
fn end(bytes: usize) -> ! {
    let mut text = [0; 256];
    let mut rest = &mut text[..];
    // A text that does not fit is cut off.
    let _ = write!(
        rest,
        "rck: the host's memory does not suffice: it refused {bytes} bytes\nhint: use fewer cores, \
         or free memory of the host (`ulimit -v` shows a limit)\n"
    );
    let length = 256 - rest.len();
    // SAFETY: the bytes of `text`; exit handlers, which may ask for memory, are passed over.
    unsafe {
        libc::write(2, text.as_ptr().cast(), length);
        libc::_exit(EX_OSERR)
    }
}
