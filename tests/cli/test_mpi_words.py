"""`rck mpirun` in the words of other launchers; variables of OpenMP from this host."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from rockcreek.cli import host_environment, mpi_words
from rockcreek.cli.commands.mpirun import mpirun
from rockcreek.cli.commands.run import run


def words(line: str) -> str:
    return " ".join(mpi_words.translate(line.split(), mpirun, run))


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("-n 4 ring -n 5", "-n 4 ring -n 5"),
        ("--np=4 --oversubscribe --bind-to core ./ring", "-n 4 ./ring"),
        ("-n 1 ring a : -n 2 ring a", "-n 3 ring a"),
        ("ring : ring", "-n 2 ring"),
        ("-genv A 1 -env B 2 --env C=3 -x D=4 -n 2 ring",
         "-n 2 --env A=1 --env B=2 --env C=3 --env D=4 ring"),
        ("-ppn 8 -hosts localhost -n 2 ring", "-n 2 ring"),
        ("-hosts rck00,rck47,5 -n 2 ring", "--cores 00,47 ring"),
        ("--json r -q --channel bells -np 2 ring", "-n 2 --json r -q --channel bells ring"),
        ("-wdir /in -n 1 ring -hostfile x", "-n 1 -wdir /in ring -hostfile x"),
    ],
)  # fmt: skip
def test_words_that_mean_something(line: str, meant: str) -> None:
    assert words(line) == meant


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("-n 1 master : -n 2 worker", "':' before 'worker': all ranks run one program"),
        ("-n 1 ring : -genv A 1 -n 2 ring", "all parts have the options of the first"),
        ("-n four ring", "'-n four': not a number of ranks"),
        ("-hosts node1,node2 ring", "hosts are cores"),
        ("-hosts 1,2 -n 3 ring", "3 ranks, but 2 hosts"),
        ("--mca btl self -n 2 ring", "'--mca' is not taken here"),
        ("-hostfil hosts ring", "there is no option '-hostfil'"),
        ("-genvall ring", "-genvlist A,B"),
        ("-x NOT_SET_ANYWHERE ring", "'NOT_SET_ANYWHERE' is not set here"),
        ("-hostfile not/there ring", "-hostfile not/there: No such file"),
        ("-n", "option '-n' needs a value"),
    ],
)
def test_words_that_are_refused_by_name(line: str, why: str) -> None:
    with pytest.raises(click.UsageError) as refused:
        words(line)
    assert why in str(refused.value.message)


def test_host_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here").write_text("# the chip\nlocalhost slots=48\n")
    Path("cores").write_text("rck05\nrck06\n")
    assert words("-hostfile here -n 2 ring") == "-n 2 ring"
    assert words("-machinefile cores -n 2 ring") == "-nue 2 -f cores ring"
    assert words("-f cores ring") == "-f cores ring"
    monkeypatch.setenv("SEED", "7")
    assert words("-genvlist SEED -x SEED ring") == "--env SEED=7 --env SEED=7 ring"


def test_openmp_of_this_host_goes_to_its_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "team").write_bytes(b"\0OMP_NUM_THREADS\0")
    (tmp_path / "alone").write_bytes(b"\0")
    team, alone = str(tmp_path / "team"), str(tmp_path / "alone")
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.setenv("OMP_PLACES", "cores")
    assert host_environment.openmp(alone, {"A": "1"}, quiet=False) == {"A": "1"}
    assert capsys.readouterr().err == ""
    assert host_environment.openmp(team, {}, quiet=False) == {"OMP_NUM_THREADS": "3"}
    said = capsys.readouterr().err
    assert "rck: OMP_NUM_THREADS=3 of this environment" in said and "OMP_PLACES: without" in said
    given = {"OMP_NUM_THREADS": "2", "OMP_PLACES": ""}
    assert host_environment.openmp(team, given, quiet=False) == given
