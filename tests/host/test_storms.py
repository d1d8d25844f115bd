"""Random values in the chip's registers, from guests: whatever becomes of the chip, rck ends as it
says that it does, and equal storms end alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guest_programs import compile_program

PROGRAM = Path(__file__).parent / "register_storm.c"
STORMS = 34
# docs/guide/exit-codes.md: a guest's own codes, a chip that waits for ever, a fault of a guest.
GUESTS_AFFAIRS = frozenset({*range(64), 75, 76})


def storm(run: Callable[..., Any], seed: int) -> tuple[int, str]:
    done = run(
        compile_program(PROGRAM, ["-O1"]),
        "-q", "-n", "8", "--until", "4ms", args=(str(seed),),
    )  # fmt: skip
    assert done.code in GUESTS_AFFAIRS, (seed, done.code, done.stderr)
    assert "Traceback" not in done.stderr and "a bug in rockcreek" not in done.stderr, seed
    assert done.result["end"] != "timeout", seed
    return done.code, done.result["state_hash"]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_storm_is_survived_and_repeatable(run: Callable[..., Any], seed: int) -> None:
    assert storm(run, seed) == storm(run, seed)


@pytest.mark.slow
def test_storms(run: Callable[..., Any]) -> None:
    assert {storm(run, seed)[0] for seed in range(1, STORMS + 1)} <= {0, 75, 76}
