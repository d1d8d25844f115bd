"""The energy of a run (`rck run --power`) for its result: domains, units, samples, marks, regions.

All numbers are integers: femtojoules, picoseconds, microwatts. A unit's energy is the sum of its
parts, a domain's that of its units, the run's that of its domains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from rockcreek.units import format_ps

if TYPE_CHECKING:
    from rockcreek.formats.energy import (
        Energy,
        EngineEnergy,
        EngineMark,
        MarkEnergy,
        Parts,
        RegionEnergy,
        Voltage,
    )

# Bits 31:24 of a mark that begins or ends a region; bits 23:0 are the region's number.
REGION_BEGINS, REGION_ENDS = 0xB0, 0xE0
_REGION_SHIFT, _REGION_MASK = 24, 0xFF_FFFF
# Microwatts: 1 fJ in 1 ps is 1 mW. Picojoule seconds: 10^-12 of fJ ps, which are 10^-27.
_UW, _PJ_S = 10**3, 10**15
_FIXED_RAILS = 8
_NAMES = {2: "routers", 6: "system interface", _FIXED_RAILS: "memory and clock generation"}

Mark = tuple[int, int, int]  # ps, core, id


def power_uw(energy_fj: int, time_ps: int) -> int:
    """The mean power of an energy over a time, rounded down.

    >>> power_uw(31_616_000_000_000, 10**9)
    31616000
    """
    return energy_fj * _UW // time_ps if time_ps else 0


def delay_product(energy_fj: int, time_ps: int) -> int:
    """Energy times time in pJ s, rounded down.

    >>> delay_product(30 * 10**15, 10**12)
    30000000000000
    """
    return energy_fj * time_ps // _PJ_S


class _Interval(NamedTuple):
    """Between two samples: the energy of each domain."""

    start_ps: int
    end_ps: int
    energies_fj: list[int]


def report(tree: EngineEnergy, marks: Sequence[Mark], every_ps: int) -> Energy:
    """The key `energy` of a result, from what the engine reported (`Chip.energy`)."""
    time_ps, domains = tree["time_ps"], tree["domains_fj"]
    total = sum(domains)
    noted = [_mark(one, marks, tree) for one in tree.get("marks", [])]
    intervals = _intervals(tree, time_ps, domains)
    peaks = [_peak(intervals, domain) for domain in range(len(domains))]
    peak, peak_ps = max(
        ((power_uw(sum(energies), end - start), end) for start, end, energies in intervals),
        key=lambda one: one[0],
        default=(power_uw(total, time_ps), time_ps),
    )
    return {
        "time_ps": time_ps,
        "total_fj": total,
        "mean_uw": power_uw(total, time_ps),
        "peak_uw": peak,
        "peak_ps": peak_ps,
        "edp_pj_s": delay_product(total, time_ps),
        "domains": [
            {
                "domain": domain,
                "name": _NAMES.get(domain, "cores"),
                "total_fj": energy,
                "mean_uw": power_uw(energy, time_ps),
                "peak_uw": peaks[domain],
                "edp_pj_s": delay_product(energy, time_ps),
                "parts": _parts_of(tree, domain),
            }
            for domain, energy in enumerate(domains)
        ],
        "cores": [
            {
                "core": core,
                "domain": domain,
                "total_fj": sum(parts.values()),
                "mean_uw": power_uw(sum(parts.values()), time_ps),
                "edp_pj_s": delay_product(sum(parts.values()), time_ps),
                "parts": parts,
            }
            for core, (domain, parts) in enumerate(
                zip(tree["cores_domain"], tree["cores"], strict=True)
            )
        ],
        "tiles": tree["tiles"],
        "routers": tree["routers"],
        "memory": tree["memory"],
        "system": tree["system"],
        "clocks": tree["clocks"],
        "samples": {
            "every_ps": every_ps,
            "start_ps": intervals[0][0] if intervals else time_ps,
            "before_fj": tree["sample_fj"][0] if "sample_fj" in tree else domains,
            "end_ps": [end for _, end, _ in intervals],
            "domains_fj": [energies for _, _, energies in intervals],
            "dropped": tree.get("samples_dropped", 0),
        },
        "meter": {
            "conversions": tree["meter"]["conversions"],
            "time_ps": tree["meter"]["time_ps"],
            "total_fj": sum(tree["meter"]["domains_fj"]),
            "domains_fj": tree["meter"]["domains_fj"],
            "power_uw": tree["meter"]["power_uw"],
        },
        "marks": noted,
        "regions": _regions(noted),
    }


def _intervals(tree: EngineEnergy, time_ps: int, domains: list[int]) -> list[_Interval]:
    """Begin, end and energies of each interval between two samples; the last ends with the run."""
    instants = list(zip(tree.get("sample_ps", []), tree.get("sample_fj", []), strict=True))
    if instants and instants[-1][0] < time_ps:
        instants.append((time_ps, domains))
    return [
        _Interval(start, end, [b - a for a, b in zip(before, after, strict=True)])
        for (start, before), (end, after) in pairwise(instants)
    ]


def _peak(intervals: list[_Interval], domain: int) -> int:
    powers = (power_uw(energies[domain], end - start) for start, end, energies in intervals)
    return max(powers, default=0)


def _units(tree: EngineEnergy) -> Iterator[tuple[str, list[int], list[Parts]]]:
    """The kinds of units: the domain and the parts of each unit."""
    yield "cores", tree["cores_domain"], tree["cores"]
    yield "tiles", tree["tiles_domain"], tree["tiles"]
    yield "routers", tree["routers_domain"], tree["routers"]
    yield "memory", tree["memory_domain"], tree["memory"]
    yield "system", tree["system_domain"], tree["system"]
    yield "clocks", tree["clocks_domain"], tree["clocks"]


def _parts_of(tree: EngineEnergy, domain: int) -> Parts:
    """The parts of a domain's energy, summed over its units, by kind."""
    parts: Parts = {}
    for kind, domains, units in _units(tree):
        for where, unit in zip(domains, units, strict=True):
            if where == domain:
                for name, energy in unit.items():
                    key = f"{kind}.{name}"
                    parts[key] = parts.get(key, 0) + energy
    return parts


