//! The sandbox around the process that runs guests: a fault of the engine is not a fault of its
//! host.
//!
//! [`confine`] takes from the calling process, for good, what no guest's run needs: paths but the
//! named ones (Landlock), programs, other processes, new connections (seccomp), new rights. It is
//! for a process that is the user's own, such as the command `rck`, never for a caller's.
//! [`confine_paths`] takes paths alone, from a process that starts programs.
//!
//! Files: `paths` (Landlock), `system_calls` (which there are), `filter` (seccomp). Both need
//! Linux; on other hosts `confine` reports that it is not supported.

#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod paths;
#[cfg(target_os = "linux")]
mod system_calls;

use std::path::PathBuf;

/// The paths that a confined process may still use.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Files and folders that the process may read.
    pub read: Vec<PathBuf>,
    /// Files and folders that the process may read, and whose programs it may execute.
    pub run: Vec<PathBuf>,
    /// Files and folders in which the process may do everything but execute.
    pub write: Vec<PathBuf>,
}

/// The protection that is in force after [`confine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confined {
    /// True if Landlock keeps the process from other paths; false if the kernel has no Landlock.
    pub paths: bool,
}

/// The reason why a process could not be confined.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("this host has no sandbox that rck knows: it needs Linux on x86-64 or aarch64")]
    Host,
    #[error("{0} threads run already; a sandbox would not hold them")]
    Threads(usize),
    #[error("Landlock: {0}")]
    Paths(String),
    #[error("seccomp: {0}")]
    SystemCalls(String),
}

/// Confines this process, which must have one thread; the threads that it makes are confined, too.
#[cfg(target_os = "linux")]
pub fn confine(kept: &Kept) -> Result<Confined, Failure> {
    let threads = std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count);
    if threads != 1 {
        return Err(Failure::Threads(threads));
    }
    // The filter is made first: what fails then has changed nothing.
    let filters = filter::programs()?;
    let paths = confine_paths(kept)?;
    filter::install(&filters)?;
    Ok(Confined { paths })
}

/// Takes all other paths from this process and from the programs that it becomes or starts; false
/// if the kernel does not guard paths. System calls stay: a compiler starts programs.
#[cfg(target_os = "linux")]
pub fn confine_paths(kept: &Kept) -> Result<bool, Failure> {
    paths::restrict(kept).map_err(|error| Failure::Paths(error.to_string()))
}

/// True if this host's kernel guards paths.
#[cfg(target_os = "linux")]
pub fn guards_paths() -> bool {
    paths::are_guarded()
}

/// Returns false: on this host no kernel guards paths.
#[cfg(not(target_os = "linux"))]
pub fn confine_paths(_: &Kept) -> Result<bool, Failure> {
    Ok(false)
}

/// Returns false: of other hosts' kernels no way to guard paths is known here.
#[cfg(not(target_os = "linux"))]
pub fn guards_paths() -> bool {
    false
}

/// Fails: on this host there is nothing to confine a process with.
#[cfg(not(target_os = "linux"))]
pub fn confine(_: &Kept) -> Result<Confined, Failure> {
    Err(Failure::Host)
}
