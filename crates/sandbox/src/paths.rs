//! The paths that a confined process keeps, by Landlock, as far as the kernel has it.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use crate::Kept;

/// The newest version of Landlock whose rights are asked for; an older kernel guards those that it
/// knows.
const NEWEST: ABI = ABI::V6;

/// Restricts this thread and all threads that it makes; returns false if the kernel does not guard
/// paths.
pub(crate) fn restrict(kept: &Kept) -> Result<bool, RulesetError> {
    let all = AccessFs::from_all(NEWEST);
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    // Neither programs nor devices.
    let write =
        all & !(AccessFs::Execute | AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev);
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let ruleset = kept.read.iter().try_fold(ruleset, |rules, path| allow(rules, path, read))?;
    let run = read | AccessFs::Execute;
    let ruleset = kept.run.iter().try_fold(ruleset, |rules, path| allow(rules, path, run))?;
    let ruleset = kept.write.iter().try_fold(ruleset, |rules, path| allow(rules, path, write))?;
    Ok(ruleset.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
}

/// True if the kernel has Landlock's first interface.
pub(crate) fn are_guarded() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Adds a rule for a path; a path that does not exist needs none.
fn allow(
    rules: RulesetCreated,
    path: &std::path::Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(opened) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(opened, access))
}
