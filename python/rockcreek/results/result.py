"""The result of a run: typed, and as JSON with a versioned schema (docs/guide/result-json.md).

Everything that depends on the host (wall time, speed, paths, versions) lies under the
key `host`; all else is the same from run to run, unless the host ended the run (`partial`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from rockcreek import printable
from rockcreek.errors import (
    InputError,
    InternalError,
    Interrupted,
    OutputError,
    RockcreekError,
    Terminated,
)
from rockcreek.exit_codes import ExitCode
from rockcreek.reading import RESULT, RESULT_VERSION
from rockcreek.results.shown import Shown
from rockcreek.units import format_ps

if TYPE_CHECKING:
    from rockcreek.formats import result as formats
    from rockcreek.formats.common import Program
    from rockcreek.formats.energy import Energy, Voltage
    from rockcreek.formats.findings import Check
    from rockcreek.formats.host_profile import HostProfile
    from rockcreek.formats.messages import Messages
    from rockcreek.formats.statistics import Statistics
    from rockcreek.formats.waiting import Waiting

SCHEMA_NAME, SCHEMA_VERSION = RESULT, RESULT_VERSION

# How a run can end; all ends but `exited` and `idle` leave it partial.
END_EXITED = "exited"
END_FAULT = "fault"
END_UNTIL = "until"
END_TIMEOUT = "timeout"
END_DEADLOCK = "deadlock"
END_INTERRUPTED = "interrupted"
END_TERMINATED = "terminated"
END_OUTPUT = "output-failed"
END_HOST_LIMIT = "host-limit"
# Two ends of `rck boot` alone: every core is at rest, and the key that ends a console.
END_IDLE = "idle"
END_CONSOLE = "console"

_END_CODES = {
    END_TIMEOUT: ExitCode.TEMPFAIL,
    END_DEADLOCK: ExitCode.TEMPFAIL,
    END_INTERRUPTED: ExitCode.INTERRUPTED,
    END_TERMINATED: ExitCode.TERMINATED,
    END_OUTPUT: ExitCode.IOERR,
    END_HOST_LIMIT: ExitCode.OSERR,
}


@dataclass(frozen=True)
class CoreResult:
    """One core of the run, in rank order."""

    core: int
    rank: int
    tile: tuple[int, int]
    reason: str  # exit, signal, panic, shutdown, dead, running; of rck boot also halted, reset
    exit_code: int | None  # the program's own; None if it did not exit by itself
    signal: str | None
    end_ps: int | None
    eip: int | None
    address: int | None
    vector: int | None
    waits: tuple[str, ...] = ()

    @property
    def failure(self) -> int:
        """The exit code that this core gives the run; 0 if it ended well or still ran."""
        if self.reason == "exit":
            return self.exit_code or 0
        at_work_or_rest = self.reason in ("running", "halted", "reset", "dead")
        return 0 if at_work_or_rest else ExitCode.PROTOCOL

    def to_dict(self) -> formats.CoreEnd:
        return {
            "core": self.core,
            "rank": self.rank,
            "tile": {"x": self.tile[0], "y": self.tile[1]},
            "reason": self.reason,
            "exit_code": self.exit_code,
            "signal": self.signal,
            "end_ps": self.end_ps,
            "eip": self.eip,
            "address": self.address,
            "vector": self.vector,
            "waits": list(self.waits),
        }


@dataclass(frozen=True)
class Host:
    """The values of a result that depend on the host."""

    wall_s: float
    mips: float
    slowdown: float | None
    began_ps: int
    program: str
    directory: str
    command: list[str]
    versions: dict[str, str]
    platform: str
    profile: HostProfile | None = None

    def to_dict(self) -> formats.Host:
        document: formats.Host = {
            "wall_s": self.wall_s,
            "mips": self.mips,
            "slowdown": self.slowdown,
            "began_ps": self.began_ps,
            "program": self.program,
            "directory": self.directory,
            "command": self.command,
            "versions": self.versions,
            "platform": self.platform,
        }
        if self.profile is not None:
            document["profile"] = self.profile
        return document


def _no_voltage() -> Voltage:
    return {"violations": [], "refused": []}


@dataclass(frozen=True, repr=False)
class Result(Shown):
    """The result of a run, which `rockcreek.run` returns."""

    end: str
    program: Program
    chip: formats.Chip
    cores: tuple[CoreResult, ...]
    time_ps: int
    instructions: int
    totals: dict[str, int]
    marks: tuple[tuple[int, int, int], ...]  # the first ones
    statistics: Statistics
    state_hash: str
    host: Host
    errors: tuple[RockcreekError, ...] = ()
    marks_dropped: int = 0  # how many came after those
    restarts: tuple[tuple[int, int, int, int], ...] = ()
    messages: Messages | None = None  # see rockcreek.results.messages, if they were watched
    waiting: Waiting | None = None  # who waits for whom, if cores had not ended
    faults: formats.Faults | None = None  # see rockcreek.faults, if there was a plan
    energy: Energy | None = None  # see rockcreek.results.energy, if it was asked for
    roi: formats.Region | None = None  # see rockcreek.results.region, if the run had one
    samples: formats.Samples | None = None  # see rockcreek.running.sampler, if they were taken
    voltage: Voltage = field(default_factory=_no_voltage)
    # What the checker has found (rockcreek.checking.findings), if that was asked for.
    findings: Check | None = None
    findings_are_errors: bool = False
    # Files that could not be written; the host's, so not in the JSON document.
    unsaved: tuple[OutputError, ...] = ()
    stdout: bytes = b""
    stderr: bytes = b""

    def __repr__(self) -> str:
        count = len(self.cores)
        return (
            f"<Result {printable.name(self.program['name'])}: {self.end} after"
            f" {format_ps(self.time_ps)} on {count} {'core' if count == 1 else 'cores'},"
            f" {self.instructions:,} instructions, exit code {int(self.exit_code)}>"
        )

    @property
    def partial(self) -> bool:
        """Whether the run was ended before all its cores had ended."""
        return self.end not in (END_EXITED, END_IDLE)

    @property
    def exit_code(self) -> int:
        """The exit code of the run, as `rck run` returns it."""
        code = _END_CODES.get(self.end)
        if code is not None:
            return code
        if self.unsaved:
            return ExitCode.IOERR
        failing = [core for core in self.cores if core.failure]
        found = self.findings is not None and self.findings["findings"]
        if not failing and any(isinstance(error, InternalError) for error in self.errors):
            return ExitCode.SOFTWARE
        if not failing and any(isinstance(error, InputError) for error in self.errors):
            return ExitCode.DATAERR
        if not failing and self.findings_are_errors and found:
            return ExitCode.FINDINGS
        return min(failing, key=lambda core: core.core).failure if failing else ExitCode.OK

    def one_of_many(self) -> Result:
        """Itself; if the user has ended this run, KeyboardInterrupt: then all are to end."""
        if any(isinstance(error, Interrupted | Terminated) for error in self.errors):
            raise KeyboardInterrupt
        return self

    @property
    def time_us(self) -> float:
        """Simulated time in microseconds."""
        return self.time_ps / 10**6

    def check(self) -> Result:
        """Itself, if all cores returned 0; else raise what went wrong."""
        if self.exit_code and (self.errors or self.unsaved):
            raise (*self.errors, *self.unsaved)[0]
        if self.exit_code:
            failing = next(core for core in self.cores if core.failure)
            raise RockcreekError(f"core {failing.core} returned {failing.exit_code}")
        return self

    def to_dict(self) -> formats.Result:
        """The JSON document."""
        document: formats.Result = {
            "schema": {"name": SCHEMA_NAME, "version": SCHEMA_VERSION},
            "end": self.end,
            "partial": self.partial,
            "exit_code": int(self.exit_code),
            "errors": [error.message for error in self.errors],
            "program": self.program,
            "chip": self.chip,
            "time_ps": self.time_ps,
            "instructions": self.instructions,
            "totals": self.totals,
            "roi": self.roi,
            "cores": [core.to_dict() for core in self.cores],
            "marks": [
                {"time_ps": time_ps, "core": core, "id": mark} for time_ps, core, mark in self.marks
            ],
            "marks_dropped": self.marks_dropped,
            "restarts": [
                {"time_ps": time_ps, "core": core, "vector": vector, "eip": eip}
                for core, time_ps, vector, eip in self.restarts
            ],
            "messages": self.messages,
            "waiting": self.waiting,
            "faults": self.faults,
            "voltage": self.voltage,
            "energy": self.energy,
            "samples": self.samples,
            "check": self.findings,
            "statistics": self.statistics,
            "state_hash": self.state_hash,
            "host": self.host.to_dict(),
        }
        known = {key: value for key, value in document.items() if value is not None}
        return cast("formats.Result", known)

    def to_json(self) -> str:
        """The JSON document as text: keys in a fixed order, one newline at the end."""
        return json.dumps(self.to_dict(), indent=1) + "\n"
