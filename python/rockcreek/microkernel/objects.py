"""Reads the tasks, threads and gates of one core from its kernel's memory.

Whoever ran last is known by the stack that the processor enters the kernel on. From there all tasks
are found: capabilities of a task's table lead to others, and so do the pagers of its threads.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from rockcreek import printable
from rockcreek.chip import Chip
from rockcreek.microkernel import layouts
from rockcreek.microkernel.layouts import Gate, Kind, Log, Slot, Task, Thread
from rockcreek.software.image import Image

# Symbols of this kernel and of no other one.
_OWN = ("invoke_entry", "call_goes", "boot_tasks", "pool_tables", "task_state")
# The offset of ESP0 in the task state segment; ESP0 is the end of a thread's registers.
_ESP0 = 4
_REGISTERS = Thread.state.offset
_LINE = 32  # of the caches
_MOST_THREADS, _MOST_GATES = 4096, 4096
_MOST_MAKERS = 3
S = TypeVar("S", bound=ctypes.LittleEndianStructure)


def is_kernel(kernel: Image) -> bool:
    """Whether an image is this kernel's."""
    return all(name in kernel.symbols for name in _OWN)


@dataclass
class TaskView:
    """A task, by the address of its struct."""

    address: int
    struct: Task
    slots: list[Slot]
    log: str  # the name of its log; empty without
    threads: list[int] = field(default_factory=list)  # the oldest first
    maker: int | None = None  # the task that has its capability, for one without a log


