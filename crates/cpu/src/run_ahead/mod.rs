//! Running ahead of the order of events, and going back: transactions under way, responses, and
//! the checkpoint with its undo log. The chip decides when; the core only can.

pub(crate) mod checkpoint;
pub(crate) mod posted;
pub(crate) mod response;
pub(crate) mod same_line;
pub(crate) mod transaction;
