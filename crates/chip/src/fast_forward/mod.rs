//! Cores that poll: their rounds are passed without executing them.
//!
//! A core that asks the same question again and again is a [`poll_loop`]: its instructions are not
//! executed while the response stays the same. If nobody gets in its way, its requests become a
//! periodic stream ([`periodic_stream`]) and need no events either, until the first collision with
//! somebody else ([`first_collision`]). [`streams`] keeps all of a chip's streams.
//!
//! Nothing here performs an event: that is the scheduler's.

pub mod first_collision;
pub mod periodic_stream;
pub mod poll_loop;
pub mod streams;