def _mark(noted: EngineMark, marks: Sequence[Mark], tree: EngineEnergy) -> MarkEnergy:
    time_ps, core, number = marks[noted["mark"]]
    return {
        "time_ps": time_ps,
        "core": core,
        "id": number,
        "total_fj": sum(noted["domains_fj"]),
        "domain_fj": noted["domains_fj"][tree["cores_domain"][core]],
        "core_fj": noted["core_fj"],
    }


@dataclass
class _Passes:
    """Sums over the passes of a core through a region."""

    count: int = 0
    time_ps: int = 0
    total_fj: int = 0
    domain_fj: int = 0
    core_fj: int = 0


def _regions(marks: Sequence[MarkEnergy]) -> list[RegionEnergy]:
    """Sums over all passes of a core through a region; a region that does not end is left out."""
    begun: dict[tuple[int, int], MarkEnergy] = {}
    found: dict[tuple[int, int], _Passes] = {}
    for mark in marks:
        kind, region = mark["id"] >> _REGION_SHIFT, mark["id"] & _REGION_MASK
        key = (mark["core"], region)
        if kind == REGION_BEGINS:
            begun[key] = mark
        elif kind == REGION_ENDS and key in begun:
            before = begun.pop(key)
            one = found.setdefault(key, _Passes())
            one.count += 1
            one.time_ps += mark["time_ps"] - before["time_ps"]
            one.total_fj += mark["total_fj"] - before["total_fj"]
            one.domain_fj += mark["domain_fj"] - before["domain_fj"]
            one.core_fj += mark["core_fj"] - before["core_fj"]
    return [
        {
            "core": core,
            "region": region,
            "count": one.count,
            "time_ps": one.time_ps,
            "total_fj": one.total_fj,
            "domain_fj": one.domain_fj,
            "core_fj": one.core_fj,
            "mean_uw": power_uw(one.total_fj, one.time_ps),
            "edp_pj_s": delay_product(one.total_fj, one.time_ps),
        }
        for (core, region), one in sorted(found.items())
    ]


def tell(energy: Energy) -> str:
    """For people: energy, mean and peak power, energy-delay product, and where most of it went."""
    parts: dict[str, int] = {}
    for domain in energy["domains"]:
        kind = "cores" if domain["name"] == "cores" else domain["name"]
        parts[kind] = parts.get(kind, 0) + domain["mean_uw"]
    shares = ", ".join(f"{name} {uw / 10**6:.2f} W" for name, uw in parts.items())
    joules = energy["total_fj"] / 10**15
    return (
        f"     energy {_si(joules, 'J')}: mean {energy['mean_uw'] / 10**6:.3f} W,"
        f" peak {energy['peak_uw'] / 10**6:.3f} W (over"
        f" {format_ps(energy['samples']['every_ps'])}), energy-delay product"
        f" {_si(energy['edp_pj_s'] / 10**12, 'Js')}\n"
        f"     power: {shares}"
    )


def _si(value: float, unit: str) -> str:
    for prefix, factor in (("", 1.0), ("m", 1e3), ("u", 1e6)):
        if value * factor >= 1:
            return f"{value * factor:.3f} {prefix}{unit}"
    return f"{value * 1e9:.3f} n{unit}"


def voltage(
    violations: Sequence[tuple[int, int, int, int, int | None]],
    refused: Sequence[tuple[int, int, int, int]],
    cores_per_tile: int,
) -> Voltage:
    """The key `voltage` of a result: clocks without enough of it, commands without effect."""
    return {
        "violations": [
            {
                "time_ps": time_ps,
                "tile": tile,
                "cores": [tile * cores_per_tile + z for z in range(cores_per_tile)],
                "divider": divider,
                "millivolts": _millivolts(level),
                "needed_millivolts": None if needed is None else _millivolts(needed),
            }
            for time_ps, tile, divider, level, needed in violations
        ],
        "refused": [
            {"time_ps": time_ps, "core": core, "domain": domain, "millivolts": _millivolts(level)}
            for time_ps, core, domain, level in refused
        ],
    }


def _millivolts(level: int) -> int:
    """The whole millivolts of a level, which counts steps of 6.25 mV."""
    return level * 625 // 100
