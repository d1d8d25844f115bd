"""Which checked runs of a program of threads are other runs than those without a check."""

from __future__ import annotations

from pathlib import Path

import pytest

import rockcreek
from guest_programs import SYSTEMS, compile_program
from rockcreek.results.result import Result
from rockcreek.running.run_job import Job, execute


@pytest.fixture(scope="module")
def program() -> Path:
    return compile_program(SYSTEMS / "crf/tests/racy_end.c", ["-g", "-pthread"])


def run(program: Path, model: str | None, *check: str) -> Result:
    return execute(Job(program, n=2, threads_model=model, check=check))


def test_without_copies_the_check_only_watches(program: Path) -> None:
    plain, checked = run(program, "uncached"), run(program, "uncached", "races")
    assert checked.findings is not None and not checked.findings["own_run"]
    assert (plain.state_hash, plain.time_ps) == (checked.state_hash, checked.time_ps)


def test_with_copies_it_is_another_run_and_says_so(program: Path) -> None:
    one, two = run(program, None, "races"), rockcreek.run(program, n=2, check=["races"])
    assert one.findings is not None and one.findings["own_run"]
    assert one.state_hash == two.state_hash
    other = run(program, None, "coherence")
    assert other.findings is not None and not other.findings["own_run"]
    assert other.state_hash == run(program, None).state_hash
