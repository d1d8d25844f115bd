"""One finding on one screen: who had which copy when, at which lines, why, and what to do."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rockcreek.checking import blocks
from rockcreek.checking.places import line_of, own_frame
from rockcreek.checking.remedies import value
from rockcreek.reading.sources import Sources
from rockcreek.units import format_ps

COLUMNS = 100
_TIME, _CELL, _TEXT = 14, 40, 46  # columns: the time, a core at most, what the last one does
_LINE_BYTES = 32
_OLD_COPY = ("stale-read", "mixed-mapping", "stale-poll")
_STAYS = ("stuck-write", "late-write")
ORDERED = ("stale-read", "mixed-mapping", *_STAYS)
_LEAVES = {
    "value": "writes what the other waits for",
    "lock": "releases the lock",
    "taken": "takes the lock",
    "counter": "changes the counter",
    "interrupt": "interrupts the other",
    "mark": "releases the mark",
}
_ARRIVES = {
    "value": "reads that, and goes on",
    "lock": "takes it",
    "taken": "finds it taken",
    "counter": "reads it",
    "interrupt": "is interrupted",
    "mark": "acquires it",
}
_WHY = {
    "MPBT copy": (
        "L1D keeps a line of an MPBT page until CL1INVMB (bytes 0F 0A) drops it; what another"
        " core writes to the message buffer does not reach that copy."
    ),
    "cached copy": (
        "The caches are not coherent: L1D and L2 keep a line until it is flushed or displaced, and"
        " what another core writes to memory does not reach that copy."
    ),
    "write-combine buffer": (
        "Stores to MPBT pages gather in the write-combine buffer. It holds one line, and sends it"
        " only when the core stores to another MPBT line; a flag by another way overtakes it."
    ),
    "cache": (
        "A store to a write-back page stays in the writer's cache until the line is flushed or"
        " displaced; others read the old bytes in memory until then."
    ),
    "lost-update": (
        "A cache writes back whole lines of 32 bytes: also the bytes that its core has not stored"
        " to, as they were when the line was fetched."
    ),
    "lost-write": "CL1INVMB and INVD drop lines of L1D, also those that hold stores.",
    "unordered": (
        "Neither access waits for the other, directly or by others: at other clocks or distances"
        " their order is another one."
    ),
    "never-read": (
        "Between the two writes the writer heard nothing from the reader: it cannot know that the"
        " first message was taken."
    ),
    "lock-misuse": "A lock protects only if those alone release it who hold it.",
}


@dataclass(frozen=True)
class _Step:
    time_ps: int
    core: int
    text: str
    site: Mapping[str, Any] | None = None


def story(finding: Mapping[str, Any], sources: Sources) -> str:
    """What is wrong, the picture, the lines of the program in these sources, why, and what to
    do."""
    steps = sorted(_steps(finding), key=lambda step: step.time_ps)
    often = f" ({finding['count']:,} times)" if finding["count"] > 1 else ""
    head = f"#{finding['number']} {finding['kind']}: {finding['title']}{often}."
    places = _places(steps, sources)
    lines = [*_wrapped(head), "", *_picture(steps), "", *places, *_line_map(finding), ""]
    if finding.get("block"):
        lines += _wrapped("Memory: " + blocks.tell(finding["block"]) + ".")
    lines += _wrapped("Why: " + _WHY[_reason(finding)])
    lines += _wrapped("Do:  " + finding["remedy"] + ".")
    return "\n".join(lines)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, COLUMNS, subsequent_indent="     ", break_on_hyphens=False)


def _picture(steps: list[_Step]) -> list[str]:
    """A column of time and one for each core; a number for the line of the program."""
    cores = sorted({step.core for step in steps})
    cell = min(_CELL, (COLUMNS - _TIME - _TEXT) // max(1, len(cores) - 1))
    column = {core: " " * (cell * number) for number, core in enumerate(cores)}
    numbers = _numbers(steps)
    heads = "".join(f"{f'core {core:02}':<{cell}}" for core in cores)
    lines = [f"{'':{_TIME}}{heads}".rstrip()]
    for step in steps:
        where = line_of(step.site) if step.site is not None and step.site["frames"] else ""
        mark = f" [{numbers[where]}]" if where in numbers else ""
        lines.append(f"{format_ps(step.time_ps):>12}  {column[step.core]}{step.text}{mark}")
    return lines


def _numbers(steps: list[_Step]) -> dict[str, int]:
    """The lines of the program, in the order of time."""
    named = (line_of(step.site) for step in steps if step.site is not None and step.site["frames"])
    return {name: number for number, name in enumerate(dict.fromkeys(named), 1)}


def _places(steps: list[_Step], sources: Sources) -> list[str]:
    """Each line of the program: its number, function and, if the source is there, its text."""
    numbers = _numbers(steps)
    lines = []
    for name, number in numbers.items():
        site = next(step.site for step in steps if step.site and line_of(step.site) == name)
        frame = own_frame(site)
        function, text = frame.get("function") or "?", _source(frame, sources)
        place = name if site.get("end") else f"{name} in {function}"
        lines.append(f" [{number}] {place}" + (f":  {text}" if text else ""))
    return [line if len(line) <= COLUMNS else line[: COLUMNS - 3] + "..." for line in lines]


def _source(frame: Mapping[str, Any], sources: Sources) -> str:
    """The text of a frame's line, if the file is one of these."""
    return sources.line(frame) if frame.get("file") and frame.get("line") else ""


