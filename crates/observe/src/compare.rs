//! Where two runs part: the first instruction, transaction or statistic that differs.
//!
//! A core's instructions are compared with the same core's of the other log, transactions in
//! their total order, statistics by name. How cores interleave in a file does not matter. Of
//! several differences the one that stands first in log A is reported: a core's step aside stands
//! before the transactions that follow from it.

use std::collections::VecDeque;
use std::path::Path;

use crate::commit_log::{Header, Instruction, LogError, REGISTER_NAMES, Transaction};
use crate::log_reader::{LogReader, Record};

/// Compares two logs; `None` if the runs are the same, otherwise the first difference in words.
pub fn compare(a: &Path, b: &Path) -> Result<Option<String>, LogError> {
    let (mut a, mut b) = (LogReader::open(a)?, LogReader::open(b)?);
    if let Some(difference) = headers(a.header(), b.header()) {
        return Ok(Some(difference));
    }
    let mut comparison = Comparison::new(a.header());
    let (mut a_open, mut b_open) = (true, true);
    while a_open || b_open {
        if a_open && comparison.found.is_none() {
            a_open = comparison.take(Side::A, a.next_record()?);
        }
        // Once a difference is found in A's records so far, only B's half of earlier ones is
        // still wanted.
        if b_open {
            b_open = comparison.take(Side::B, b.next_record()?);
        }
        if comparison.is_settled() || (comparison.found.is_some() && !b_open) {
            break;
        }
    }
    Ok(comparison.finish())
}

fn headers(a: &Header, b: &Header) -> Option<String> {
    if a == b {
        return None;
    }
    if a.cores != b.cores {
        let (a, b) = (a.cores, b.cores);
        return Some(format!("the logs are of different chips: A has {a} cores, B has {b}"));
    }
    Some(format!("the logs are of different chips: A is of {:?}, B of {:?}", a.chip, b.chip))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    A,
    B,
}

/// A record that is compared: an instruction of one core, or a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Instruction(Instruction),
    Transaction(Transaction),
}

/// Records of one core, or the transactions: those that one log has and the other not yet.
#[derive(Clone, Debug, Default)]
struct Stream {
    /// Each record with its place in A; for records of B the place does not matter.
    waiting: VecDeque<(u64, Item)>,
    ahead: Option<Side>,
    matched: u64,
}

/// A difference and its place in A.
#[derive(Clone, Debug)]
struct Found {
    place: u64,
    words: String,
}

struct Comparison {
    units: Vec<String>,
    /// A stream for each core, then the stream of transactions.
    streams: Vec<Stream>,
    statistics: [Option<Vec<(String, u64)>>; 2],
    places: u64,
    found: Option<Found>,
}

impl Comparison {
    fn new(header: &Header) -> Comparison {
        Comparison {
            units: header.units.clone(),
            streams: vec![Stream::default(); usize::from(header.cores) + 1],
            statistics: [None, None],
            places: 0,
            found: None,
        }
    }

    /// Takes the next record of one log; false if that was the last.
    fn take(&mut self, side: Side, record: Option<Record>) -> bool {
        let (stream, item) = match record {
            Some(Record::Instruction { core, state }) => {
                (usize::from(core), Item::Instruction(state))
            }
            Some(Record::Transaction(transaction)) => {
                (self.streams.len() - 1, Item::Transaction(transaction))
            }
            Some(Record::End(statistics)) => {
                self.statistics[side as usize] = Some(statistics);
                return false;
            }
            None => return false,
        };
        self.places += u64::from(side == Side::A);
        let queue = &mut self.streams[stream];
        if queue.waiting.is_empty() || queue.ahead == Some(side) {
            queue.ahead = Some(side);
            queue.waiting.push_back((self.places, item));
            return true;
        }
        let (place, other) = queue.waiting.pop_front().expect("not empty");
        let (place, a, b) = match side {
            Side::A => (self.places, item, other),
            Side::B => (place, other, item),
        };
        if a == b {
            queue.matched += 1;
        } else if self.found.as_ref().is_none_or(|found| place < found.place) {
            let words = self.part(stream, &a, &b);
            self.found = Some(Found { place, words });
        }
        true
    }

    /// True if a difference is found and nothing before it in A is still unmatched.
    fn is_settled(&self) -> bool {
        let Some(found) = &self.found else { return false };
        self.streams.iter().all(|stream| {
            stream.ahead != Some(Side::A)
                || stream.waiting.front().is_none_or(|(place, _)| *place >= found.place)
        })
    }

