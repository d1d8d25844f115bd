"""A guest program in every way in which the host can execute it: the results must be the same.

Each program is run as its header says and, as `NAME-48`, on all 48 cores of the SCC for a few
milliseconds. What a program says about 48 cores does not matter, but all ways must say it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guest_programs import Expectation, empty_share, run_program

ORDINARY = ["--threads", "1"]
WAYS = [["--threads", "2"], ["--threads", "4"], ["--no-translate"], ["--no-skip"]]
WHERE = ("-n", "--cores")
ON_ALL = ["-n", "48"]
ON_ALL_UNTIL = ["--until", "6ms"]


def on_all_cores(options: list[str]) -> list[str] | None:
    """The options for all cores of the SCC; None if they are for another chip."""
    if "--chip" in options:
        return None
    kept, words = [], iter(options)
    for word in words:
        if word in WHERE:
            next(words)
        else:
            kept.append(word)
    return [*ON_ALL, *kept, *([] if "--until" in kept else ON_ALL_UNTIL)]


def compare_ways(program: Path, header: Expectation, options: list[str]) -> None:
    """Every way gives the ordinary result, but for what concerns the host."""
    ordinary = _result(program, header, [*options, *ORDINARY])
    for way in WAYS:
        assert _result(program, header, [*options, *way]) == ordinary, " ".join(way)


def _result(program: Path, header: Expectation, options: list[str]) -> tuple[Any, str, int]:
    """The JSON result without the host's part, the output, the exit code."""
    path = program.parent / "way.json"
    path.unlink(missing_ok=True)
    options = [*options, "--json", str(path), "--force"]
    if header.share:
        options += ["--share", str(empty_share(program))]
    ended = run_program(program, *header.arguments, options=options, stdin=header.stdin)
    assert path.exists(), ended.stderr
    result = json.loads(path.read_text())
    if result["end"] == "timeout":
        pytest.skip("it ends when the host says so")
    del result["host"]
    return result, ended.stdout, ended.returncode
