"""Power of pairs, energy-delay products, the range over voltage and frequency, a router's share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, fit_line
from rockcreek.repro.runs import Run

MICRO = 10**6
PS = 10**12
NORM = 10**8  # instructions that the study's delay is for
REGION = 1  # what the programs mark
LINEAR = 0.995  # r squared from which on power follows the cores linearly
INDICATES = 0.8  # and from which on instructions per cycle are a fair indicator of power
PORTS = 5  # a router's outputs, each a flit a cycle
# At which the router's power was published.
MESH_GHZ, MESH_LEVEL = 2, 176
PROGRAMS = ("share", "shift", "stencil", "pingpong")
NS_OF_GHZ = 10**3
# The ends of a router's range: levels of its voltage (6.25 mV), MHz of the mesh.
SLOWEST, FASTEST = (112, 250), (200, 2000)


class Measured:
    """A program with few and with many rounds: power between the marks, the rest of the rounds."""

    def __init__(self, few: Run, many: Run) -> None:
        assert many.energy is not None
        (region,) = (one for one in many.energy["regions"] if one["region"] == REGION)
        self.cores = len(many.cores)
        self.watts = Fraction(region["total_fj"], region["time_ps"]) / 1000

        def more(key: str) -> int:
            pairs = zip(few.cores, many.cores, strict=True)
            return sum(int(after[key]) - int(before[key]) for before, after in pairs)

        self.ipc = Fraction(more("instructions"), more("cycles"))
        root = next(line.split()[1] for line in many.text.splitlines() if line.startswith("0 "))
        self.delay_s = NORM / self.ipc * Fraction(region["time_ps"], int(root)) / PS
        self.edp = self.watts * self.delay_s**2


def _measured(runs: Sequence[Run]) -> dict[tuple[str, str, int], Measured]:
    """By job, program, cores."""
    groups: dict[tuple[str, str, int], dict[int, Run]] = {}
    for run in runs:
        key = (run.job, run.values["what"], len(run.cores))
        groups.setdefault(key, {})[run.values["rounds"]] = run
    return {key: Measured(both[min(both)], both[max(both)]) for key, both in groups.items()}


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    measured = _measured(runs)
    pairs = {cores: m for (job, _, cores), m in measured.items() if job == "pairs"}
    most = max(pairs)
    programs = {
        (what, cores): m
        for (job, what, cores), m in measured.items()
        if job in ("pairs", "programs")
    }
    full = {what: programs[what, most] for what in PROGRAMS}
    gains = {
        what: (programs[what, 2].edp / 2) / (programs[what, most].edp / most) for what in PROGRAMS
    }
    ends = {
        end: {what: m.watts for (job, what, _), m in measured.items() if job == end}
        for end in ("least", "most", "most-memory")
    }
    highest = max(w for end in ("most", "most-memory") for w in ends[end].values())
    router, share = _router(runs, chip)
    return Findings(
        values={
            "bu-power-1pair": pairs[2].watts,
            "bu-power-24pairs": pairs[most].watts,
            "bu-edp-4x": max(gains.values()),
            "ext-power-range": [min(ends["least"].values()), highest],
            "ext-router-mW": router,
            "ext-mesh-share": share,
            "ext-router-eff": [_efficiency(chip, *end) for end in (FASTEST, SLOWEST)],
        },
        trends={
            "bu-power-linear": _linear(pairs),
            "bu-power-ipc": _by_ipc(full),
            "bu-edp-order": _by_edp(full),
        },
        checks={"domains, cores and all else add up to the femtojoule": _adds_up(runs)},
        tables={
            "Power of n cores that run Share": [
                ["cores", "W", "instructions per cycle"],
                *([str(n), f"{float(m.watts):.3f}", f"{float(m.ipc):.4f}"]
                  for n, m in sorted(pairs.items())),
            ],
            "24 pairs of each program": [
                ["program", "W", "instructions per cycle", "s for 100 M instructions",
                 "energy-delay product (J s)", "gain a core over one pair"],
                *([what, f"{float(m.watts):.2f}", f"{float(m.ipc):.4f}", f"{float(m.delay_s):.3f}",
                   f"{float(m.edp):.1f}", f"{float(gains[what]):.1f}"]
                  for what, m in full.items()),
            ],
            "Least and most power": [
                ["setting", "program", "W"],
                *([job, what, f"{float(watts):.1f}"]
                  for job, found in ends.items() for what, watts in found.items()),
            ],
        },
        data={"pairs": {n: m.watts for n, m in pairs.items()}},
    )  # fmt: skip


def _linear(pairs: Mapping[int, Measured]) -> Answer:
    fit = fit_line((n, m.watts) for n, m in pairs.items())
    told = f"{fit.intercept:.2f} W and {fit.slope:.4f} W a core, r squared {fit.r_squared:.5f}"
    return Answer(fit.r_squared >= LINEAR, told)


def _by_ipc(full: Mapping[str, Measured]) -> Answer:
    by_ipc = sorted(full, key=lambda what: full[what].ipc)
    fit = fit_line((int(full[what].ipc * PS), full[what].watts) for what in by_ipc)
    indicates = fit.slope > 0 and fit.r_squared >= INDICATES
    least = all(full["share"].watts < full[what].watts for what in ("shift", "stencil"))
    told = ", ".join(
        f"{what} {float(full[what].ipc):.3f}: {float(full[what].watts):.1f} W" for what in by_ipc
    )
    return Answer(indicates and least, f"r squared {fit.r_squared:.3f}: {told}")


def _by_edp(full: Mapping[str, Measured]) -> Answer:
    order = sorted(full, key=lambda what: -full[what].edp)
    told = ", ".join(f"{what} {float(full[what].edp):.1f} Js" for what in order)
    return Answer(order == ["share", "pingpong", "shift", "stencil"], told)


def _adds_up(runs: Sequence[Run]) -> Answer:
    def sums(energy: dict[str, Any]) -> tuple[int, int, int]:
        kinds = ("tiles", "routers", "memory", "system", "clocks")
        units = sum(sum(unit.values()) for kind in kinds for unit in energy[kind])
        units += sum(core["total_fj"] for core in energy["cores"])
        domains = sum(domain["total_fj"] for domain in energy["domains"])
        return energy["total_fj"], domains, units

    found = [sums(run.energy) for run in runs if run.energy is not None]
    equal = sum(len(set(one)) == 1 for one in found)
    return Answer(equal == len(found) > 0, f"{equal} of {len(found)} runs")


def _router(runs: Sequence[Run], chip: Description) -> tuple[Fraction, Fraction]:
    """mW of a router at full load where its power was published; the mesh's share in % where most
    power was taken."""
    costs = {key: Fraction(one["value"]) for key, one in chip.values["power"]["router"].items()}
    # The nominal level is that of the publication: fJ times GHz are uW.
    assert chip.values["power"]["nominal"]["value"] == MESH_LEVEL
    cycle = costs["clock"] + PORTS * costs["flits"]
    router = (costs["leakage"] + cycle * MESH_GHZ) / NS_OF_GHZ
    shares = [
        100 * Fraction(run.energy["domains"][2]["total_fj"], run.energy["total_fj"])
        for run in runs
        if run.job.startswith("most") and run.energy is not None
    ]
    return router, max(shares)


def _efficiency(chip: Description, level: int, mhz: int) -> Fraction:
    """Tb/s that a router at full load moves for each W, at this level of its voltage."""
    costs = {key: Fraction(one["value"]) for key, one in chip.values["power"]["router"].items()}
    bits = PORTS * 8 * int(chip.values["timing"]["mesh"]["flit_bytes"]["value"])
    volts = Fraction(level, MESH_LEVEL)
    cycle = costs["clock"] + PORTS * costs["flits"]
    # fJ times MHz are nW; bits a cycle times MHz are Mb/s.
    watts = (costs["leakage"] * volts**3 / 10**6) + cycle * volts**2 * mhz / 10**9
    return Fraction(bits * mhz, 10**6) / watts
