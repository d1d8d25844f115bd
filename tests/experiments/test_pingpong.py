"""The arithmetic behind the ping-pong's table, and that two runs are the same."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from rockcreek import description
from rockcreek.repro.study import load_study

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "experiments" / "pingpong"
PERIOD_PS = 1875  # 1600 MHz / 3


def test_arithmetic() -> None:
    analysis = load_study(ROOT / "experiments", "pingpong").module("analysis")
    assert doctest.testmod(analysis).failed == 0
    measured = analysis.Measurement(1, 0, "pull", 4096, 400, 400 * 20000, 1, 2)
    assert analysis.round_trip_ns(measured, PERIOD_PS) == 37500
    assert analysis.throughput_mib(measured, PERIOD_PS) == Fraction(4096 * 10**9, 37500 * 2**20)
    assert description.load("scc").core_period_ps == PERIOD_PS


def test_two_runs_are_the_same(compile_guest: Callable[..., Path]) -> None:
    import rockcreek

    program = compile_guest(FOLDER / "pingpong.c", ["-O2"])
    first, second = (rockcreek.run(program, cores=[0, 10], tag="none") for _ in range(2))
    assert first.stdout == second.stdout
    assert first.state_hash == second.state_hash
    assert first.statistics == second.statistics
