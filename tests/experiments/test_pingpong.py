"""The main job in small: two distances on the virtual chip, and the arithmetic behind the table."""

from __future__ import annotations

import doctest
import sys
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "experiments" / "pingpong"
PERIOD_PS = 1875  # 1600 MHz / 3


@pytest.fixture(scope="module")
def analysis() -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        import analysis as module
    finally:
        sys.path.remove(str(FOLDER))
    return module


def test_arithmetic(analysis: ModuleType) -> None:
    assert doctest.testmod(analysis).failed == 0
    measured = analysis.Measurement(1, 0, "pull", 4096, 400, 400 * 20000, 1, 2)
    assert analysis.round_trip_ns(measured, PERIOD_PS) == 37500
    assert analysis.throughput_mib(measured, PERIOD_PS) == Fraction(4096 * 10**9, 37500 * 2**20)


def test_published_values_have_sources() -> None:
    keys = (ROOT / "docs" / "sources.bib").read_text()
    for name, value in tomllib.loads((FOLDER / "published.toml").read_text()).items():
        assert f"{{{value['source']}," in keys, name


def test_hops_cost_what_the_protocol_says(
    analysis: ModuleType, compile_guest: Callable[..., Path]
) -> None:
    """Pull has 24 mesh cycles a hop on its critical path, push 8."""
    import rockcreek

    program = compile_guest(FOLDER / "pingpong.c", ["-O2"])
    trips: dict[tuple[str, int], Fraction] = {}
    for core, hops in ((2, 1), (8, 4), (47, 8)):
        result = rockcreek.run(program, cores=[0, core], tag="none").check()
        for measured in analysis.parse(core, hops, result.stdout.decode()):
            if measured.bytes == analysis.MESSAGE_BYTES:
                trips[measured.mode, hops] = analysis.round_trip_ns(measured, PERIOD_PS)
    for mode, low, high in (("pull", 28, 34), ("push", 8, 12)):
        fit = analysis.fit_line([(hops, trips[mode, hops]) for hops in (1, 4, 8)])
        assert low <= fit.slope <= high, f"{mode}: {fit}"
        assert fit.r_squared > 0.99, f"{mode}: {fit}"


def test_two_runs_are_the_same(compile_guest: Callable[..., Path]) -> None:
    import rockcreek

    program = compile_guest(FOLDER / "pingpong.c", ["-O2"])
    first, second = (rockcreek.run(program, cores=[0, 10], tag="none") for _ in range(2))
    assert first.stdout == second.stdout
    assert first.state_hash == second.state_hash
    assert first.statistics == second.statistics
