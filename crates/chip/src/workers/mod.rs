//! Host threads: windows of several cores run at the same time.
//!
//! [`threads`] has the workers, [`work_queue`] gives each worker its next core, [`window_length`]
//! sets the length of a window. Which worker runs which window changes no result. The scheduler
//! decides which windows may run together.

pub mod threads;
pub mod window_length;
pub mod work_queue;