def _line_map(finding: Mapping[str, Any]) -> list[str]:
    """Which bytes of the line each of the two cores stores to."""
    if finding["kind"] != "lost-update":
        return []
    parts = []
    for site in (finding["victim"], finding["culprit"]):
        first = site["address"] % _LINE_BYTES
        parts.append(f"core {site['core']} bytes {first} to {first + site['size'] - 1}")
    return ["", f"One line of {_LINE_BYTES} bytes: {', '.join(parts)}."]


def _reason(finding: Mapping[str, Any]) -> str:
    kind, victim = finding["kind"], finding["victim"]
    if kind in _OLD_COPY:
        return "MPBT copy" if victim["memory_type"] == "MPBT" else "cached copy"
    if kind in _STAYS:
        level = finding["level"]
        return "write-combine buffer" if level == "write-combine buffer" else "cache"
    return kind if kind in _WHY else "unordered"


def _steps(finding: Mapping[str, Any]) -> list[_Step]:
    victim, culprit, kind = finding["victim"], finding["culprit"], finding["kind"]
    level = finding["level"]
    steps = []
    if kind in _OLD_COPY:
        text = f"its {level} takes the line: {value(victim)}"
        steps.append(_Step(finding["since_ps"], victim["core"], text))
    if culprit is not None and culprit["frames"]:
        word = "takes the lock" if kind == "lock-misuse" else f"writes {value(culprit)}"
        where = f"; it stays in its {level}" if kind in _STAYS else ""
        if kind == "lost-update":
            where = " beside it"
        steps.append(_Step(culprit["time_ps"], culprit["core"], word + where, culprit))
    order = finding["order"]
    if order is not None and kind in ORDERED:
        leaves, arrives = order["released"], order["acquired"]
        steps.append(_Step(leaves["time_ps"], leaves["core"], _LEAVES[order["kind"]], leaves))
        steps.append(_Step(arrives["time_ps"], arrives["core"], _ARRIVES[order["kind"]], arrives))
    steps.append(_Step(victim["time_ps"], victim["core"], _last(finding), victim))
    if kind == "lost-update":
        text = f"its {level} writes the line back, old bytes too"
        steps.append(_Step(finding["since_ps"], culprit["core"], text))
    if kind == "never-read" and order is not None:
        late = order["acquired"]
        steps.append(_Step(late["time_ps"], late["core"], f"reads {value(late)}: too late", late))
    return steps


def _last(finding: Mapping[str, Any]) -> str:
    """What the access did that went wrong."""
    kind, victim = finding["kind"], finding["victim"]
    if kind == "lock-misuse":
        return "releases it" if finding["culprit"] else "releases what nobody holds"
    if kind in ("lost-update", "lost-write", "never-read", "double-write"):
        lost = "" if kind == "double-write" else ": lost"
        return f"writes {value(victim)}{lost}"
    source = "memory" if kind in _STAYS else finding["level"]
    old = ": old" if kind in (*_OLD_COPY, "stuck-write") else ""
    luck = "; it has come there since" if kind == "late-write" else ""
    return f"reads {value(victim)} from {source}{old}{luck}"
