//! Running a core: the loop that decides what comes next, blocks of instructions in the
//! interpreter, and why a run ends. It uses the translator only by `code_cache/`.

pub(crate) mod boundary;
pub(crate) mod engine;
pub(crate) mod exit;
pub(crate) mod interpreter;
pub(crate) mod run_loop;
