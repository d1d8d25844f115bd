"""The kinds of faults: their fields, and what the engine gets of them.

A field with a span is a number, a range `a..b` (both included) from which the seed draws, or
`any`, which is the whole span. A field of words is a word, or for some fields `any`; a duration, a
fraction or a voltage is one value. A field that is left out is `any`, unless it is optional or must
be given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rockcreek.description import Description

REGISTERS = ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "eip", "eflags")
# As Intel numbers the outputs of a router (crates/mesh: Direction).
DIRECTIONS = ("east", "north", "west", "south")
STATES = ("taken", "free", "well")
# The voltage regulator's; its level is one byte.
STEP_VOLTS = 0.00625
MOST_VOLTS = 255 * STEP_VOLTS
HEALTHS = ("well", "slow", "lossy", "dead")
# A line's number is counted around the valid ones.
_LINES = 1 << 16


@dataclass(frozen=True)
class Where:
    """The chip and the run that a plan is for."""

    description: Description
    cores: tuple[int, ...]

    @property
    def half(self) -> int:
        """Bytes of a core's part of the message buffer."""
        return int(self.description.values["tile"]["mpb_per_core"]["value"])

    @property
    def memory(self) -> int:
        """Bytes behind a memory controller."""
        return int(self.description.values["board"]["memory_per_controller"]["value"]) << 30

    @property
    def controllers(self) -> int:
        return len(self.description.values["topology"]["memory_controller"])


@dataclass(frozen=True)
class Field:
    """One field: a word of a list, a number of a span, or (`None`) one that must be given."""

    words: tuple[str, ...] = ()
    span: Callable[[Where], tuple[int, int]] | None = None
    duration: bool = False
    fraction: bool = False
    volts: bool = False
    optional: bool = False
    # What stands for `any`; by default the whole span.
    usual: Callable[[Where], tuple[int, ...]] | None = None


def _bits(count: int) -> Field:
    return Field(span=lambda _: (0, count - 1))


_CORE = Field(
    span=lambda where: (0, where.description.core_count - 1), usual=lambda where: where.cores
)


@dataclass(frozen=True)
class Kind:
    """A kind of fault: its name, what it does, and the fields of a plan for it."""

    name: str
    what: str
    fields: Mapping[str, Field] = field(default_factory=dict)


KINDS = {
    kind.name: kind
    for kind in (
        Kind("die", "a core stops for good; the run ends without it", {"core": _CORE}),
        Kind("hang", "a core stops for good; the run waits for it", {"core": _CORE}),
        Kind(
            "mpb",
            "a bit of a core's message buffer flips",
            {"core": _CORE, "offset": Field(span=lambda w: (0, w.half - 1)), "bit": _bits(8)},
        ),
        Kind(
            "dram",
            "a bit of memory flips",
            {
                "controller": Field(span=lambda w: (0, w.controllers - 1)),
                "offset": Field(span=lambda w: (0, w.memory - 1)),
                "bit": _bits(8),
            },
        ),
        Kind(
            "l1d",
            "a bit of a valid line of a core's L1D flips",
            {"core": _CORE, "line": _bits(_LINES), "bit": _bits(256)},
        ),
        Kind(
            "l2",
            "a bit of a valid line of a core's L2 flips",
            {"core": _CORE, "line": _bits(_LINES), "bit": _bits(256)},
        ),
        Kind(
            "register",
            "a bit of a core's register flips",
            {"core": _CORE, "register": Field(words=REGISTERS), "bit": _bits(32)},
        ),
        Kind(
            "undervoltage",
            "a core errs, if its clock needs more than its voltage",
            {
                "core": _CORE,
                "register": Field(words=REGISTERS),
                "bit": _bits(32),
                "volts": Field(volts=True, optional=True),
            },
        ),
        Kind(
            "lock",
            "a core's test-and-set register sticks",
            {"core": _CORE, "state": Field(words=STATES)},
        ),
        Kind(
            "link",
            "the output of a router is slow, loses packets or is dead",
            {
                "x": Field(span=lambda w: (0, w.description.columns - 1)),
                "y": Field(span=lambda w: (0, w.description.rows - 1)),
                "direction": Field(words=DIRECTIONS),
                "state": Field(words=HEALTHS),
                "delay": Field(duration=True, optional=True),
                "loss": Field(fraction=True, optional=True),
            },
        ),
    )
}


@dataclass(frozen=True)
class Placed:
    """A fault whose place, time and fate are drawn."""

    id: int
    kind: str
    place: Mapping[str, int | str | float]
    at_ps: int
    drawn: bool  # whether its probability made it come
    seed: int

    def to_engine(self, where: Where) -> tuple[str, list[int]]:
        """The engine's name for it and its numbers (crates/python: faults.rs)."""
        place = self.place

        def number(name: str) -> int:
            return int(place[name])

        if self.kind in ("die", "hang"):
            return self.kind, [number("core")]
        if self.kind == "mpb":
            tile, z = divmod(number("core"), where.description.cores_per_tile)
            return "mpb", [tile, z * where.half + number("offset"), number("bit")]
        if self.kind == "dram":
            return "dram", [number("controller"), number("offset"), number("bit")]
        if self.kind in ("l1d", "l2"):
            return self.kind, [number("core"), number("line"), number("bit")]
        if self.kind in ("register", "undervoltage"):
            level = [round(float(place["volts"]) / STEP_VOLTS)] if "volts" in place else []
            register = REGISTERS.index(str(place["register"]))
            return self.kind, [number("core"), register, number("bit"), *level]
        if self.kind == "lock":
            return "lock", [number("core"), STATES.index(str(place["state"]))]
        state = HEALTHS.index(str(place["state"]))
        extra = {1: [number("delay")] if "delay" in place else [0]}.get(state, [])
        if state == HEALTHS.index("lossy"):
            extra = [min(int(float(place["loss"]) * (1 << 32)), (1 << 32) - 1), self.seed]
        direction = DIRECTIONS.index(str(place["direction"]))
        return "link", [number("x"), number("y"), direction, state, *extra]
