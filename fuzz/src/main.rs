//! The targets by hand.
//!
//!     rockcreek-fuzz list                             the names of all targets
//!     rockcreek-fuzz run [TARGET] [--seed N] [--scale N]   the property engine, N times the cases
//!     rockcreek-fuzz replay TARGET FILE               one input
//!     rockcreek-fuzz examples TARGET FOLDER           the target's examples, for libFuzzer

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rockcreek_fuzz::{TARGETS, Target, find, found, property};

/// Where inputs go that have just failed.
const FAILED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/fuzz/found");

fn target(name: &str) -> Result<&'static Target, String> {
    let names = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
    find(name).ok_or_else(|| format!("there is no target '{name}'; there are {}", names()))
}

/// Takes `--name N` out of the words.
fn option(words: &mut Vec<String>, name: &str, default: u64) -> Result<u64, String> {
    let Some(at) = words.iter().position(|word| word == name) else { return Ok(default) };
    let value = words.get(at + 1).and_then(|word| word.parse().ok());
    words.drain(at..(at + 2).min(words.len()));
    value.ok_or_else(|| format!("{name} takes a number"))
}

fn run(chosen: &[&'static Target], seed: u64, scale: u32) -> Result<(), String> {
    for target in chosen {
        let cases = target.cases.saturating_mul(scale);
        eprintln!("fuzz: {}: {cases} cases", target.name);
        if let Err((data, reason)) = property::run(target, seed, cases) {
            let path = PathBuf::from(FAILED).join(target.name);
            let written =
                std::fs::create_dir_all(FAILED).and_then(|()| std::fs::write(&path, data));
            written.map_err(|error| format!("{}: {error}", path.display()))?;
            return Err(format!("{}: {reason}; the input is in {}", target.name, path.display()));
        }
    }
    Ok(())
}

fn write_examples(target: &Target, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let kept = found(target).into_iter().map(|(_, data)| data);
    for (n, data) in (target.examples)().into_iter().chain(kept).enumerate() {
        std::fs::write(folder.join(format!("example-{n}")), data)?;
    }
    Ok(())
}

fn command() -> Result<(), String> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let seed = option(&mut words, "--seed", 1)?;
    let scale = option(&mut words, "--scale", 1)?.min(u32::MAX.into()) as u32;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => {
            TARGETS.iter().for_each(|target| println!("{}", target.name));
            Ok(())
        }
        ["run"] => run(&TARGETS.iter().collect::<Vec<_>>(), seed, scale),
        ["run", name] => run(&[target(name)?], seed, scale),
        ["replay", name, path] => {
            let data = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
            (target(name)?.run)(&data);
            Ok(())
        }
        ["examples", name, folder] => {
            write_examples(target(name)?, Path::new(folder)).map_err(|error| error.to_string())
        }
        _ => Err("use list, run, replay or examples; see fuzz/src/main.rs".into()),
    }
}

fn main() -> ExitCode {
    match command() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("fuzz: {message}");
            ExitCode::FAILURE
        }
    }
}
