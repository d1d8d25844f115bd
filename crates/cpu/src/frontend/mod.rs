//! The front end: fetch through L1I, decode, decoded code by line, branch prediction.
//!
//! Not here: the effects of instructions (`execute/`), running blocks of them (`run/`).

pub(crate) mod decoded_code;

pub(crate) mod branch_prediction;
pub(crate) mod decode;
pub(crate) mod fetch;
