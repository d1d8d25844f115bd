"""What a run's faults found, and what each core noticed, for the JSON of a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rockcreek.chip import Chip, Exit
from rockcreek.faults.kinds import Placed, Where
from rockcreek.faults.plan import Plan
from rockcreek.formats import result as formats


@dataclass(frozen=True)
class _Came:
    """What became of a fault that has taken effect."""

    time_ps: int
    happened: bool
    address: int = 0
    before: int = 0
    after: int = 0


@dataclass
class Faults:
    """The faults of one run: given to the chip before it runs, collected when it has stopped."""

    seed: int
    placed: Sequence[Placed]
    came: dict[int, _Came] = field(default_factory=dict)
    lost_packets: int = 0

    @classmethod
    def arm(cls, plan: Plan, chip: Chip, cores: Sequence[int], seed: int | None) -> Faults:
        """Draws what the plan leaves open, and gives the chip its faults."""
        where = Where(chip.description, tuple(cores))
        seed = plan.seed if seed is None else seed
        faults = cls(seed, plan.placed(where, seed))
        for fault in faults.placed:
            if fault.drawn:
                chip.add_fault(fault.id, fault.at_ps, *fault.to_engine(where))
        return faults

    def collect(self, chip: Chip) -> None:
        """Adds the faults that have taken effect since the last call."""
        for id_, time_ps, happened, address, before, after in chip.faults():
            self.came[id_] = _Came(time_ps, happened, address, before, after)
        self.lost_packets = chip.lost_packets()

    def stopped(self) -> dict[int, Exit]:
        """The cores that died, and when."""
        found = {}
        for fault in self.placed:
            came = self.came.get(fault.id)
            if fault.kind == "die" and came is not None and came.happened:
                core = int(fault.place["core"])
                found[core] = Exit("dead", 0, 0, 0, None, came.time_ps)
        return found

    def hung(self) -> set[int]:
        """The cores that hang."""
        happened = {id_ for id_, came in self.came.items() if came.happened}
        return {
            int(fault.place["core"])
            for fault in self.placed
            if fault.id in happened and fault.kind == "hang"
        }

    def to_dict(self, noticed: Mapping[int, str]) -> formats.Faults:
        """For the JSON; `noticed` says of each core what it did about it."""
        return {
            "seed": self.seed,
            "faults": [self._fault(fault) for fault in self.placed],
            "lost_packets": self.lost_packets,
            "cores": [{"core": core, "noticed": what} for core, what in sorted(noticed.items())],
        }

    def _fault(self, fault: Placed) -> formats.Fault:
        came = self.came.get(fault.id)
        return {
            "id": fault.id,
            "kind": fault.kind,
            "place": dict(fault.place),
            "at_ps": fault.at_ps,
            "drawn": fault.drawn,
            "time_ps": None if came is None else came.time_ps,
            "happened": came is not None and came.happened,
            "address": 0 if came is None else came.address,
            "before": 0 if came is None else came.before,
            "after": 0 if came is None else came.after,
        }


def notice(end: Exit | None, *, state: str, hangs: bool, waits: str | None) -> str:
    """How a core ended, or what it did at the end of the run, in a few words.

    >>> notice(None, state="lost", hangs=False, waits=None)
    'waits for an answer that is lost'
    """
    if end is not None and end.reason == "exit":
        return "nothing" if end.code == 0 else f"exit code {end.code}"
    if end is not None:
        return {"dead": "died", "signal": f"killed by signal {end.code}"}.get(
            end.reason, end.reason
        )
    if hangs:
        return "hangs"
    if state == "lost":
        return "waits for an answer that is lost"
    return f"waits in {waits}" if waits else state
