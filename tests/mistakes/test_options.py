"""Options of `rck run` where they do not belong are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from rockcreek.cli import main

PROGRAM = "int main(int count, char **words) { (void)words; return count != 3; }\n"


@pytest.mark.parametrize(("option", "value"), [("-n", "4"), ("-np", "2"), ("--cores", "0,3-5")])
def test_cores_behind_the_program(
    guest, option: str, value: str, capfd: pytest.CaptureFixture[str]
) -> None:
    program: Path = guest(PROGRAM)
    assert main(["run", str(program), option, value]) == 0
    said = capfd.readouterr().err
    assert f"rck: {option} {value} stands behind the program" in said
    own = "--cores" if option == "--cores" else "-n"
    assert f"hint: options of rck come first: rck run {own} {value} prog" in said


@pytest.mark.parametrize("words", [["-n", "many"], ["4", "-n"], ["-x", "4"]])
def test_other_arguments_are_the_program_s(
    guest, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(guest(PROGRAM)), *words]) == 0
    assert "stands behind" not in capfd.readouterr().err


def test_who_says_how_many_cores_means_the_argument(
    guest, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "-n", "2", str(guest(PROGRAM)), "-n", "4"]) == 0
    assert "stands behind" not in capfd.readouterr().err
