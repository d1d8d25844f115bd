"""What the layer under threads keeps of a program's threads: records, turns, objects to wait for.

The layouts are those of systems/crf/crf_control.h and crf_private.h; a test compares them with the
headers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from enum import IntEnum

from rockcreek.chip import Chip
from rockcreek.software.image import Image
from rockcreek.software.libraries import CONTROL, RUNNING, TURNS

# Of programs that `rck cc -pthread` or `-fopenmp` links.
_CORES, _THREADS, _KEYS, _PAGES, _FILES, _SIGNALS = 48, 1024, 128, 65536, 67, 32
_BUCKETS, _BUCKET, _LENT = 1024, 8, 12
_PAGE = 4096
_WORD = ctypes.c_uint32


class State(IntEnum):
    """The state of a thread, as its record in the guest's table has it."""

    FREE = 0
    MADE = 1
    NEW = 2
    RUNS = 3
    ENDED = 4


class ObjectKind(IntEnum):
    """The kind of an object for which threads wait."""

    MUTEX = 1
    CONDITION = 2
    BARRIER = 3
    ONCE = 4
    SPIN = 5
    READ_WRITE = 6
    SEMAPHORE = 7
    THREAD = 8
    TEAM = 9


def _words(*names: str) -> list[tuple[str, type[_WORD]]]:
    return [(name, _WORD) for name in names]


class Record(ctypes.LittleEndianStructure):
    """struct crf_thread."""

    _fields_ = _words(
        "state", "start", "argument", "result", "joiner", "detached", "cancelled", "signals",
        "mask", "awaits", "wake", "next", "stack",
    )  # fmt: skip


class Object(ctypes.LittleEndianStructure):
    """struct crf_object; `holder` and the links of queues are a thread's number + 1."""

    _fields_ = _words("key", "kind", "holder", "count", "first", "last", "setting", "others_last")


class Control(ctypes.LittleEndianStructure):
    """struct crf_control, up to the objects."""

    _fields_ = [
        *_words(
            "ending", "exit_asked", "dead", "notices_end", "heap_next", "next_rank",
            "files_opened", "actions_set", "names", "process", "last_thread", "signals", "left",
            "gone",
        ),
        ("asleep", _WORD * _CORES),
        ("threads_on", _WORD * _CORES),
        ("news", _WORD * _CORES),
        ("asked", _WORD * _CORES),
        ("interrupt_sent", _WORD * _CORES),
        *_words("lent_known", "lent_count"),
        ("lent", _WORD * _LENT),
        ("key", _WORD * 3 * _KEYS),
        ("committed", ctypes.c_uint8 * _PAGES),
        ("fetched", ctypes.c_uint8 * _PAGES),
        ("thread", Record * _THREADS),
        ("stack", _WORD * 4 * _THREADS),
        ("file", ctypes.c_uint8 * 256 * _FILES),
        ("opening", _WORD * 2 * _FILES),
        ("action", _WORD * 5 * _SIGNALS),
        ("object", Object * _BUCKET * _BUCKETS),
    ]  # fmt: skip


class Turn(ctypes.LittleEndianStructure):
    """struct crf_turn; `until` in two words, as the i386 aligns it."""

    _fields_ = _words(
        "number", "stack_pointer", "bottom", "top", "waits", "until", "until_high", "cancellable",
        "signals", "mask", "pretended", "handles", "handled", "stack", "order", "error", "local",
        "next",
    )  # fmt: skip


class ThreadTables:
    """Reads the tables on the cores of one run; a word that is not mapped makes them None."""

    def __init__(self, chip: Chip, cores: Sequence[int], program: Image) -> None:
        self._chip, self._cores = chip, cores
        self._symbols = program.symbols

    def _variable(self, core: int, name: str) -> int:
        data = self._chip.read_linear(core, self._symbols[name], 4)
        return int.from_bytes(data or b"", "little")

    def all_asleep(self) -> bool:
        """Whether every core of the run sleeps until a mail comes; quick to find out. The first one
        may look around for the others, if main has ended by `pthread_exit`."""
        core = self._cores[0]
        control = self._variable(core, CONTROL)
        asleep, first = Control.asleep, control + Control.thread.offset
        data = self._chip.read_linear(core, control + asleep.offset, asleep.size)
        if not control or data is None or len(data) < asleep.size:
            return False
        sleeps = [any(data[4 * n : 4 * n + 4]) for n in range(len(self._cores))]
        ended = self._chip.read_linear(core, first, 4) == State.ENDED.to_bytes(4, "little")
        return all(sleeps[1:]) and (sleeps[0] or ended)

    def control(self) -> Control | None:
        """The control block. Its pages are mapped where they were touched: what no core has
        touched is as it began, zero."""
        starts = [self._variable(core, CONTROL) for core in self._cores]
        if not all(starts):
            return None
        size = ctypes.sizeof(Control)
        return Control.from_buffer_copy(
            b"".join(self._page(starts, at, min(_PAGE, size - at)) for at in range(0, size, _PAGE))
        )

    def _page(self, starts: Sequence[int], offset: int, count: int) -> bytes:
        for core, start in zip(self._cores, starts, strict=True):
            data = self._chip.read_linear(core, start + offset, count)
            if data is not None and len(data) == count:
                return data
        return bytes(count)

    def turns(self, core: int) -> Iterator[tuple[Turn, bool]]:
        """The threads of a core in turn, and whether the core is on that one's stack."""
        first, running = self._variable(core, TURNS), self._variable(core, RUNNING)
        at = first
        for _ in range(_THREADS if first else 0):
            data = self._chip.read_linear(core, at, ctypes.sizeof(Turn))
            if data is None or len(data) < ctypes.sizeof(Turn):
                return
            turn = Turn.from_buffer_copy(data)
            yield turn, at == running
            at = turn.next
            if at == first:
                return


def objects(control: Control) -> Iterator[Object]:
    """The objects that are in use."""
    for bucket in control.object:
        yield from (one for one in bucket if one.key)


def queue(control: Control, first: int) -> list[int]:
    """The threads of a queue, the one that has waited longest first."""
    found: list[int] = []
    while 0 < first <= _THREADS and first - 1 not in found:
        found.append(first - 1)
        first = control.thread[first - 1].next
    return found
