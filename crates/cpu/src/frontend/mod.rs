//! ROOM

pub(crate) mod decoded_code;

pub(crate) mod branch_prediction;
pub(crate) mod decode;
pub(crate) mod fetch;
