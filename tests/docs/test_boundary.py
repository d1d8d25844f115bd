"""The hardware boundary: the engine knows ELF images and registers, no software interface.

Guest software (system calls, processes, message-passing libraries) lives in guest/ alone. A
front end that launches programs may name ELF symbols; the crates may not.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Names that only a table of system calls, or a message-passing library, would hold. Names that
# file protocols and Rust's own library share (read, open, stat) are no evidence.
FORBIDDEN = re.compile(
    r"\b(__NR_\w+|SYS_\w+|syscalls?_table|set_thread_area|exit_group|mmap2|munmap|mprotect|mremap"
    r"|rt_sig\w+|sigreturn|clock_gettime\d*|gettimeofday|set_tid_address|getrandom|_llseek"
    r"|fcntl64|fstat64|getdents64|RCCE_\w+|MPI_\w+)\b"
)
# `sandbox` names system calls of the host, which its filter keeps from the process rck; no guest is
# in it.
# The time that a thread of the host has had, which bounds the reading of a file.
OF_THE_HOST = "rustix::time::clock_gettime(ClockId::ThreadCPUTime)"
CRATES = sorted(
    path for path in (ROOT / "crates").iterdir() if path.is_dir() and path.name != "sandbox"
)


def sources(crate: Path) -> list[Path]:
    return sorted((crate / "src").rglob("*.rs"))


@pytest.mark.parametrize("crate", CRATES, ids=lambda path: path.name)
def test_no_system_call_is_known_to_the_engine(crate: Path) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sources(crate)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if FORBIDDEN.search(line.replace(OF_THE_HOST, ""))
    ]
    assert not found, "\n".join(found)


def test_the_pattern_finds_what_it_is_for() -> None:
    for line in ("4 => exit_group", "const SYS_write: u32 = 4;", "symbol == RCCE_send"):
        assert FORBIDDEN.search(line)
