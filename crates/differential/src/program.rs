//! The test program of a run of cases, and its run on the host.

use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::case::{Case, Kind, Outcome};
use crate::layout;
use crate::{elf, harness};

/// Whether the host can run the program itself: x86-64 Linux whose kernel runs i386 programs.
pub fn host_can_run() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        let likely = cfg!(all(target_os = "linux", target_arch = "x86_64"));
        likely && run_on_host(&[crate::generate::case(0, 0)]).is_ok()
    })
}

/// The file of a program that runs the cases in order; at most one batch.
pub fn image(cases: &[&Case]) -> io::Result<Vec<u8>> {
    let frame = harness::assemble(cases.len() as u32).map_err(io::Error::other)?;
    let last = cases.iter().map(|case| case.number % layout::BATCH).max().unwrap_or(0);
    let mut slots = vec![0xF4; (last as usize + 1) * layout::SLOT_BYTES as usize];
    let mut inputs = Vec::with_capacity(cases.len() * layout::RECORD_BYTES);
    for case in cases {
        let place = (layout::slot(case.number) - layout::CODE) as usize;
        slots[place..][..layout::SLOT_BYTES as usize].copy_from_slice(&case.slot(frame.exits));
        inputs.extend(case.record());
    }
    Ok(elf::write(frame.start, &frame.text, &slots, &inputs, cases.len() as u32))
}

/// Runs the cases on the host's processor. Newer instructions are not run: a P54C raises #UD.
pub fn run_on_host(cases: &[Case]) -> io::Result<Vec<Outcome>> {
    let common: Vec<&Case> = cases.iter().filter(|case| case.kind != Kind::Lacking).collect();
    let output = if common.is_empty() { Vec::new() } else { run(&image(&common)?)? };
    outcomes(cases, &output)
}

/// What the output of the test program says of the cases.
pub fn outcomes(cases: &[Case], output: &[u8]) -> io::Result<Vec<Outcome>> {
    let run = cases.iter().filter(|case| case.kind != Kind::Lacking).count();
    let wanted = run * layout::RECORD_BYTES;
    if output.len() != wanted {
        let text = format!("the test program wrote {} bytes, not {wanted}", output.len());
        return Err(io::Error::other(text));
    }
    let mut records = output.chunks_exact(layout::RECORD_BYTES);
    let outcome = |case: &Case| match case.kind {
        Kind::Lacking => invalid_opcode(case),
        _ => Outcome::of_record(records.next().expect("counted above"), case),
    };
    Ok(cases.iter().map(outcome).collect())
}

/// Held while a program is written and started: a process that another thread starts meanwhile
/// would inherit the file open for writing, and the kernel executes no such file.
static STARTING: Mutex<()> = Mutex::new(());

fn run(image: &[u8]) -> io::Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("cases");
    let starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut file = std::fs::File::create(&path)?;
    file.write_all(image)?;
    file.set_permissions(PermissionsExt::from_mode(0o755))?;
    drop(file);
    let mut command = Command::new(&path);
    let child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
    drop(starting);
    let output = child?.wait_with_output()?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(io::Error::other(format!("the test program ended with {}", output.status))),
    }
}

/// What a P54C does with an instruction that it does not have.
pub fn invalid_opcode(case: &Case) -> Outcome {
    let vector = crate::case::INVALID_OPCODE;
    Outcome {
        general: case.general,
        eflags: case.eflags,
        eip: case.entry(),
        fault: Some(crate::case::Fault { vector, error: 0, cr2: 0 }),
        segments: [0; 4],
        fpu: crate::virtual_core::canonical(&case.fpu),
        window: case.window,
    }
}
