"""Errors that RCCE returns to a program that does not look: each place is reported once.

All calls of RCCE and iRCCE that fail come through one function, which is watched at no cost in
simulated time; it gets the error and the address to which the failed call returns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rockcreek.chip import Chip
from rockcreek.deadlocks import calls
from rockcreek.inspection import return_values
from rockcreek.inspection.backtrace import Frame, Locator
from rockcreek.software.image import Image

FAIL = "rcce_fail_at"
# RCCE.h: the first error is this + 1; in words, and what to do.
_BASE = 1234321
_WORDS = {
    1: ("the target buffer is missing or misplaced", "pass memory that the call may write"),
    2: ("the source buffer is missing or misplaced", "pass memory that holds the data"),
    3: ("no such UE, or it is the caller itself", "UEs are 0 to RCCE_num_ues() - 1"),
    4: ("the sizes of send and receive differ, or the size is 0", "give both the same size"),
    5: ("the flag is not defined", "RCCE_flag_alloc comes before its first use"),
    6: ("the number of UEs is out of range", "see `rck run -n`"),
    7: ("source and target overlap", "use two buffers"),
    8: ("the address is not at the start of a line", "message buffers are used in 32 bytes"),
    9: ("no such debug flag", "see RCCE_DEBUG_ALL and the like in RCCE.h"),
    10: ("the flag is not in the message buffer", "get it from RCCE_flag_alloc"),
    11: ("the flag's status is neither set nor unset", "use RCCE_FLAG_SET or RCCE_FLAG_UNSET"),
    12: ("the flag is not allocated, or the message buffer is full", "free flags and buffers"),
    13: ("the place for the result is missing", "pass a pointer"),
    22: ("RCCE or the communicator is not initialized", "call RCCE_init first"),
    23: ("no such reduction operator", "RCCE_SUM, RCCE_MAX, RCCE_MIN, RCCE_PROD"),
    24: ("no such reduction type", "RCCE_INT, RCCE_LONG, RCCE_FLOAT, RCCE_DOUBLE"),
    25: ("out of memory, or the device is not available", "ask for less"),
}
_OTHER = ("it returned an error", "RCCE_error_string has its words")
# Places that are reported, and refusals of each UE that are kept.
_MOST = 20


@dataclass(frozen=True)
class Refusal:
    """A call that returned an error."""

    ue: int
    call: str
    place: Frame
    why: str

    def in_words(self) -> str:
        return f"{self.call} of UE {self.ue} at {self.place} was refused: {self.why}"


class IgnoredErrors:
    """Takes the calls of the function that hears of errors."""

    def __init__(self, chip: Chip, cores: Iterable[int], program: Image, kernel: Image) -> None:
        self.refused: list[Refusal] = []
        self.address = program.symbols[FAIL]
        self._program, self._locator = program, Locator(chip, kernel, program)
        self._label = chip.description.core_label
        self._ranks = {core: rank for rank, core in enumerate(cores)}
        self._ignored: dict[tuple[int, int], bool] = {}
        self._lines: list[str] = []
        for core in self._ranks:
            chip.set_probes(core, [self.address], calls=True)

    def take(self, noted: Iterable[tuple[int, int, int, list[int]]]) -> None:
        """What the probes have noted."""
        for core, function, _, words in noted:
            if function == self.address:
                _, _, code, back = words[:4]
                self._note(core, code, back)

    def _note(self, core: int, code: int, back: int) -> None:
        name = return_values.called_at(self._program, back)
        caller = self._program.function_at(back)
        if name is None or caller is None or calls.is_library(caller):
            return
        what, hint = _WORDS.get(code - _BASE, _OTHER)
        key, place = (back, code), self._locator.at(back - 1)
        if len(self.refused) < _MOST * len(self._ranks):
            self.refused.append(Refusal(self._ranks[core], name, place, what))
        if key in self._ignored or sum(self._ignored.values()) >= _MOST:
            return
        self._ignored[key] = return_values.is_ignored(self._program, back)
        if self._ignored[key]:
            self._lines.append(
                f"core {self._label(core)}: {name} failed at {place}: {what}; the program did not"
                f" look at the error that it returned ({code})\nhint: {hint}"
            )

    def news(self) -> list[str]:
        """Lines for the user, since the last call."""
        lines, self._lines = self._lines, []
        return lines


def watch(chip: Chip, cores: Iterable[int], program: Image, kernel: Image) -> IgnoredErrors | None:
    """For a program that has RCCE and was linked since errors say where they return to."""
    return IgnoredErrors(chip, cores, program, kernel) if FAIL in program.symbols else None
