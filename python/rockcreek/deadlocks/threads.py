"""Threads of a stopped program: which of them wait, for what, and who could let them go on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from rockcreek.chip import Chip
from rockcreek.deadlocks import thread_calls
from rockcreek.deadlocks.guest_memory import Symbols
from rockcreek.deadlocks.thread_tables import (
    Control,
    Object,
    ObjectKind,
    State,
    ThreadTables,
    Turn,
    objects,
    queue,
)
from rockcreek.formats import waiting as formats
from rockcreek.inspection.backtrace import Frame, Locator
from rockcreek.software.image import Image

# Objects that belong to no program (systems/threads/threads.h) lie below the first page.
_FIRST_PAGE = 4096
# The lock of `#pragma omp critical (NAME)`, as the compiler calls it.
_CRITICAL = re.compile(r"\.gomp_critical_user_(.*)\.var(\+\d+)?$")
_CXX_HEADERS = "/include/c++/"
_LOCKS = (ObjectKind.MUTEX, ObjectKind.SPIN, ObjectKind.READ_WRITE)


@dataclass(frozen=True)
class ThreadWait:
    """A thread that cannot go on."""

    thread: int
    core: int
    rank: int
    call: str
    place: Frame | None
    kind: str  # of the object, in lower case; `join`, or `other`
    name: str | None = None  # of the object: its variable, or its address
    key: int = 0
    holder: int | None = None  # a thread
    peers: tuple[int, ...] = ()  # threads, one of which must do something
    arrived: int = 0  # at a barrier,
    wanted: int = 0  # which is for so many

    def in_words(self) -> str:
        whom = f" waits for {name_threads(self.peers)}" if self.peers else " waits"
        whom = " waits for itself" if self.peers == (self.thread,) else whom
        what = f" of `{self.name}`" if self.name else ""
        where = f", at {self.place}" if self.place else ""
        return f"{name_thread(self.thread)} (core {self.core:02}){whom}: {self.call}{what}{where}"

    def for_object(self) -> str:
        """The object, if it has a name, to stand behind the call."""
        return f" for `{self.name}`" if self.name else ""

    def to_dict(self) -> formats.WaitingThread:
        place = self.place
        return {
            "thread": self.thread,
            "core": self.core,
            "ue": self.rank,
            "kind": self.kind,
            "call": self.call,
            "object": self.name,
            "address": self.key,
            "holder": self.holder,
            "waits_for": list(self.peers),
            "function": place.function if place else None,
            "file": PurePath(place.file).name if place and place.file else None,
            "line": place.line if place else None,
        }


def name_thread(number: int) -> str:
    """A thread as people count them: the program's first one is main's."""
    return f"thread {number}" if number else "the main thread"


def name_threads(numbers: Sequence[int]) -> str:
    """`thread 2`, `the main thread and thread 1`."""
    names = [name_thread(number) for number in numbers]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


class Threads:
    """Reads the waits of the threads of one run."""

    def __init__(self, chip: Chip, cores: Sequence[int], program: Image, locator: Locator) -> None:
        self._tables = ThreadTables(chip, cores, program)
        self._control = self._tables.control()
        self._cores, self._locator = cores, locator
        self._symbols, self._program = Symbols(program), program

    def is_alive(self, thread: int) -> bool:
        """Whether a thread has begun and not ended."""
        control = self._control
        return control is not None and control.thread[thread].state == State.RUNS

    def waits(self) -> dict[int, ThreadWait]:
        """By number; empty if the tables cannot be read."""
        control = self._control
        if control is None:
            return {}
        held = self._queued(control)
        found = {}
        for rank, core in enumerate(self._cores):
            for turn, running in self._tables.turns(core):
                wait = self._wait(control, turn, (rank, core), held.get(turn.number), running)
                if wait is not None:
                    found[wait.thread] = wait
        return found

    def _wait(
        self,
        control: Control,
        turn: Turn,
        where: tuple[int, int],
        awaited: Object | None,
        running: bool,
    ) -> ThreadWait | None:
        rank, core = where
        if not turn.waits or control.thread[turn.number].wake:
            return None
        frames = self._locator.of_thread(core, None if running else turn.stack_pointer)
        call, place = thread_calls.find(frames)
        if call is None:
            # A thread of OpenMP's pool without work, or one that sleeps.
            return None
        place = self._in_its_source(place)
        if awaited is None:
            peers = self._joined(control, turn.number)
            kind = "join" if peers else "other"
            return ThreadWait(turn.number, core, rank, call, place, kind, peers=peers)
        return self._for_object(control, awaited, (turn.number, core, rank, call, place))

    def _joined(self, control: Control, thread: int) -> tuple[int, ...]:
        """The threads whose end a thread waits for: of main's, after `pthread_exit`, all."""
        running = [n for n, one in enumerate(control.thread) if one.state == State.RUNS]
        if thread == 0 and control.thread[0].state == State.ENDED:
            return tuple(running)
        return tuple(n for n in running if control.thread[n].joiner == thread + 1)

    def _in_its_source(self, frame: Frame | None) -> Frame | None:
        """The line of the program, where the compiler has put code of a header of C++ in place."""
        if frame is None or _CXX_HEADERS not in (frame.file or ""):
            return frame
        found = self._program.lines.inlined(frame.eip)
        own = (one for one in found if _CXX_HEADERS not in (one[1] or _CXX_HEADERS))
        function, file, line = next(own, (frame.function, frame.file, frame.line))
        return replace(frame, function=function, file=file, line=line)

    def _for_object(
        self, control: Control, awaited: Object, who: tuple[int, int, int, str, Frame | None]
    ) -> ThreadWait:
        kind = ObjectKind(awaited.kind)
        holder = awaited.holder - 1 if kind in _LOCKS and awaited.holder else None
        if holder is not None and holder >= len(control.thread):
            holder = None
        name = None
        if awaited.key >= _FIRST_PAGE:
            name = self._symbols.variable_at(awaited.key) or f"{awaited.key:#010x}"
            critical = _CRITICAL.match(name)
            name = name if critical is None else critical[1] or None
        barrier = kind == ObjectKind.BARRIER
        return ThreadWait(
            *who,
            kind.name.lower(),
            name=name,
            key=awaited.key,
            holder=holder,
            peers=() if holder is None else (holder,),
            arrived=awaited.count if barrier else 0,
            wanted=awaited.setting if barrier else 0,
        )

    def _queued(self, control: Control) -> Mapping[int, Object]:
        """The object in whose queue each thread stands."""
        found: dict[int, Object] = {}
        for one in objects(control):
            if one.kind not in ObjectKind._value2member_map_:
                continue
            firsts = [one.first]
            if one.kind == ObjectKind.READ_WRITE:
                firsts.append(one.setting)
            for first in firsts:
                found.update((thread, one) for thread in queue(control, first))
        return found
