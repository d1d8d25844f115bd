//! Logs that are written, read, damaged and compared.

use std::fs::File;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rockcreek_observe::{
    Header, Instruction, LogError, LogReader, LogWriter, Record, Transaction, TransactionKind,
    compare, value_hash,
};
use tempfile::TempDir;

fn header() -> Header {
    let units = ["tile 00 mpb", "memory 0"].map(str::to_owned).to_vec();
    Header { chip: "scc".to_owned(), cores: 3, units }
}

fn log(path: &Path, header: &Header) -> Result<LogWriter, LogError> {
    LogWriter::create(File::create(path).unwrap(), "a log", header)
}

/// A made-up run: what a core's n-th instruction leaves behind.
fn instruction(core: usize, n: u64) -> Instruction {
    let mut registers = [0; 8];
    registers[n as usize % 8] = (n * 77) as u32;
    registers[4] = 0xBFFF_F000 - 4 * n as u32;
    Instruction {
        cycle: 3 * n + core as u64,
        eip: 0x0804_8000 + (n % 50) as u32,
        flags: 0x202 | (n & 1) as u32,
        registers,
        x87: if n.is_multiple_of(100) { value_hash(&n.to_le_bytes()) } else { 0 },
    }
}

fn transaction(n: u64) -> Transaction {
    Transaction {
        time_ps: 1875 * n,
        source: (n % 3) as u32,
        target: (n % 2) as u32,
        kind: TransactionKind::ReadLine,
        address: 32 * n,
        value: value_hash(&n.to_le_bytes()),
    }
}

struct Run {
    instructions: u64,
    statistics: Vec<(String, u64)>,
    /// How many instructions a core does at a time.
    slice: u64,
}

impl Default for Run {
    fn default() -> Run {
        let statistics = vec![("core.00.fills".to_owned(), 4), ("mesh.packets".to_owned(), 9)];
        Run { instructions: 3000, statistics, slice: 7 }
    }
}

impl Run {
    fn write(
        &self,
        dir: &TempDir,
        name: &str,
        change: impl Fn(usize, u64, &mut Instruction),
        change_transaction: impl Fn(u64, &mut Transaction),
    ) -> PathBuf {
        let path = dir.path().join(name);
        let mut log = log(&path, &header()).unwrap();
        let mut transactions = 0;
        for start in (0..self.instructions).step_by(self.slice as usize) {
            let end = (start + self.slice).min(self.instructions);
            for core in 0..3 {
                for n in start..end {
                    let mut next = instruction(core, n);
                    change(core, n, &mut next);
                    log.instruction(core, &next);
                }
                log.commit(core);
            }
            while transactions * 20 < end {
                let mut next = transaction(transactions);
                change_transaction(transactions, &mut next);
                log.transaction(&next);
                transactions += 1;
            }
        }
        log.finish(self.statistics.clone()).unwrap();
        path
    }

    fn plain(&self, dir: &TempDir, name: &str) -> PathBuf {
        self.write(dir, name, |_, _, _| {}, |_, _| {})
    }
}

fn difference(a: &Path, b: &Path) -> String {
    compare(a, b).unwrap().expect("the runs differ")
}

#[test]
fn a_log_reads_back_as_written() {
    let dir = TempDir::new().unwrap();
    let path = Run::default().plain(&dir, "a");
    let mut reader = LogReader::open(&path).unwrap();
    assert_eq!(reader.header(), &header());
    let mut next = [0; 3];
    let mut transactions = 0;
    while let Some(record) = reader.next_record().unwrap() {
        match record {
            Record::Instruction { core, state } => {
                let core = usize::from(core);
                assert_eq!(state, instruction(core, next[core]));
                next[core] += 1;
            }
            Record::Transaction(got) => {
                assert_eq!(got, transaction(transactions));
                transactions += 1;
            }
            Record::End(statistics) => assert_eq!(statistics, Run::default().statistics),
        }
    }
    assert_eq!((next, transactions), ([3000; 3], 150));
    let bytes = std::fs::metadata(&path).unwrap().len();
    assert!(bytes < 9000 * 20, "{bytes} bytes for 9000 instructions");
}

#[test]
fn equal_runs_are_equal_however_the_cores_interleave() {
    let dir = TempDir::new().unwrap();
    let a = Run::default().plain(&dir, "a");
    let b = Run { slice: 100, ..Run::default() }.plain(&dir, "b");
    assert_eq!(compare(&a, &a).unwrap(), None);
    assert_eq!(compare(&a, &b).unwrap(), None);
    assert_eq!(compare(&b, &a).unwrap(), None);
}

#[test]
fn what_was_taken_back_is_not_logged() {
    let dir = TempDir::new().unwrap();
    let a = Run::default().plain(&dir, "a");
    let path = dir.path().join("b");
    let mut log = log(&path, &header()).unwrap();
    log.instruction(1, &instruction(1, 99));
    log.rollback(1);
    log.instruction(1, &instruction(1, 0));
    log.commit(1);
    log.instruction(1, &instruction(1, 1));
    log.finish(Vec::new()).unwrap();
    let text = difference(&a, &path);
    assert!(text.contains("ends in B after"), "{text}");
    let mut reader = LogReader::open(&path).unwrap();
    let first = reader.next_record().unwrap();
    assert_eq!(first, Some(Record::Instruction { core: 1, state: instruction(1, 0) }));
    assert_eq!(reader.next_record().unwrap(), Some(Record::End(Vec::new())));
    assert_eq!(reader.next_record().unwrap(), None);
}

