"""Messages between tasks of the microkernel: who sends to which gate.

Probes note each one at no cost in simulated time. The short way of a call (ipc/fast.S) has two:
where it is sure to be taken, and behind the switch, where the stack is the called thread's. The
long way is a function, `ipc_send`, with both threads and the badge as arguments. Threads are named
at the end of the slice in which they are first seen.

The short way shows no badge. The badge of a call to another core is an argument of the function by
which the server `far` begins the call, at once after the call has reached it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rockcreek.chip import Chip
from rockcreek.formats.messages import GateCount
from rockcreek.microkernel.layouts import FAR_GATE, FAULT_PAGE, Kind, Thread
from rockcreek.microkernel.objects import Objects, is_kernel
from rockcreek.software.image import Image

_SHORT, _SWITCHED, _LONG, _FAULT = "call_goes", "switched", "ipc_send", "fault_send"
# Where the processor leaves ESP at an entry: at the thread's EIP, or at an error code below.
_STACK, _STACK_OF_FAULT = Thread.eip.offset, Thread.error.offset
# The vectors by which threads enter the kernel: an invocation, a page fault, Linux's system call.
INVOKE, _PAGE_FAULT, _SYSTEM_CALL = 0x30, 14, 0x80
VECTORS = {INVOKE: "invoke", _PAGE_FAULT: "page fault", _SYSTEM_CALL: "system call"}
_CALL = 0  # mode of an invocation
_Call = tuple[int, int, int, list[int]]  # core, function, stack, return address and arguments
ENDED = "a thread that has ended"
# Symbols of `far`: where it begins a call to another core, and its stack.
_FAR_BEGINS, _STACK_FROM, _STACK_TO = "calls_begin", "stack", "stack_top"
FAR = "far"


@dataclass(frozen=True)
class Sent:
    """A message: threads by their addresses."""

    caller: int
    called: int
    how: str  # calls, sends, faults; far: what is known now of the call before
    badge: int | None = None
    vector: int = INVOKE

    @property
    def entry(self) -> tuple[int, int]:
        """Vector and stack of the entry into the kernel that sent it."""
        at = _STACK_OF_FAULT if self.vector == _PAGE_FAULT else _STACK
        return self.vector, self.caller + at


@dataclass(frozen=True)
class Ends:
    """Both ends of a message by name."""

    thread: str
    source: str  # the sender's task
    gate: str  # of a task; with a number if its thread serves several


class GateReader:
    """Reads what the probes on some cores have noted."""

    def __init__(
        self, chip: Chip, kernel: Image, program: Image | None, servers: Iterable[Image] = ()
    ) -> None:
        symbols = kernel.symbols
        names = (_SHORT, _SWITCHED, _LONG, _FAULT)
        found = {symbols[name]: name for name in names if name in symbols}
        self._names = found if is_kernel(kernel) and len(found) == len(names) else {}
        self._far = [one.symbols for one in servers if _FAR_BEGINS in one.symbols]
        if self._names:
            self._names |= {one[_FAR_BEGINS]: FAR for one in self._far}
        self._chip, self._kernel, self._program = chip, kernel, program
        self._last: dict[int, Sent] = {}  # by core
        self._caller: dict[int, int] = {}  # by core: who is on the short way
        self._faults: dict[int, tuple[int, int]] = {}
        self._known: dict[tuple[int, Sent], Ends] = {}
        self._objects: dict[int, Objects] = {}

    @property
    def sees(self) -> bool:
        """Whether there are gates."""
        return bool(self._names)

    def watch(self, cores: Iterable[int]) -> None:
        """Notes messages from now on."""
        for core in cores if self._names else ():
            self._chip.set_probes(core, list(self._names), calls=True, any_ring=True)

    def read(self, calls: Iterable[_Call]) -> list[tuple[int, Sent, Ends]]:
        """The messages among what the chip has noted, by core, in order."""
        self._objects = {}
        found = []
        for call in calls:
            name = self._names.get(call[1])
            sent = None if name is None else self._read(name, call)
            if sent is None:
                continue
            if sent.how != FAR:
                self._last[call[0]] = sent
            found.append((call[0], sent, self._ends(call[0], self._last[call[0]])))
        return found

    def _read(self, name: str, call: _Call) -> Sent | None:
        core, _, stack, words = call
        if name == _SHORT:
            self._caller[core] = stack - _STACK
        elif name == _SWITCHED:
            caller = self._caller.pop(core, None)
            return None if caller is None else Sent(caller, stack - _STACK, "calls")
        elif name == FAR:
            return self._begun(core, stack, words[1])
        elif name == _FAULT:
            self._faults[core] = words[1], words[2]
        else:
            _, caller, called, badge, mode = words[:5]
            thread, kind = self._faults.pop(core, (0, 0))
            if not called:
                return None
            if thread == caller:
                vector = _PAGE_FAULT if kind == FAULT_PAGE else _SYSTEM_CALL
                return Sent(caller, called, "faults", badge, vector)
            return Sent(caller, called, "calls" if mode == _CALL else "sends", badge)
        return None

    def _begun(self, core: int, stack: int, badge: int) -> Sent | None:
        """What the call before was, if this is `far` that has taken it: other servers have code at
        equal addresses."""
        last = self._last.get(core)
        on_its_stack = any(one[_STACK_FROM] <= stack < one[_STACK_TO] for one in self._far)
        if last is None or last.badge is not None or not (badge & FAR_GATE and on_its_stack):
            return None
        return Sent(last.caller, last.called, FAR, badge)

    def _ends(self, core: int, sent: Sent) -> Ends:
        known = self._known.get((core, sent))
        if known is None:
            if core not in self._objects:
                self._objects[core] = Objects(self._chip, core, self._kernel, self._program)
            known = self._known[core, sent] = _ends(self._objects[core], sent)
        return known


@dataclass
class _Count:
    """What one task has sent to one gate."""

    calls: int = 0
    sends: int = 0
    faults: int = 0  # page faults, exceptions and system calls, which the kernel sends


class GateWatch:
    """Counts the messages on some cores by gate."""

    def __init__(
        self,
        chip: Chip,
        cores: Sequence[int],
        kernel: Image,
        program: Image | None,
        servers: Sequence[Image] = (),
    ) -> None:
        self._has_far = any(_FAR_BEGINS in one.symbols for one in servers)
        self._reader = GateReader(chip, kernel, program, servers)
        self._reader.watch(cores)
        self._counts: dict[tuple[int, str, str], _Count] = {}

    @property
    def sees(self) -> bool:
        """Whether there are gates."""
        return self._reader.sees

    def take(self, calls: Iterable[_Call]) -> None:
        """Counts what the chip has noted."""
        for core, sent, ends in self._reader.read(calls):
            how, gate = sent.how, ends.gate
            if how == FAR:  # it was counted as one to `far`
                self._add(core, ends.source, gate, "calls", -1)
                how = "calls"
            if self._has_far and sent.badge is not None and sent.badge & FAR_GATE:
                core_of, by = sent.badge >> 8 & 0xFF, gate.partition(", gate ")[0]
                gate = f"gate {sent.badge & 0xFF} of core {core_of:02}, by {by}"
            self._add(core, ends.source, gate, how, 1)

    def _add(self, core: int, source: str, gate: str, how: str, some: int) -> None:
        count = self._counts.setdefault((core, source, gate), _Count())
        setattr(count, how, getattr(count, how) + some)

    def report(self) -> list[GateCount]:
        """By core, sender and gate."""
        return [
            {
                "core": core,
                "from": source,
                "to": gate,
                "calls": count.calls,
                "sends": count.sends,
                "faults": count.faults,
            }
            for (core, source, gate), count in sorted(self._counts.items(), key=lambda one: one[0])
            if count.calls or count.sends or count.faults
        ]


def _ends(objects: Objects, sent: Sent) -> Ends:
    for thread in (sent.caller, sent.called):
        objects.include(thread)
    caller, called = objects.thread(sent.caller), objects.thread(sent.called)
    name = objects.thread_name(sent.caller)
    source = ENDED if caller is None else objects.task_name(caller.task)
    if called is None:
        return Ends(name, source, ENDED)
    target, gates = objects.task_name(called.task), objects.gates_of(sent.called)
    if len(gates) < 2 or caller is None:
        return Ends(name, source, target)
    view = objects.tasks.get(caller.task)
    slots = [caller.pager] if sent.how == "faults" else [] if view is None else view.slots
    held = {
        slot.object
        for slot in slots
        if slot.kind == Kind.GATE and slot.object in gates and sent.badge in (None, slot.badge)
    }
    number = f", gate {gates.index(held.pop()) + 1}" if len(held) == 1 else ""
    return Ends(name, source, target + number)
