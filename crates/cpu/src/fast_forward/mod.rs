//! ROOM

pub(crate) mod delay_loop;
pub(crate) mod induction;
pub(crate) mod poll_loop;
pub(crate) mod trip_count;
