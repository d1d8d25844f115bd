"""Lines of memory that several cores write in different places, as the coherence checker saw them.

No core of the chip sees another one's writes in its caches, so nothing slows such a program down by
itself: instead its writes are lost when a cache writes back a whole line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from rockcreek.formats.findings import Finding, Site
from rockcreek.formats.result import Result

LINE_BYTES = 32
_LOST_UPDATE = "lost-update"


@dataclass(frozen=True)
class SharedLine:
    """Two cores that write one line, and how many of the one's writes the other's cache undid."""

    address: int  # of the line
    cores: tuple[int, int]
    places: tuple[str, str]
    lost: int


def of(result: Result) -> list[SharedLine]:
    """The lines that the findings of a result name, the one with most losses first."""
    check = result.get("check")
    lines = [
        _line(one, one["culprit"])
        for one in (check["findings"] if check else [])
        if one["kind"] == _LOST_UPDATE and one["culprit"]
    ]
    return sorted(lines, key=lambda line: -line.lost)


def _line(finding: Finding, culprit: Site) -> SharedLine:
    victim = finding["victim"]
    return SharedLine(
        victim["address"] // LINE_BYTES * LINE_BYTES,
        (victim["core"], culprit["core"]),
        (_place(victim), _place(culprit)),
        finding["count"],
    )


def _place(site: Site) -> str:
    for frame in site["frames"]:
        if frame["file"] is not None and frame["line"] is not None:
            return f"{frame['function']} ({PurePath(frame['file']).name}:{frame['line']})"
    return f"0x{site['address']:08x}"


def told(lines: list[SharedLine], label: Callable[[int], str]) -> Iterator[str]:
    """What the first lines show, in words."""
    for line in lines[:3]:
        (one, other), (here, there) = line.cores, line.places
        at = here if here == there else f"{here} and {there}"
        yield (
            f"cores {label(one)} and {label(other)} write one line of {LINE_BYTES} bytes"
            f" (0x{line.address:08x}), in {at}"
        )
