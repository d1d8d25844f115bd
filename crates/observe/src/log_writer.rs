//! Writing a commit log.
//!
//! A core that runs ahead may be taken back, so its instructions wait in a list of their own until
//! [`LogWriter::commit`]; the list is as long as the core's window. The file is written in blocks.
//! The first failure of the host's disk ends the log: it is kept and reported by `finish`.

use std::fs::File;
use std::io::{self, Write};

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::commit_log::{
    BLOCK_BYTES, Difference, Entry, Header, Instruction, LogError, MAGIC, Transaction, VERSION,
};

/// A core's last committed instruction and those not yet committed.
#[derive(Clone, Debug, Default)]
struct CoreLog {
    last: Instruction,
    pending: Vec<Instruction>,
}

/// An open commit log.
#[derive(Debug)]
pub struct LogWriter {
    /// The name of the file, for errors.
    name: String,
    file: File,
    block: Vec<u8>,
    cores: Vec<CoreLog>,
    error: Option<io::Error>,
}

impl LogWriter {
    /// Starts a log in an empty file that is open for writing.
    pub fn create(file: File, name: &str, header: &Header) -> Result<LogWriter, LogError> {
        let mut writer = LogWriter {
            name: name.to_owned(),
            file,
            block: Vec::with_capacity(2 * BLOCK_BYTES),
            cores: vec![CoreLog::default(); usize::from(header.cores)],
            error: None,
        };
        let mut start = MAGIC.to_vec();
        start.extend(VERSION.to_le_bytes());
        writer.file.write_all(&start).map_err(|error| io_error(name, error))?;
        writer.append(header);
        writer.close_block();
        match writer.error.take() {
            Some(error) => Err(io_error(name, error)),
            None => Ok(writer),
        }
    }

    /// Records that an instruction has ended; the core may still be taken back before it.
    #[inline]
    pub fn instruction(&mut self, core: usize, instruction: &Instruction) {
        self.cores[core].pending.push(*instruction);
    }

    /// Commits what the core has done so far. Call when its window ends, before the
    /// transaction that ended it.
    pub fn commit(&mut self, core: usize) {
        let mut log = std::mem::take(&mut self.cores[core]);
        for next in log.pending.drain(..) {
            let (difference, values) = Difference::between(core as u16, &log.last, &next);
            self.append(&Entry::Instruction(difference));
            values.for_each(|value| self.append(&value));
            log.last = next;
            self.close_full_block();
        }
        self.cores[core] = log;
    }

    /// Drops the instructions after the core's last commit, because the core was taken back to it.
    pub fn rollback(&mut self, core: usize) {
        self.cores[core].pending.clear();
    }

    /// Records a transaction that takes effect.
    pub fn transaction(&mut self, transaction: &Transaction) {
        self.append(&Entry::Transaction(*transaction));
        self.close_full_block();
    }

    /// Ends the log with the final statistics. Instructions not committed are left out.
    pub fn finish(mut self, statistics: Vec<(String, u64)>) -> Result<(), LogError> {
        self.append(&Entry::End(statistics));
        self.close_block();
        let flushed = self.error.take().map_or_else(|| self.file.flush(), Err);
        flushed.map_err(|error| io_error(&self.name, error))
    }

    fn append<T: Serialize>(&mut self, entry: &T) {
        let block = std::mem::take(&mut self.block);
        self.block = postcard::to_extend(entry, block).expect("entries are plain data");
    }

    fn close_full_block(&mut self) {
        if self.block.len() >= BLOCK_BYTES {
            self.close_block();
        }
    }

    fn close_block(&mut self) {
        if self.error.is_none() {
            let mut start = (self.block.len() as u32).to_le_bytes().to_vec();
            start.extend(xxh3_64(&self.block).to_le_bytes());
            let written =
                self.file.write_all(&start).and_then(|()| self.file.write_all(&self.block));
            self.error = written.err();
        }
        self.block.clear();
    }
}

fn io_error(name: &str, error: io::Error) -> LogError {
    LogError::Io { path: name.to_owned(), error }
}
