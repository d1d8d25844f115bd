"""`rck run -nue N -f hosts -clock GHZ`: the spelling of the original launcher."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Rck = Callable[..., "object"]


@pytest.fixture
def hosts(tmp_path: Path) -> Path:
    path = tmp_path / "hosts"
    path.write_text("# corners first\nrck00\n47\nrck11.local\n\n36 # last\n")
    return path


def test_ranks_follow_the_hosts_file(engine, program, rck, hosts: Path) -> None:
    assert rck("run", "-q", "-nue", 3, "-f", hosts, "-clock", "0.533", program, "a").code == 0
    line = engine.chips[-1].loaded[47][0]
    assert sorted(engine.chips[-1].loaded) == [0, 11, 47]
    assert "core=47 ues=0,47,11 rank=1 mhz=533 " in line
    # The program has no symbols: this launcher puts its part in front all the same.
    assert "argv=prog,3,0.533,0,47,11,a " in line


def test_all_of_the_file_without_nue(engine, program, rck, hosts: Path) -> None:
    assert rck("run", "-q", "-f", hosts, program).code == 0
    assert sorted(engine.chips[-1].loaded) == [0, 11, 36, 47]


def test_nue_without_file_and_another_clock(engine, program, rck) -> None:
    assert rck("run", "-q", "-nue", 2, "-clock", ".8", program).code == 0
    assert "ues=0,1 rank=1 mhz=800 " in engine.chips[-1].loaded[1][0]


@pytest.mark.parametrize(
    ("options", "text", "hint"),
    [
        (("-nue", 5, "-f", "HOSTS"), "-nue 5: HOSTS lists 4 cores", "1 to 4"),
        (("-nue", 2, "-n", 2), "-n and -nue: both say", "either"),
        (("-f", "HOSTS", "--cores", "1"), "--cores and -f: both say", "either"),
        (("-f", "missing"), "missing: No such file", "one core number a line"),
        (("-clock", "0.5", "--clocks", "533/800/800"), "both set the cores' clock", "leave one"),
    ],
)
def test_what_does_not_fit_is_refused(
    engine, program, rck, hosts: Path, options: tuple[object, ...], text: str, hint: str
) -> None:
    named = [str(hosts) if option == "HOSTS" else option for option in options]
    answer = rck("run", *named, program)
    assert answer.code in (64, 66)
    assert text.replace("HOSTS", str(hosts)) in answer.err
    assert hint in answer.err


def test_a_line_that_is_no_core(engine, program, rck, tmp_path: Path) -> None:
    path = tmp_path / "hosts"
    path.write_text("0\nmachine\n")
    answer = rck("run", "-f", path, program)
    assert answer.code == 64
    assert f"{path}:2: 'machine' is not a core" in answer.err
