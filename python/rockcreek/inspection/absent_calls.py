"""Calls of the C library that the guest kernel cannot serve: each is reported once, by the line of
the program, with what to do in its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rockcreek.chip import Chip, Exit
from rockcreek.inspection.backtrace import Locator
from rockcreek.software.image import Image

# Only our own kernel has it.
_KERNEL = "sys_unavailable"
_LINUX = "a Linux on each core has processes (rck guide linux)"
_NO_FORK = (
    "a core runs one process: there is no fork",
    "start more copies (rck run -n N), or threads (rck cc -pthread); `--kernel l4` has fork; "
    + _LINUX,
)
_NO_PROGRAM = (
    "a core runs one process: it starts no other program",
    f"run the other program on the host, before or after; {_LINUX}",
)
_NO_NETWORK = (
    "the cores have no network of the host",
    "`-ltcpip` has sockets between the cores and to the host: rck guide tcpip",
)
_NO_IPC = (
    "a core runs one process, with nobody to share System V's memory, semaphores and queues with",
    "threads share all memory (rck cc -pthread); cores share what RCCE_shmalloc returns",
)
_NO_NODE = (
    "there are no named pipes and device files",
    "pipe() has two ends within the process; between cores go messages, or files below --share",
)
_ABSENT = {
    **dict.fromkeys(("fork", "vfork"), _NO_FORK),
    **dict.fromkeys(("system", "popen", "posix_spawn", "posix_spawnp"), _NO_PROGRAM),
    **dict.fromkeys(("shmget", "semget", "msgget"), _NO_IPC),
    **dict.fromkeys(("mkfifo", "mkfifoat", "mknod", "mknodat"), _NO_NODE),
    "socket": _NO_NETWORK,
}


class AbsentCalls:
    """Takes the calls of these functions."""

    def __init__(
        self, chip: Chip, cores: Iterable[int], program: Image, kernel: Image, names: Iterable[str]
    ) -> None:
        self._locator = Locator(chip, kernel, program)
        self._label = chip.description.core_label
        self._names = {program.symbols[name]: name for name in names}
        self._told: set[int] = set()
        # The kernel and the program write about it themselves: these lines wait for the end.
        self._fresh: list[str] = []
        self._lines: list[str] = []
        for core in cores:
            chip.set_probes(core, [*self._names], calls=True)

    def take(self, noted: Iterable[tuple[int, int, int, list[int]]]) -> None:
        for core, function, _, words in noted:
            name = self._names.get(function)
            if name is None or function in self._told:
                continue
            place = self._locator.at(words[0] - 1)
            if place.line is None:
                continue  # a function of the library, which is reported itself
            self._told.add(function)
            what, hint = _ABSENT[name]
            self._fresh.append(
                f"core {self._label(core)}: {name} at {place} fails: {what}\nhint: {hint}"
            )

    def news(self) -> list[str]:
        """Lines for the user, since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def finish(self, exits: Mapping[int, Exit]) -> None:
        """The chip has stopped."""
        self._lines, self._fresh = self._fresh, []


def watch(chip: Chip, cores: Iterable[int], program: Image, kernel: Image) -> AbsentCalls | None:
    """For a program that has one of these functions from the C library, not of its own."""
    if _KERNEL not in kernel.symbols:
        return None
    found = [name for name in _ABSENT if name in program.symbols]
    # Ours is without lines.
    places = program.lines.places([program.symbols[name] for name in found])
    names = [name for name, (_, file, _) in zip(found, places, strict=True) if file is None]
    return AbsentCalls(chip, cores, program, kernel, names) if names else None
