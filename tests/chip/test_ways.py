"""Whatever way the host takes to execute a chip, it leaves the same one.

Skipped rounds of waiting, hot code made host code, several host threads: each is compared with
executing every instruction on one thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rockcreek

TESTS = Path(__file__).resolve().parents[1]
Compile = Callable[..., Path]

EXECUTED: dict[str, Any] = {"skip": False}
INTERPRETED: dict[str, Any] = {"translate": False}


def ends(program: Path, *ways: dict[str, Any], **setting: Any) -> list[tuple[Any, ...]]:
    """What a run leaves, in the ordinary way and in these."""
    results = [rockcreek.run(program, **{**setting, **way}) for way in ({}, *ways)]
    asked = "exited" if setting.get("until_ps") is None else "until"
    assert results[0].end == asked, results[0].stderr
    return [
        (found.end, found.time_ps, found.state_hash, found.stdout, found.statistics)
        for found in results
    ]


@pytest.mark.parametrize(
    ("source", "flags", "way", "setting"),
    [
        ("rcce/barrier_storm.c", [], EXECUTED, {"n": 8}),
        ("rcce/locks.c", [], EXECUTED, {"n": 6, "jitter": 3}),
        ("chip/waits.c", [], EXECUTED, {"n": 4}),
        ("chip/waits.c", [], EXECUTED, {"n": 48, "jitter": 9}),
        ("chip/waits.c", [], EXECUTED, {"n": 5, "until_ps": 1_400_000_123}),
        # A core's read reaches its buffer at the instant at which another's store is accepted.
        ("chip/waits.c", ["-O2"], EXECUTED, {"n": 48, "until_ps": 1_400_000_123, "jitter": 1142}),
        ("chip/hot.c", ["-O2"], INTERPRETED, {"n": 1}),
        ("chip/hot.c", ["-O2"], INTERPRETED, {"n": 3, "until_ps": 5_000_000_123}),
        ("chip/x87_memory.c", ["-O2"], INTERPRETED, {"n": 1}),
        ("chip/x87_memory.c", ["-O2"], INTERPRETED, {"n": 2, "until_ps": 30_000_000_123}),
        ("chip/skewed.c", ["-O2"], INTERPRETED, {"n": 1}),
        ("chip/skewed.c", ["-O2"], INTERPRETED, {"n": 2, "until_ps": 20_000_000_123}),
        ("rcce/barrier_storm.c", ["-O2"], INTERPRETED, {"n": 8}),
        # Its messages are counted by probes.
        ("rcce/all_to_all.c", ["-O2"], INTERPRETED, {"n": 4}),
        ("chip/waits.c", ["-O2"], INTERPRETED, {"n": 4}),
        # So many kernels begin alike that their code is hot while they begin.
        ("../examples/hello/hello.c", ["-O2"], INTERPRETED, {"n": 48}),
    ],
)
def test_the_way_changes_nothing(
    compile_guest: Compile,
    source: str,
    flags: list[str],
    way: dict[str, Any],
    setting: dict[str, Any],
) -> None:
    program = compile_guest(TESTS / source, [*flags, "-lrcce"])
    ordinary, other = ends(program, way, **setting)
    assert ordinary == other


SOON = {"until_ps": 5_000_000_123}


@pytest.mark.parametrize(
    ("source", "change", "setting"),
    [
        ("hot.c", "[cache]\nl1d_size = 8192 bytes", SOON),
        ("hot.c", "[cache]\nl2_size = 65536 bytes", SOON),
        ("skewed.c", "[cache]\nl2_size = 65536 bytes", SOON),
        ("skewed.c", '[setup.choose]\n"cache.replacement" = "fifo"', SOON),
        # A fill may replace the line that was used last.
        ("lines_in_turn.c", "[cache]\nl1d_size = 4096 bytes\nl1d_ways = 1 ways", {}),
        ("lines_in_turn.c", '[setup.choose]\n"cache.replacement" = "fifo"', {}),
        ("lines_in_turn.c", "[cache]\nl1d_size = 8192 bytes\nl1d_ways = 2 ways", {}),
    ],
)
def test_other_caches_change_nothing(
    compile_guest: Compile, tmp_path: Path, source: str, change: str, setting: dict[str, Any]
) -> None:
    chip = tmp_path / "chip.toml"
    cell = r'\1 = { value = \2, unit = "\3", source = ["rockcreek"] }'
    change = re.sub(r"(\w+) = (\d+) (\w+)", cell, change)
    chip.write_text(f'schema = 1\nbase = "scc"\nname = "x"\ntitle = "X"\n{change}\n')
    program = compile_guest(TESTS / "chip" / source, ["-O2", "-lrcce"])
    ordinary, other = ends(program, INTERPRETED, n=1, chip=str(chip), **setting)
    assert ordinary == other


@pytest.mark.parametrize(
    ("source", "setting"),
    [
        ("chip/hot.c", {"n": 5}),
        ("chip/hot.c", {"n": 48, "until_ps": 5_000_000_123}),
        ("chip/rewrites.c", {"n": 6}),
        ("rcce/barrier_storm.c", {"n": 8}),
    ],
)
def test_threads_change_nothing(
    compile_guest: Compile, source: str, setting: dict[str, Any]
) -> None:
    program = compile_guest(TESTS / source, ["-O2", "-lrcce"])
    one, two, four = ends(program, {"threads": 2}, {"threads": 4}, threads=1, **setting)
    assert one == two
    assert one == four
