"""What the model knows of a kernel: its counts."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from rockcreek.errors import InputError, UsageError
from rockcreek.reading import documents

RULES = ("max", "sum")


@dataclass(frozen=True)
class Kernel:
    """Counts of a kernel on one core.

    compute: core cycles of its instructions when all data are at hand; accesses: to DRAM;
    flop: floating-point operations; pending: accesses that are under way at once; rule: whether the
    core computes while it waits (`max`, the paper) or not (`sum`). An access takes core_cycles
    of the core and memory_ps more.
    """

    compute: float
    accesses: float
    flop: float = 0
    pending: float = 2
    rule: str = "max"
    core_cycles: float = 40
    memory_ps: float = 57500  # 46 cycles of 800 MHz

    def __post_init__(self) -> None:
        """Refuse counts of which no time can be made."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "rule" and not 0 <= value < float("inf"):
                raise UsageError(f"{field.name} = {value}: not a count")
        if self.pending < 1:
            raise UsageError(f"pending = {self.pending}: an access at a time, or more")
        if self.rule not in RULES:
            raise UsageError(f"rule = {self.rule!r}", hint=f"one of {', '.join(RULES)}")
        if self.compute == 0 and self.accesses == 0:
            raise UsageError("a kernel without compute cycles and accesses takes no time")


def load(path: str | Path) -> Kernel:
    """A kernel from a TOML file whose keys are those of `Kernel`."""
    table = documents.toml(path)
    known = {field.name for field in fields(Kernel)}
    for key, value in table.items():
        good = isinstance(value, str) if key == "rule" else _is_number(value)
        if key not in known or not good:
            raise InputError(
                f"{path}: {key} = {value!r}",
                path=str(path),
                hint=f"numbers for {', '.join(sorted(known - {'rule'}))}; rule is max or sum",
            )
    missing = {"compute", "accesses"} - table.keys()
    if missing:
        raise InputError(f"{path}: {', '.join(sorted(missing))} is missing", path=str(path))
    try:
        return Kernel(**table)
    except UsageError as error:
        raise InputError(f"{path}: {error.message}", path=str(path), hint=error.hint) from error


def change(kernel: Kernel, **values: Any) -> Kernel:
    """A copy of the kernel, with those values that are not None.

    >>> change(Kernel(1, 2), flop=3, rule=None)
    Kernel(compute=1, accesses=2, flop=3, pending=2, rule='max', core_cycles=40, memory_ps=57500)
    """
    return replace(kernel, **{key: value for key, value in values.items() if value is not None})


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
