"""Options of `rck run` where they do not belong are reported."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from guest_programs import ROOT, read_header, replaced_by
from rockcreek.cli import main
from rockcreek.cli.commands.run import run

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


def test_cores_as_mpirun_counts_them(guest, capfd: pytest.CaptureFixture[str]) -> None:
    program = str(guest(PROGRAM))
    assert main(["run", "-q", "-np", "2", program, "a", "b"]) == 0
    assert main(["run", "-np", "0", program]) == 64
    assert capfd.readouterr().err.startswith("rck: -n 0: the chip 'scc' has cores 0 to 47")


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


@pytest.mark.parametrize("words", [["--until", "5ms"], ["--check=memory"], ["a", "--json"]])
def test_other_options_behind_the_program(
    guest, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    main(["run", "-n", "2", str(guest(PROGRAM)), *words])
    said = capfd.readouterr().err
    option = next(word for word in words if word.startswith("--"))
    assert f"rck: {option} stands behind the program" in said
    assert f"hint: options of rck come first: rck run {option} ... prog" in said


def test_a_program_that_never_begins_mpi(guest, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["mpirun", "-n", "2", str(guest(PROGRAM)), "a", "b"]) == 0
    said = capfd.readouterr().err
    assert "rck: prog never calls MPI_Init: its copies know nothing of each other" in said
    assert "hint: compile programs of MPI with `rck mpicc`" in said


# What is typed wrong, and what is said; PROG is a program of the chip.
WRONG = {
    "-n 0 PROG": "-n 0: the chip 'scc' has cores 0 to 47\nhint: choose a number from 1 to 48",
    "-n 49 PROG": "-n 49: the chip 'scc' has cores 0 to 47\nhint: choose a number from 1 to 48",
    "-n many PROG": "invalid value for '-n' / '-np': 'many' is not a valid integer",
    "--sahre . PROG": "no such option '--sahre'. (Did you mean one of: '--save', '--share'",
    "missing": "missing: No such file or directory\nhint: check the path of the program",
    "prog.c": "prog.c: is not an ELF program (it looks like text)\nhint: compile it for the chip:",
    ".": ".: is a folder, not a program",
    "/bin/sh": "/bin/sh: is a program for ",
    "": "missing argument 'PROG'",
    "--cores 0,0 PROG": "--cores: core 0 is named more than once",
    "--cores 48 PROG": "--cores: there is no core 48: the chip 'scc' has cores 0 to 47",
    "--timeout -1 PROG": "'-1' is not a duration\nhint: write a number and a unit",
    "--share nofolder PROG": "--share nofolder: No such file or directory",
    "--json no/such/r.json PROG": "no/such/r.json: its folder does not exist",
    "--check rases PROG": "invalid value for '--check': 'rases' is none of `coherence`",
    "--chip no.toml PROG": "chip description 'no.toml': No such file or directory",
    "-n 2 -n 3 PROG": "'-n' / '-np' is given 2 times, and takes one value\nhint: `rck run --help`",
    "-n 2 --chip scc -np 3 PROG": "'-n' / '-np' is given 2 times, and takes one value",
    "--until 1ms --until 2ms PROG": "'--until' is given 2 times, and takes one value",
    "--profile --power PROG": "'--profile' takes a value, and '--power' is an option",
    "--json --check=memory PROG": "'--json' takes a value, and '--check=memory' is an option",
    "--clocks 1000 PROG": "--clocks 1000: not the MHz of tiles, mesh and memory",
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_options(
    guest, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd
) -> None:
    program = str(guest(PROGRAM))
    monkeypatch.chdir(tmp_path)
    typed = [program if word == "PROG" else word for word in words.split()]
    assert main(["run", *typed]) in (64, 65, 66, 74)
    said = capfd.readouterr().err
    assert said.startswith(f"rck: {WRONG[words]}"), said
    assert "\nhint: " in said


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("mpirun --channel bells --channel bells -n 3 prog", "'--channel'"),
        ("linux run -n 1 -n 2 prog", "'-n'"),
        ("plot speedup a.json --out a.svg --out b.svg", "'--out'"),
        ("sweep --jobs 1 --jobs 2 plan.toml", "'--jobs'"),
    ],
)
def test_one_value_given_twice_to_any_command(words: str, option: str, capfd) -> None:
    assert main(words.split()) == 64
    assert f"rck: {option} is given 2 times, and takes one value" in capfd.readouterr().err


def test_mpirun_counts_ranks_once(guest, capfd: pytest.CaptureFixture[str]) -> None:
    program = str(guest(PROGRAM))
    assert main(["mpirun", "-np", "2", "-n", "3", program]) == 64
    assert "rck: '-n' gives the number of ranks a second time" in capfd.readouterr().err
    assert main(["mpirun", "-n", "3", "--until", "1ms", "--until", "2ms", program]) == 64
    assert "rck: '--until' is given 2 times, and takes one value" in capfd.readouterr().err


def test_options_of_many_values_and_flags_are_given_again(
    guest, capfd: pytest.CaptureFixture[str]
) -> None:
    program = str(guest(PROGRAM))
    words = ["-q", "-q", "--env", "A=1", "--env", "B=2", program, "-n", "4", "-n", "4"]
    assert main(["run", "-n", "1", *words]) != 64
    assert "takes one value" not in capfd.readouterr().err


WAITS = """
#include "RCCE.h"
int RCCE_APP(int argc, char **argv)
{
    char byte;
    RCCE_init(&argc, &argv);
    if (RCCE_ue() == 1)
        RCCE_recv(&byte, 1, 0);
    RCCE_finalize();
    return 0;
}
"""


def test_until_ends_a_deadlock(guest, capfd: pytest.CaptureFixture[str]) -> None:
    program = str(guest(WAITS, ["-lrcce"]))
    assert main(["run", "-q", "-n", "2", "--until", "2ms", program]) == 0
    said = capfd.readouterr().err
    assert "receive-without-sender: UE 1 receives 1 bytes from UE 0, which nobody sends" in said
    assert "\nhint: " in said
    # The summary is left out.
    assert "simulated in" not in said


def test_our_own_programs_give_a_value_once_in_every_run_of_theirs() -> None:
    headers = [
        header
        for folder in (ROOT / "tests", ROOT / "systems")
        for source in sorted([*folder.rglob("*.c"), *folder.rglob("*.cpp")])
        if (header := read_header(source.read_text())) and not header.mpi
    ]
    assert len(headers) > 200
    for header in headers:
        for more in [[], *(more for more, _ in header.also)]:
            ctx = click.Context(run)
            run.make_parser(ctx).parse_args([*replaced_by(more, header.options), "prog"])
