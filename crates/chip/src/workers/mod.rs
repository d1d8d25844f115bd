//! Host threads: windows of several cores run at the same time.
//!
//! [`threads`] has the workers, [`work_queue`] is where a worker takes its next core,
//! [`window_length`] says how long a window is. Which worker runs which window changes no result.
//! Which windows may run together is the scheduler's matter.

pub mod threads;
pub mod window_length;
pub mod work_queue;
