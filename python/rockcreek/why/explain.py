"""The whole explanation of a run: its causes, its critical path, and what was not recorded."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from rockcreek import printable
from rockcreek.formats.common import Schema
from rockcreek.formats.cycle_profile import Profile
from rockcreek.formats.result import Result
from rockcreek.reading.trace import Slice
from rockcreek.units import format_ps
from rockcreek.why import causes, lines, measures, path, shared_lines, waits
from rockcreek.why.causes import Cause, CauseDocument, Evidence, percent
from rockcreek.why.path import CriticalPath, PathDocument
from rockcreek.why.waits import Wait

SCHEMA: Schema = {"name": "rockcreek-why", "version": 1}
_MOST_TOLD = 3


Waited = TypedDict("Waited", {"core": int, "for": int, "call": str, "ps": int})
Label = Callable[[int], str]  # a core's number as it is printed


class Document(TypedDict):
    """What `rck why --json` prints."""

    schema: Schema
    program: str
    time_ps: int
    end: str
    causes: list[CauseDocument]
    critical_path: PathDocument | None
    waits: list[Waited]
    lines: list[str]
    stuck: list[str]
    missing: list[str]


@dataclass(frozen=True)
class Explanation:
    """What `rck why` says."""

    run: measures.Measures
    causes: list[Cause]
    path: CriticalPath | None
    waits: list[Waited]  # who waited for whom: the largest sums
    hottest: list[str]  # lines of the cores that others wait for
    stuck: list[str]  # of a run that did not end
    missing: list[str]

    def to_dict(self) -> Document:
        return {
            "schema": SCHEMA,
            "program": self.run.name,
            "time_ps": self.run.time_ps,
            "end": self.run.end,
            "causes": [one.to_dict() for one in self.causes],
            "critical_path": None if self.path is None else self.path.to_dict(),
            "waits": self.waits,
            "lines": self.hottest,
            "stuck": self.stuck,
            "missing": self.missing,
        }

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=1)


def explain(
    result: Result,
    slices: Sequence[Slice] | None = None,
    profile: Profile | None = None,
) -> Explanation:
    """Why a run took as long as it did; with its trace and its profile, if there are any."""
    run = measures.of(result)
    seen = Evidence(
        run,
        label_of(result),
        None if slices is None else waits.find(slices),
        None if slices is None else _functions(slices),
        _calls(result),
        shared_lines.of(result),
    )
    found = causes.find(seen)
    waiting = result.get("waiting")
    blamed = found[0].cores if found and found[0].cores else [one.core for one in run.cores]
    return Explanation(
        run=run,
        causes=found,
        path=None if seen.waits is None else _path(run, seen.waits, result),
        waits=_pairs(seen.waits or []),
        hottest=[] if profile is None else lines.hottest(profile, blamed),
        stuck=[] if waiting is None else [one["text"] for one in waiting.get("findings", [])],
        missing=list(_missing(result, slices, profile)),
    )


def label_of(result: Result) -> Label:
    width = len(str(len(result["statistics"]["cores"]) - 1))
    return lambda core: f"{core:0{width}d}"


def _calls(result: Result) -> dict[str, int] | None:
    messages = result.get("messages")
    if not messages:
        return None
    return {one["name"]: one["calls"] for one in messages.get("calls", [])}


def _functions(slices: Sequence[Slice]) -> dict[str, int]:
    """Time of the functions that say something, with what they call, once where they nest."""
    spent: Counter[str] = Counter()
    for one in slices:
        if one.name in causes.SHARING and (one.parent is None or one.parent.name != one.name):
            spent[one.name] += one.end_ps - one.begin_ps
    return dict(spent)


def _path(run: measures.Measures, found: list[Wait], result: Result) -> CriticalPath | None:
    ends = {one["core"]: one["end_ps"] or run.time_ps for one in result["cores"]}
    last = max(ends, key=lambda core: (ends[core], -core))
    return path.find(found, last, ends[last])


def _pairs(found: list[Wait]) -> list[Waited]:
    """The largest sums of waits, each of one core for one other core in one call."""
    sums: Counter[tuple[int, int, str]] = Counter()
    for one in found:
        if one.partner is not None and one.late_ps > 0:
            sums[one.core, one.partner, one.name] += one.late_ps
    return [
        {"core": core, "for": partner, "call": name, "ps": ps}
        for (core, partner, name), ps in sums.most_common(20)
    ]


def _missing(
    result: Result, slices: Sequence[Slice] | None, profile: Profile | None
) -> Iterator[str]:
    several = len(result["cores"]) > 1
    if slices is None and several:
        yield (
            "who waited for whom, in which calls, and the critical path: `rck run --trace T`, then"
            " `rck why RUN.json --trace T`"
        )
    if "messages" not in result and slices is None and several:
        yield "how often the program called which barrier and sent what: `rck run --messages`"
    if profile is None:
        yield "source lines: `rck run --profile P`, then `rck why RUN.json --profile P`"


def tell(found: Explanation, label: Label) -> Iterator[str]:
    """Paragraphs for people."""
    run = found.run
    count = len(run.cores)
    yield (
        f"{printable.name(run.name)} took {format_ps(run.time_ps)} on"
        f" {count} {'core' if count == 1 else 'cores'} (end: {printable.name(run.end)})."
    )
    for text in found.stuck:
        yield f"It could not go on: {printable.name(text)}."
    if not found.causes:
        yield "Nothing stands out: no cause explains a tenth of the time."
    for number, cause in enumerate(found.causes[:_MOST_TOLD]):
        word = "Most of all" if number == 0 else "Also"
        yield f"{word} ({cause.kind}): {cause.text}."
        yield f"  What would help: {cause.hint}."
    if found.path is not None:
        yield _told_path(found.path, label)
    if found.waits:
        yield "Who waited for whom: " + "; ".join(
            f"core {label(one['core'])} for core {label(one['for'])} in"
            f" {printable.name(one['call'])}, {format_ps(one['ps'])}"
            for one in found.waits[:_MOST_TOLD]
        ) + "."  # fmt: skip
    if found.hottest:
        yield "Lines: " + "; ".join(map(printable.name, found.hottest)) + "."
    for text in found.missing:
        yield f"Not recorded: {text}."


def _told_path(found: CriticalPath, label: Label) -> str:
    document = found.to_dict()
    time_ps = max(1, found.time_ps)
    parts = [
        f"{percent(one['ps'] / time_ps)} on core {label(one['core'])}"
        for one in document["cores"][:_MOST_TOLD]
    ]
    told = f"The critical path: {', '.join(parts)}"
    calls = [one for one in document["calls"] if one["ps"] > time_ps / 100]
    if calls:
        told += ", of that " + ", ".join(
            f"{percent(one['ps'] / time_ps)} in {printable.name(one['name'])} itself"
            for one in calls[:_MOST_TOLD]
        )  # fmt: skip
    jumps = sum(one["times"] for one in document["jumps"])
    if not jumps:
        return told + "; it never leaves that core."
    first = document["jumps"][0]
    return told + (
        f"; it goes from core to core {jumps:,} times, most often from core"
        f" {label(first['from'])} to core {label(first['to'])}, which was late for"
        f" {printable.name(first['call'])}."
    )
