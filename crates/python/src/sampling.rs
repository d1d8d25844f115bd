//! Where this process spends its processor time: the program counter, sampled by the system's
//! profiling timer. Costs nothing between samples, and nothing at all where nobody asks.
//!
//! One sampler at a time: timer and signal belong to the process.

use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

/// Samples between two calls of `collect`; what comes after is lost.
const ROOM: usize = 1 << 15;

static ACTIVE: AtomicBool = AtomicBool::new(false);
static TAKEN: AtomicUsize = AtomicUsize::new(0);
static SAMPLES: [AtomicU64; ROOM] = [const { AtomicU64::new(0) }; ROOM];

/// Where samples lie: the file that is loaded there ("" for code made at run time), the offset in
/// it, and how many.
type Place = (String, u64, u64);

/// Counts program counters from its making to `finish`.
#[pyclass]
#[derive(Default)]
pub struct Sampler {
    counts: HashMap<u64, u64>,
    done: bool,
}

#[pymethods]
impl Sampler {
    #[new]
    fn new(period_us: u32) -> PyResult<Sampler> {
        if !host::SUPPORTED {
            return Err(PyOSError::new_err("samples of the host's time: not on this system"));
        }
        if ACTIVE.swap(true, Ordering::AcqRel) {
            return Err(PyRuntimeError::new_err("another sampler is at work in this process"));
        }
        TAKEN.store(0, Ordering::Release);
        host::start(period_us).map_err(|error| {
            ACTIVE.store(false, Ordering::Release);
            PyOSError::new_err(format!("the profiling timer: {error}"))
        })?;
        Ok(Sampler::default())
    }

    /// Takes what has been sampled; at least every half minute.
    fn collect(&mut self) {
        let taken = TAKEN.swap(0, Ordering::AcqRel).min(ROOM);
        for sample in &SAMPLES[..taken] {
            *self.counts.entry(sample.load(Ordering::Relaxed)).or_default() += 1;
        }
    }

    /// Stops sampling, and returns all sampled places.
    fn finish(&mut self) -> Vec<Place> {
        self.stop();
        self.collect();
        let mut places: HashMap<(String, u64), u64> = HashMap::new();
        for (&address, &count) in &self.counts {
            *places.entry(host::object(address)).or_default() += count;
        }
        let mut places: Vec<Place> =
            places.into_iter().map(|((object, offset), count)| (object, offset, count)).collect();
        places.sort();
        places
    }
}

impl Sampler {
    fn stop(&mut self) {
        if !std::mem::replace(&mut self.done, true) {
            host::stop();
            ACTIVE.store(false, Ordering::Release);
        }
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.stop();
    }
}

fn note(address: u64) {
    let at = TAKEN.fetch_add(1, Ordering::AcqRel);
    if let Some(sample) = SAMPLES.get(at) {
        sample.store(address, Ordering::Relaxed);
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod host {
    use super::{CStr, note};
    use std::io::{Error, Result};

    pub const SUPPORTED: bool = true;

    extern "C" fn on_sample(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
        // SAFETY: the system passes the interrupted context; it is only read.
        let context = unsafe { &*context.cast::<libc::ucontext_t>() };
        #[cfg(target_arch = "x86_64")]
        note(context.uc_mcontext.gregs[libc::REG_RIP as usize] as u64);
        #[cfg(target_arch = "aarch64")]
        note(context.uc_mcontext.pc);
    }

    pub fn start(period_us: u32) -> Result<()> {
        // SAFETY: all zeros is a valid sigaction; the handler only touches atomics.
        let failed = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_sample as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
            libc::sigaction(libc::SIGPROF, &raw const action, std::ptr::null_mut()) != 0
        };
        if failed {
            return Err(Error::last_os_error());
        }
        timer(period_us)
    }

    /// A last signal may still be on its way: it is ignored, its default would end the process.
    pub fn stop() {
        let _ = timer(0);
        // SAFETY: no handler of ours is in use by anybody else.
        unsafe { libc::signal(libc::SIGPROF, libc::SIG_IGN) };
    }

    fn timer(period_us: u32) -> Result<()> {
        let period = libc::timeval {
            tv_sec: i64::from(period_us / 1_000_000),
            tv_usec: i64::from(period_us % 1_000_000),
        };
        let timer = libc::itimerval { it_interval: period, it_value: period };
        // SAFETY: both pointers are valid or null.
        let failed =
            unsafe { libc::setitimer(libc::ITIMER_PROF, &raw const timer, std::ptr::null_mut()) };
        if failed == 0 { Ok(()) } else { Err(Error::last_os_error()) }
    }

    /// The file that is loaded at an address and the offset in it.
    pub fn object(address: u64) -> (String, u64) {
        // SAFETY: all zeros is a valid Dl_info; dladdr fills it if it returns non-zero, and its
        // name lives as long as the file is loaded.
        unsafe {
            let mut info: libc::Dl_info = std::mem::zeroed();
            if libc::dladdr(address as *const libc::c_void, &raw mut info) == 0 {
                return (String::new(), 0);
            }
            let name = CStr::from_ptr(info.dli_fname).to_string_lossy().into_owned();
            (name, address - info.dli_fbase as u64)
        }
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod host {
    use std::io::Result;

    pub const SUPPORTED: bool = false;

    pub fn start(_: u32) -> Result<()> {
        Ok(())
    }

    pub fn stop() {}

    pub fn object(_: u64) -> (String, u64) {
        (String::new(), 0)
    }
}
