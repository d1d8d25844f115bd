"""The checker's findings: the key `check` of a result."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict, cast

from msgspec import Meta

from rockcreek.formats.common import Count, Schema, Word

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
OrderKind = Literal["value", "lock", "taken", "counter", "interrupt", "mark"]


class Frame(TypedDict):
    """A function on the way to an access, innermost first."""

    eip: Word
    function: str | None
    file: str | None
    line: Word | None


class Site(TypedDict):
    """An access."""

    core: Annotated[int, Meta(ge=0, lt=1 << 16)]
    address: Word
    size: Word  # bytes: of an access, or of the block that a call allocated
    value: int | None
    time_ps: Count
    memory_type: str
    frames: list[Frame]
    place: Word  # the frame of the program itself
    access: NotRequired[str]
    # Where no line of the program did it: the end of a thread or of a parallel region.
    end: NotRequired[Literal["thread", "region"] | None]
    eip: NotRequired[int]
    image: NotRequired[str]
    thread: NotRequired[str]


class Order(TypedDict):
    """What came before what."""

    kind: OrderKind
    released: Site
    acquired: Site


class Block(TypedDict):
    """The block of memory that was accessed; sizes and offsets are bytes."""

    size: Word | None
    # Negative: the address lies before the block.
    offset: Annotated[int, Meta(gt=-(1 << 32), lt=1 << 32)]
    allocated: Site


class Mistake(TypedDict):
    """A mistake: the access that went wrong is the victim, the other one the culprit."""

    what: str
    count: Count
    victim: Site
    culprit: Site | None
    level: str
    since_ps: Count
    order: Order | None
    block: Block | None


class Named(Mistake):
    """A mistake before it has a title, a remedy and a number."""

    kind: str
    unit: int
    offset: int


class Titled(Named):
    """A mistake before it has a number."""

    title: str
    remedy: str


class Finding(Mistake):
    """A mistake as a result has it."""

    number: Count
    kind: Kind
    title: str
    remedy: str
    unit: NotRequired[int]
    offset: NotRequired[int]


def titled(finding: Named, title: str, remedy: str) -> Titled:
    """The mistake in words."""
    return {**finding, "title": title, "remedy": remedy}


def numbered(number: int, finding: Titled) -> Finding:
    """The mistake as a result holds it."""
    return cast("Finding", {"number": number, **finding})


class Check(TypedDict):
    """All findings of a run."""

    findings: list[Finding]
    schema: NotRequired[Schema]
    suppressed: NotRequired[int]
    dropped: NotRequired[int]
    forgotten: NotRequired[int]
    own_run: NotRequired[bool]
