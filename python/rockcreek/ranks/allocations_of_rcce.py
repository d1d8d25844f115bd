"""Do all UEs of RCCE ask for the same blocks, in one order?

RCCE_malloc, RCCE_flag_alloc and RCCE_shmalloc are collective calls: a block lies at one offset on
all UEs because all have made the same calls before it. Where they have not, one UE writes what
another never reads, and no call returns an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rockcreek.chip import Chip, Exit
from rockcreek.deadlocks.verdicts import name_ues
from rockcreek.inspection.backtrace import Locator
from rockcreek.ranks.collectives import Collective, Collectives
from rockcreek.software.image import Image

_SIZED = ("RCCE_malloc", "iRCCE_malloc", "RCCE_shmalloc")
_SHARED = ("RCCE_shmalloc",)
_ALL = (*_SIZED, "RCCE_flag_alloc")
_LIBRARY = ("iRCCE_", "ircce_", "rcce_", "RCCE_")
_SAME = "all UEs must make the same calls of it with the same sizes, in one order"


class Allocations:
    """Takes the calls of RCCE's allocators."""

    def __init__(self, chip: Chip, cores: Sequence[int], program: Image, kernel: Image) -> None:
        self._program, self._locator = program, Locator(chip, kernel, program)
        self._rank = {core: rank for rank, core in enumerate(cores)}
        self._names = {program.symbols[name]: name for name in _ALL if name in program.symbols}
        # Shared memory and message buffers are spaces of their own.
        self._spaces = {shared: Collectives(len(cores)) for shared in (False, True)}
        self._lines: list[str] = []
        for core in cores:
            chip.set_probes(core, [*self._names], calls=True)

    def take(self, noted: Iterable[tuple[int, int, int, list[int]]]) -> None:
        """Takes the calls that the probes have recorded."""
        for core, function, _, words in noted:
            name, rank = self._names.get(function), self._rank.get(core)
            if name is None or rank is None or not self._is_users(words[0]):
                continue
            size = words[1] if name in _SIZED else None
            call = Collective(rank, name, None, size, words[0])
            found = self._spaces[name in _SHARED].take(call)
            if found is not None:
                self._differ(found[1], call)

    def _differ(self, *calls: Collective) -> None:
        # Which UE comes later says nothing of which is wrong.
        first, second = sorted(calls, key=lambda call: call.rank)
        one, other = self._in_words(first), self._in_words(second)
        self._lines.append(
            f"UE {first.rank} calls {one}, and UE {second.rank} {other}: their blocks do not lie"
            f" at one place\nhint: {_SAME}"
        )

    def news(self) -> list[str]:
        """Lines for the user, since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def finish(self, exits: Mapping[int, Exit]) -> None:
        """The chip has stopped, and these cores have ended."""
        ended = {
            self._rank[core] for core, end in exits.items() if core in self._rank and not end.code
        }
        for space in self._spaces.values():
            missing = space.not_by_all()
            if missing is None or len(ended) < len(self._rank):
                continue
            call, absent = missing
            self._lines.append(
                f"UE {call.rank} calls {self._in_words(call)}, and {name_ues(absent)} did not"
                f"\nhint: {_SAME}"
            )

    def _in_words(self, call: Collective) -> str:
        size = "" if call.size is None else f" of {call.size:,} bytes"
        return f"{call.name}{size} at {self._locator.at(call.back - 1)}"

    def _is_users(self, back: int) -> bool:
        caller = self._program.function_at(back)
        return caller is not None and not caller.startswith(_LIBRARY)


def watch(chip: Chip, cores: Sequence[int], program: Image, kernel: Image) -> Allocations | None:
    """For a program of several UEs that calls one of these functions."""
    called = program.returns_from(tuple(name for name in _ALL if name in program.symbols))
    users = any(not (program.function_at(at) or "RCCE_").startswith(_LIBRARY) for at in called)
    return Allocations(chip, cores, program, kernel) if users and len(cores) > 1 else None
