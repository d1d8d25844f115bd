"""Features that are attached to a run: what each does before it, between slices, and after it. A
session has a list of them, and knows none by name. `sampler.py` and `thread_choice.py` have two
more than stand here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rockcreek.chip import Chip
from rockcreek.chip.looks import Looks
from rockcreek.inspection import absent_calls
from rockcreek.inspection.absent_calls import AbsentCalls
from rockcreek.ranks import requests_of_ircce
from rockcreek.ranks.requests_of_ircce import Requests
from rockcreek.results import region
from rockcreek.results.region import Borders, Parts, Region
from rockcreek.software import libraries
from rockcreek.software.image import Image

if TYPE_CHECKING:
    from rockcreek.deadlocks.ignored_errors import IgnoredErrors, Refusal
    from rockcreek.deadlocks.transfers import Sent
    from rockcreek.errors import RockcreekError
    from rockcreek.forwarding.forwarder import Forwarder
    from rockcreek.forwarding.replay import Replay
    from rockcreek.microkernel.gates import GateWatch
    from rockcreek.outputs import Outputs
    from rockcreek.ranks.allocations_of_rcce import Allocations
    from rockcreek.ranks.flags_of_rcce import Flags
    from rockcreek.ranks.mistakes import Mistakes
    from rockcreek.results.host_profile import HostProfile
    from rockcreek.running.outcome import Outcome
    from rockcreek.socket_server.server import SocketServer
    from rockcreek.tracing.message_watch import Watcher
    from rockcreek.tracing.recorder import Recorder

    Watch = AbsentCalls | Requests | Allocations | Flags


class Attachment:
    """Does nothing: a feature overrides what it needs."""

    def begin(self, cores: tuple[int, ...]) -> None:
        """Before the first slice; these cores run from the beginning."""

    def before_slice(self, must_go_on: Callable[[], bool]) -> None:
        """The chip stands, and is about to go on."""

    def after_slice(self) -> None:
        """The engine has run for a while."""

    @property
    def next_ps(self) -> int | None:
        """The simulated instant at which the chip must stand next."""
        return None

    def notices(self) -> list[str]:
        """Lines for the user, since the last call."""
        return []

    def stays_at_rest(self) -> bool:
        """Whether a chip that can do nothing more is kept, because somebody may change it."""
        return False

    def finds_a_deadlock(self) -> bool:
        """Whether the program can do nothing more, though time goes on; the chip stands."""
        return False

    def refused(self) -> list[Refusal]:
        """Calls of the program that a library has refused so far."""
        return []

    def sent(self) -> list[Sent]:
        """Messages of MPI that no receive took so far."""
        return []

    def end(self) -> None:
        """After the last slice: nothing more comes from the chip."""

    def say_goodbye(self, must_go_on: Callable[[], bool]) -> None:
        """The run has ended, and the chip can still be read."""

    def errors(self) -> list[RockcreekError]:
        """The errors that this feature reports at the end of the run."""
        return []

    def complete(self, outcome: Outcome) -> Outcome:
        """The outcome with what this feature has seen."""
        return outcome

    def write(self, outputs: Outputs, say: Callable[[str], None]) -> None:
        """Writes files of this feature, once the chip has stopped."""

    def close(self, say: Callable[[str], None]) -> None:
        """However the run ended."""


@dataclass
class HostTimes(Attachment):
    """Measures what the host's time is spent on."""

    profile: HostProfile

    def after_slice(self) -> None:
        self.profile.collect()


@dataclass
class Calls(Attachment):
    """Calls of the message-passing library, for who counts messages, for the trace, and for errors
    that nobody looks at."""

    chip: Chip
    program: Image
    counts: bool
    recorder: Recorder | None
    kernel: Image
    where: Borders | None = None
    one_job: bool = False  # the cores are the ranks of one program
    blocks_are_checked: bool = False  # by probes that the check has at the allocators
    modules: Sequence[Image] = ()  # what the kernels were given
    _errors: IgnoredErrors | None = field(default=None, init=False)
    _ranks: Mistakes | None = field(default=None, init=False)
    _others: list[Watch] = field(default_factory=list, init=False)
    _watcher: Watcher | None = field(default=None, init=False)
    _gates: GateWatch | None = field(default=None, init=False)

    def begin(self, cores: tuple[int, ...]) -> None:
        if self.counts:
            self._count(cores)
        if self.recorder is not None:
            self.recorder.watch(cores)
        if libraries.tells_errors(self.program):
            from rockcreek.deadlocks.ignored_errors import IgnoredErrors

            self._errors = IgnoredErrors(self.chip, cores, self.program, self.kernel)
        if self.one_job and libraries.has_rcce(self.program) and not self.blocks_are_checked:
            from rockcreek.ranks import allocations_of_rcce, flags_of_rcce

            for way in (allocations_of_rcce, flags_of_rcce):
                asked = way.watch(self.chip, cores, self.program, self.kernel)
                self._others += [] if asked is None else [asked]
        if self.one_job and libraries.has_mpi(self.program):
            from rockcreek.ranks import mistakes

            self._ranks = mistakes.watch(self.chip, cores, self.program, self.kernel)
        for kind in (absent_calls, requests_of_ircce):
            other = kind.watch(self.chip, cores, self.program, self.kernel)
            if other is not None:
                self._others.append(other)

    def _count(self, cores: tuple[int, ...]) -> None:
        from rockcreek.microkernel.gates import GateWatch
        from rockcreek.tracing.message_watch import Watcher

        self._watcher = Watcher(self.chip, cores, self.program, self.where)
        program = None if self.program is self.kernel else self.program
        self._gates = GateWatch(self.chip, cores, self.kernel, program, self.modules)

    def notices(self) -> list[str]:
        return [line for one in self._listeners for line in one.news()]

    @property
    def _listeners(self) -> list[IgnoredErrors | Mistakes | Watch]:
        ones = (self._errors, self._ranks, *self._others)
        return [one for one in ones if one is not None]

    def sent(self) -> list[Sent]:
        return [] if self._ranks is None else self._ranks.not_received()

    def refused(self) -> list[Refusal]:
        return [] if self._errors is None else self._errors.refused

    def close(self, say: Callable[[str], None]) -> None:
        for notice in self.notices():
            say(f"rck: {notice}")

    def after_slice(self) -> None:
        self._take(all=False)

    def end(self) -> None:
        self._take(all=True)
        for one in self._listeners:
            one.finish(self.chip.exits())

    def complete(self, outcome: Outcome) -> Outcome:
        if self._watcher is None:
            return outcome
        seen = self._watcher.report()
        if self._gates is not None and self._gates.sees:
            seen.gates = self._gates.report()
        return replace(outcome, matrix=seen)

    def write(self, outputs: Outputs, say: Callable[[str], None]) -> None:
        if self.recorder is not None:
            self.recorder.finish(outputs, say)

    def _take(self, *, all: bool) -> None:
        watches = any(one is not None and one.sees for one in (self._watcher, self._gates))
        traces = self.recorder is not None and self.recorder.sees_calls
        listeners = self._listeners
        calls = self.chip.take_calls(all=all) if watches or traces or listeners else []
        for one in listeners:
            one.take(calls)
        if self._watcher is not None:
            self._watcher.take(calls)
        if self._gates is not None:
            self._gates.take(calls)
        if self.recorder is not None:
            self.recorder.take(calls, all=all)


