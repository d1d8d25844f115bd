//! Running ahead of the order of events, and rollback: transactions under way, responses, and the
//! checkpoint with its undo log. The chip decides when a core runs ahead or is taken back.

pub(crate) mod checkpoint;
pub(crate) mod posted;
pub(crate) mod response;
pub(crate) mod same_line;
pub(crate) mod transaction;
