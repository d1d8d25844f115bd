//! Fast forward of polling cores: their rounds pass without being executed.
//!
//! A core that repeats a request and gets equal responses is in a [`poll_loop`]: the instructions
//! between a response and the next request are not executed while the response stays the same. If
//! no other packet delays the core's requests, they become a [`periodic_stream`], which needs no
//! events either. [`dry_run`] computes the reservations of one round, [`first_collision`] the round
//! in which two streams collide; [`streams`] lists the users of each link and port.
//!
//! This module changes no result. The scheduler decides when a stream begins and ends.

pub mod dry_run;
pub mod first_collision;
pub mod periodic_stream;
pub mod poll_loop;
pub mod streams;