@dataclass
class Served(Attachment):
    """Other processes that read and write the chip."""

    server: SocketServer

    def before_slice(self, must_go_on: Callable[[], bool]) -> None:
        self.server.let_in(must_go_on)

    @property
    def next_ps(self) -> int | None:
        return self.server.next_ps()

    def notices(self) -> list[str]:
        return self.server.notices()

    def stays_at_rest(self) -> bool:
        if not self.server.has_clients:
            return False
        # Somebody may write what the cores wait for.
        self.server.pause()
        return True

    def say_goodbye(self, must_go_on: Callable[[], bool]) -> None:
        self.server.say_goodbye(must_go_on)

    def close(self, say: Callable[[str], None]) -> None:
        self.server.close()
        for notice in self.server.notices():
            say(f"rck: {notice}")


@dataclass
class Forwarded(Attachment):
    """Ports of this host."""

    forwarder: Forwarder

    def before_slice(self, must_go_on: Callable[[], bool]) -> None:
        self.forwarder.turn(must_go_on)

    @property
    def next_ps(self) -> int | None:
        return self.forwarder.next_ps

    def stays_at_rest(self) -> bool:
        return True

    def end(self) -> None:
        self.forwarder.keep_last()

    def write(self, outputs: Outputs, say: Callable[[str], None]) -> None:
        record = self.forwarder.record
        if outputs.write("packets", lambda to: to.write(record.data())) and record.dropped:
            say(f"rck: --packets: full; the last {record.dropped:,} packets are missing")

    def close(self, say: Callable[[str], None]) -> None:
        self.forwarder.close()
        for line in self.forwarder.dropped():
            say(line)


@dataclass
class Replayed(Attachment):
    """Packets of a record."""

    replay: Replay

    def before_slice(self, must_go_on: Callable[[], bool]) -> None:
        self.replay.turn()

    def stays_at_rest(self) -> bool:
        return self.replay.next_ps is not None

    @property
    def next_ps(self) -> int | None:
        return self.replay.next_ps

    def errors(self) -> list[RockcreekError]:
        return self.replay.errors()


@dataclass
class Debugged(Attachment):
    """A gdb, which says when the chip runs."""

    chip: Chip

    def notices(self) -> list[str]:
        return [*self.chip.gdb_notices()]


@dataclass
class Rest(Attachment):
    """Threads, or ranks of MPI, that may wait for each other for ever."""

    rest: Looks

    @property
    def next_ps(self) -> int | None:
        return self.rest.next_ps

    def finds_a_deadlock(self) -> bool:
        return self.rest.is_found()


@dataclass
class Energy(Attachment):
    """The energy of a run, in samples so far apart."""

    every_ps: int

    def complete(self, outcome: Outcome) -> Outcome:
        return replace(outcome, power_every_ps=self.every_ps)


@dataclass
class RegionWatch(Attachment):
    """Records the counters of the cores at the begin and the end of the region of interest."""

    chip: Chip
    program: Image
    where: Borders
    _region: Region | None = field(default=None, init=False)
    _lines: list[str] = field(default_factory=list, init=False)

    def begin(self, cores: tuple[int, ...]) -> None:
        self._region = Region(self.chip, cores, self.program, self.where)

    def close(self, say: Callable[[str], None]) -> None:
        for line in self._lines:
            say(line)

    @property
    def parts(self) -> Parts | None:
        """Which cycles of the cores are of the region, if some core began it."""
        parts = None if self._region is None else self._region.parts()
        return parts if parts is not None and parts.is_known else None

    def complete(self, outcome: Outcome) -> Outcome:
        if self._region is None:
            return outcome
        ends = {core: end.time_ps for core, end in outcome.exits.items()}
        roi = self._region.report(ends)
        if roi is None and self.where.argument is not None:
            met = region.names(self._region.others)
            self._lines.append(
                f"rck: --roi {self.where.argument}: no core began this region; regions of this run:"
                f" {met}\nhint: the result has no `roi`"
            )
        return replace(outcome, roi=roi)
