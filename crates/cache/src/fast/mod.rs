//! What the caches do at once: loads and stores in place, when the line is at hand, and locked
//! accesses within the core's own caches. Everything else goes the ordinary path.

pub mod in_place;
mod locked;
