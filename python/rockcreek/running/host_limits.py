"""What a run may take of its host: memory (`--memory-limit`), and open files.

Both are looked at between slices of the engine. A run that meets a limit ends with a message and
with what it has computed so far; no guest sees an error that its host has caused.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

from rockcreek.chip import Chip
from rockcreek.errors import HostLimit
from rockcreek.units import format_bytes

_STATM = Path("/proc/self/statm")
# getrusage's unit of memory: kilobytes, on macOS bytes.
_PEAK_UNIT = 1 if sys.platform == "darwin" else 1024


def memory_bytes() -> int:
    """The bytes of host memory that this process holds; the peak if the host reports only that."""
    try:
        pages = int(_STATM.read_bytes().split()[1])
    except (OSError, IndexError, ValueError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _PEAK_UNIT
    return pages * os.sysconf("SC_PAGE_SIZE")


def allow_open_files() -> None:
    """Let this process open as many files as its host allows; for the command `rck` alone."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError):  # macOS names more than it allows
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class HostLimits:
    """The limits of one run."""

    def __init__(self, chip: Chip, memory_limit: int | None) -> None:
        self._chip, self._memory_limit = chip, memory_limit
        # The limit that the run has met, once it has met one.
        self.met: list[HostLimit] = []

    def are_met(self) -> bool:
        """Whether the run must end."""
        self.met = self.met or [*self._files(), *self._memory()]
        return bool(self.met)

    def starve_the_guest(self) -> bool:
        """Whether a guest saw an error that its host has caused: its last results are worthless.

        Asked at the end of a run, which may come before the slice that meets the limit is over.
        """
        self.met = self.met or list(self._files())
        return bool(self.met)

    def _files(self) -> Iterator[HostLimit]:
        core = self._chip.starved_of_files()
        if core is not None:
            yield HostLimit(
                f"core {core:02} has too many files open for this host: it holds"
                " deleted or replaced files open, each takes a descriptor of this process,"
                " and none is left",
                hint="raise the host's limit of open files (`ulimit -n`) and run again",
            )

    def _memory(self) -> Iterator[HostLimit]:
        # Late: the guide is made, and the package looked at, without the engine.
        from rockcreek._native import is_memory_short

        if is_memory_short():
            yield HostLimit(
                "stopped: the host has refused rck more memory",
                hint="what was computed so far is in the result; use fewer cores, or free memory"
                " of the host (`ulimit -v` shows a limit)",
            )
        taken = memory_bytes() if self._memory_limit is not None else 0
        if self._memory_limit is not None and taken > self._memory_limit:
            yield HostLimit(
                f"stopped: rck takes {format_bytes(taken)} of memory, more than"
                f" {format_bytes(self._memory_limit)} (--memory-limit)",
                hint="what was computed so far is in the result; use fewer cores, shorter traces"
                " or samples further apart, or raise the limit",
            )
