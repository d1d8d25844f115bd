"""One run in progress: slices of the engine, guest output and input, and the ways to end.

The engine runs in slices without the interpreter's lock; between them signals are seen, output is
passed on and limits are checked. What a run computes does not depend on where slices end.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING

from rockcreek.chip import SLICE_MS, Chip, Exit
from rockcreek.consoles.console import Console
from rockcreek.consoles.guest_input import Feeder
from rockcreek.consoles.one_stream import PAUSE_PS
from rockcreek.deadlocks import calls, transfers
from rockcreek.errors import (
    Deadlock,
    GuestFault,
    Interrupted,
    OutputError,
    RockcreekError,
    Terminated,
    Timeout,
)
from rockcreek.inspection import backtrace
from rockcreek.results.counters import Probes
from rockcreek.results.result import (
    END_DEADLOCK,
    END_EXITED,
    END_FAULT,
    END_HOST_LIMIT,
    END_IDLE,
    END_INTERRUPTED,
    END_OUTPUT,
    END_TERMINATED,
    END_TIMEOUT,
    END_UNTIL,
)
from rockcreek.running.attachments import Attachment
from rockcreek.running.host_limits import HostLimits
from rockcreek.running.news import News
from rockcreek.running.outcome import Outcome
from rockcreek.running.progress import Progress
from rockcreek.running.refusals import dropped, refusals
from rockcreek.software.image import Image
from rockcreek.units import format_ps

if TYPE_CHECKING:
    from rockcreek.deadlocks.explain import Explanation
    from rockcreek.faults.outcome import Faults
    from rockcreek.formats import result as formats
    from rockcreek.microkernel.waits import TaskWaits

# After a guest fault the other cores have this much simulated time to end by themselves. It is
# counted from the fault's own instant, so that the end is the same in every run.
FAULT_GRACE_PS = 20 * 10**9
_INPUT_WAIT_S = 0.2


@dataclass
class Session:
    """Runs a loaded and released chip to its end."""

    chip: Chip
    cores: tuple[int, ...]
    kernel: Image
    program: Image
    console: Console
    feeder: Feeder
    progress: Progress
    until_ps: int | None
    deadline: float | None
    timeout_s: float | None
    limits: HostLimits
    # Messages that were begun before this session, in the run that it continues.
    messages_before: int = 0
    # The cores that were left in reset; one that still is at the end took no part.
    reserve: frozenset[int] = frozenset()
    # gdb says when the chip runs.
    gdb: bool = False
    # What the kernels were given, by which a microkernel's tasks are known.
    modules: Sequence[Image] = ()
    # What breaks.
    faults: Faults | None = None
    # Features of this run, in the order in which they look at the chip.
    attachments: Sequence[Attachment] = ()
    _signal: int | None = field(default=None, init=False)
    _fault_until_ps: int | None = field(default=None, init=False)
    _news: News = field(init=False)

    def __post_init__(self) -> None:
        self._news = News(self.chip, self.progress)

    def run(self) -> Outcome:
        """Run until all cores have ended or something ends the run."""
        first = tuple(core for core in self.cores if core not in self.reserve)
        probes = Probes(self.chip, first, self.program)
        calls.watch(self.chip, first, self.program)
        transfers.watch(self.chip, first, self.program)
        for attached in self.attachments:
            attached.begin(first)
        errors: list[RockcreekError] = []
        with self._watch_signals():
            try:
                end = self._loop()
                for attached in self.attachments:
                    attached.say_goodbye(self._must_go_on)
                self.console.feed(self.chip.output())
                self.console.finish()
            except OutputError as error:
                end = END_OUTPUT
                errors.append(error)
        self.progress.clear()
        try:
            self.chip.finish_log()
        except OutputError as error:
            end = END_OUTPUT
            errors.append(error)
        for attached in self.attachments:
            attached.end()
        exits = self.chip.exits()
        self.cores = tuple(core for core in self.cores if not self._stayed_in_reset(core))
        down = self.chip.shutdowns(core for core in self.cores if core not in exits)
        if down and end in (END_DEADLOCK, END_IDLE):
            end = END_FAULT
        if self.faults is not None:
            self.faults.collect(self.chip)
            exits = {**self.faults.stopped(), **exits}
        exits = {**exits, **down}
        locator = backtrace.Locator(self.chip, self.kernel, self.program)
        errors += self._faulted(exits, locator)
        errors += [*self.limits.met, *refusals(self.chip), *dropped(self.chip)]
        errors += [error for attached in self.attachments for error in attached.errors()]
        places = locator.waiting(core for core in self.cores if core not in exits)
        waiting = None
        if places:
            tasks = self._tasks(end, places)
            if tasks.findings and end == END_IDLE:
                end = END_DEADLOCK
            waiting = self._explain(end, places, exits, tasks)
        errors += self._stopped(end, places, waiting)
        outcome = Outcome(
            chip=self.chip,
            cores=self.cores,
            program=self.program,
            end=end,
            exits=exits,
            errors=errors,
            waits={place.core: tuple(map(str, place.frames)) for place in places},
            messages=self.messages_before + probes.messages(),
            restarts=tuple(self._news.restarts),
            waiting=waiting,
            faults=None if self.faults is None else self._noticed(exits, waiting),
        )
        for attached in self.attachments:
            outcome = attached.complete(outcome)
        return outcome

    def _faulted(self, exits: Mapping[int, Exit], locator: backtrace.Locator) -> list[GuestFault]:
        """What ended cores other than their programs' own ends."""
        if all(end.reason == "exit" for end in exits.values()):
            return []
        from rockcreek.inspection import guest_faults

        return guest_faults.explain(self.chip, exits, locator, self.program)

    def _tasks(self, end: str, places: Sequence[backtrace.Place]) -> TaskWaits:
        """Threads of the microkernel that wait, on cores that had not ended."""
        from rockcreek.microkernel import waits

        program = None if self.program is self.kernel else self.program
        return waits.read(
            self.chip,
            [place.core for place in places],
            self.kernel,
            program,
            self.modules,
            all_stand=end in (END_DEADLOCK, END_IDLE),
        )

    def _explain(
        self,
        end: str,
        places: Sequence[backtrace.Place],
        exits: Mapping[int, Exit],
        tasks: TaskWaits,
    ) -> Explanation:
        from rockcreek.deadlocks import explain

        return explain.explain(
            self.chip,
            self.cores,
            self.kernel,
            self.program,
            places,
            exits,
            all_stand=end == END_DEADLOCK,
            refused=[one for attached in self.attachments for one in attached.refused()],
            sent=[one for attached in self.attachments for one in attached.sent()],
            tasks=tasks,
        )

    def _stayed_in_reset(self, core: int) -> bool:
        return core in self.reserve and self.chip.core(core)["state"] == "reset"

    def _noticed(
        self, exits: dict[int, Exit], waiting: Explanation | None
    ) -> formats.Faults | None:
        """The faults, and what each core noticed of them."""
        from rockcreek.faults.outcome import notice

        if self.faults is None:
            return None
        calls = {} if waiting is None else {wait.core: wait.call for wait in waiting.waits}
        hung = self.faults.hung()
        return self.faults.to_dict(
            {
                core: notice(
                    exits.get(core),
                    state=self.chip.core(core)["state"],
                    hangs=core in hung,
                    waits=calls.get(core),
                )
                for core in self.cores
            }
        )

    def _loop(self) -> str:
        begin = time.monotonic()
        status = "until"
        while True:
            for attached in self.attachments if status in ("until", "idle") else ():
                attached.before_slice(self._must_go_on)
            run = self.chip.gdb_slice if self.gdb else self.chip.run_slice
            status = run(self._next_stop_ps(), self._slice_ms())
            self._fetch()
            if status == "ended":
                return END_HOST_LIMIT if self.limits.starve_the_guest() else END_EXITED
            if status == "killed":
                return END_TERMINATED
            if self.limits.are_met():
                return END_HOST_LIMIT
            told = self._told_to_end()
            if told is not None:
                return told
            if self._signal is not None:
                interrupted = self._signal == signal.SIGINT
                return END_INTERRUPTED if interrupted else END_TERMINATED
            if self.deadline is not None and time.monotonic() >= self.deadline:
                return END_TIMEOUT
            self._note_faults()
            if status == "input":
                self._give_input()
            elif status in ("idle", "until"):
                end = self._end_at(status)
                if end is not None:
                    return end
            wall_s = time.monotonic() - begin
            if self.progress.is_due(wall_s):
                self.progress.update(wall_s, self.chip.time_ps, self.chip.instructions)

    def _fetch(self) -> None:
        """Passes on what the chip did in a slice: output to the console, notices to the user."""
        for attached in self.attachments:
            attached.after_slice()
        chunks = self.chip.output()
        if chunks or self.console.holds_text:
            self.progress.clear()
            self.console.feed(chunks)
            # Cores run ahead of each other by far less than that.
            self.console.pass_time(self.chip.time_ps - PAUSE_PS)
        self._news.tell([line for attached in self.attachments for line in attached.notices()])

    def _told_to_end(self) -> str | None:
        """The end of the run if the user ended it by other means than a signal, else None."""
        return None

    def _at_rest(self) -> str | None:
        """The end of a run whose chip can do nothing more; None if the run may go on."""
        return END_FAULT if self._fault_until_ps is not None else END_DEADLOCK

    def _limit_ps(self) -> int | None:
        limits = [x for x in (self.until_ps, self._fault_until_ps) if x is not None]
        return min(limits, default=None)

    def _end_at(self, status: str) -> str | None:
        """The end of a run that has stopped with this status; None if the run goes on."""
        limit = self._limit_ps()
        if any(attached.finds_a_deadlock() for attached in self.attachments):
            return END_DEADLOCK
        if status == "idle":
            kept = any(attached.stays_at_rest() for attached in self.attachments)
            return None if kept else self._at_rest()
        if limit is None or self.chip.time_ps < limit:
            # Somebody else wanted to stop here.
            return None
        # A fault noticed in this very slice may have moved the limit closer.
        fault = self._fault_until_ps is not None
        return END_FAULT if fault and not self._user_limit_reached() else END_UNTIL

    def _next_stop_ps(self) -> int | None:
        stops = [self._limit_ps(), *(attached.next_ps for attached in self.attachments)]
        return min((stop for stop in stops if stop is not None), default=None)

    def _must_go_on(self) -> bool:
        late = self.deadline is not None and time.monotonic() >= self.deadline
        return late or self._signal is not None

    def _user_limit_reached(self) -> bool:
        return self.until_ps is not None and self.chip.time_ps >= self.until_ps

    def _slice_ms(self) -> int:
        if self.deadline is None:
            return SLICE_MS
        left_ms = int((self.deadline - time.monotonic()) * 1000)
        return max(1, min(SLICE_MS, left_ms))

    def _note_faults(self) -> None:
        if self._fault_until_ps is None:
            faulty = [e.time_ps for e in self.chip.exits().values() if e.reason != "exit"]
            if faulty:
                self._fault_until_ps = min(faulty) + FAULT_GRACE_PS

    def _give_input(self) -> None:
        for core in self.chip.needs_input():
            self.progress.clear()
            self.console.show_prompt(core)
            given = self.feeder.next_for(core, _INPUT_WAIT_S)
            if given is not None:
                data, eof = given
                self.chip.input(core, data, eof=eof)

    def _stopped(
        self, end: str, places: list[backtrace.Place], explanation: Explanation | None
    ) -> list[RockcreekError]:
        """Why the run was ended, and where its cores were; nothing if that was no surprise."""
        kind, what = {
            END_TIMEOUT: (Timeout, f"stopped after {self.timeout_s or 0:g} s (--timeout)"),
            END_DEADLOCK: (Deadlock, "deadlock: nothing can ever change again"),
            END_INTERRUPTED: (Interrupted, "interrupted"),
            END_TERMINATED: (Terminated, "ended by SIGTERM"),
        }.get(end, (None, ""))
        if kind is None:
            return []
        # Of threads that wait, the lines below say all: their cores are in the library.
        told_of: set[int] = set()
        if explanation is not None and explanation.threads:
            from rockcreek.deadlocks import thread_calls

            told_of = {one.core for one in explanation.threads}
            told_of |= {place.core for place in places if thread_calls.has_no_thread(place.frames)}
        waiting = backtrace.describe([p for p in places if p.core not in told_of], self.chip)
        left = f"{len(places)} of {len(self.cores)} cores had not ended"
        first = f"{what} at {format_ps(self.chip.time_ps)} of simulated time; {left}"
        told = explanation.lines() if explanation is not None else []
        message = "\n".join([first, *(f"  {line}" for line in (*waiting, *told))])
        hint = "a core that waits for a message or flag needs another one to send it"
        if explanation is not None:
            computes = "look for a loop without an end where a core computes, or give it more time"
            if explanation.of_threads:
                computes += "; a variable by which a thread waits for another one must be atomic"
            elif len(self.cores) > 1:
                computes += "; cores share no variables: what one core sets, another never sees"
            hint = explanation.hint or (computes if explanation.some_compute else hint)
        return [kind(message, waiting=waiting, hint=hint)]

    @contextmanager
    def _watch_signals(self) -> Iterator[None]:
        """Ctrl-C ends the run at the next slice; a second one ends it as Python does."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def note(number: int, _frame: FrameType | None) -> None:
            if self._signal is not None:
                raise KeyboardInterrupt
            self._signal = number

        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, note) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
