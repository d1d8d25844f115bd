"""All measurements: rounds found, then each program by each tool in turn, several times over.

In turn, so that a host that is slow for a while is slow for all; of each tool the fastest time
counts, of two programs of ours beside each other the median of the turns' ratios.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benches import hello, machine, peers
from benches.peers import Execution, Tool
from benches.plan import Program

SCHEMA = {"name": "rockcreek-bench", "version": 1}

# A pilot run shows how long a round takes once the rounds take this much; until then it is repeated
# with so many times the rounds.
PILOT_S = 0.7
PILOT_FACTOR = 5


@dataclass
class Settings:
    """How thorough the measurement is."""

    seconds: float = 5.0  # that each run of rck lasts at least
    repeats: int = 3
    quick: bool = False
    with_peers: bool = True
    hello: bool = True
    tell: Callable[[str], None] = field(
        default=lambda text: print(f"bench: {text}", file=sys.stderr, flush=True)
    )


def calibrate(program: Program, binary: Path, settings: Settings) -> int:
    """The rounds of a full run. Each lasts a tenth longer than asked, as times vary."""
    if settings.quick:
        return program.quick
    if program.fixed is not None:
        return program.fixed
    base_s = peers.run_rck(program, binary, 1, program.cores)[0].cpu_s
    rounds = 1 + PILOT_FACTOR * program.quick
    while True:
        sample, _ = peers.run_rck(program, binary, rounds, program.cores)
        spent_s = sample.cpu_s - base_s
        if spent_s >= PILOT_S:
            return max(1, math.ceil(1.1 * settings.seconds * rounds / spent_s))
        rounds *= PILOT_FACTOR


def measure(
    programs: Sequence[Program], binaries: dict[str, Path], settings: Settings
) -> dict[str, Any]:
    """The document that everything else is made from."""
    begin = machine.describe()
    tools, missing = _tools(programs, binaries, settings)
    able, unable = _able(programs)
    rounds: dict[str, int] = {}
    for program in able:
        shared = rounds.get(program.same_as or "")
        rounds[program.name] = shared or calibrate(program, binaries[program.name], settings)
        settings.tell(f"{program.name}: {rounds[program.name]:,} rounds")
    records = {program.name: _record(program, rounds[program.name], settings) for program in able}
    start: dict[str, Any] = {}
    for turn in range(settings.repeats):
        for program in able:
            if program.fixed is None or turn == 0:
                _once(program, binaries[program.name], tools, records[program.name], settings)
        if settings.hello:
            hello.once(start, binaries["hello"], quick=settings.quick)
        settings.tell(f"turn {turn + 1} of {settings.repeats} done")
    return {
        "schema": SCHEMA,
        "machine": {**begin, "load_after": machine.describe()["load"]},
        "settings": {
            "seconds": settings.seconds, "repeats": settings.repeats, "quick": settings.quick,
        },
        "tools": {tool.name: {"about": tool.about, "version": tool.version()} for tool in tools},
        "missing": missing,
        "unable": unable,
        "programs": records,
        "start": start,
    }  # fmt: skip


def _tools(
    programs: Sequence[Program], binaries: dict[str, Path], settings: Settings
) -> tuple[list[Tool], dict[str, str]]:
    """The tools that can be used here, and why the others cannot."""
    compared = [program for program in programs if program.has_peers]
    if not settings.with_peers or not compared:
        return [], {}
    tools, missing = [], {}
    for tool in peers.TOOLS:
        why = tool.missing(binaries[compared[0].name])
        if why is None:
            tools.append(tool)
        else:
            missing[tool.name] = f"{why}; {tool.get}"
            settings.tell(f"without {tool.name}: {missing[tool.name]}")
    return tools, missing


def _able(programs: Sequence[Program]) -> tuple[list[Program], dict[str, str]]:
    """The programs whose options rck knows."""
    options = {o for program in programs for o in program.options if o.startswith("--")}
    unknown = {option for option in options if not peers.has_option(option)}
    unable = {
        program.name: f"rck run has no {lacking[0]}"
        for program in programs
        if (lacking := [option for option in program.options if option in unknown])
    }
    return [program for program in programs if program.name not in unable], unable


def _record(program: Program, rounds: int, settings: Settings) -> dict[str, Any]:
    return {
        "about": program.about,
        "group": program.group,
        "cores": program.cores_of(quick=settings.quick),
        "arguments": [str(rounds), *program.arguments],
        "options": list(program.options),
        "runs": {},
    }


def _once(
    program: Program,
    binary: Path,
    tools: Sequence[Tool],
    record: dict[str, Any],
    settings: Settings,
) -> None:
    """One run by each tool."""
    rounds, runs = int(record["arguments"][0]), record["runs"]
    sample, execution = peers.run_rck(program, binary, rounds, record["cores"])
    runs.setdefault("rck", []).append(sample.to_dict())
    _same(program, record.setdefault("execution", vars(execution)), execution)
    if "--threads" in program.options:
        wall_s = peers.run_pair(program, binary, rounds, record["cores"])
        record.setdefault("pair_wall_s", []).append(round(wall_s, 4))
    if program.has_peers:
        for tool in tools:
            peer = peers.run_tool(tool, program, binary, rounds)
            runs.setdefault(tool.name, []).append(peer.to_dict())
    settings.tell(f"{program.name}: {sample.cpu_s:.2f} s")


def _same(program: Program, before: dict[str, Any], now: Execution) -> None:
    """Every run of a program ends in the same state."""
    if before != vars(now):
        raise RuntimeError(f"{program.name}: two runs differ: {before} and {vars(now)}")
