"""The virtual chip, steppable from Python.

    >>> import rockcreek
    >>> chip = rockcreek.load("hello", n=2)         # doctest: +SKIP
    >>> chip.step_until(us=5); chip.core(0)["eip"]  # doctest: +SKIP
    >>> chip.observe("exit", print); chip.run()     # doctest: +SKIP

The engine runs without the interpreter's lock in slices, so that Ctrl-C is seen at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rockcreek import description as descriptions
from rockcreek.chip.checks import ChipChecks
from rockcreek.chip.counts import ChipCounts
from rockcreek.chip.events import ChipEvents
from rockcreek.chip.stops import ChipStops
from rockcreek.description import Description
from rockcreek.errors import InputError, InternalError, NotFoundError, OutputError, UsageError
from rockcreek.outputs import Output, opened

if TYPE_CHECKING:
    from rockcreek.formats.engine import CoreState
    from rockcreek.formats.host_profile import EngineProfile

SLICE_MS = 20
_PS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9}


@dataclass(frozen=True)
class Exit:
    """How a core's program ended, as its kernel reported it over the host port."""

    reason: str  # exit, signal, panic; shutdown: the core itself gave up (triple fault)
    code: int
    eip: int
    address: int
    vector: int | None
    time_ps: int


_REASONS = {1: "exit", 2: "signal", 3: "panic", 4: "undervoltage"}
_NO_VECTOR = 0xFFFF_FFFF


