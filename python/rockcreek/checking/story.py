"""One finding on one screen: who had which copy when, at which lines, why, and what to do."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from rockcreek.checking import blocks
from rockcreek.checking.kinds import kind_of, say
from rockcreek.checking.kinds.sites import line_of, own_frame, value
from rockcreek.formats.findings import Finding, Frame, Site
from rockcreek.reading.sources import Sources
from rockcreek.units import format_ps

COLUMNS = 100
_TIME, _CELL, _TEXT = 14, 40, 46  # columns: the time, a core at most, what the last one does
_LINE_BYTES = 32
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


@dataclass(frozen=True)
class _Step:
    time_ps: int
    core: int
    text: str
    site: Site | None = None


def story(finding: Finding, sources: Sources) -> str:
    """What is wrong, the picture, the lines of the program in these sources, why, and what to
    do."""
    steps = sorted(_steps(finding), key=lambda step: step.time_ps)
    often = f" ({finding['count']:,} times)" if finding["count"] > 1 else ""
    head = f"#{finding['number']} {finding['kind']}: {finding['title']}{often}."
    places = _places(steps, sources)
    lines = [*_wrapped(head), "", *_picture(steps), "", *places, *_line_map(finding), ""]
    if finding["block"] is not None:
        lines += _wrapped("Memory: " + blocks.tell(finding["block"]) + ".")
    lines += _wrapped("Why: " + say(kind_of(finding).why, finding))
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
        function = (frame["function"] if frame is not None else None) or "?"
        text = _source(frame, sources)
        place = name if site.get("end") else f"{name} in {function}"
        lines.append(f" [{number}] {place}" + (f":  {text}" if text else ""))
    return [line if len(line) <= COLUMNS else line[: COLUMNS - 3] + "..." for line in lines]


def _source(frame: Frame | None, sources: Sources) -> str:
    """The text of a frame's line, if the file is one of these."""
    return sources.line(frame["file"], frame["line"]) if frame is not None else ""


def _line_map(finding: Finding) -> list[str]:
    """Which bytes of the line each of the two cores stores to."""
    if not kind_of(finding).shares_line:
        return []
    parts = []
    for site in filter(None, (finding["victim"], finding["culprit"])):
        first = site["address"] % _LINE_BYTES
        parts.append(f"core {site['core']} bytes {first} to {first + site['size'] - 1}")
    return ["", f"One line of {_LINE_BYTES} bytes: {', '.join(parts)}."]


def _steps(finding: Finding) -> list[_Step]:
    victim, culprit, order = finding["victim"], finding["culprit"], finding["order"]
    kind, since_ps = kind_of(finding), finding["since_ps"]
    steps = []
    if kind.allocates and finding["block"] is not None:
        made = finding["block"]["allocated"]
        steps.append(_Step(made["time_ps"], made["core"], "allocates the block", made))
    if kind.victim_cache is not None:
        steps.append(_Step(since_ps, victim["core"], say(kind.victim_cache, finding)))
    if culprit is not None and culprit["frames"]:
        text = say(kind.culprit, finding)
        steps.append(_Step(culprit["time_ps"], culprit["core"], text, culprit))
    if order is not None and kind.is_ordered:
        leaves, arrives = order["released"], order["acquired"]
        steps.append(_Step(leaves["time_ps"], leaves["core"], _LEAVES[order["kind"]], leaves))
        steps.append(_Step(arrives["time_ps"], arrives["core"], _ARRIVES[order["kind"]], arrives))
    steps.append(_Step(victim["time_ps"], victim["core"], say(kind.last, finding), victim))
    if kind.culprit_cache is not None and culprit is not None:
        steps.append(_Step(since_ps, culprit["core"], say(kind.culprit_cache, finding)))
    if kind.late is not None and order is not None:
        late = order["acquired"]
        text = f"reads {value(late)}: {kind.late}"
        steps.append(_Step(late["time_ps"], late["core"], text, late))
    return steps
