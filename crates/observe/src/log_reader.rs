//! Reading a commit log, record by record, with a block in memory at a time.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;

use crate::commit_log::{
    Entry, Header, Instruction, LONGEST_BLOCK, LogError, MAGIC, Transaction, VERSION,
};

/// One record of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    Instruction {
        core: u16,
        state: Instruction,
    },
    Transaction(Transaction),
    /// The final statistics; nothing follows.
    End(Vec<(String, u64)>),
}

/// An open log.
#[derive(Debug)]
pub struct LogReader {
    path: String,
    file: BufReader<File>,
    header: Header,
    /// The offset in the file of the block that is in memory.
    block_offset: u64,
    block: Vec<u8>,
    used: usize,
    last: Vec<Instruction>,
    ended: bool,
}

impl LogReader {
    /// Opens a log and reads its header.
    pub fn open(path: &Path) -> Result<LogReader, LogError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| LogError::Io { path: name.clone(), error })?;
        let mut reader = LogReader {
            path: name,
            file: BufReader::new(file),
            header: Header::default(),
            block_offset: 0,
            block: Vec::new(),
            used: 0,
            last: Vec::new(),
            ended: false,
        };
        reader.read_start()?;
        reader.header = reader.take()?;
        reader.last = vec![Instruction::default(); usize::from(reader.header.cores)];
        Ok(reader)
    }

    /// The header: the chip, its number of cores, and its units.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The path with which the log was opened.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The next record; `None` after the end record.
    pub fn next_record(&mut self) -> Result<Option<Record>, LogError> {
        if self.ended {
            return Ok(None);
        }
        let record = match self.take()? {
            Entry::Instruction(difference) => {
                let core = difference.core();
                let Some(last) = self.last.get(usize::from(core)).copied() else {
                    return Err(self.damaged("it names a core that the chip does not have"));
                };
                let state = difference.apply(&last, || self.take())?;
                self.last[usize::from(core)] = state;
                Record::Instruction { core, state }
            }
            Entry::Transaction(transaction) => Record::Transaction(transaction),
            Entry::End(statistics) => {
                self.ended = true;
                Record::End(statistics)
            }
        };
        Ok(Some(record))
    }

    fn read_start(&mut self) -> Result<(), LogError> {
        let mut start = [0; MAGIC.len() + 2];
        if !self.fill(&mut start)? || start[..MAGIC.len()] != MAGIC {
            return Err(LogError::NotALog { path: self.path.clone() });
        }
        let found = u16::from_le_bytes([start[MAGIC.len()], start[MAGIC.len() + 1]]);
        if found != VERSION {
            return Err(LogError::Version { path: self.path.clone(), found });
        }
        self.block_offset = start.len() as u64;
        Ok(())
    }

    /// Decodes the next piece of the block, after reading another block if this one is used up.
    fn take<T: DeserializeOwned>(&mut self) -> Result<T, LogError> {
        if self.used == self.block.len() {
            self.read_block()?;
        }
        let rest = &self.block[self.used..];
        let Ok((piece, behind)) = postcard::take_from_bytes(rest) else {
            return Err(self.damaged("a record cannot be decoded"));
        };
        self.used = self.block.len() - behind.len();
        Ok(piece)
    }

    fn read_block(&mut self) -> Result<(), LogError> {
        const START: u64 = 12;
        self.block_offset += if self.block.is_empty() { 0 } else { START } + self.used as u64;
        self.used = 0;
        let mut start = [0; START as usize];
        if !self.fill(&mut start)? {
            return Err(self.truncated());
        }
        let (length, sum) = start.split_at(4);
        let length = u32::from_le_bytes(length.try_into().expect("4 bytes")) as usize;
        let sum = u64::from_le_bytes(sum.try_into().expect("8 bytes"));
        if length == 0 || length > LONGEST_BLOCK {
            return Err(self.damaged("a block has an impossible length"));
        }
        let mut block = std::mem::take(&mut self.block);
        block.resize(length, 0);
        if !self.fill(&mut block)? {
            return Err(self.truncated());
        }
        if xxh3_64(&block) != sum {
            return Err(self.damaged("a block does not match its checksum"));
        }
        self.block = block;
        Ok(())
    }

    /// Fills `bytes` from the file; false if the file ends first.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<bool, LogError> {
        match self.file.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(LogError::Io { path: self.path.clone(), error }),
        }
    }

    fn damaged(&self, what: &'static str) -> LogError {
        LogError::Damaged { path: self.path.clone(), offset: self.block_offset, what }
    }

    fn truncated(&self) -> LogError {
        LogError::Truncated { path: self.path.clone(), offset: self.block_offset }
    }
}
