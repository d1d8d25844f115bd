"""Half round trips and throughput by size, for three ways to send; packages in a stream."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, fit_line
from rockcreek.repro.runs import Run

Curve = dict[int, Fraction]  # ns of one message, by bytes
WAYS = ("rcce", "ircce", "pipelined")
LINE_MAX = 1024  # sizes up to which one chunk holds the message in every way


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    period = Fraction(chip.core_period_ps, 1000)
    times: dict[tuple[str, int], Curve] = {}
    streams: dict[int, Curve] = {}
    for run in runs:
        curve: Curve = {}
        if run.job == "packages":
            streams[run.cores[1]["core"]] = _stream(run, period)
            continue
        for line in run.text.splitlines():
            size, rounds, cycles = map(int, line.split())
            curve[size] = cycles * period / (2 * rounds)
        times[run.values["way"], run.cores[1]["core"]] = curve
    near = min(core for _, core in times)
    largest = max(times["rcce", near])
    fits = {
        key: fit_line([(n, ns) for n, ns in c.items() if n <= LINE_MAX]) for key, c in times.items()
    }
    linear = min(fit.r_squared for fit in fits.values())
    plain, pipelined = times["ircce", near][largest], times["pipelined", near][largest]
    return Findings(
        values={"msvm-rcce-peak-size": _peak(streams[near])},
        checks={
            "the time of a message that fits one chunk is linear in its size": Answer(
                linear > 0.99,
                "\n".join(
                    f"{way}, core {core}: {fit.intercept:.0f} ns + {fit.slope:.2f} ns a byte,"
                    f" R² {fit.r_squared:.4f}"
                    for (way, core), fit in fits.items()
                ),
            ),
            "two pieces under way beat one chunk at a time for messages of many chunks": Answer(
                pipelined < plain,
                f"{largest} bytes: {float(pipelined / 1000):.1f} us against"
                f" {float(plain / 1000):.1f} us",
            ),
        },
        tables={
            f"One message (us; MB/s), cores 0 and {core}": _table(times, core)
            for core in sorted({core for _, core in times})
        }
        | {"Packages in a stream from core 0 (MB/s), by the receiver": _packages(streams)},
        data={
            "ns": {f"{way} {core}": curve for (way, core), curve in times.items()},
            "packages": streams,
        },
    )


def _stream(run: Run, period: Fraction) -> Curve:
    curve = {}
    for line in run.text.splitlines():
        size, count, cycles = map(int, line.split())
        curve[size] = cycles * period / count
    return curve


def _peak(curve: Curve) -> int:
    """The size of the highest throughput."""
    return max(curve, key=lambda size: size / curve[size])


def _table(times: dict[tuple[str, int], Curve], core: int) -> list[list[str]]:
    rows = [["bytes", *WAYS]]
    for size in times["rcce", core]:
        told = [times[way, core][size] for way in WAYS]
        cells = [f"{float(ns / 1000):.2f}; {float(1000 * size / ns):.1f}" for ns in told]
        rows.append([str(size), *cells])
    return rows


def _packages(streams: dict[int, Curve]) -> list[list[str]]:
    rows = [["bytes", *(f"core {core}" for core in sorted(streams))]]
    for size in streams[min(streams)]:
        told = [1000 * size / streams[core][size] for core in sorted(streams)]
        rows.append([str(size), *(f"{float(speed):.1f}" for speed in told)])
    return rows
