//! Cores that poll: their rounds are passed without executing them.
//!
//! A core that sends the same request again and again and gets the same response is in a
//! [`poll_loop`]: the instructions between a response and the next request are not executed while
//! the response stays the same. If nobody gets in its way, its requests become a
//! [`periodic_stream`], which needs no events either: [`dry_run`] tells what one round will
//! reserve, [`first_collision`] when two streams meet, [`streams`] who uses which link or port.
//!
//! Nothing here changes a result. When a stream begins and ends is the scheduler's matter.

pub mod dry_run;
pub mod first_collision;
pub mod periodic_stream;
pub mod poll_loop;
pub mod streams;
