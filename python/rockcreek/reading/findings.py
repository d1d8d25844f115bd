"""The schema of the checker's findings in a result, for `rck explain`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rockcreek.reading import documents
from rockcreek.reading.common import Count, Word

_HINT = "`rck run --check coherence --json FILE prog` writes one"
# The engine's and the threads' kinds (docs/guide/checking.md).
Kind = Literal[
    "stale-read",
    "mixed-mapping",
    "stuck-write",
    "late-write",
    "lost-update",
    "lost-write",
    "stale-poll",
    "lock-misuse",
    "early-read",
    "overwritten",
    "never-read",
    "race",
    "double-write",
    "beyond-block",
    "use-after-free",
    "double-free",
    "bad-free",
    "leak",
    "unwritten",
]
# Those of one core alone: all others name the other access.
_ALONE = (
    "stale-poll",
    "lock-misuse",
    "double-write",
    "beyond-block",
    "bad-free",
    "leak",
    "unwritten",
)


class Frame(Struct):
    eip: Word
    function: str | None
    file: str | None
    line: Word | None


class Site(Struct):
    """An access."""

    core: Annotated[int, Meta(ge=0, lt=1 << 16)]
    address: Word
    size: Annotated[int, Meta(ge=0, lt=256)]
    value: int | None
    time_ps: Count
    memory_type: str
    frames: list[Frame]
    place: Word
    access: str = ""
    end: Literal["thread", "region"] | None = None


class Order(Struct):
    kind: Literal["value", "lock", "taken", "counter", "interrupt", "mark"]
    released: Site
    acquired: Site


class Block(Struct):
    size: Word | None
    # Negative: the address lies before the block.
    offset: Annotated[int, Meta(gt=-(1 << 32), lt=1 << 32)]
    allocated: Site


class Finding(Struct):
    number: Count
    kind: Kind
    title: str
    remedy: str
    what: str
    count: Count
    victim: Site
    culprit: Site | None
    level: str
    since_ps: Count
    order: Order | None
    block: Block | None


class Check(Struct):
    findings: list[Finding]


class Checked(Struct):
    """A result of a run that was checked."""

    check: Check


def load(path: str) -> list[dict[str, Any]]:
    """The findings in a result."""
    document = documents.json(path, hint=_HINT)
    if not isinstance(document, dict) or "check" not in document:
        raise documents.misfit(path, "", "holds no findings of a checked run", _HINT)
    check = documents.typed(document, Checked, path, hint=_HINT).check
    for number, finding in enumerate(check.findings):
        place = f"check.findings[{number}]"
        for name, site in (
            ("victim", finding.victim),
            ("culprit", finding.culprit),
            ("order.released", finding.order and finding.order.released),
            ("order.acquired", finding.order and finding.order.acquired),
            ("block.allocated", finding.block and finding.block.allocated),
        ):
            what = _misfit(site) if site else None
            if what is not None:
                raise documents.misfit(path, f"{place}.{name}", what, _HINT)
        if finding.culprit is None and finding.kind not in _ALONE:
            raise documents.misfit(path, f"{place}.culprit", "expected an access", _HINT)
    found: list[dict[str, Any]] = document["check"]["findings"]
    return found


def _misfit(site: Site) -> str | None:
    """A mistake in an access that the types do not exclude; None if there is none."""
    if site.frames and site.place >= len(site.frames):
        return f"expected a place below {len(site.frames)}"
    if any(one.line is not None and one.file is None for one in site.frames):
        return "expected a file for each line"
    return None
