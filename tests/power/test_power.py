"""Energy and voltage in a run's result: sums, regions, the guest's meter, ways, strictness."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rockcreek
from rockcreek.results import energy

HERE = Path(__file__).parent
MICROJOULE = 10**9
UNITS = ("tiles", "routers", "memory", "system", "clocks")
Compile = Callable[..., Path]


def metered(program: Path, **setting: Any) -> tuple[rockcreek.Result, dict[str, Any]]:
    result = rockcreek.run(program, power=True, **setting)
    assert result.energy is not None, result.stderr
    return result, result.energy


def adds_up(found: dict[str, Any]) -> None:
    total = found["total_fj"]
    assert sum(domain["total_fj"] for domain in found["domains"]) == total
    assert all(sum(d["parts"].values()) == d["total_fj"] for d in found["domains"])
    units = sum(sum(unit.values()) for kind in UNITS for unit in found[kind])
    assert sum(core["total_fj"] for core in found["cores"]) + units == total
    samples = found["samples"]
    assert samples["end_ps"][-1] == found["time_ps"]
    assert sum(samples["before_fj"]) + sum(map(sum, samples["domains_fj"])) == total
    assert found["peak_uw"] >= found["mean_uw"] > 20_000_000


@pytest.mark.mutant("voltage-does-not-matter")
def test_energy_adds_up_and_follows_the_voltage(compile_guest: Compile) -> None:
    program = compile_guest(HERE / "undervoltage.c", ["-O2"])
    result, found = metered(program, n=1, power_every_ps=10**9)
    adds_up(found)
    # Domain 4 ends at 0.8 V, the others stay at 1.1 V: idle cores leak with the cube of it.
    intervals = found["samples"]["domains_fj"]
    first, last = intervals[0], intervals[-2]
    assert last[0] == pytest.approx(first[0], rel=1e-6)
    assert 0.4 < last[4] / first[4] < 0.9
    assert result.voltage["violations"][0]["needed_millivolts"] == 1100


def test_looking_changes_nothing(compile_guest: Compile) -> None:
    program = compile_guest(HERE / "regions.c", ["-O2", "-lrcce"])
    plain = rockcreek.run(program, n=2)
    result, found = metered(program, n=2, power_every_ps=10**8)
    _, seldom = metered(program, n=2, power_every_ps=10**12)
    assert plain.energy is None
    left = [(r.state_hash, r.time_ps, r.statistics, r.marks) for r in (plain, result)]
    assert left[0] == left[1]
    assert found["total_fj"] == seldom["total_fj"]
    assert [d["parts"] for d in found["domains"]] == [d["parts"] for d in seldom["domains"]]
    assert found["marks"] == seldom["marks"]


def test_a_deadlock_ends_at_the_same_instant(guest: Compile) -> None:
    text = """
    #include "RCCE.h"
    int main(int argc, char **argv)
    {
        char byte;
        RCCE_init(&argc, &argv);
        return RCCE_recv(&byte, 1, RCCE_ue() ^ 1);
    }
    """
    program = guest(text, ["-lrcce"])
    plain = rockcreek.run(program, n=2)
    result, found = metered(program, n=2, power_every_ps=7 * 10**9)
    assert (plain.end, result.end) == ("deadlock", "deadlock")
    assert (plain.state_hash, plain.time_ps) == (result.state_hash, result.time_ps)
    adds_up(found)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--power-every", "1ms"], "--power-every needs --power"),
        (["--power", "--power-every", "0ms"], "samples must be some time apart"),
        (["--power", "--power-every", "often"], "is not a duration"),
    ],
)
def test_bad_options_are_told(run_guest: Compile, options: list[str], told: str) -> None:
    ended: Any = run_guest(Path("no-program"), options=options)
    assert ended.returncode == 64
    assert told in ended.stderr


def test_regions(compile_guest: Compile) -> None:
    program = compile_guest(HERE / "regions.c", ["-O2", "-lrcce"])
    result, found = metered(program, n=2)
    assert [(one["core"], one["region"], one["count"]) for one in found["regions"]] == [
        (0, 5, 2),
        (1, 5, 2),
    ]
    marks = [mark for mark in found["marks"] if mark["core"] == 0]
    region = found["regions"][0]
    assert marks[0]["id"] == 7
    for name in ("time_ps", "total_fj", "core_fj"):
        passes = [marks[2][name] - marks[1][name], marks[4][name] - marks[3][name]]
        assert sum(passes) == region[name]
    assert region["core_fj"] < region["domain_fj"] < region["total_fj"]
    assert region["mean_uw"] == energy.power_uw(region["total_fj"], region["time_ps"])
    assert len(result.marks) == len(found["marks"])


@pytest.mark.mutant("meter-converts-from-what-ran-ahead")
@pytest.mark.parametrize(
    "way", [{}, {"skip": False}, {"translate": False}, {"threads": 2}, {"power": True}]
)
def test_the_guest_reads_the_same_in_every_way(compile_guest: Compile, way: dict[str, Any]) -> None:
    program = compile_guest(HERE / "meter.c", ["-O2"])
    result = rockcreek.run(program, n=2, **{"power": True, **way})
    assert result.energy is not None
    held = re.search(rb"held (\d+) at (\d+)", result.stdout)
    assert held is not None
    meter = result.energy["meter"]
    assert (meter["total_fj"], meter["time_ps"]) == (int(held[1]), int(held[2]))
    unmetered = rockcreek.run(program, n=2)
    assert (unmetered.stdout, unmetered.state_hash) == (result.stdout, result.state_hash)
    # A run that ends at that instant has used the same, but for what happens in its last cycles.
    _, there = metered(program, n=2, until_ps=meter["time_ps"])
    assert abs(there["total_fj"] - meter["total_fj"]) < MICROJOULE


def test_ways_agree_on_samples(compile_guest: Compile) -> None:
    program = compile_guest(HERE / "regions.c", ["-O2", "-lrcce"])
    found = [
        metered(program, n=2, power_every_ps=10**8, **way)[1]
        for way in ({}, {"skip": False}, {"translate": False}, {"threads": 2})
    ]
    assert all(one == found[0] for one in found)


def test_strict_voltage_is_a_fault(compile_guest: Compile) -> None:
    program = compile_guest(HERE / "undervoltage.c", ["-O2"])
    result = rockcreek.run(program, n=1, strict_voltage=True)
    assert (result.exit_code, result.stdout) == (76, b"")
    assert result.cores[0].reason == "undervoltage"
    message = result.errors[0].message
    assert "core 00 (tile 0,0): failed for want of voltage" in message
    assert "divider 2 needs 1.100 V" in message and result.errors[0].hint


def test_a_snapshot_goes_on_with_its_energies(compile_guest: Compile, tmp_path: Path) -> None:
    program = compile_guest(HERE / "undervoltage.c", ["-O2"])
    whole, found = metered(program, n=1)
    path = str(tmp_path / "half.rck")
    rockcreek.run(program, n=1, until_ps=whole.time_ps // 2, save=path)
    chip = rockcreek.Chip.restore(path)
    while chip.run_slice() != "ended":
        pass
    assert chip.state_hash() == whole.state_hash
    assert sum(chip.energy()["domains_fj"]) == found["total_fj"]