    fn finish(mut self) -> Option<String> {
        self.find_ends();
        if let Some(found) = self.found {
            return Some(found.words);
        }
        let [Some(a), Some(b)] = &self.statistics else { return None };
        statistics(a, b)
    }

    /// Finds records that the other log lacks, once both logs have ended.
    fn find_ends(&mut self) {
        for (number, stream) in self.streams.iter().enumerate() {
            let Some((place, item)) = stream.waiting.front() else { continue };
            // B's surplus comes after everything in A.
            let (place, more, less) = match stream.ahead {
                Some(Side::A) => (*place, "A", "B"),
                _ => (u64::MAX, "B", "A"),
            };
            if self.found.as_ref().is_some_and(|found| found.place <= place) {
                continue;
            }
            let what = match item {
                Item::Instruction(state) => format!(
                    "core {number:02} ends in {less} after {} instructions; {more} goes on at \
                     cycle {}, eip {:#010x}",
                    stream.matched, state.cycle, state.eip
                ),
                Item::Transaction(transaction) => format!(
                    "{less} ends after {} transactions; {more} goes on with {}",
                    stream.matched,
                    self.transaction(transaction)
                ),
            };
            self.found = Some(Found { place, words: what });
        }
    }

    fn part(&self, stream: usize, a: &Item, b: &Item) -> String {
        let number = self.streams[stream].matched + 1;
        match (a, b) {
            (Item::Instruction(a), Item::Instruction(b)) => {
                format!("core {stream:02} parts at its instruction {number}{}", instruction(a, b))
            }
            (Item::Transaction(a), Item::Transaction(b)) => format!(
                "the runs part at transaction {number}{}: A has {}, B has {}",
                transaction_fields(a, b),
                self.transaction(a),
                self.transaction(b)
            ),
            _ => unreachable!("a stream holds one kind of record"),
        }
    }

    fn transaction(&self, transaction: &Transaction) -> String {
        let Transaction { time_ps, source, target, kind, address, value } = *transaction;
        let target = match self.units.get(target as usize) {
            Some(name) => name.clone(),
            None => format!("unit {target}"),
        };
        format!(
            "at {time_ps} ps a {} by {} at {target}, address {address:#x}, value hash {value:016x}",
            kind.words(),
            if (source as usize) < self.streams.len() - 1 {
                format!("core {source:02}")
            } else {
                format!("source {source}")
            },
        )
    }
}

/// The differing fields of one instruction.
fn instruction(a: &Instruction, b: &Instruction) -> String {
    if a.eip != b.eip {
        return format!(
            ": A executes eip {:#010x} (cycle {}), B eip {:#010x} (cycle {})",
            a.eip, a.cycle, b.eip, b.cycle
        );
    }
    let mut fields = Vec::new();
    if a.cycle != b.cycle {
        fields.push(format!("cycle is {} in A, {} in B", a.cycle, b.cycle));
    }
    for (name, (a, b)) in REGISTER_NAMES.iter().zip(a.registers.iter().zip(b.registers)) {
        if *a != b {
            fields.push(format!("{name} is {a:#010x} in A, {b:#010x} in B"));
        }
    }
    if a.flags != b.flags {
        fields.push(format!("eflags is {:#010x} in A, {:#010x} in B", a.flags, b.flags));
    }
    if a.x87 != b.x87 {
        fields.push("the x87 state differs".to_owned());
    }
    format!(" (cycle {}, eip {:#010x}): {}", a.cycle, a.eip, fields.join("; "))
}

/// The differing fields of two transactions, in words.
fn transaction_fields(a: &Transaction, b: &Transaction) -> String {
    let differs = [
        ("time", a.time_ps != b.time_ps),
        ("source", a.source != b.source),
        ("target", a.target != b.target),
        ("kind", a.kind != b.kind),
        ("address", a.address != b.address),
        ("value", a.value != b.value),
    ];
    let names: Vec<&str> =
        differs.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
    format!(" ({} differs)", names.join(", "))
}

fn statistics(a: &[(String, u64)], b: &[(String, u64)]) -> Option<String> {
    for index in 0..a.len().max(b.len()) {
        match (a.get(index), b.get(index)) {
            (Some(a), Some(b)) if a == b => {}
            (Some((name, a)), Some((other, b))) if name == other => {
                return Some(format!("statistic {name} is {a} in A, {b} in B"));
            }
            (Some((a, _)), Some((b, _))) => {
                return Some(format!("the statistics part by name: A has {a}, B has {b}"));
            }
            (Some((name, _)), None) => return Some(format!("B lacks the statistic {name}")),
            (None, Some((name, _))) => return Some(format!("A lacks the statistic {name}")),
            (None, None) => break,
        }
    }
    None
}
