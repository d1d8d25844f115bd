//! The front end: fetch through L1I, decode, decoded code by line, branch prediction.
//!
//! The effects of instructions are in `execute/`; the loop that runs blocks of them is in `run/`.

pub(crate) mod decoded_code;

pub(crate) mod branch_prediction;
pub(crate) mod decode;
pub(crate) mod fetch;
