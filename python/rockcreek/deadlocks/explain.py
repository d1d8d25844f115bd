"""From a stopped chip to the waits, the cycles and the findings; as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from rockcreek.chip import Chip, Exit
from rockcreek.deadlocks import calls, transfers
from rockcreek.deadlocks.calls import Kind
from rockcreek.deadlocks.ignored_errors import Refusal
from rockcreek.deadlocks.thread_verdicts import ThreadJudge
from rockcreek.deadlocks.threads import Threads, ThreadWait
from rockcreek.deadlocks.transfers import Sent, Transfer
from rockcreek.deadlocks.verdicts import Finding, Judge, name_ues, under_way
from rockcreek.deadlocks.waits import Wait, Waits, find_cycles
from rockcreek.formats import waiting as formats
from rockcreek.inspection.backtrace import Locator, Place
from rockcreek.microkernel.waits import TaskWait, TaskWaits
from rockcreek.software import libraries
from rockcreek.software.image import Image
from rockcreek.units import format_ps

# The largest numbers of waits and findings printed as text; the JSON has all.
_MOST_TOLD = 16
_MOST_DRAWN = 8
# States of a core that computes: it executes, or its memory has not answered yet.
_AT_WORK = ("running", "waiting")
# The atomic counters of the system interface: two rows of registers in its window.
_SYSTEM, _WINDOW = "system interface", 0xFFFF
_COUNTERS, _COUNTERS_UPPER, _COUNTER_STRIDE, _ROW = 0xE000, 0xF000, 8, 48


@dataclass(frozen=True)
class Explanation:
    """The waits at the end of a run: which cores wait for which, and what is wrong."""

    waits: tuple[Wait, ...]
    cycles: tuple[tuple[int, ...], ...]
    findings: tuple[Finding, ...]
    all_stand: bool  # nothing can ever change again
    transfers: tuple[Transfer, ...] = ()  # messages that were under way
    threads: tuple[ThreadWait, ...] = ()  # of a program of threads
    of_threads: bool = False  # the cores run threads of one program
    tasks: tuple[TaskWait, ...] = ()  # threads of a microkernel
    told_of_tasks: tuple[str, ...] = ()

    @property
    def hint(self) -> str | None:
        """The hint of the certain finding that is nearest to the mistake; None if there is none."""
        certain = [found for found in self.findings if found.certain]
        return max(certain, key=lambda found: found.depth).hint if certain else None

    @property
    def some_compute(self) -> bool:
        """Whether a core computes: it is in no call that waits and reads no flag, or it has no
        thread that waits."""
        if self.of_threads:
            return not {wait.core for wait in self.waits} <= {one.core for one in self.threads}
        return any(
            wait.kind == Kind.OTHER and wait.state in _AT_WORK and _reads(wait) is None
            for wait in self.waits
        )

    def to_dict(self) -> formats.Waiting:
        """For the JSON of a result."""
        return {
            "cores": [_wait_to_dict(wait) for wait in self.waits],
            "cycles": [list(cycle) for cycle in self.cycles],
            "transfers": [transfer.to_dict() for transfer in self.transfers],
            "threads": [thread.to_dict() for thread in self.threads],
            "tasks": [task.to_dict() for task in self.tasks],
            "findings": [
                {
                    "kind": found.kind,
                    "ues": list(found.ues),
                    "certain": found.certain,
                    "text": found.text,
                    "hint": found.hint,
                }
                for found in self.findings
            ],
            "text": self.lines(),
        }

    def lines(self) -> list[str]:
        """For people: waits of which something is known, the cycle drawn, what is wrong."""
        known = [wait for wait in self.waits if wait.kind != Kind.OTHER or _reads(wait)]
        told = [_wait_in_words(wait) for wait in known]
        if self.of_threads:
            told = [thread.in_words() for thread in self.threads]
        told += self.told_of_tasks
        instant = "" if self.all_stand else ", at this instant"
        lines = [f"who waits for whom{instant}:"] if told else []
        lines += [f"  {one}" for one in told[:_MOST_TOLD]]
        if len(told) > _MOST_TOLD:
            lines.append(f"  and {len(told) - _MOST_TOLD} more (--json has all)")
        for cycle in self.cycles[:_MOST_TOLD]:
            lines += _draw(cycle)
        certain = [found for found in self.findings if found.certain]
        lines += [f"{found.kind}: {found.text}" for found in certain[:_MOST_TOLD]]
        if len(certain) > _MOST_TOLD:
            lines.append(f"and {len(certain) - _MOST_TOLD} more findings (--json has all)")
        return lines


def explain(
    chip: Chip,
    cores: Sequence[int],
    kernel: Image,
    program: Image,
    places: Iterable[Place],
    exits: Mapping[int, Exit],
    *,
    all_stand: bool,
    refused: Sequence[Refusal] = (),
    sent: Sequence[Sent] = (),
    tasks: TaskWaits | None = None,
) -> Explanation:
    """The waits of the cores that had not ended, and what is wrong with them; `all_stand`: nothing
    can ever change again; `refused`: calls that a library has refused; `sent`: messages that no
    receive took; `tasks`: threads of a microkernel that wait.
    """
    tasks = tasks or TaskWaits()
    reader = Waits(chip, cores, kernel, program)
    threads = _threads(chip, cores, kernel, program)
    stuck = threads.waits() if threads is not None else {}
    waits = {wait.rank: wait for wait in map(reader.of, places)}
    waits = {rank: _with_members(wait, waits) for rank, wait in waits.items()}
    ends = {rank: exits[core] for rank, core in enumerate(cores) if core in exits}
    counts = chip.probe_counts()

    def calls_of(call: str, ue: int) -> int:
        names = (call, call + calls.BIT, call.replace("RCCE_coll_", "rcce_coll_"))
        addresses = {program.symbols.get(name) for name in names}
        found = counts.get(cores[ue], {})
        return sum(found.get(address, 0) for address in addresses if address is not None)

    # While time goes on, who is in the middle of a message waits for nobody for ever.
    moving = [] if all_stand else transfers.find(chip, program, waits)
    busy = {ue for transfer in moving for ue in (transfer.sender, transfer.receiver)}
    cycles = find_cycles({rank: wait for rank, wait in waits.items() if rank not in busy})
    judge = Judge(waits, ends, cycles, calls_of, all_stand=all_stand, refused=refused, sent=sent)
    findings = judge.findings()
    findings += [under_way(transfer) for transfer in moving]
    if threads is not None:
        of_threads = ThreadJudge(stuck, all_stand=all_stand, is_alive=threads.is_alive)
        findings += of_threads.findings()
    findings += [Finding(one.kind, one.text, (), one.hint, depth=2) for one in tasks.findings]
    known = any(wait.kind != Kind.OTHER for wait in waits.values())
    return Explanation(
        tuple(waits.values()),
        tuple(cycles),
        tuple(findings),
        all_stand,
        tuple(moving),
        tuple(stuck[number] for number in sorted(stuck)),
        of_threads=threads is not None,
        tasks=tasks.waits,
        told_of_tasks=tuple(
            tasks.lines(chip.description.core_label, receivers=all_stand and not known)
        ),
    )


def _threads(chip: Chip, cores: Sequence[int], kernel: Image, program: Image) -> Threads | None:
    """The threads of the program, if the cores of a run are threads of one."""
    if not libraries.has_threads(program):
        return None
    return Threads(chip, cores, program, Locator(chip, kernel, program))


def _with_members(wait: Wait, waits: Mapping[int, Wait]) -> Wait:
    """A wait in a barrier or a collective of MPI, with the members that are not in it as peers."""
    if wait.kind not in (Kind.BARRIER, Kind.COLLECTIVE) or wait.group is None:
        return wait
    there = {other.rank for other in waits.values() if other.group == wait.group}
    peers = tuple(ue for ue in wait.group.members if ue not in there)
    return replace(wait, peers=peers)


def _reads(wait: Wait) -> str | None:
    """What code of the program's own is reading, if it is in the middle of that."""
    if wait.asks is None or not wait.asks[2]:
        return None
    unit, offset, _ = wait.asks
    counter = _counter_at(offset) if unit == _SYSTEM else None
    return f"atomic counter {counter}" if counter is not None else f"{unit} + {offset:#x}"


