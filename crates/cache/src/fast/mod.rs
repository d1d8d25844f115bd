//! The accesses that the caches complete at once: loads and stores in place, if a cache has the
//! line, and locked accesses. All other accesses take the ordinary path.
//!
//! NPB LU (class S, one core) takes 1.26 times the host's instructions without accesses in place
//! (2026-11-29).

pub mod in_place;
mod locked;
