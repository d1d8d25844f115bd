"""What is known of a run when its chip has stopped, and the result that it becomes."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rockcreek._version import __version__
from rockcreek.chip import Chip, Exit
from rockcreek.errors import RockcreekError
from rockcreek.results import energy
from rockcreek.results.counters import totals
from rockcreek.results.region import with_energy
from rockcreek.results.result import CoreResult, Host, Result
from rockcreek.software.image import Image
from rockcreek.units import PS_PER_SECOND

if TYPE_CHECKING:
    from rockcreek.deadlocks.explain import Explanation
    from rockcreek.formats import result as formats
    from rockcreek.formats.energy import Energy
    from rockcreek.results.host_profile import HostProfile
    from rockcreek.results.messages import Messages


@dataclass
class Outcome:
    """The data from which a result is made when the chip has stopped."""

    chip: Chip
    cores: tuple[int, ...]
    program: Image
    end: str
    exits: dict[int, Exit]
    errors: list[RockcreekError]
    waits: dict[int, tuple[str, ...]]
    messages: int
    restarts: tuple[tuple[int, int, int, int], ...] = ()
    matrix: Messages | None = None
    waiting: Explanation | None = None
    faults: formats.Faults | None = None
    # Between two samples of the energy, if that is reported.
    power_every_ps: int | None = None
    # Of cores and links over time, if they were taken.
    samples: formats.Samples | None = None
    # Between the two ends of the region of interest.
    roi: formats.Region | None = None

    def to_result(
        self, *, host: Host, arguments: list[str], stdout: bytes, stderr: bytes
    ) -> Result:
        """Join it with what the host knows."""
        chip, description = self.chip, self.chip.description
        statistics = chip.statistics()
        return Result(
            end=self.end,
            program={
                "name": self.program.name,
                "sha256": self.program.sha256,
                "arguments": arguments,
            },
            chip={
                "name": description.name,
                "sha256": description.sha256,
                "clocks": description.clocks,
                "jitter": description.jitter,
                "columns": description.columns,
                "rows": description.rows,
            },
            cores=tuple(self._core(core, rank) for rank, core in enumerate(self.cores)),
            time_ps=chip.time_ps,
            instructions=chip.instructions,
            totals={"messages": self.messages, **totals(statistics)},
            marks=tuple(chip.marks()),
            marks_dropped=chip.marks_dropped(),
            restarts=self.restarts,
            messages=None if self.matrix is None else self.matrix.to_dict(),
            waiting=None if self.waiting is None else self.waiting.to_dict(),
            faults=self.faults,
            energy=(power := self._energy()),
            roi=self.roi if self.roi is None or power is None else with_energy(self.roi, power),
            samples=self.samples,
            voltage=energy.voltage(
                chip.undervoltage()[0], chip.refused_voltages()[0], description.cores_per_tile
            ),
            statistics=statistics,
            state_hash=chip.state_hash(),
            host=host,
            errors=tuple(self.errors),
            stdout=stdout,
            stderr=stderr,
        )

    def _energy(self) -> Energy | None:
        if self.power_every_ps is None:
            return None
        return energy.report(self.chip.energy(), self.chip.marks(), self.power_every_ps)

    def _core(self, core: int, rank: int) -> CoreResult:
        end = self.exits.get(core)
        return CoreResult(
            core=core,
            rank=rank,
            tile=self.chip.description.tile_of(core),
            reason="running" if end is None else end.reason,
            exit_code=end.code if end is not None and end.reason == "exit" else None,
            signal=None if end is None else _signal(end),
            end_ps=None if end is None else end.time_ps,
            eip=end.eip if end is not None and end.reason != "exit" else None,
            address=end.address if end is not None and end.reason != "exit" else None,
            vector=None if end is None else end.vector,
            waits=self.waits.get(core, ()),
        )


def _signal(end: Exit) -> str | None:
    """The name of the signal that ended a program, if one did."""
    if end.reason != "signal":
        return None
    from rockcreek.inspection import guest_faults

    return guest_faults.signal_name(end.code)


@dataclass(frozen=True)
class Begun:
    """Where this run took up its chip: at nothing, or where a snapshot was saved."""

    start: float  # of the wall time (`time.monotonic`)
    time_ps: int
    instructions: int


def host_of(
    chip: Chip,
    *,
    program: str,
    command: Sequence[str],
    begun: Begun,
    profile: HostProfile | None = None,
) -> Host:
    """What a result says of the host; its speed is that of this run's own part."""
    wall_s = time.monotonic() - begun.start
    instructions, time_ps = chip.instructions - begun.instructions, chip.time_ps - begun.time_ps
    return Host(
        wall_s=round(wall_s, 3),
        mips=round(instructions / wall_s / 1e6, 3),
        slowdown=round(wall_s * PS_PER_SECOND / time_ps, 3) if time_ps else None,
        began_ps=begun.time_ps,
        program=program,
        directory=_current_folder(),
        command=list(command),
        versions={"rockcreek": __version__, "python": platform.python_version()},
        platform=f"{sys.platform}-{platform.machine()}",
        profile=None if profile is None else profile.finish(),
    )


def _current_folder() -> str:
    """The current folder; nothing if somebody has removed it."""
    try:
        return os.getcwd()
    except OSError:
        return ""
