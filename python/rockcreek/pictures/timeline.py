"""A run over its time as SVG, without any library: a row for each core, marks, the chip's power.

With samples (`--sample T`) rows are in the colours of a metric; without, they show until when each
core ran.
"""

from __future__ import annotations

from collections.abc import Sequence

from rockcreek.formats.result import CoreEnd, Result
from rockcreek.pictures import metrics, svg
from rockcreek.pictures.metrics import METRICS, Moment

_LEFT, _WIDE, _ROW, _HEAD, _FOOT = 34, 640, 10, 30, 22
_POWER, _GAP = 70, 10
_ENDED, _FAILED, _MARK = svg.KINDS[0], svg.KINDS[4], svg.KINDS[6]


def draw(result: Result, metric: str = "ipc", *, theme: str = "auto") -> str:
    """The picture."""
    cores, time_ps = result["cores"], result["time_ps"] or 1
    moments = metrics.moments(result, metric)
    what = "until each core ended"
    if moments:
        most = max(v for one in moments for v in one.cores.values()) or 1
        what = f"{METRICS[metric]}, bright: up to {most:.4g}"
    name = svg.text(f"{result['program']['name']} on {len(cores)} cores: {what}")
    parts = [f'<text x="{_LEFT}" y="19" font-size="13">{name}</text>']
    for row, one in enumerate(cores):
        top = _HEAD + row * _ROW
        if row % 4 == 0:
            label = f'y="{top + 8}" font-size="9" text-anchor="end"'
            parts.append(f'<text x="{_LEFT - 4}" {label}>{svg.text(one["core"])}</text>')
        parts += (
            _cells(one["core"], moments, most, top, time_ps) if moments else _bar(one, top, time_ps)
        )
    parts += _marks(result, time_ps)
    bottom = _HEAD + len(cores) * _ROW
    power = _power(result, bottom + _GAP, time_ps)
    parts += power
    bottom += _POWER + _GAP if power else 0
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        label = f'y="{bottom + 15}" font-size="10" text-anchor="{anchor}"'
        parts.append(
            f'<text x="{_LEFT + share * _WIDE:g}" {label}>{svg.clock(int(share * time_ps))}</text>'
        )
    return svg.picture(_LEFT + _WIDE + 12, bottom + _FOOT, parts, theme)


def _at(time_ps: int, whole_ps: int) -> float:
    return _LEFT + _WIDE * time_ps / whole_ps


def _cells(core: int, moments: Sequence[Moment], most: float, top: int, whole_ps: int) -> list[str]:
    parts = []
    for one in moments:
        left, right = _at(one.start_ps, whole_ps), _at(one.end_ps, whole_ps)
        told = f"core {core}, {svg.clock(one.start_ps)} to {svg.clock(one.end_ps)}"
        parts.append(
            f'<rect x="{left:.1f}" y="{top}" width="{right - left + 0.1:.1f}" height="{_ROW - 1}"'
            f' fill="{svg.colour(one.cores[core] / most)}" shape-rendering="crispEdges">'
            f"<title>{svg.text(told)}: {one.cores[core]:.4g}</title></rect>"
        )
    return parts


def _bar(one: CoreEnd, top: int, whole_ps: int) -> list[str]:
    end = whole_ps if one["end_ps"] is None else one["end_ps"]
    tint = _ENDED if one["reason"] == "exit" and not one["exit_code"] else _FAILED
    told = f"core {one['core']}: {one['reason']} at {svg.clock(end)}"
    return [
        (
            f'<rect x="{_LEFT}" y="{top}" width="{_WIDE * end / whole_ps:.1f}" height="{_ROW - 2}"'
            f' fill="{tint}"><title>{svg.text(told)}</title>'
            "</rect>"
        )
    ]


def _marks(result: Result, whole_ps: int) -> list[str]:
    rows = {one["core"]: _HEAD + row * _ROW for row, one in enumerate(result["cores"])}
    return [
        f'<rect x="{_at(mark["time_ps"], whole_ps) - 1:.1f}" y="{rows[mark["core"]]}" width="2"'
        f' height="{_ROW}" fill="{_MARK}"><title>mark {svg.text(mark["id"])}</title></rect>'
        for mark in result["marks"]
        if mark["core"] in rows
    ]


def _power(result: Result, top: int, whole_ps: int) -> list[str]:
    """The chip's power, as a line of steps."""
    energy = result.get("energy")
    if not energy or not energy["samples"]["end_ps"]:
        return []
    samples, before = energy["samples"], energy["samples"]["start_ps"]
    steps = []
    for end, domains in zip(samples["end_ps"], samples["domains_fj"], strict=True):
        if end > before:
            steps.append((before, end, sum(domains) / (end - before) * 1e-3))
        before = end
    most = max((watts for _, _, watts in steps), default=0) or 1
    path = "".join(
        f"{'L' if n else 'M'}{_at(start, whole_ps):.1f},{top + _POWER * (1 - watts / most):.1f}"
        f"H{_at(end, whole_ps):.1f}"
        for n, (start, end, watts) in enumerate(steps)
    )
    floor = top + _POWER
    return [
        f'<path d="{path}" fill="none" stroke="{svg.KINDS[1]}" stroke-width="1.5"/>',
        f'<path d="M{_LEFT},{floor}h{_WIDE}" style="stroke:var(--rck-rule)"/>',
        f'<text x="{_LEFT + 3}" y="{floor - 5}" font-size="10">power, up to {most:.4g} W</text>',
    ]
