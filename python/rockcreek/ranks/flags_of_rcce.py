"""Flags of RCCE that a program sets and waits for again and again, and never resets.

Each wait behind the first returns at once, whether the other UE has come or not. No call returns
an error, and the flag orders the accesses, so that a check of races finds none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rockcreek.chip import Chip, Exit
from rockcreek.inspection.backtrace import Locator
from rockcreek.software.image import Image

# Arguments: the variable of the flag, its new state, the UE; the flag itself, the state.
_WRITE, _WAIT = "RCCE_flag_write", "RCCE_wait_until"
_NAMES = (_WRITE, _WAIT)
_SET = 1
_LIBRARY = ("iRCCE_", "ircce_", "rcce_", "RCCE_")


class Flags:
    """Takes the calls that write flags and wait for them."""

    def __init__(self, chip: Chip, cores: Sequence[int], program: Image, kernel: Image) -> None:
        self._program, self._locator = program, Locator(chip, kernel, program)
        self._rank = {core: rank for rank, core in enumerate(cores)}
        self._names = {program.symbols[name]: name for name in _NAMES}
        self._resets = False
        # Writes of one UE to a flag of another; waits of a UE for one flag, and where the last is.
        self._writes: Counter[tuple[int, int, int]] = Counter()
        self._waits: Counter[tuple[int, int]] = Counter()
        self._places: dict[tuple[int, int], int] = {}
        self._lines: list[str] = []
        for core in cores:
            chip.set_probes(core, [*self._names], calls=True)

    def take(self, noted: Iterable[tuple[int, int, int, list[int]]]) -> None:
        """Takes the calls that the probes have recorded."""
        for core, function, _, (back, first, second, third, *_) in noted:
            name, rank = self._names.get(function), self._rank.get(core)
            if rank is None or name is None or self._resets:
                continue
            if name == _WRITE:
                self._resets = second != _SET
                self._writes[rank, first, third] += 1
            elif second == _SET and _is_users(self._program, back):
                self._waits[rank, first] += 1
                self._places[rank, first] = back

    def news(self) -> list[str]:
        """Lines for the user, since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def finish(self, _: Mapping[int, Exit]) -> None:
        """The chip has stopped."""
        if self._resets:
            return
        set_again = {ue for (_, _, ue), times in self._writes.items() if times > 1}
        for (rank, flag), times in self._waits.items():
            if times > 1 and rank in set_again:
                at = self._locator.at(self._places[rank, flag] - 1)
                self._lines.append(
                    f"UE {rank} waits {times:,} times until a flag is set, at {at}, and nobody"
                    " resets it: each wait behind the first returns at once\nhint: write"
                    " RCCE_FLAG_UNSET when the flag was seen, and let who sets it wait for that"
                )
                return


def watch(chip: Chip, cores: Sequence[int], program: Image, kernel: Image) -> Flags | None:
    """For a program of several UEs that itself writes flags, and waits for them."""
    calls = (program.returns_from([name]) for name in _NAMES)
    users = all(any(_is_users(program, at) for at in backs) for backs in calls)
    return Flags(chip, cores, program, kernel) if users and len(cores) > 1 else None


def _is_users(program: Image, back: int) -> bool:
    """Whether code that is not a library's calls from there."""
    caller = program.function_at(back)
    return caller is not None and not caller.startswith(_LIBRARY)
