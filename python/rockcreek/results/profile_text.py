"""A cycle profile for people and for other tools: tables, collapsed stacks, speedscope."""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePath
from typing import TypedDict

from rockcreek.formats.cycle_profile import Cause, Causes, Profile, Row
from rockcreek.results.cycle_profile import CAUSES, name, ranked

_BAR = 20
# One letter a cause in a bar.
_LETTERS: dict[Cause, str] = {
    "compute": "#", "l2": "2", "dram": "D", "mpb": "M", "lock": "L", "registers": "R",
    "board": "B", "stores": "S", "nowhere": "?", "halted": ".",
}  # fmt: skip


def describe(profile: Profile, shown: int) -> str:
    """Cycles by cause and level, and the lines with most of them."""
    total = sum(core["cycles"] for core in profile["cores"])
    region = profile.get("region")
    head = f"{total:,} cycles of {len(profile['cores'])} cores"
    lines = [head if region is None else f"{region}: {head}; --whole shows the whole run", ""]
    lines += _causes(profile, total)
    lines += ["", f"{'cycles':>16} {'%':>5}  {'why':{_BAR}}  where"]
    places = ranked(profile)
    for place, causes in places[:shown]:
        cycles = sum(causes.values())
        where = name(profile["places"][place])
        lines.append(f"{cycles:16,} {_percent(cycles, total)}  {bar(causes)}  {where}")
    rest = sum(sum(causes.values()) for _, causes in places[shown:])
    if rest:
        count = len(places) - shown
        lines.append(f"{rest:16,} {_percent(rest, total)}  {'':{_BAR}}  {count:,} other lines")
    lines += ["", "why: " + ", ".join(f"{_LETTERS[cause]} {cause}" for cause in CAUSES)]
    return "\n".join(lines)


def _percent(cycles: int, total: int) -> str:
    return f"{100 * cycles / max(total, 1):5.1f}"


def _causes(profile: Profile, total: int) -> list[str]:
    sums: dict[tuple[Cause, bool], int] = defaultdict(int)
    for row in profile["rows"]:
        for cause, cycles in row["causes"].items():
            sums[cause, row["user"]] += cycles
    lines = [f"{'cause':>10} {'cycles':>16} {'%':>5} {'program':>16} {'kernel':>16}"]
    for cause, words in CAUSES.items():
        user, kernel = sums[cause, True], sums[cause, False]
        if user or kernel:
            both = user + kernel
            lines.append(
                f"{cause:>10} {both:16,} {_percent(both, total)} {user:16,} {kernel:16,}  {words}"
            )
    user = sum(cycles for (_, is_user), cycles in sums.items() if is_user)
    all_ = sum(sums.values())
    lines.append(f"{'sum':>10} {all_:16,} {_percent(all_, total)} {user:16,} {all_ - user:16,}")
    return lines


def bar(causes: Causes) -> str:
    """Twenty letters, shared out by cause; the largest remainders get what is left."""
    total = max(sum(causes.values()), 1)
    parts = {cause: divmod(causes.get(cause, 0) * _BAR, total) for cause in CAUSES}
    missing = _BAR - sum(whole for whole, _ in parts.values())
    most = sorted(parts, key=lambda cause: -parts[cause][1])[:missing]
    return "".join(
        _LETTERS[cause] * (whole + (cause in most)) for cause, (whole, _) in parts.items()
    )


def _frames(profile: Profile, row: Row) -> list[str]:
    """Core, image, function, line."""
    place = profile["places"][row["place"]]
    frames = [f"core {row['core']}", place["image"], place["function"] or "?"]
    if place["line"] is not None:
        frames.append(f"{PurePath(place['file'] or '').name}:{place['line']}")
    return frames


class SampledProfile(TypedDict):
    """The profile of one core; weights are cycles, samples are numbers of frames."""

    type: str
    name: str
    unit: str
    startValue: int
    endValue: int
    samples: list[list[int]]
    weights: list[int]


class SpeedscopeFrame(TypedDict):
    """A name on the stack."""

    name: str


class Shared(TypedDict):
    """Frames, by their number."""

    frames: list[SpeedscopeFrame]


Speedscope = TypedDict(
    "Speedscope",
    {
        "$schema": str,
        "name": str,
        "exporter": str,
        "shared": Shared,
        "profiles": list[SampledProfile],
    },
)


def collapsed(profile: Profile) -> str:
    """One line for each core, image, function, line and cause, and its cycles."""
    lines = [
        ";".join([*_frames(profile, row), cause]).replace(" ", "_") + f" {cycles}"
        for row in profile["rows"]
        for cause, cycles in row["causes"].items()
    ]
    return "\n".join(lines) + "\n"


def speedscope(profile: Profile) -> Speedscope:
    """The file format of speedscope: one sampled profile for each core, weighed by cycles."""
    numbers: dict[str, int] = {}
    profiles: list[SampledProfile] = []
    for core in profile["cores"]:
        samples: list[list[int]] = []
        weights: list[int] = []
        for row in profile["rows"]:
            if row["core"] != core["core"]:
                continue
            for cause, cycles in row["causes"].items():
                frames = [*_frames(profile, row)[1:], cause]
                samples.append([numbers.setdefault(frame, len(numbers)) for frame in frames])
                weights.append(cycles)
        profiles.append(
            {
                "type": "sampled",
                "name": f"core {core['core']}",
                "unit": "none",
                "startValue": 0,
                "endValue": core["cycles"],
                "samples": samples,
                "weights": weights,
            }
        )
    return {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "name": profile["program"]["name"],
        "exporter": "rockcreek",
        "shared": {"frames": [{"name": frame} for frame in numbers]},
        "profiles": profiles,
    }
