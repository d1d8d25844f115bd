"""A measurement of the cores as text: one screen of a terminal for all 48."""

from __future__ import annotations

from rockcreek.linux.meter import CoreLoad, Load
from rockcreek.units import format_ps

_BARS = " ▁▂▃▄▅▆▇█"
# 48 cores in three columns fit 80 by 24 characters.
_ROWS = 16
_HEAD = f"{'load':>7}{'mem':>6}{'mesh':>7}{'mb0':>6}"
_UNKNOWN = "-"


def lines(load: Load) -> list[str]:
    """What all do together, then the cores in as many columns as they need."""
    cores = load["cores"]
    busy = sum(core["load"] for core in cores)
    noun = "core" if len(cores) == 1 else "cores"
    work = f"{busy:.1f} of {len(cores)} {noun} busy, {short(load['instructions'])} instructions"
    said = [
        f"{format_ps(load['time_ps'])} simulated; in the last {format_ps(load['span_ps'])} {work}",
        "  mem: bytes of memory; mesh, mb0: packets per simulated second",
    ]
    columns = [cores[at : at + _ROWS] for at in range(0, len(cores), _ROWS)]
    said.append(" ".join([_HEAD] * len(columns)))
    for row in range(len(columns[0]) if columns else 0):
        said.append(" ".join(_cell(column[row]) for column in columns if row < len(column)))
    return said


def _cell(core: CoreLoad) -> str:
    share = min(max(core["load"], 0.0), 1.0)
    bar = _BARS[round(share * (len(_BARS) - 1))]
    memory, mesh, mb0 = (
        _UNKNOWN if number is None else short(number)
        for number in (core["memory_used"], core["mesh_packets_per_s"], core["mb0_packets_per_s"])
    )
    return f"{core['core']:02d}{bar}{share:4.0%}{memory:>6}{mesh:>7}{mb0:>6}"


def short(number: float) -> str:
    """A number in at most six characters.

    >>> [short(n) for n in (0, 999, 1_000, 12_345, 999_999, 48_000_000)]
    ['0', '999', '1.0k', '12.3k', '1.0M', '48.0M']
    """
    if round(number) < 1000:
        return f"{number:.0f}"
    units = iter("kMGT")
    unit = ""
    while round(number, 1) >= 1000:
        number, unit = number / 1000, next(units)
    return f"{number:.1f}{unit}"
