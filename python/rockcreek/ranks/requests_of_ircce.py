"""Messages of iRCCE that a program begins and never finishes: each call is reported once.

A program that ignores what the call returns does not know whether the message is through; it must
wait for the request, or test it, before it uses the buffer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rockcreek.chip import Chip, Exit
from rockcreek.inspection import return_values
from rockcreek.inspection.backtrace import Locator
from rockcreek.software.image import Image

# What begins a message (its fourth argument is the request), and what waits for it.
_BEGIN = {
    "iRCCE_isend": "iRCCE_isend_wait",
    "iRCCE_issend": "iRCCE_isend_wait",
    "iRCCE_irecv": "iRCCE_irecv_wait",
    "iRCCE_isrecv": "iRCCE_irecv_wait",
}
_REQUEST = 4
# What finishes a message, and which arguments are requests.
_FINISH: dict[str, tuple[int, ...]] = {
    **{f"iRCCE_{way}_{what}": (1,) for way in ("isend", "irecv") for what in ("wait", "cancel")},
    "iRCCE_add_to_wait_list": (2, 3),
}
# Called in loops that poll: a program that does so is not watched.
_POLLS = ("iRCCE_isend_push", "iRCCE_irecv_push", "iRCCE_isend_test", "iRCCE_irecv_test")
_LIBRARY = ("iRCCE_", "ircce_", "rcce_", "RCCE_")
_MOST = 20


class Requests:
    """Takes the calls of iRCCE's functions that begin and finish messages."""

    def __init__(self, chip: Chip, cores: Iterable[int], program: Image, kernel: Image) -> None:
        self._program, self._locator = program, Locator(chip, kernel, program)
        self._label = chip.description.core_label
        self._names = {program.symbols[name]: name for name in _watched(program)}
        # By core: where a request was begun, by its address; those that were finished.
        self._open: dict[int, dict[int, tuple[str, int]]] = {core: {} for core in cores}
        self._unclear: set[int] = set()  # cores that finish what they did not begin: copies
        self._lines: list[str] = []
        for core in self._open:
            chip.set_probes(core, [*self._names], calls=True)

    def take(self, noted: Iterable[tuple[int, int, int, list[int]]]) -> None:
        for core, function, _, words in noted:
            name = self._names.get(function)
            if name in _BEGIN and _is_users(self._program, words[0]):
                request = words[_REQUEST]
                if request and return_values.is_ignored(self._program, words[0]):
                    self._open[core].setdefault(request, (name, words[0]))
            elif name in _FINISH:
                for place in _FINISH[name]:
                    if words[place] and self._open[core].pop(words[place], None) is None:
                        self._unclear.add(core)

    def news(self) -> list[str]:
        """Lines for the user, since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def finish(self, exits: Mapping[int, Exit]) -> None:
        """The chip has stopped, and these cores have ended."""
        told: set[int] = set()
        for core, begun in self._open.items():
            if core in self._unclear or core not in exits or exits[core].code:
                continue
            for name, back in begun.values():
                if back not in told and len(told) < _MOST:
                    told.add(back)
                    self._lines.append(
                        f"core {self._label(core)}: nobody waited for the request of {name} at"
                        f" {self._locator.at(back - 1)}\n"
                        f"hint: the buffer may be used when {_BEGIN[name]} returns"
                    )


def _watched(program: Image) -> list[str]:
    return [name for name in (*_BEGIN, *_FINISH) if name in program.symbols]


def watch(chip: Chip, cores: Iterable[int], program: Image, kernel: Image) -> Requests | None:
    """For a program that begins messages, and does not poll for their end."""
    polls = any(_is_users(program, at) for at in program.returns_from(_POLLS))
    if polls or not any(name in program.symbols for name in _BEGIN):
        return None
    return Requests(chip, cores, program, kernel)


def _is_users(program: Image, back: int) -> bool:
    """Whether code that is not a library's calls from there."""
    caller = program.function_at(back)
    return caller is not None and not caller.startswith(_LIBRARY)
