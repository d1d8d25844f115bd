"""Errors that RCCE or pthreads return to a program that does not look: each place is reported
once.

All calls of RCCE and iRCCE that fail come through one function, those of pthreads and OpenMP's
locks through another. They are watched at no cost in simulated time, and get the error and the
address to which the failed call returns. Calls of RCCE_init and RCCE_finalize are watched, too:
what is used before the one or after the other, and a program that ends without, are mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rockcreek.chip import Chip, Exit
from rockcreek.deadlocks import calls, error_words
from rockcreek.deadlocks.error_words import Message
from rockcreek.inspection import return_values
from rockcreek.inspection.backtrace import Frame, Locator
from rockcreek.software.image import Image
from rockcreek.software.libraries import FAIL, FAIL_THREADS

_START, _END = "rcce_start", "RCCE_finalize"
# What RCCE answers by 0 as long as RCCE_init was not called.
_WHO = ("RCCE_ue", "RCCE_num_ues")
# Callers in the layers under threads, whose own callers are not known.
_LAYERS = ("crf_", "thrd_", "mtx_", "cnd_", "tss_", "omp_", "__kmpc")
# Places that are reported, and refusals of each UE that are kept.
_MOST = 20
_NO_UE = 0xFFFFFFFF


@dataclass(frozen=True)
class Refusal:
    """A call that returned an error."""

    ue: int
    call: str
    place: Frame
    why: str

    def in_words(self) -> str:
        return f"{self.call} of UE {self.ue} at {self.place} was refused: {self.why}"


@dataclass
class _Ue:
    """One UE: whether it has called RCCE_init or ended, and which allocator returned NULL."""

    rank: int
    state: str = "before"  # running, ended
    started: Frame | None = None
    # An allocator that returned NULL, in words.
    exhausted: tuple[str, str] | None = None


@dataclass(frozen=True)
class _Held:
    """A failed call of a message, until the size that its partner gives must be known."""

    core: int
    words: list[int]
    state: str  # of the UE at the call
    partners: tuple[int, int]  # the partner's rank, and this UE's
    number: int  # of this pair's calls that failed so


class IgnoredErrors:
    """Takes the calls of the functions that hear of errors, in a program that has one of them
    (`libraries.tells_errors`)."""

    def __init__(self, chip: Chip, cores: Iterable[int], program: Image, kernel: Image) -> None:
        self.refused: list[Refusal] = []
        self._program, self._locator = program, Locator(chip, kernel, program)
        self._label = chip.description.core_label
        self._ues = {core: _Ue(rank) for rank, core in enumerate(cores)}
        self._ignored: dict[int, bool] = {}
        # The sizes of messages whose two ends differ, in the order of the giver's calls, and these
        # calls: where a slice of the run ends, the size that the partner gives may be unknown.
        self._sizes: dict[tuple[int, int], list[int]] = {}
        self._held: list[_Held] = []
        self._told: set[tuple[int, int]] = set()
        self._lines: list[str] = []
        symbols = program.symbols
        names = (FAIL, _START, _END) if FAIL in symbols else ()
        names = (*names, *((FAIL_THREADS,) if FAIL_THREADS in symbols else ()))
        self._names = {symbols[name]: name for name in names if name in symbols}
        self._names |= dict.fromkeys(_before_start(program), _WHO[0]) if names else {}
        for core in self._ues:
            chip.set_probes(core, [*self._names], calls=True)

    def take(self, noted: Iterable[tuple[int, int, int, list[int]]]) -> None:
        """Takes the calls that the probes have recorded."""
        ours = [
            (core, self._names[function], function, words)
            for core, function, _, words in noted
            if function in self._names
        ]
        for core, name, function, words in ours:
            back = words[0]
            if name == FAIL:
                self._hold_or_note(core, words)
            elif name == FAIL_THREADS:
                self._note_threads(core, words)
            elif name == _START:
                self._note_start(core, self._locator.at(back - 1))
            elif name in _WHO:
                self._note_who(core, function)
            elif name == _END and self._ues[core].state == "running":
                self._ues[core].state = "ended"

    def _hold_or_note(self, core: int, words: list[int]) -> None:
        """A message whose two ends differ in size is reported when the run is over."""
        message, ue = _message(words), self._ues[core]
        if message is None or not message.size or not error_words.is_length(words[2]):
            self._note_rcce(core, words, ue.state, None)
            return
        sizes = self._sizes.setdefault((ue.rank, message.partner), [])
        if len(sizes) < _MOST:
            self._held.append(_Held(core, words, ue.state, (message.partner, ue.rank), len(sizes)))
            sizes.append(message.size)

    def _note_start(self, core: int, place: Frame) -> None:
        ue = self._ues[core]
        if ue.state == "running":
            self._tell(
                core, (0, place.eip), f"RCCE_init is called again at {place}", "call RCCE_init once"
            )
        ue.state, ue.started = "running", place

    def _note_who(self, core: int, back: int) -> None:
        """A call that returns there has asked who it is."""
        if self._ues[core].state == "before":
            what, hint = error_words.before_or_after("before")
            name, place = self._called(back), self._locator.at(back - 1)
            self._tell(core, (back, 0), f"{name} at {place} returns 0: {what}", hint)

    def _note_rcce(self, core: int, words: list[int], state: str, theirs: int | None) -> None:
        """An error of RCCE; `state`: the UE's at the call; `theirs`: the size that the partner
        gave, where it is known."""
        code, back, message = words[2], words[3], _message(words)
        name = self._called(back)
        caller = self._program.function_at(back)
        if name is None or caller is None or calls.is_library(caller):
            return
        ue, place = self._ues[core], self._locator.at(back - 1)
        what, hint = error_words.of_rcce(name, code, message, ue.rank, len(self._ues), theirs)
        if state != "running":
            what, hint = error_words.before_or_after(state)
        elif name in error_words.ALLOCATORS:
            full, hint = error_words.ALLOCATORS[name]
            room = f"{full} ({words[5]:,} are free in one piece)"
            ue.exhausted = f"{name} of {words[4]:,} bytes at {place} returned NULL: {room}", hint
            return
        if len(self.refused) < _MOST * len(self._ues):
            self.refused.append(Refusal(ue.rank, name, place, what))
        if error_words.is_buffer(code) and ue.exhausted is not None:
            full, hint = ue.exhausted
            what = f"{what}; {full}"
        if name in error_words.ALLOCATORS:
            self._tell(core, (back, code), f"{name} at {place} returned NULL: {what}", hint)
        elif self._is_ignored(back):
            self._tell(core, (back, code), _failed(name, place, what, code), hint)

    def _note_threads(self, core: int, words: list[int]) -> None:
        error, back = words[1], words[2]
        if error in error_words.CUT_OFF:
            place = self._locator.at(back)
            which, hint = error_words.CUT_OFF[error]
            what = f"main returned while {which} still ran: {place}; it is cut off"
            self._tell(core, (back, error), what, hint)
            return
        name = self._called(back)
        caller = self._program.function_at(back)
        if name is None or caller is None or caller.startswith(_LAYERS):
            return
        what, hint = error_words.of_threads(name, error)
        place = self._locator.at(back - 1)
        if error == error_words.NOT_INITIALISED or name.startswith("omp_"):
            self._tell(core, (back, error), f"{name} at {place}: {what}", hint)
        elif self._is_ignored(back):
            self._tell(core, (back, error), _failed(name, place, what, error), hint)

    def _called(self, back: int) -> str | None:
        return return_values.called_at(self._program, back)

    def _is_ignored(self, back: int) -> bool:
        if back not in self._ignored:
            self._ignored[back] = return_values.is_ignored(self._program, back)
        return self._ignored[back]

    def _tell(self, core: int, key: tuple[int, int], what: str, hint: str) -> None:
        """A line for the user, once for each place and error."""
        if key not in self._told and len(self._told) < _MOST:
            self._told.add(key)
            self._lines.append(f"core {self._label(core)}: {what}\nhint: {hint}")

    def news(self) -> list[str]:
        """Lines for the user, since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def finish(self, exits: Mapping[int, Exit]) -> None:
        """The chip has stopped, and these cores have ended."""
        for one in self._held:
            theirs = self._sizes.get(one.partners, [])[one.number :]
            self._note_rcce(one.core, one.words, one.state, theirs[0] if theirs else None)
        left = [c for c, ue in self._ues.items() if c in exits and ue.state == "running"]
        for core in left:
            ue, end = self._ues[core], exits[core]
            if end.reason != "exit" and ue.exhausted is not None:
                full, hint = ue.exhausted
                self._tell(core, (1, end.eip), full, hint)
            if end.reason == "exit" and end.code == 0 and len(left) == len(self._ues):
                self._tell(
                    core, (2, 0), f"the program ended without RCCE_finalize (RCCE_init at"
                    f" {ue.started})", "call RCCE_finalize on every way out of main",
                )  # fmt: skip


def _before_start(program: Image) -> list[int]:
    """Where calls of RCCE_ue and the like return to that stand before RCCE_init in its function:
    how often others are called nobody knows."""
    starts = {program.function_at(at): at for at in reversed(program.returns_from((_START,)))}
    return [at for at in program.returns_from(_WHO) if at < starts.get(program.function_at(at), 0)]


def _failed(name: str, place: Frame, what: str, code: int) -> str:
    return (
        f"{name} failed at {place}: {what}; the program did not look at the error that it"
        f" returned ({code})"
    )


def _message(words: list[int]) -> Message | None:
    """The message of a call that failed, if it was one."""
    size, partner = words[4], words[5]
    if size == 0 and partner == _NO_UE:
        return None
    return Message(size, partner - (1 << 32) if partner >> 31 else partner)
