//! The filters of system calls: a call that is not named fails with EPERM.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter_all_threads,
};

use crate::Failure;
use crate::system_calls::ALLOWED;

/// Terminal requests that type for the user: TIOCSTI and TIOCLINUX of Linux's `ioctls.h`.
const TYPING: [u64; 2] = [0x5412, 0x541C];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::SystemCalls(error.to_string())
}

/// The filters for this processor, in the order in which they are installed: behind the last one
/// none can be. All of them are asked about each system call.
pub(crate) fn programs() -> Result<Vec<BpfProgram>, Failure> {
    let arch: TargetArch = std::env::consts::ARCH.try_into().map_err(|_| Failure::Host)?;
    let (refused, unknown) = (
        SeccompAction::Errno(libc::EPERM.unsigned_abs()),
        SeccompAction::Errno(libc::ENOSYS.unsigned_abs()),
    );
    // How a thread is made by clone3 lies in memory, where a filter does not see it: the C library
    // takes clone where the kernel does not know clone3.
    let newer = Rules::from([(libc::SYS_clone3, Vec::new())]);
    let filters = [
        (newer, SeccompAction::Allow, unknown),
        (rules().map_err(failed)?, refused, SeccompAction::Allow),
    ];
    let program = |(rules, otherwise, named)| {
        let filter = SeccompFilter::new(rules, otherwise, named, arch).map_err(failed)?;
        BpfProgram::try_from(filter).map_err(failed)
    };
    filters.into_iter().map(program).collect()
}

pub(crate) fn install(programs: &[BpfProgram]) -> Result<(), Failure> {
    programs.iter().try_for_each(|program| apply_filter_all_threads(program).map_err(failed))
}

fn rules() -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_clone3, Vec::new());
    // A thread of this process, not a process.
    let thread = libc::CLONE_THREAD.unsigned_abs().into();
    let makes_thread = argument(0, SeccompCmpOp::MaskedEq(thread), thread)?;
    rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![makes_thread])?]);
    let not_typing = TYPING.iter().map(|request| argument(1, SeccompCmpOp::Ne, *request));
    let not_typing = not_typing.collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_ioctl, vec![SeccompRule::new(not_typing)?]);
    // Signals to itself alone.
    let own = argument(0, SeccompCmpOp::Eq, std::process::id().into())?;
    for call in [libc::SYS_kill, libc::SYS_tgkill] {
        rules.insert(call, vec![SeccompRule::new(vec![own.clone()])?]);
    }
    Ok(rules)
}

fn argument(
    number: u8,
    comparison: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(number, SeccompCmpArgLen::Dword, comparison, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_program_for_this_processor() {
        assert_eq!(programs().map(|all| all.len()).ok(), Some(2));
    }
}
