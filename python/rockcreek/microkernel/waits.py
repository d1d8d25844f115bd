"""Threads of the microkernel that wait: for whom, by which gate, and what can never come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rockcreek.chip import Chip
from rockcreek.formats.waiting import WaitingTask
from rockcreek.inspection.backtrace import Locator
from rockcreek.microkernel import layouts
from rockcreek.microkernel.layouts import Kind, State, Task, Thread
from rockcreek.microkernel.objects import Objects, is_kernel
from rockcreek.software.image import Image

_LINUX = 0x80  # the vector of its system calls
HINTS = {
    "call-cycle": "a server must not call who calls it: let it reply first, or give the call a"
    " timeout",
    "call-without-reply": "who takes a call replies to it, or keeps the caller for a later reply"
    " (L4_THREAD_KEEP_CALLER)",
}
_Key = tuple[int, int]  # core, address


@dataclass(frozen=True)
class TaskWait:
    """A thread that waits."""

    core: int
    thread: str
    state: str  # receives, sends, calls
    timed: bool  # it ends at a deadline
    what: str  # in words: `a reply of`, ...
    peer: str | None = None  # whom it waits for: a thread, or a gate of another core
    peer_core: int | None = None
    key: _Key = (0, 0)
    peer_key: _Key | None = None
    mends: bool = False  # the call may be kept for a later reply
    place: str | None = None  # of a program: its function and line

    def in_words(self, label: str) -> str:
        if self.peer is None:
            return f"{self.thread} (core {label}) {self.what}"
        where = f" on core {self.peer_core:02}" if self.peer_core not in (None, self.core) else ""
        where += f", at {self.place}" if self.place else ""
        return f"{self.thread} (core {label}) waits for {self.what} {self.peer}{where}"

    def to_dict(self) -> WaitingTask:
        return {
            "core": self.core,
            "thread": self.thread,
            "state": self.state,
            "timed": self.timed,
            "what": self.what,
            "waits_for": self.peer,
            "on_core": self.peer_core,
            "place": self.place,
        }


@dataclass(frozen=True)
class TaskFinding:
    """What is wrong."""

    kind: str
    text: str

    @property
    def hint(self) -> str:
        return HINTS[self.kind]


@dataclass(frozen=True)
class TaskWaits:
    """All threads of the cores that wait, and what is wrong with them."""

    waits: tuple[TaskWait, ...] = ()
    findings: tuple[TaskFinding, ...] = ()

    def lines(self, label: Callable[[int], str], *, receivers: bool) -> list[str]:
        """Threads that wait for somebody; without such, and if asked for, those that nobody sends
        anything."""
        waiting = [one for one in self.waits if one.state != "receives"]
        if not waiting and receivers:
            waiting = list(self.waits)
        return [one.in_words(label(one.core)) for one in waiting]


def read(
    chip: Chip,
    cores: Sequence[int],
    kernel: Image,
    program: Image | None,
    servers: Sequence[Image],
    *,
    all_stand: bool,
) -> TaskWaits:
    """The waits of cores that run this kernel; `servers`: the modules that their tasks are made
    of; `all_stand`: nothing can ever change again."""
    if not is_kernel(kernel):
        return TaskWaits()
    return _Reader(chip, cores, kernel, program, servers).read(all_stand=all_stand)


class _Reader:
    def __init__(
        self,
        chip: Chip,
        cores: Sequence[int],
        kernel: Image,
        program: Image | None,
        servers: Sequence[Image],
    ) -> None:
        self._chip, self._kernel, self._servers = chip, kernel, servers
        self._of = {core: Objects(chip, core, kernel, program) for core in cores}

    def read(self, *, all_stand: bool) -> TaskWaits:
        waits: list[TaskWait] = []
        for objects in self._of.values():
            for view in objects.tasks.values():
                found = (self._wait(objects, at) for at in view.threads)
                waits += [one for one in found if one is not None]
        by_key = {one.key: one for one in waits}
        findings = _cycles(by_key) + (_without_reply(by_key) if all_stand else [])
        return TaskWaits(tuple(waits), tuple(findings))

    def _wait(self, objects: Objects, address: int) -> TaskWait | None:
        thread = objects.thread(address)
        if thread is None:
            return None
        core, name, key = objects.core, objects.thread_name(address), (objects.core, address)
        state, timed = thread.state & ~layouts.TIMED, bool(thread.state & layouts.TIMED)
        if state == State.RECEIVING:
            what = "waits for a message or an event"
            return TaskWait(core, name, "receives", timed, what, key=key)
        if state not in (State.SENDING, State.CALLING):
            return None
        told = "calls" if state == State.CALLING else "sends"
        what = "a reply of"
        if state == State.SENDING:
            what = "the next receive of"
        elif thread.fault:
            what = f"{_fault(thread)} by"
        if thread.partner:
            peer = objects.thread_name(thread.partner)
            return TaskWait(
                core, name, told, timed, what, peer, core, key, (core, thread.partner),
                mends=bool(thread.fault), place=self._place(objects, thread),
            )  # fmt: skip
        peer, on, peer_key = self._kept(objects, address, thread)
        return TaskWait(core, name, told, timed, what, peer, on, key, peer_key, mends=True)

    def _kept(self, objects: Objects, address: int, thread: Thread) -> tuple[str, int, _Key | None]:
        """Who has kept a caller for a later reply; of a gate of another core, who serves it
        there."""
        caller = address + Thread.object.offset
        for view in objects.tasks.values():
            for number, slot in enumerate(view.slots):
                kept = slot.kind == Kind.REPLY and slot.object == caller
                if not kept or slot.badge != thread.calls:
                    continue
                badge = self._badge(objects, thread)
                if badge & layouts.FAR_GATE and number == layouts.FAR_KEPT + (badge >> 8 & 0xFF):
                    return self._far(view.log, badge >> 8 & 0xFF, badge & 0xFF)
                keeper = view.threads[0] if view.threads else 0
                name = f"`{objects.task_name(view.address)}`, which has kept the caller"
                return name, objects.core, (objects.core, keeper)
        return "nobody: its reply was dropped", objects.core, None

    def _badge(self, objects: Objects, thread: Thread) -> int:
        """The badge of the capability that a caller has invoked."""
        view = objects.tasks.get(thread.task)
        at = thread.eax
        return view.slots[at].badge if view is not None and at < len(view.slots) else 0

    def _place(self, objects: Objects, thread: Thread) -> str | None:
        """The line from which a program made a system call; else the function."""
        view, program = objects.tasks.get(thread.task), objects.program
        if program is None or view is None or view.log or not thread.fault:
            return None
        read = partial(_read_task, objects, view.struct)
        locator = Locator(self._chip, self._kernel, program, read)
        frames = locator.of_registers(objects.core, thread.eip, thread.ebp, thread.esp)
        own = [frame for frame in frames if frame.line is not None]
        named = [frame for frame in frames if frame.function is not None]
        return next((str(frame) for frame in (*own, *named)), None)

    def _far(self, server: str, core: int, number: int) -> tuple[str, int, _Key | None]:
        """The thread that serves the gate that this core exports by this number."""
        unknown = f"the gate {number}", core, None
        objects = self._of.get(core)
        view = None if objects is None else objects.task_named(server)
        symbols = [i.symbols["exported"] for i in self._servers if "exported" in i.symbols]
        if objects is None or view is None or not symbols:
            return unknown
        data = objects.memory(view.struct, symbols[0] + number, 1)
        slot = data[0] if data else 0
        if not slot or slot >= len(view.slots) or view.slots[slot].kind != Kind.GATE:
            return unknown
        gate = objects.gate(view.slots[slot].object)
        if gate is None or objects.thread(gate.thread) is None:
            return unknown
        name = f"{objects.thread_name(gate.thread)}, by its gate {number}"
        return name, core, (core, gate.thread)


def _cycles(waits: Mapping[_Key, TaskWait]) -> list[TaskFinding]:
    """Threads that wait for each other, without a deadline."""
    found, told = [], set()
    for start in waits:
        chain: list[_Key] = []
        at: _Key | None = start
        while at is not None and at in waits and at not in chain and at not in told:
            chain.append(at)
            at = waits[at].peer_key
        told.update(chain)
        if at is None or at not in chain:
            continue
        cycle = [waits[key] for key in chain[chain.index(at) :]]
        if not any(one.timed for one in cycle):
            names = " -> ".join(one.thread for one in (*cycle, cycle[0]))
            cores = ", ".join(f"{core:02}" for core in sorted({one.core for one in cycle}))
            text = f"core {cores}: {len(cycle)} threads wait for each other: {names}"
            found.append(TaskFinding("call-cycle", text))
    return found


def _without_reply(waits: Mapping[_Key, TaskWait]) -> list[TaskFinding]:
    """Calls that were taken by threads that now wait for the next message."""
    found = []
    for one in waits.values():
        served = None if one.peer_key is None else waits.get(one.peer_key)
        taken = served is not None and served.state == "receives"
        if one.state == "calls" and taken and not one.mends and not one.timed:
            text = f"core {one.core:02}: {one.thread} waits for {one.peer}, which has taken the"
            text += " call, did not reply, and waits for the next message"
            found.append(TaskFinding("call-without-reply", text))
    return found


def _read_task(objects: Objects, task: Task, _core: int, address: int, length: int) -> bytes | None:
    return objects.memory(task, address, length)


def _fault(thread: Thread) -> str:
    """What a thread has its pager do."""
    if thread.fault == layouts.FAULT_PAGE:
        return "a page"
    if thread.vector == _LINUX:
        return f"system call {thread.eax}"
    return f"exception {thread.vector} to be handled"