class Chip(ChipChecks, ChipCounts, ChipEvents, ChipStops):
    """One virtual chip, built from a preset's name, a file or a `Description`."""

    def __init__(self, chip: str | Description = "scc") -> None:
        from rockcreek import _native

        self._log: Output | None = None
        self._watch_nothing()
        self._stop_nowhere()
        self.description = descriptions.load(chip) if isinstance(chip, str) else chip
        try:
            self._native = _native.Chip(self.description.text)
        except _native.DescriptionError as error:
            raise descriptions.refused(self.description.origin, str(error)) from error

    @classmethod
    def restore(cls, path: str, shares: Iterable[str] | None = ()) -> Chip:
        """The chip that `save` wrote; `shares` are the folders that were shared then, in order.

        `None`: the chip is only to be looked at, changed and saved again; its file service rests.
        """
        from rockcreek import _native

        text, _ = _inspect(path)
        chip = cls.__new__(cls)
        chip._log = None
        chip._watch_nothing()
        chip._stop_nowhere()
        chip.description = descriptions.parse(text, origin=path)
        try:
            chip._native = _native.Chip.restore(path, None if shares is None else list(shares))
        except _native.SnapshotError as error:
            raise InputError(
                f"{path}: {error}", path=path, hint="share the same folders as when it was saved"
            ) from error
        return chip

    @staticmethod
    def note_of(path: str) -> str:
        """The note that was saved with a chip."""
        return _inspect(path)[1]

    def save(self, to: str | Path | Output, note: str = "") -> None:
        """Write the whole chip, at the present instant, into a file."""
        with opened(to, lost="the snapshot was not saved") as output:
            output.fill(lambda descriptor: self._native.save(descriptor, note))

    def gdb_listen(self, address: str, *, wait: bool = True, tell_rest: bool = True) -> str:
        """Listen for gdb at `host:port`; the address with the real port comes back.

        `wait`: nothing runs before gdb has come. `tell_rest`: gdb hears of a chip at rest.
        """
        try:
            return self._native.gdb_listen(address, wait, tell_rest)
        except OSError as error:
            raise UsageError(f"--gdb: {error}", hint="name a free port: --gdb 1234") from error

    def gdb_notices(self) -> list[str]:
        """The notices about clients of the gdb port since the last call."""
        return self._native.gdb_notices()

    def gdb_slice(self, until_ps: int | None = None, host_ms: int = SLICE_MS) -> str:
        """Runs as `run_slice` does, while gdb lets it; may also return waiting, paused or killed.

        "waiting": no gdb has connected; "paused": gdb is at its prompt; "killed": gdb has ended
        the run.
        """
        try:
            return self._native.gdb_slice(until_ps, host_ms)
        except OSError as error:
            raise OutputError(
                str(error), path="gdb", hint="the connection to gdb broke; connect again"
            ) from error

    def crb(self, tile: int, offset: int) -> int:
        """A configuration register of a tile, without side effects."""
        return self._native.crb(tile, offset)

    def set_crb(self, tile: int, offset: int, value: int) -> None:
        """Write a configuration register, with all that follows."""
        self._native.set_crb(tile, offset, value)

    def mpb(self, tile: int) -> bytes:
        """The message-passing buffer of a tile."""
        return self._native.mpb(tile)

    def set_mpb(self, tile: int, offset: int, data: bytes) -> None:
        """Change bytes of a message-passing buffer."""
        try:
            self._native.set_mpb(tile, offset, data)
        except (ValueError, OverflowError) as error:
            raise UsageError(str(error), hint="see `rck show mpb`") from error

    def cached_lines(self, core: int) -> list[tuple[str, int, int, int, bool, bool]]:
        """Valid lines of a core's caches: cache, set, way, address, dirty, from an MPBT page."""
        return self._native.cached_lines(core)

    def read_cached(self, core: int, address: int, length: int) -> bytes | None:
        """Bytes at a physical address from this core's L1D and L2; None if one is in neither."""
        return self._native.read_cached(core, address, length)

    def write_cached(self, core: int, address: int, data: bytes) -> bool:
        """Change bytes in this core's caches alone; False, and nothing done, if one is in none."""
        return self._native.write_cached(core, address, data)

    def write_linear(self, core: int, address: int, data: bytes) -> bool:
        """Change what this core sees; False where nothing is mapped."""
        return self._native.write_linear(core, address, data)

    def write_physical(self, core: int, address: int, data: bytes) -> bool:
        """Change memory behind a core's LUT; False where none is."""
        return self._native.write_physical(core, address, data)

    def set_register(self, core: int, name: str, value: int) -> bool:
        """Change a general register, eip or eflags; False if there is none of this name."""
        return self._native.set_register(core, name, value)

    def x87(self, core: int) -> tuple[int, int, int, list[tuple[int, int]]]:
        """Control, status and tag word; ST(0) on as (significand, sign and exponent)."""
        return self._native.x87(core)

    def __repr__(self) -> str:
        return f"<Chip {self.description.name} at {self.time_ps} ps>"

    def set_skipping(self, on: bool) -> None:
        """Whether rounds of waiting loops are passed instead of executed; results are the same."""
        self._native.set_skipping(on)

    def set_translating(self, on: bool) -> None:
        """Whether hot code is made host code instead of interpreted; results are the same."""
        self._native.set_translating(on)

    def set_profiling(self, on: bool) -> None:
        """Whether it is counted which instructions are translated; results are the same."""
        self._native.set_profiling(on)

    def profile(self) -> EngineProfile:
        """The counts since `set_profiling` (see `host_profile`)."""
        return self._native.profile()

    def set_threads(self, threads: int) -> None:
        """On how many host threads cores run side by side; results are the same."""
        self._native.set_threads(threads)

    def share(self, directory: str) -> None:
        """Serve this folder to the guests, as their root folder."""
        self._native.share(directory)

    def load(
        self, core: int, kernel: bytes, command_line: str, modules: list[tuple[bytes, str]]
    ) -> None:
        """Place a multiboot kernel and its modules in a core's private memory."""
        from rockcreek import _native

        try:
            self._native.load(core, kernel, command_line, modules)
        except _native.ImageError as error:
            raise InternalError(f"core {core} cannot be loaded: {error}") from error

    def release(self, cores: Iterable[int], at_ps: int | None = None) -> None:
        """Take these cores out of reset: now, at any stop, or when the chip's time gets there."""
        if at_ps is None:
            self._native.release(list(cores))
        else:
            self._native.release(list(cores), at_ps)

    def run_slice(self, until_ps: int | None = None, host_ms: int = SLICE_MS) -> str:
        """Run for at most `host_ms`; why it returned: slice, until, ended, idle or input."""
        status = self._native.run(until_ps, host_ms)
        if status == "break":
            self._tell_stop()
            return "slice"
        return status

    def step_until(self, **instant: int) -> str:
        """Run to a simulated instant (`us=5`); returns until, ended, idle or input."""
        until_ps = sum(value * _PS[unit] for unit, value in instant.items())
        status = "slice"
        while status == "slice":
            status = self.run_slice(until_ps)
        return status

    @property
    def time_ps(self) -> int:
        return self._native.time_ps()

    @property
    def instructions(self) -> int:
        return self._native.instructions()

    def output(self) -> list[tuple[int, int, int, bytes]]:
        """The output of the cores since the last call: `(time_ps, core, port, bytes)`."""
        return self._native.output()

    def restarts(self) -> list[tuple[int, int, int, int]]:
        """Resets by triple faults since the last call: `(core, time_ps, vector, eip)`."""
        return self._native.restarts()

    def input(self, core: int, data: bytes, *, eof: bool = False) -> None:
        """Give a core's serial port input; `eof`: there will be no more."""
        self._native.input(core, data, eof)

    def needs_input(self) -> list[int]:
        """Cores that wait for input from the host."""
        return self._native.needs_input()

    def exits(self) -> dict[int, Exit]:
        """The cores that have ended, and how."""
        return {
            core: Exit(
                reason=_REASONS.get(record["reason"], "unknown"),
                code=record["code"],
                eip=record["eip"],
                address=record["address"],
                vector=None if record["vector"] == _NO_VECTOR else record["vector"],
                time_ps=record["time_ps"],
            )
            for core, record in self._native.exits().items()
        }

    def add_fault(self, fault: int, at_ps: int, kind: str, numbers: list[int]) -> None:
        """Something will break at an instant (see `rockcreek.faults`)."""
        try:
            self._native.add_fault(fault, at_ps, kind, numbers)
        except (ValueError, OverflowError) as error:
            raise UsageError(str(error), hint="see docs/guide/faults.md") from error

    def faults(self) -> list[tuple[int, int, bool, int, int, int]]:
        """Faults that have come since the last call: number, time, whether there was something to
        break, address, before, after."""
        return self._native.faults()

    def lost_packets(self) -> int:
        """Packets that were lost on links that are not well."""
        return self._native.lost_packets()

    def shutdowns(self, cores: Iterable[int]) -> dict[int, Exit]:
        """Which of these cores shut down: a fault met a fault, and nobody could handle it."""
        found = {}
        for core in cores:
            registers = self.core(core)
            if registers["state"] == "shutdown":
                eip = registers["eip"]
                found[core] = Exit("shutdown", 0, eip, 0, None, self.time_ps)
        return found

    def core(self, core: int) -> CoreState:
        """A core's registers, state and cycle count."""
        return self._native.core(core)

    def read_linear(self, core: int, address: int, length: int) -> bytes | None:
        """The bytes that this core would read now, stale or not; None where nothing is mapped."""
        return self._native.read_linear(core, address, length)

    def read_physical(self, core: int, address: int, length: int) -> bytes | None:
        """Memory behind this core's LUT, not its caches."""
        return self._native.read_physical(core, address, length)

    def set_probes(
        self,
        core: int,
        addresses: list[int],
        *,
        calls: bool = False,
        step: bool = False,
        any_ring: bool = False,
    ) -> None:
        """Count how often this core executes these user instructions, at no cost in time; `calls`:
        keep the top of the stack, for `take_calls`; `step`: count for `probe_steps`, too;
        `any_ring`: the kernel's as well."""
        more = {"any_ring": True} if any_ring else {}
        self._native.set_probes(core, addresses, calls, step, **more)

    def take_calls(self, *, all: bool) -> list[tuple[int, int, int, list[int]]]:
        """The calls since the last time: core, function, stack pointer, then return address and
        arguments. Without `all` those that might still be taken back are left for later."""
        return self._native.take_calls(all)

    def probe_steps(self, core: int) -> dict[int, int]:
        """How many steps have come since each of a core's probes last counted, by address."""
        return self._native.probe_steps(core)

    def probe_times(self, core: int) -> dict[int, int]:
        """When each of a core's probes last counted, in picoseconds, by address."""
        return self._native.probe_times(core)

    def probe_counts(self) -> dict[int, dict[int, int]]:
        """The counts of the probes, by core and by address."""
        return self._native.probe_counts()

    def core_file(
        self,
        core: int,
        to: str | Path | Output,
        *,
        name: str = "",
        arguments: str = "",
        signal: int = 0,
        user_only: bool = False,
        registers: tuple[int, int, list[int], list[int]] | None = None,
    ) -> None:
        """Write what gdb opens as a core file: this core's registers, and memory as it sees it.

        `registers` (EIP, EFLAGS, EAX to EDI as instructions number them, CS SS DS ES FS GS) stand
        for the core's own; `user_only` leaves out what ring 3 may not touch.
        """
        subject = (name, arguments, signal, user_only)
        with opened(to, lost="the core file was not written") as output:
            output.fill(
                lambda file: self._native.core_file(core, file, subject, registers), in_places=True
            )

    def state_hash(self) -> str:
        """A hash of the whole chip state."""
        return self._native.state_hash()

    def commit_log(self, to: str | Path | Output) -> None:
        """Begin to log what is committed, for `rck compare --log`, until `finish_log`."""
        log = opened(to, lost="the commit log was not saved")
        log.fill(lambda descriptor: self._native.commit_log(descriptor, log.path))
        self._log = log

    def finish_log(self) -> None:
        """End the commit log, if there is one, with the statistics."""
        if self._log is None:
            return
        log, self._log = self._log, None
        with log:
            log.fill(lambda _: self._native.finish_log())


def _inspect(path: str) -> tuple[str, str]:
    """The chip description and the note in a snapshot."""
    from rockcreek import _native

    try:
        return _native.Chip.inspect(path)
    except _native.SnapshotError as error:
        raise InputError(
            f"{path}: {error}",
            path=path,
            hint="`rck run --until T --save FILE` makes one that this version of rck reads",
        ) from error
    except OSError as error:
        raise NotFoundError(
            f"{path}: {error}", path=path, hint="check the path of the snapshot"
        ) from error
