"""Flags of RCCE that a program sets and waits for again and again, and never resets.

Each wait behind the first returns at once, whether the other UE has come or not. No call returns
an error, and the flag orders the accesses, so that a check of races finds none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rockcreek.chip import Chip, Exit
from rockcreek.inspection.backtrace import Locator
from rockcreek.software.image import Image

# Arguments: the variable of the flag, its new state, the UE; the flag itself, the state.
_WRITE, _WAIT = "RCCE_flag_write", "RCCE_wait_until"
_NAMES = (_WRITE, _WAIT)
_SET = 1
# How compilers end a call with 0 as the second argument: `movl $0, 4(%esp)` and up to two further
# instructions, or `push $0` and the push of the first argument, whose address may be taken before.
_UNSET_THERE = re.compile(
    rb"(\xc7\x44\x24\x04\0\0\0\0.{0,8}"
    rb"|\x6a\0(\x8d.{2}|\x8d.{5}|\x8d\x44\x24.)?([\x50-\x57]|\xff.{2}|\x68.{4}))\xe8.{4}\Z",
    re.DOTALL,
)
_CALL_BYTES = 32  # of code before a call's return address
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
    """For a program of several UEs that itself writes flags, and waits for them. Each call that is
    taken costs the host 2 us, so a program whose code is seen to reset flags is left alone."""
    if len(cores) == 1:
        return None
    writes, waits = (
        [back for back in program.returns_from([name]) if _is_users(program, back)]
        for name in _NAMES
    )
    resets = any(writes_unset(program, back) for back in writes)
    return Flags(chip, cores, program, kernel) if writes and waits and not resets else None


def writes_unset(program: Image, back: int) -> bool:
    """Whether the code before the call that returns to `back` is seen to pass 0 as its second
    argument."""
    return _UNSET_THERE.search(program.bytes_at(back - _CALL_BYTES, _CALL_BYTES)) is not None


def _is_users(program: Image, back: int) -> bool:
    """Whether code that is not a library's calls from there."""
    caller = program.function_at(back)
    return caller is not None and not caller.startswith(_LIBRARY)
