//! Observers: statistics, the message matrix, the commit log. They watch, they never change a
//! result.
//!
//! This crate knows no hardware: sources and targets are numbers with names that the chip gives.
//! All figures are integers; what a reader sees as a rate is computed from them in a fixed order.

pub mod commit_log;
pub mod compare;
pub mod log_reader;
pub mod log_writer;
pub mod stats;
pub mod traffic;

pub use commit_log::{Header, Instruction, LogError, Transaction, TransactionKind, value_hash};
pub use compare::compare;
pub use log_reader::{LogReader, Record};
pub use log_writer::LogWriter;
pub use stats::{Statistic, StatisticError};
pub use traffic::{Traffic, TrafficMatrix};
