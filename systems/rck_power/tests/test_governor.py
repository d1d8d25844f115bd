"""The governor against every fixed setting that could be best, and a cap at every millisecond."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import ready
from guest_programs import SYSTEMS

PROGRAMS = SYSTEMS / "rck_power" / "programs"
DOMAIN, TWO_DOMAINS = "0-3,12-15", "0-7,12-19"
_COST = re.compile(r"([\d.]+) ms, cores ([\d.]+) mJ, EDP ([\d.]+) mJ s")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs."""
    folder = tmp_path_factory.mktemp("governor")
    for name in ("phases", "turns", "cap", "sweep", "exchange"):
        sources = [str(PROGRAMS / f"{name}.c"), str(PROGRAMS / "goal.c")]
        flags = ["-O2", "-DRC_POWER_MANAGEMENT", "-lrck_power", "-lrcce"]
        ready.rck("cc", *sources, *flags, "-o", folder / name, check=True)
    return folder


def cost(program: Path, cores: str, *arguments: str) -> tuple[float, float]:
    """Energy of the core domains (mJ) and EDP, the governor's own cost included."""
    done = ready.rck(
        "run", "-q", "--tag", "none", "--cores", cores, str(program), *arguments, check=True
    )
    match = _COST.search(done.stdout)
    assert match, done.stdout
    return float(match[2]), float(match[3])


def compare(program: Path, cores: str, rounds: str, dividers: tuple[int, ...]) -> None:
    fixed = [cost(program, cores, str(divider), rounds) for divider in dividers]
    assert cost(program, cores, "energy", rounds)[0] < min(energy for energy, _ in fixed)
    assert cost(program, cores, "edp", rounds)[1] < min(edp for _, edp in fixed)


def test_domains_that_take_turns(build: Path) -> None:
    compare(build / "turns", TWO_DOMAINS, "2", (4, 5, 8, 12))


@pytest.mark.slow
def test_computing_and_waiting_in_turn(build: Path) -> None:
    compare(build / "phases", DOMAIN, "4", tuple(range(3, 17)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sweep", "exchange"])
def test_programs_it_was_not_made_for(build: Path, name: str) -> None:
    """The governor finds the best fixed divider, and loses no more than its search costs."""
    fixed = [cost(build / name, DOMAIN, str(divider), "2") for divider in (3, 5, 8)]
    assert cost(build / name, DOMAIN, "energy", "2")[0] < 1.03 * min(mj for mj, _ in fixed)
    assert cost(build / name, DOMAIN, "edp", "2")[1] < 1.06 * min(edp for _, edp in fixed)


def test_a_cap_holds_in_every_millisecond(build: Path, tmp_path: Path) -> None:
    """From the governor's start on, on 48 cores; by the meter of the run, not the program's."""
    result = tmp_path / "r.json"
    options = ("-q", "-n", "48", "--power", "--json", result)
    ready.rck("run", *options, build / "cap", "cap:40", "6", check=True)
    energy = json.loads(result.read_text())["energy"]
    region = energy["regions"][0]
    samples = energy["samples"]
    watts = [
        sum(domains) / samples["every_ps"] / 1000
        for domains, end in zip(samples["domains_fj"], samples["end_ps"], strict=True)
        if end % samples["every_ps"] == 0
    ]
    within = watts[2 : 2 + int(region["time_ps"] / samples["every_ps"]) - 1]
    assert len(within) >= 4
    assert max(within) <= 40 * 1.03
