//! Guest addresses above those of the host's memory, as in a process that is not
//! position-independent: a copy within L2. Compares translated code with the interpreter, with all
//! host memory below the guest's addresses.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod common;

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::ends::End;
use common::{Bench, DIRECTORY, PRESENT, TABLE, WRITABLE};
use rockcreek_cpu::{CodeCache, gpr};

/// The host memory's address, below the guest's addresses at [`GUEST`].
const HOST: usize = 0x1000_0000;
const HOST_BYTES: usize = 1 << 30;
const GUEST: u32 = 0xC000_0000;

/// An allocator that hands out pieces of memory in order and frees none.
struct Low;

static USED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    fn mmap(
        at: *mut c_void,
        bytes: usize,
        rights: c_int,
        how: c_int,
        file: c_int,
        from: i64,
    ) -> *mut c_void;
}

// SAFETY: pieces do not overlap, because each lies behind all earlier ones; the system provides
// memory of zeros, or the test ends.
unsafe impl GlobalAlloc for Low {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        static BEGUN: std::sync::Once = std::sync::Once::new();
        // Readable and writable; private, without a file, at exactly this address unless it is in
        // use.
        let (rights, how) = (0x3, 0x10_0000 | 0x4000 | 0x22);
        BEGUN.call_once(|| {
            // SAFETY: the mapping replaces no other.
            let at = unsafe { mmap(HOST as *mut c_void, HOST_BYTES, rights, how, -1, 0) };
            if at as usize != HOST {
                std::process::abort();
            }
        });
        let bytes = layout.size() + layout.align();
        let from = USED.fetch_add(bytes, Ordering::Relaxed);
        if from + bytes > HOST_BYTES {
            return std::ptr::null_mut();
        }
        (HOST + from).next_multiple_of(layout.align()) as *mut u8
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static MEMORY: Low = Low;

const CODE: [u8; 53] = [
    0x8B, 0x83, 0x00, 0x00, 0x01, 0x00, // l: mov eax, [ebx + 10000h]
    0x03, 0x03, // add eax, [ebx]
    0x83, 0xC3, 0x20, // add ebx, 32
    0xF7, 0xC3, 0xFF, 0x7F, 0x00, 0x00, // test ebx, 7FFFh
    0x75, 0xED, // jnz l
    0x81, 0xEB, 0x00, 0x80, 0x00, 0x00, // m: sub ebx, 8000h
    0x8B, 0x03, // n: mov eax, [ebx]
    0x89, 0x83, 0x00, 0x00, 0x01, 0x00, // mov [ebx + 10000h], eax
    0x83, 0xC3, 0x04, // add ebx, 4
    0xF7, 0xC3, 0xFF, 0x7F, 0x00, 0x00, // test ebx, 7FFFh
    0x75, 0xED, // jnz n
    0x49, // dec ecx
    0x75, 0xE4, // jnz m
    0xF4, 0xF4, 0xF4, 0xF4, 0xF4, 0xF4, // hlt
];

#[test]
fn a_copy_within_l2_is_the_same_wherever_the_host_has_its_memory() {
    let to = |heat| {
        let mut bench = Bench::paged(&CODE);
        bench.code = CodeCache::new();
        bench.code.set_translation(heat);
        bench.put_word(DIRECTORY + (GUEST >> 22) * 4, TABLE | PRESENT | WRITABLE);
        bench.set(|all| {
            (all.general[gpr::EBX], all.general[gpr::ECX]) = (GUEST + 0x10_0000, 8);
        });
        End::after(bench, &[100_000, u64::MAX])
    };
    let (interpreted, translated) = (to(None), to(Some(1)));
    assert!(interpreted.seen.contains("Halted"));
    assert_eq!(interpreted.seen, translated.seen);
    assert!(interpreted.snapshot == translated.snapshot, "TLBs, caches or flags differ");
}
