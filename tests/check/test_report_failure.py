"""A failure while the findings are put into words costs the findings, never the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rockcreek
from guest_programs import ROOT, compile_program
from rockcreek.checking.places import Places
from rockcreek.exit_codes import ExitCode


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def site(self: Places, site: Any) -> Any:
        raise OverflowError("no such place")

    monkeypatch.setattr(Places, "site", site)


def test_the_result_is_kept(broken: None) -> None:
    program = compile_program(ROOT / "examples/pitfalls/half_a_line.c", ["-O1", "-lrcce"])
    result = rockcreek.run(program, n=2, check=["coherence", "error"])
    assert result.findings is None and result.state_hash
    assert b"received: 0" in result.stdout
    assert result.exit_code == ExitCode.SOFTWARE
    assert "the findings could not be reported (OverflowError" in result.errors[-1].message
    assert result.to_json()


def test_the_programs_own_failure_comes_first(broken: None, guest: Any) -> None:
    program: Path = guest("int main(void) { return 3; }")
    result = rockcreek.run(program, n=1, check=["coherence"])
    assert result.exit_code == 3
