"""The terms of a run, whatever runs: chip and clocks, when it ends, what is written where."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from rockcreek.chip import Chip
from rockcreek.consoles.console import Sink
from rockcreek.description import Description
from rockcreek.errors import UsageError
from rockcreek.outputs import Outputs
from rockcreek.running import sandbox
from rockcreek.running.thread_choice import ThreadChoice, threads_asked
from rockcreek.software.image import Image

if TYPE_CHECKING:
    from rockcreek.faults.outcome import Faults
    from rockcreek.faults.plan import Plan
    from rockcreek.formats.cycle_profile import Profile
    from rockcreek.formats.result import Result
    from rockcreek.forwarding.ports import Port
    from rockcreek.results.host_profile import HostProfile
    from rockcreek.running.attachments import Attachment, RegionWatch
    from rockcreek.running.sampler import Sampler
    from rockcreek.socket_server.server import SocketServer

POWER_EVERY_PS = 10**9
SOCKET_EVERY_PS = 10**9
TRACE_EVERY_PS = 10**8
# The fields of `Terms` that name files to be written.
OUTPUTS = (
    "json", "commit_log", "profile", "trace", "flame", "check_sarif", "save", "page", "packets",
)  # fmt: skip


def _draw_nothing(_result: Result, _profile: Profile | None) -> str:
    return ""


def _say_nothing(_text: str) -> None:
    pass


class OutsideValues(TypedDict, total=False):
    """How this host reaches the cores."""

    forward: Sequence[Port]
    packets: str | Path | None
    replay_packets: str | Path | None


class TermValues(OutsideValues, total=False):
    """Fields of `Terms`, of which any may be missing; each means what it means there."""

    chip: str
    clocks: str | None
    jitter: int | None
    skip: bool
    translate: bool
    power: bool
    power_every_ps: int
    sample_every_ps: int | None
    strict_voltage: bool
    profile_host: bool
    threads: int | str
    faults: Plan | None
    fault_seed: int | None
    tag: str | None
    timeout_s: float | None
    memory_limit: int | None
    until_ps: int | None
    json: str | Path | None
    commit_log: str | Path | None
    profile: str | Path | None
    trace: str | Path | None
    flame: str | Path | None
    trace_only: Sequence[str]
    trace_every_ps: int
    roi: str | None
    check: Sequence[str]
    check_suppress: str | Path | None
    check_sarif: str | Path | None
    save: str | Path | None
    restore: str | Path | None
    page: str | Path | None
    draw: Callable[[Result, Profile | None], str]
    output_dir: str | None
    force: bool
    core_dump: str | None
    gdb: str | None
    gdb_wait: bool
    socket: str | Path | None
    socket_every_ps: int
    socket_wait: bool
    sandbox: str
    say: Callable[[str], None]
    stdout: Sink
    stderr: Sink
    progress: bool
    command: Sequence[str]


@dataclass(kw_only=True)
class Terms:
    """The options that `rck run` and `rck boot` have in common."""

    chip: str | Description = "scc"
    clocks: str | None = None  # MHz of tiles, mesh and memory: 800/1600/1066
    jitter: int | None = None  # a seed that varies when cores leave reset
    skip: bool = True  # rounds of waiting are passed, not executed; results are the same
    translate: bool = True  # hot code is made host code; results are the same
    power: bool = False  # the run's energy is in the result; nothing else changes
    power_every_ps: int = POWER_EVERY_PS  # between two samples of it
    sample_every_ps: int | None = None  # between two samples of cores and links, if there are any
    strict_voltage: bool = False  # a core fails whose clock needs more than its voltage
    profile_host: bool = False  # where the host's time goes: `profile` under `host` of the result
    threads: int | str = 1  # host threads that run cores, at most; "auto": as many as help
    faults: Plan | None = None  # what breaks
    fault_seed: int | None = None  # in place of the plan's
    tag: str | None = None  # core, time or none; by default core when several cores run
    timeout_s: float | None = None
    memory_limit: int | None = None  # bytes of the host's memory that this process may take
    until_ps: int | None = None
    json: str | Path | None = None  # a file for the result
    commit_log: str | Path | None = None
    profile: str | Path | None = None  # a file for where the cycles went; results are the same
    trace: str | Path | None = None  # a file for what happened when; results are the same
    flame: str | Path | None = None  # a file for where time went, by callers
    trace_only: Sequence[str] = ()  # what the trace shows: time=1ms..3ms, core=, kind=, shortest=
    trace_every_ps: int = TRACE_EVERY_PS  # between two samples of links, controllers, power
    roi: str | None = None  # a region by name, or `marks`: what the numbers are about
    check: Sequence[str] = ()  # coherence, races, error: what is watched for, how it ends
    check_suppress: str | Path | None = None  # a file that names findings that are known
    check_sarif: str | Path | None = None  # a file for the findings
    page: str | Path | None = None  # a file for the page that `draw` makes of it
    draw: Callable[[Result, Profile | None], str] = _draw_nothing
    save: str | Path | None = None  # a snapshot of the chip as it is when the run stops
    restore: str | Path | None = None  # goes on from a snapshot; nothing is loaded
    output_dir: str | None = None  # files for what the cores write, instead of stdout and stderr
    force: bool = False  # files that are written may replace older ones
    core_dump: str | None = None  # a folder for core files of cores that did not end well
    gdb: str | None = None  # host:port at which gdb is served
    gdb_wait: bool = True  # nothing runs before gdb has come
    socket: str | Path | None = None  # where other processes read and write the chip
    socket_every_ps: int = SOCKET_EVERY_PS  # between two instants at which they are heard
    socket_wait: bool = False  # nothing runs before one of them says so
    forward: Sequence[Port] = ()  # ports of this host that lead to cores
    packets: str | Path | None = None  # a file for the packets of `forward`
    replay_packets: str | Path | None = None  # such a file: its packets enter the chip again
    sandbox: str = sandbox.OFF  # auto, on or off; of the command's own process alone
    say: Callable[[str], None] = _say_nothing  # reports further messages to the user
    stdout: Sink = field(default_factory=lambda: Sink("stdout"))
    stderr: Sink = field(default_factory=lambda: Sink("stderr"))
    progress: bool = False
    command: Sequence[str] = ()

    def open_outputs(self) -> Outputs:
        """The files that will be written, open before anything runs."""
        return Outputs({name: getattr(self, name) for name in OUTPUTS}, force=self.force)

    def apply(self, chip: Chip) -> None:
        """Applies the options of execution and observation to a chip."""
        chip.set_skipping(self.skip)
        chip.set_translating(self.translate)
        if self.profile is not None:
            chip.start_cycle_profile()
        if self.strict_voltage:
            chip.set_strict_voltage(True)
        if self.power:
            if self.power_every_ps <= 0:
                raise UsageError(
                    f"power_every_ps: {self.power_every_ps} ps between two samples",
                    hint="the time between samples must be greater than 0, for example 10**9",
                )
            chip.observe_energy(self.power_every_ps)

    def start_threads(self, chip: Chip) -> None:
        """The host threads that run cores; none of them is older than the sandbox."""
        # The checker hears of one core after the other.
        chip.set_threads(1 if self.check else threads_asked(self.threads) or 1)

    def confine(self, folders: Sequence[str] = (), read: Sequence[str] = ()) -> None:
        """From here on this process has only what the run needs, if it is the command's own."""
        outputs = (
            self.commit_log, self.profile, self.trace, self.flame, self.check_sarif, self.save,
            self.json, self.page, self.packets,
        )  # fmt: skip
        made = (self.output_dir, self.core_dump)
        sandbox.begin(
            self.sandbox,
            read=[
                *read,
                *([] if self.check_suppress is None else [os.fspath(self.check_suppress)]),
            ],
            write=[
                *folders,
                # The socket is there, and is removed at the end.
                *([] if self.socket is None else [os.path.dirname(os.path.abspath(self.socket))]),
                *(sandbox.around(path) for path in outputs if path is not None),
                # A folder that is not there yet is made beside its siblings.
                *(path if os.path.isdir(path) else sandbox.around(path) for path in made if path),
            ],
            say=self.say,
        )

    def choose_threads(self, chip: Chip) -> ThreadChoice | None:
        """The measurement of whether threads help; None on one thread, and for a checked run."""
        asked = threads_asked(self.threads)
        if self.check or asked == 1:
            return None
        return ThreadChoice(chip) if asked is None else ThreadChoice(chip, asked, asked)

    def watch(self, chip: Chip) -> HostProfile | None:
        """Begins to watch the host, if that is asked for."""
        if not self.profile_host:
            return None
        from rockcreek.results.host_profile import HostProfile

        return HostProfile(chip)

    def arm(self, chip: Chip, cores: Sequence[int]) -> Faults | None:
        """Gives the chip the faults that it is to have, if any."""
        if self.faults is None:
            return None
        from rockcreek.faults.outcome import Faults

        return Faults.arm(self.faults, chip, cores, self.fault_seed)

    def region(self, chip: Chip, program: Image) -> RegionWatch | None:
        """The observer of the region of interest; None if the program has no such region."""
        from rockcreek.results import region
        from rockcreek.running.attachments import RegionWatch

        where = None if self.goes_on else region.borders(program, self.roi)
        return None if where is None else RegionWatch(chip, program, where)

    def sample(self, chip: Chip, cores: Sequence[int]) -> Sampler | None:
        """The sampler of cores and links; None without `--sample`."""
        if self.sample_every_ps is None:
            return None
        from rockcreek.running.sampler import Sampler

        return Sampler(chip, cores, self.sample_every_ps, energy=self.power)

    @property
    def goes_on(self) -> bool:
        """Whether the program had begun before this run did."""
        return self.restore is not None

    @property
    def has_other_hands(self) -> bool:
        """Whether something besides the guests may change the chip: a client, gdb, a fault."""
        return not (self.gdb is None and self.socket is None and self.faults is None)

    def open_socket(self, chip: Chip) -> SocketServer | None:
        """The server of `--socket`; None without this option."""
        if self.socket is None:
            return None
        from rockcreek.socket_server.server import SocketServer

        return SocketServer(Path(self.socket), chip, self.socket_every_ps, self.socket_wait)

    def reach(self, chip: Chip) -> Attachment | None:
        """Who gives the cores packets: ports of this host, or a record."""
        if not self.forward and self.replay_packets is None:
            return None
        from rockcreek import _native
        from rockcreek.forwarding.forwarder import Forwarder
        from rockcreek.forwarding.replay import Replay
        from rockcreek.running.attachments import Forwarded, Replayed

        network = _native.Network(chip._native)
        if self.replay_packets is not None:
            return Replayed(Replay(chip, network, self.replay_packets))
        return Forwarded(Forwarder(chip, network, self.forward))

    def deadline(self, start: float) -> float | None:
        """The host's instant at which a run that began at `start` must end."""
        return None if self.timeout_s is None else start + self.timeout_s
