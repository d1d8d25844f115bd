//! The accesses that the caches complete at once: loads and stores in place, if a cache has the
//! line, and locked accesses. All other accesses take the ordinary path.

pub mod in_place;
mod locked;