class Objects:
    """The objects of one core; `program`: what runs on a server for programs."""

    def __init__(self, chip: Chip, core: int, kernel: Image, program: Image | None) -> None:
        self._chip, self.core = chip, core
        self._symbols, self.program = kernel.symbols, program

    def _read(self, kind: type[S], address: int) -> S | None:
        """A struct of the pool; None if it cannot be there."""
        size = ctypes.sizeof(kind)
        if not layouts.POOL_BASE <= address <= layouts.POOL_END - size:
            return None
        data = self._chip.read_linear(self.core, address, size)
        return None if data is None or len(data) < size else kind.from_buffer_copy(data)

    def thread(self, address: int) -> Thread | None:
        """A thread that has a task."""
        found = self._read(Thread, address)
        is_one = found is not None and found.object.kind == Kind.THREAD and found.task
        return found if is_one else None

    def gate(self, address: int) -> Gate | None:
        found = self._read(Gate, address)
        return found if found is not None and found.object.kind == Kind.GATE else None

    @cached_property
    def tasks(self) -> dict[int, TaskView]:
        """All tasks that are found, by address, in the order in which they were."""
        found: dict[int, TaskView] = {}
        self._add(found, self._first())
        return found

    def include(self, thread: int) -> None:
        """Finds tasks from this thread on, too."""
        read = self.thread(thread)
        if read is not None and read.task not in self.tasks:
            self._add(self.tasks, [read.task])

    def _add(self, found: dict[int, TaskView], todo: list[int]) -> None:
        while todo:
            address = todo.pop()
            task = None if address in found else self._read(Task, address)
            if task is None or task.object.kind != Kind.TASK:
                continue
            view = found[address] = self._view(address, task)
            todo += self._reached(view)
        for view in found.values():
            for slot in view.slots:
                made = found.get(slot.object - Task.object.offset)
                if slot.kind == Kind.TASK and made is not None and made is not view:
                    made.maker = view.address

    def _first(self) -> list[int]:
        data = self._chip.read_linear(self.core, self._symbols["task_state"] + _ESP0, 4)
        thread = self.thread(int.from_bytes(data or b"", "little") - _REGISTERS)
        return [] if thread is None else [thread.task]

    def _view(self, address: int, task: Task) -> TaskView:
        slots, log = [], ""
        if layouts.POOL_BASE <= task.slots < layouts.POOL_END:
            data = self._chip.read_linear(self.core, task.slots, layouts.PAGE) or b""
            size = ctypes.sizeof(Slot)
            slots = [Slot.from_buffer_copy(data, at) for at in range(0, len(data), size)]
        if len(slots) > layouts.SLOT_LOG and slots[layouts.SLOT_LOG].kind == Kind.LOG:
            named = self._read(Log, slots[layouts.SLOT_LOG].object)
            log = "" if named is None else printable.name(named.name.decode("latin-1"))
        return TaskView(address, task, slots, log, self._chain(task.threads))

    def _chain(self, thread: int) -> list[int]:
        """The threads of a task; the kernel puts each new one first."""
        found: list[int] = []
        while (read := self.thread(thread)) is not None and len(found) < _MOST_THREADS:
            found.append(thread)
            thread = read.next_of_task
        return found[::-1]

    def _reached(self, view: TaskView) -> Iterator[int]:
        """Tasks that this one's capabilities and its threads' pagers lead to."""
        pagers = [one.pager for at in view.threads if (one := self.thread(at)) is not None]
        for slot in (*view.slots, *pagers):
            if slot.kind == Kind.TASK:
                yield slot.object - Task.object.offset
            thread = None
            if slot.kind in (Kind.THREAD, Kind.REPLY):
                thread = self.thread(slot.object - Thread.object.offset)
            elif slot.kind == Kind.GATE and (gate := self.gate(slot.object)) is not None:
                thread = self.thread(gate.thread)
            if thread is not None:
                yield thread.task

    def gates_of(self, thread: int) -> list[int]:
        """The gates that a thread serves, the oldest first."""
        found: list[int] = []
        read = self.thread(thread)
        at = 0 if read is None else read.gates
        while (gate := self.gate(at)) is not None and len(found) < _MOST_GATES:
            found.append(at)
            at = gate.next_of_thread
        return found[::-1]

    def memory(self, task: Task, address: int, length: int) -> bytes | None:
        """Bytes of a task's own memory, by its page tables; None where nothing is mapped."""
        found = b""
        while len(found) < length:
            at = address + len(found)
            page = self._page(task, at)
            if page is None:
                return None
            some = min(length - len(found), _LINE - at % _LINE)
            found += self._physical(page + at % layouts.PAGE, some)
        return found

    def _page(self, task: Task, address: int) -> int | None:
        """The physical page of an address."""
        table = self._chip.read_linear(self.core, task.directory + (address >> 22) * 4, 4)
        entry = int.from_bytes(table or b"", "little")
        if entry & 1:
            at = (entry & -layouts.PAGE) + (address >> 12 & 0x3FF) * 4
            entry = int.from_bytes(self._physical(at, 4), "little")
        return entry & -layouts.PAGE if entry & 1 else None

    def _physical(self, address: int, length: int) -> bytes:
        """What this core would read there: a part of a line."""
        data = self._chip.read_cached(self.core, address, length)
        if data is None:
            data = self._chip.read_physical(self.core, address, length)
        return data or bytes(length)

    def task_name(self, address: int, below: int = 0) -> str:
        """By its log, as the plan names it; a task without one is what its server runs. Tasks may
        have each other's capabilities, so names end after some makers (`below`: how many)."""
        view = self.tasks.get(address)
        if view is None:
            return "?"
        if view.log or view.maker is None or below == _MOST_MAKERS:
            return view.log or "?"
        maker = self.tasks[view.maker]
        others = [at for at, one in self.tasks.items() if one.maker == view.maker and not one.log]
        if len(others) == 1 and self.program is not None:
            return printable.name(self.program.name)
        number = f" {1 + others.index(address)}" if len(others) > 1 else ""
        return f"{self.task_name(maker.address, below + 1)}'s task{number}"

    def task_named(self, log: str) -> TaskView | None:
        return next((one for one in self.tasks.values() if one.log == log), None)

    def thread_name(self, address: int) -> str:
        """``thread 1 of `io` ``: a task's threads count from 1."""
        read = self.thread(address)
        if read is None:
            return "a thread that has ended"
        view = self.tasks.get(read.task)
        number = view.threads.index(address) + 1 if view and address in view.threads else 0
        return f"thread {number or '?'} of `{self.task_name(read.task)}`"
