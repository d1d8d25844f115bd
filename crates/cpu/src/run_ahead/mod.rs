//! Running ahead of the order of events, and rollback: transactions in progress, responses, and the
//! checkpoint with its undo log. The chip decides when a core runs ahead and when it is rolled
//! back.

pub(crate) mod checkpoint;
pub(crate) mod posted;
pub(crate) mod response;
pub(crate) mod same_line;
pub(crate) mod transaction;
