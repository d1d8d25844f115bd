//! The commit log: what a run did, instruction by instruction, in a compact file.
//!
//! A file is a magic number with a format version, then blocks: length (u32, little-endian),
//! XXH3-64 of the payload (u64), payload. The first block is the [`Header`]; the payloads of the
//! others are postcard-encoded entries, one after the other. An instruction is stored as its
//! difference from the same core's last one, so a block cannot be read alone. The last entry
//! holds the final statistics; a file without it was cut off.
//!
//! Each core's instructions are in program order and the transactions are in the chip's total
//! order. How the cores interleave in the file is not part of its meaning.

use rockcreek_defs::BusRequest;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes of a log.
pub(crate) const MAGIC: [u8; 6] = *b"RCKLOG";
/// The format that this version writes and reads.
pub(crate) const VERSION: u16 = 1;
/// A block is closed when it has reached this size.
pub(crate) const BLOCK_BYTES: usize = 64 << 10;
/// A longer block is damaged: a full block and one more entry are much shorter.
pub(crate) const LONGEST_BLOCK: usize = 64 << 20;

/// The general registers in the order of their x86 numbers.
pub(crate) const REGISTER_NAMES: [&str; 8] =
    ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];

/// The first block of a log: the chip, its number of cores, and its units by number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The chip description's name.
    pub chip: String,
    pub cores: u16,
    /// Names of the units that transactions target, by number.
    pub units: Vec<String>,
}

/// The state of a core after an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instruction {
    /// The core's cycle count when the instruction ended.
    pub cycle: u64,
    /// The address of the instruction.
    pub eip: u32,
    pub flags: u32,
    /// EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI.
    pub registers: [u32; 8],
    /// [`value_hash`] of the x87 state, or 0 while it is untouched.
    pub x87: u64,
}

/// The kind of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TransactionKind {
    ReadLine,
    Read,
    Write,
    WriteLine,
    IoRead,
    IoWrite,
    /// A pin of a core changes.
    Pin,
    /// A clock or reset changes.
    Control,
}

impl TransactionKind {
    /// The kind of a core's request.
    pub fn of(request: &BusRequest) -> TransactionKind {
        match request {
            BusRequest::ReadLine { .. } => TransactionKind::ReadLine,
            BusRequest::Read { .. } => TransactionKind::Read,
            BusRequest::Write { .. } => TransactionKind::Write,
            BusRequest::WriteLine { .. } => TransactionKind::WriteLine,
            BusRequest::IoRead { .. } => TransactionKind::IoRead,
            BusRequest::IoWrite { .. } => TransactionKind::IoWrite,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            TransactionKind::ReadLine => "line read",
            TransactionKind::Read => "read",
            TransactionKind::Write => "write",
            TransactionKind::WriteLine => "line write",
            TransactionKind::IoRead => "IN",
            TransactionKind::IoWrite => "OUT",
            TransactionKind::Pin => "pin change",
            TransactionKind::Control => "clock or reset change",
        }
    }
}

/// One event in the chip's total order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// The time at which the transaction takes effect at its target.
    pub time_ps: u64,
    /// The core that caused the transaction, or a number past the last core.
    pub source: u32,
    /// Number of the target unit.
    pub target: u32,
    pub kind: TransactionKind,
    /// Address inside the unit, or port.
    pub address: u64,
    /// [`value_hash`] of the bytes that moved.
    pub value: u64,
}

/// The hash that a log has in place of a value.
pub fn value_hash(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// An instruction as its difference from the last one of its core.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Difference {
    core: u16,
    cycles: u64,
    eip: i32,
    flags: u32,
    /// Bit `n`: register `n` changed; bit 8: the x87 hash changed.
    changed: u16,
}

/// Bit of `Difference::changed` for the x87 hash.
const X87: u16 = 1 << 8;

/// One entry of a block. The changed values of an instruction follow it as bare numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Entry {
    Instruction(Difference),
    Transaction(Transaction),
    End(Vec<(String, u64)>),
}

impl Difference {
    /// The difference and the values that changed.
    pub(crate) fn between(
        core: u16,
        last: &Instruction,
        next: &Instruction,
    ) -> (Difference, impl Iterator<Item = u64>) {
        let mut changed = 0;
        let mut values = [0; 9];
        let mut count = 0;
        let mut keep = |bit: u16, value: u64| {
            changed |= bit;
            values[count] = value;
            count += 1;
        };
        for (index, (old, new)) in last.registers.iter().zip(next.registers).enumerate() {
            if *old != new {
                keep(1 << index, u64::from(new));
            }
        }
        if last.x87 != next.x87 {
            keep(X87, next.x87);
        }
        let difference = Difference {
            core,
            cycles: next.cycle.wrapping_sub(last.cycle),
            eip: next.eip.wrapping_sub(last.eip) as i32,
            flags: next.flags ^ last.flags,
            changed,
        };
        (difference, values.into_iter().take(count))
    }

    pub(crate) fn core(&self) -> u16 {
        self.core
    }

    /// The instruction after `last`; `value` supplies the changed values.
    pub(crate) fn apply(
        &self,
        last: &Instruction,
        mut value: impl FnMut() -> Result<u64, LogError>,
    ) -> Result<Instruction, LogError> {
        let mut next = Instruction {
            cycle: last.cycle.wrapping_add(self.cycles),
            eip: last.eip.wrapping_add(self.eip as u32),
            flags: last.flags ^ self.flags,
            ..*last
        };
        for (index, register) in next.registers.iter_mut().enumerate() {
            if self.changed >> index & 1 == 1 {
                *register = value()? as u32;
            }
        }
        if self.changed & X87 != 0 {
            next.x87 = value()?;
        }
        Ok(next)
    }
}

/// The reason why a log cannot be written, read or compared.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("{path}: {error}")]
    Io { path: String, error: std::io::Error },
    #[error("{path} is not a commit log")]
    NotALog { path: String },
    #[error("{path} has commit log format {found}; this version reads format {VERSION}")]
    Version { path: String, found: u16 },
    #[error("{path} is damaged at byte {offset}: {what}")]
    Damaged { path: String, offset: u64, what: &'static str },
    #[error("{path} is cut off at byte {offset}: it has no end record")]
    Truncated { path: String, offset: u64 },
}
