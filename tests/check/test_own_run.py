"""A checked run of a program of threads is the run without the check, over each model."""

from __future__ import annotations

from pathlib import Path

import pytest

from guest_programs import SYSTEMS, compile_program
from rockcreek.results.result import Result
from rockcreek.running.run_job import Job, execute


@pytest.fixture(scope="module")
def program() -> Path:
    return compile_program(SYSTEMS / "crf/tests/racy_end.c", ["-g", "-pthread"])


def run(program: Path, model: str | None, *check: str) -> Result:
    return execute(Job(program, n=2, threads_model=model, check=check))


@pytest.mark.parametrize("model", [None, "lazy", "strong", "uncached"])
def test_the_check_only_watches(program: Path, model: str | None) -> None:
    plain, checked = run(program, model), run(program, model, "races")
    assert checked.findings is not None and checked.findings["findings"]
    assert not checked.findings["own_run"]
    assert (plain.state_hash, plain.time_ps) == (checked.state_hash, checked.time_ps)
