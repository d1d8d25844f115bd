//! Host threads: windows of several cores run at the same time.
//!
//! [`threads`] has the workers, [`work_queue`] is where a worker takes its next core,
//! [`window_batch`] chooses which windows run together. Which worker runs which window changes no
//! result; nothing here performs an event.

pub mod threads;
pub mod window_batch;
pub mod work_queue;
