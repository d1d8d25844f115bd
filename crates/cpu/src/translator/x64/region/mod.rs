//! A region as host code: its blocks in order, its slow paths behind them, and which instructions
//! translated code executes itself. The choice of blocks is in `../../regions/`.

pub(crate) mod block_start;
pub(crate) mod coverage;
pub(crate) mod emit;
pub(crate) mod slow_path;
