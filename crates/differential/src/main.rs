//! The command of the differential tester.
//!
//!     differential run [--seed N] [--first N] [--cases N]     host against core
//!     differential replay --seed N --case N                    one case, with all it holds
//!     differential write --seed N --cases N FILE               the test program, for `rck run`
//!     differential check --seed N --cases N FILE               its results against the host's

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::process::ExitCode;

use iced_x86::{Code, Formatter, IntelFormatter};
use rockcreek_differential::{
    Bench, Case, Kind, Outcome, case, decode, differences, host_can_run, image, layout::BATCH,
    outcomes, run_on_host,
};

/// Cases of a run that names no number.
const DEFAULT_CASES: u64 = 1_000_000;
/// Differences that are printed in full.
const SHOWN: usize = 10;

struct Arguments {
    numbers: HashMap<String, u64>,
    file: Option<String>,
}

impl Arguments {
    fn parse(words: &[String]) -> Result<Arguments, String> {
        let mut parsed = Arguments { numbers: HashMap::new(), file: None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix("--") else {
                parsed.file = Some(word.clone());
                continue;
            };
            if !["seed", "first", "cases", "case"].contains(&name) {
                return Err(format!("no option --{name}"));
            }
            let value = words.next().and_then(|value| value.parse().ok());
            let value = value.ok_or(format!("--{name} takes a number"))?;
            parsed.numbers.insert(name.into(), value);
        }
        Ok(parsed)
    }

    fn number(&self, name: &str, default: u64) -> u64 {
        self.numbers.get(name).copied().unwrap_or(default)
    }

    fn file(&self) -> io::Result<&str> {
        self.file.as_deref().ok_or(io::Error::other("the name of a file is missing"))
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = words.split_first().map_or(("", &[][..]), |(c, r)| (c.as_str(), r));
    let arguments = match Arguments::parse(rest) {
        Ok(arguments) => arguments,
        Err(text) => {
            eprintln!("differential: {text}");
            return ExitCode::from(2);
        }
    };
    if !host_can_run() && command != "write" {
        println!("differential: skipped: the host is not x86-64 Linux");
        return ExitCode::SUCCESS;
    }
    let done = match command {
        "run" => run(&arguments),
        "replay" => replay(&arguments),
        "write" => write(&arguments),
        "check" => check(&arguments),
        _ => Err(io::Error::other("commands: run, replay, write, check")),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("differential: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> io::Result<bool> {
    let seed = arguments.number("seed", 0);
    let first = arguments.number("first", 0);
    let end = first + arguments.number("cases", DEFAULT_CASES);
    let mut bench = Bench::new();
    let mut tally = Tally::default();
    let mut next = first;
    while next < end {
        // A program holds one batch of slots.
        let stop = end.min((next / BATCH + 1) * BATCH);
        let cases: Vec<Case> = (next..stop).map(|number| case(seed, number)).collect();
        let host = run_on_host(&cases)?;
        let ours = bench.run(&cases);
        tally.compare(seed, &cases, &host, &ours);
        next = stop;
    }
    Ok(tally.report(seed))
}

#[derive(Default)]
struct Tally {
    cases: u64,
    faulted: u64,
    lacking: u64,
    /// Instruction forms that ended without a fault.
    forms: HashSet<Code>,
    /// Differing cases by mnemonic.
    different: HashMap<String, u64>,
    shown: usize,
}

impl Tally {
    fn compare(&mut self, seed: u64, cases: &[Case], host: &[Outcome], ours: &[Outcome]) {
        for ((case, host), ours) in cases.iter().zip(host).zip(ours) {
            self.cases += 1;
            self.lacking += u64::from(case.kind == Kind::Lacking);
            self.faulted += u64::from(host.fault.is_some() && case.kind != Kind::Lacking);
            let instruction = decode(&case.bytes, case.entry());
            if host.fault.is_none() {
                self.forms.insert(instruction.code());
            }
            let found = differences(case, host, ours);
            if found.is_empty() {
                continue;
            }
            let name = format!("{:?}", instruction.mnemonic());
            let count = self.different.entry(name).or_default();
            *count += 1;
            // The first of each instruction says most.
            if *count == 1 && self.shown < SHOWN {
                self.shown += 1;
                print_case(seed, case, &found);
            }
        }
    }

    fn report(&self, seed: u64) -> bool {
        let differing: u64 = self.different.values().sum();
        println!(
            "differential: seed {seed}: {} cases, {} faulted, {} newer than a P54C, {} instruction \
             forms without a fault, {differing} different",
            self.cases,
            self.faulted,
            self.lacking,
            self.forms.len()
        );
        let mut names: Vec<_> = self.different.iter().collect();
        names.sort();
        for (name, count) in names {
            println!("  {name}: {count}");
        }
        differing == 0
    }
}

fn print_case(seed: u64, case: &Case, found: &[String]) {
    let mut text = String::new();
    IntelFormatter::new().format(&decode(&case.bytes, case.entry()), &mut text);
    println!("case {} of seed {seed}: {:02x?} {text}", case.number, case.bytes);
    if case.prelude.count > 0 {
        println!("  after {:02x?}", case.prelude.bytes);
    }
    println!("  replay: make fuzz SEED={seed} CASE={}", case.number);
    println!("  in: general {:08x?} eflags {:08x}", case.general, case.eflags);
    println!("      x87 control {:02x?} status {:02x?}", &case.fpu[..2], &case.fpu[4..6]);
    for line in found {
        println!("  {line}");
    }
}

fn replay(arguments: &Arguments) -> io::Result<bool> {
    let seed = arguments.number("seed", 0);
    let case = case(seed, arguments.number("case", 0));
    let cases = [case];
    let host = run_on_host(&cases)?;
    let ours = Bench::new().run(&cases);
    let found = differences(&cases[0], &host[0], &ours[0]);
    print_case(seed, &cases[0], &found);
    println!("  window at {:08x}: {:02x?}", cases[0].window_address, cases[0].window);
    println!("  x87 {:02x?}", cases[0].fpu);
    println!("host: {:x?}", host[0]);
    println!("ours: {:x?}", ours[0]);
    Ok(found.is_empty())
}

/// The cases that mean the same under another kernel.
fn portable(arguments: &Arguments) -> Vec<Case> {
    let seed = arguments.number("seed", 0);
    (0..arguments.number("cases", 1000).min(BATCH))
        .map(|number| case(seed, number))
        .filter(|case| case.kind == Kind::Common)
        .collect()
}

fn write(arguments: &Arguments) -> io::Result<bool> {
    let cases = portable(arguments);
    let file = arguments.file()?;
    fs::write(file, image(&cases.iter().collect::<Vec<_>>())?)?;
    fs::set_permissions(file, PermissionsExt::from_mode(0o755))?;
    Ok(true)
}

fn check(arguments: &Arguments) -> io::Result<bool> {
    let cases = portable(arguments);
    let ours = outcomes(&cases, &fs::read(arguments.file()?)?)?;
    let host = run_on_host(&cases)?;
    let seed = arguments.number("seed", 0);
    let mut tally = Tally::default();
    let same_selectors: Vec<Outcome> = ours
        .into_iter()
        .zip(&host)
        .map(|(ours, host)| Outcome { segments: host.segments, ..ours })
        .collect();
    tally.compare(seed, &cases, &host, &same_selectors);
    Ok(tally.report(seed))
}