def _counter_at(offset: int) -> int | None:
    """The number of the atomic counter at an address of the system interface."""
    for first, number in ((_COUNTERS, 0), (_COUNTERS_UPPER, _ROW)):
        row = (offset & _WINDOW) - first
        if 0 <= row < _ROW * _COUNTER_STRIDE:
            return number + row // _COUNTER_STRIDE
    return None


def _wait_in_words(wait: Wait) -> str:
    if wait.kind == Kind.OTHER:
        where = f", at {wait.place}" if wait.place else ""
        return f"UE {wait.rank} (core {wait.core:02}) reads {_reads(wait)}{where}"
    whom = "anybody" if wait.any else name_ues(wait.peers) if wait.peers else ""
    size = f" of {wait.size} bytes" if wait.size is not None and wait.size > 0 else ""
    part = f" (in {wait.part_of})" if wait.part_of else ""
    since = f", since {format_ps(wait.since_ps)}" if wait.since_ps is not None else ""
    where = f", at {wait.place}" if wait.place else ""
    target = f" waits for {whom}" if whom else " waits"
    what = f"{wait.call}{size}{_mpi_words(wait)}{part}"
    return f"UE {wait.rank} (core {wait.core:02}){target}: {what}{where}{since}"


def _mpi_words(wait: Wait) -> str:
    """Tag and communicator of a call of MPI."""
    if wait.comm is None:
        return ""
    tag = "" if wait.tag is None else " of any tag" if wait.tag < 0 else f" of tag {wait.tag}"
    world = wait.comm == calls.MPI_WORLD
    return tag + (" in MPI_COMM_WORLD" if world else f" in communicator {wait.comm:#x}")


