"""What cores and links do over time (`--sample T`): their counters at instants so far apart.

The chip stops at each multiple of the period, where counters are exact; nothing of a run changes.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rockcreek.chip import Chip
from rockcreek.errors import Dropped, RockcreekError, UsageError
from rockcreek.formats.common import count_of
from rockcreek.formats.result import CoreSamples, Samples
from rockcreek.running.attachments import Attachment

if TYPE_CHECKING:
    from rockcreek.running.outcome import Outcome

_ENERGY: Final = "energy_fj"
# Numbers that are kept: 25,000 samples of 48 cores and their links.
_MOST_NUMBERS = 10_000_000


class Sampler(Attachment):
    """The samples of one run, as differences from one instant to the next."""

    def __init__(
        self, chip: Chip, cores: Sequence[int], every_ps: int, *, energy: bool = False
    ) -> None:
        if every_ps <= 0:
            raise UsageError(
                f"sample_every_ps: {every_ps} ps between two samples",
                hint="the time between samples must be greater than 0, for example 10**9",
            )
        self._chip, self._cores, self._every_ps, self._energy = chip, cores, every_ps, energy
        self._start_ps = chip.time_ps
        self._ends: list[int] = []
        self._before = self._counts()
        self._found = {key: array("Q") for key in self._before}
        self._most = max(2, _MOST_NUMBERS // len(self._found))

    @property
    def next_ps(self) -> int | None:
        """The instant at which the chip must stop next; None if there is no room for more."""
        if self._is_full:
            return None
        return (self._chip.time_ps // self._every_ps + 1) * self._every_ps

    @property
    def _is_full(self) -> bool:
        return len(self._ends) >= self._most - 1

    @property
    def dropped(self) -> int:
        """How many samples the last one stands for besides its own."""
        before_ps = self._ends[-2] if len(self._ends) > 1 else self._start_ps
        if not self._is_full or not self._ends:
            return 0
        return max(0, (self._ends[-1] - before_ps - 1) // self._every_ps)

    def after_slice(self) -> None:
        self.look()

    def end(self) -> None:
        self.look(last=True)

    def errors(self) -> list[RockcreekError]:
        """Says that not all samples are kept."""
        if not self.dropped:
            return []
        what = f"samples: the first ones are kept, {self.dropped:,} more are only counted"
        return [Dropped(what, hint="raise the T of `--sample`")]

    def complete(self, outcome: Outcome) -> Outcome:
        return replace(outcome, samples=self.to_dict())

    def look(self, *, last: bool = False) -> None:
        """Take a sample if the chip stands where one is due, or has come to its end."""
        now = self._chip.time_ps
        due = last or (now % self._every_ps == 0 and not self._is_full)
        if not due or now <= (self._ends[-1] if self._ends else self._start_ps):
            return
        counts = self._counts()
        for key, count in counts.items():
            self._found[key].append(count - self._before[key])
        self._before = counts
        self._ends.append(now)

    def to_dict(self) -> Samples:
        """The key `samples` of a result; links that carried nothing are left out."""
        return {
            "every_ps": self._every_ps,
            "start_ps": self._start_ps,
            "end_ps": self._ends,
            "dropped": self.dropped,
            "cores": [self._core(core) for core in self._cores],
            "links": [
                {"x": key[1], "y": key[2], "way": key[3], "flits": values.tolist()}
                for key, values in self._found.items()
                if key[0] == "link" and any(values)
            ],
        }

    def _core(self, core: int) -> CoreSamples:
        """What a core did in each interval."""
        document: CoreSamples = {
            "core": core,
            "cycles": self._found[core, "cycles"].tolist(),
            "instructions": self._found[core, "instructions"].tolist(),
            "waiting_cycles": self._found[core, "waiting_cycles"].tolist(),
            "misses": self._found[core, "misses"].tolist(),
        }
        if self._energy:
            document[_ENERGY] = self._found[core, _ENERGY].tolist()
        return document

    def _counts(self) -> dict[tuple[Any, ...], int]:
        counted = self._chip.statistics()
        columns = self._chip.description.columns
        found: dict[tuple[Any, ...], int] = {}
        for core in self._cores:
            one = counted["cores"][core]
            found[core, "cycles"] = one["cycles"]
            found[core, "instructions"] = one["core"]["instructions"]
            found[core, "waiting_cycles"] = one["core"]["waiting_cycles"]
            found[core, "misses"] = sum(n for k, n in one["cache"].items() if "_fills_" in k)
        if self._energy:
            energies = self._chip.energy()["cores"]
            found |= {(core, _ENERGY): sum(energies[core].values()) for core in self._cores}
        for n, link in enumerate(counted["mesh"]["link_flits"]):
            x, y = n % columns, n // columns
            found |= {("link", x, y, way): count_of(link, way) for way in link}
        return found
