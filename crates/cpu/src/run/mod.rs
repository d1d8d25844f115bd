//! Running a core: the loop that chooses what is executed next, the interpreter for blocks of
//! instructions, and the end of a run. The translator is used through `code_cache/` only.

pub(crate) mod boundary;
pub(crate) mod engine;
pub(crate) mod exit;
pub(crate) mod interpreter;
pub(crate) mod run_loop;