def _draw(cycle: tuple[int, ...]) -> list[str]:
    """The cycle as a loop of arrows."""
    shown = [f"UE {ue}" for ue in cycle]
    if len(shown) > _MOST_DRAWN:
        shown = [*shown[: _MOST_DRAWN - 2], "...", shown[-1]]
    row = " --> ".join(shown)
    width = len(row) - len(shown[-1]) // 2 - len(shown[0]) // 2 - 1
    indent = " " * (len(shown[0]) // 2)
    return [
        f"    {row}",
        f"    {indent}^{' ' * (width - 1)}|",
        f"    {indent}+{'-' * (width - 1)}+",
    ]


def _wait_to_dict(wait: Wait) -> formats.WaitingCore:
    place, flag, group = wait.place, wait.flag, wait.group
    asks: formats.Asked | None = None
    if wait.asks is not None:
        asks = {"unit": wait.asks[0], "offset": wait.asks[1], "read": wait.asks[2]}
    return {
        "core": wait.core,
        "ue": wait.rank,
        "kind": str(wait.kind),
        "call": wait.call or None,
        "part_of": wait.part_of,
        "function": place.function if place else None,
        "file": PurePath(place.file).name if place and place.file else None,
        "line": place.line if place else None,
        "since_ps": wait.since_ps,
        "waits_for": list(wait.peers),
        "any": wait.any,
        "size": wait.size,
        "lock": wait.lock,
        "tag": wait.tag,
        "communicator": wait.comm,
        "flag": None if flag is None else {
            "offset": flag.offset, "bit": flag.bit, "wanted": flag.wanted, "value": flag.value,
            "variable": flag.variable, "elsewhere": list(flag.elsewhere),
        },
        "group": None if group is None else {
            "name": group.name, "members": list(group.members),
        },
        "asks": asks,
    }  # fmt: skip