#[test]
fn the_first_differing_register_is_named() {
    let dir = TempDir::new().unwrap();
    let run = Run::default();
    let a = run.plain(&dir, "a");
    let change = |core: usize, n: u64, next: &mut Instruction| {
        if core == 2 && n >= 1234 {
            next.registers[3] = 0xDEAD_BEEF;
        }
    };
    let b = run.write(&dir, "b", change, |_, _| {});
    let text = difference(&a, &b);
    for part in ["core 02", "instruction 1235", "cycle 3704", "ebx is", "0xdeadbeef in B"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Another interleaving in B changes nothing about that.
    let b = Run { slice: 500, ..Run::default() }.write(&dir, "c", change, |_, _| {});
    assert_eq!(difference(&a, &b), text);
}

#[test]
fn the_earliest_of_several_differences_is_reported() {
    let dir = TempDir::new().unwrap();
    let a = Run::default().plain(&dir, "a");
    let change = |core: usize, n: u64, next: &mut Instruction| {
        if (core, n) == (0, 1500) || (core, n) == (1, 1000) || (core, n) == (2, 2000) {
            next.flags ^= 0x40;
        }
    };
    let b = Run { slice: 900, ..Run::default() }.write(&dir, "b", change, |_, _| {});
    let text = difference(&a, &b);
    assert!(text.starts_with("core 01 parts at its instruction 1001 "), "{text}");
    assert!(text.contains("eflags is 0x00000202 in A, 0x00000242 in B"), "{text}");
}

#[test]
fn a_wrong_turn_a_late_transaction_and_a_statistic_are_told_apart() {
    let dir = TempDir::new().unwrap();
    let run = Run::default();
    let a = run.plain(&dir, "a");
    let turn = |core: usize, n: u64, next: &mut Instruction| {
        if (core, n) == (1, 10) {
            next.eip = 0x0805_0000;
        }
    };
    let text = difference(&a, &run.write(&dir, "b", turn, |_, _| {}));
    assert!(text.contains("A executes eip 0x0804800a"), "{text}");
    assert!(text.contains("B eip 0x08050000"), "{text}");

    let late = |n: u64, next: &mut Transaction| next.time_ps += u64::from(n >= 50);
    let text = difference(&a, &run.write(&dir, "c", |_, _, _| {}, late));
    for part in ["transaction 51 (time differs)", "93750 ps", "93751 ps", "tile 00 mpb", "core 02"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }

    let mut other = Run::default();
    other.statistics[1].1 += 1;
    let text = difference(&a, &other.plain(&dir, "d"));
    assert_eq!(text, "statistic mesh.packets is 9 in A, 10 in B");
    other.statistics.pop();
    let text = difference(&a, &other.plain(&dir, "e"));
    assert_eq!(text, "B lacks the statistic mesh.packets");
}

#[test]
fn a_shorter_run_is_named() {
    let dir = TempDir::new().unwrap();
    let a = Run::default().plain(&dir, "a");
    let b = Run { instructions: 2990, ..Run::default() }.plain(&dir, "b");
    let text = difference(&a, &b);
    assert!(text.contains("ends in B after 2990 instructions"), "{text}");
    let text = difference(&b, &a);
    assert!(text.contains("ends in A after 2990 instructions"), "{text}");
}

#[test]
fn files_that_are_no_logs_are_refused_in_words() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("x");
    assert!(matches!(LogReader::open(&path), Err(LogError::Io { .. })));
    std::fs::write(&path, "hello").unwrap();
    assert!(matches!(LogReader::open(&path), Err(LogError::NotALog { .. })));
    std::fs::write(&path, b"RCKLOG\xFF\x00").unwrap();
    assert!(matches!(LogReader::open(&path), Err(LogError::Version { found: 255, .. })));
    let full = std::fs::read(Run::default().plain(&dir, "a")).unwrap();
    std::fs::write(&path, &full[..full.len() - 1]).unwrap();
    let error = compare(&dir.path().join("a"), &path).unwrap_err().to_string();
    assert!(error.contains("cut off"), "{error}");
    let other = Header { cores: 4, ..header() };
    log(&path, &other).unwrap().finish(Vec::new()).unwrap();
    assert!(difference(&dir.path().join("a"), &path).contains("A has 3 cores, B has 4"));
}

#[test]
fn a_full_disk_is_reported_at_the_end() {
    let path = Path::new("/dev/full");
    if !path.exists() {
        return;
    }
    let outcome = log(path, &header()).and_then(|log| log.finish(Vec::new()));
    assert!(matches!(outcome, Err(LogError::Io { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(64)
    })]

    #[test]
    fn damage_is_an_error_and_never_a_panic(at in 0..20_000usize, byte: u8, cut in 0..20_000usize) {
        let dir = TempDir::new().unwrap();
        let path = Run { instructions: 500, ..Run::default() }.plain(&dir, "a");
        let mut bytes = std::fs::read(&path).unwrap();
        let at = at % bytes.len();
        let damaged = bytes[at] != byte;
        bytes[at] = byte;
        let cut = cut % bytes.len();
        for damage in [bytes.clone(), bytes[..cut].to_vec()] {
            let damaged = damaged || damage.len() < bytes.len();
            std::fs::write(&path, damage).unwrap();
            let read = LogReader::open(&path).and_then(|mut log| {
                while log.next_record()?.is_some() {}
                Ok(())
            });
            prop_assert_eq!(read.is_err(), damaged);
        }
    }
}
