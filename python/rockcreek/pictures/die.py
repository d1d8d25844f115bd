"""The die as SVG, without any library: cores in the colour of a metric, links as wide and bright as
what they carried; of a whole run, of one moment of it, or as an animation over all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rockcreek.formats.result import CoreEnd, Result
from rockcreek.pictures import metrics, svg
from rockcreek.pictures.metrics import METRICS, Link, Moment

_WIDE, _HIGH, _GAP_X, _GAP_Y = 76, 42, 30, 24
_LEFT, _HEAD, _FOOT = 12, 34, 30
_STEPS = {"east": (1, 0), "west": (-1, 0), "north": (0, -1), "south": (0, 1)}
# The two ways of a link lie beside each other.
_SIDE, _WIDEST = 5, 8
_SECONDS = 0.25  # of a moment in an animation


def draw(
    result: Result,
    metric: str = "ipc",
    *,
    at: Moment | None = None,
    theme: str = "auto",
    title: str = "",
) -> str:
    """A run in mean, or one of its moments."""
    seen = at or Moment(0, result["time_ps"], metrics.values(result, metric), metrics.links(result))
    when = "" if at is None else f", {svg.clock(at.start_ps)} to {svg.clock(at.end_ps)}"
    return _picture(result, [seen], f"{title or _title(result)}: {METRICS[metric]}{when}", theme)


def animate(
    result: Result,
    metric: str,
    moments: Sequence[Moment],
    *,
    theme: str = "auto",
) -> str:
    """A run over its moments, again and again; all in the same scale of colours."""
    return _picture(result, moments, f"{_title(result)}: {METRICS[metric]}", theme)


def _title(result: Result) -> str:
    return f"{result['program']['name']} on {len(result['cores'])} cores"


def _picture(result: Result, moments: Sequence[Moment], title: str, theme: str) -> str:
    columns, rows = result["chip"]["columns"], result["chip"]["rows"]
    width = 2 * _LEFT + columns * (_WIDE + _GAP_X) - _GAP_X
    bottom = _HEAD + rows * (_HIGH + _GAP_Y) - _GAP_Y
    most = max((v for one in moments for v in one.cores.values()), default=0) or 1
    flits = max((v for one in moments for v in one.links.values()), default=0)
    told = f"{svg.text(title)}, bright: up to {most:.4g}"
    parts = [f'<text x="{_LEFT}" y="20" font-size="13">{told}</text>']
    parts += _links(moments, flits, rows)
    parts += _tiles(columns, rows)
    parts += _cores(result["cores"], moments, most, rows)
    parts.append(
        f'<text x="{_LEFT}" y="{bottom + 21}" font-size="11">links: up to {flits:,} flits; of each'
        " two the right one, seen that way</text>"
    )
    high = bottom + _FOOT
    if len(moments) > 1:
        parts += _clock(moments, width, high)
        high += _FOOT
    return svg.picture(width, high, parts, theme)


def _corner(x: int, y: int, rows: int) -> tuple[int, int]:
    return _LEFT + x * (_WIDE + _GAP_X), _HEAD + (rows - 1 - y) * (_HIGH + _GAP_Y)


def _links(moments: Sequence[Moment], most: int, rows: int) -> list[str]:
    carried: dict[Link, int] = {}
    for moment in moments:
        for link, flits in moment.links.items():
            carried[link] = carried.get(link, 0) + flits
    parts = []
    for (x, y, way), flits in sorted(carried.items()):
        dx, dy = _STEPS[way]
        left, top = _corner(x, y, rows)
        # The right-hand side of the way.
        from_x = left + _WIDE / 2 - dy * _SIDE
        from_y = top + _HIGH / 2 + dx * _SIDE
        to_x, to_y = from_x + dx * (_WIDE + _GAP_X), from_y + dy * (_HIGH + _GAP_Y)
        shares = [one.links.get((x, y, way), 0) / (most or 1) for one in moments]
        parts.append(
            f"<g><title>link of tile {svg.text(f'{x},{y} {way}')}: {flits:,} flits</title>"
            f'<line x1="{from_x:g}" y1="{from_y:g}" x2="{to_x:g}" y2="{to_y:g}"'
            f' stroke="{_link_colour(shares[0])}" stroke-width="{_link_width(shares[0])}">'
            f"{_over_time('stroke', shares, _link_colour)}"
            f"{_over_time('stroke-width', shares, _link_width)}</line></g>"
        )
    return parts


def _link_colour(share: float) -> str:
    return svg.colour(0.25 + 0.75 * share)


def _link_width(share: float) -> str:
    return f"{1 + _WIDEST * share:.2g}"


def _tiles(columns: int, rows: int) -> list[str]:
    parts = []
    for x in range(columns):
        for y in range(rows):
            left, top = _corner(x, y, rows)
            parts.append(
                f'<rect x="{left}" y="{top}" width="{_WIDE}" height="{_HIGH}" rx="4"'
                ' style="fill:var(--rck-panel);stroke:var(--rck-rule)"/>'
            )
    return parts


def _cores(
    cores: Sequence[CoreEnd], moments: Sequence[Moment], most: float, rows: int
) -> list[str]:
    tiles: dict[tuple[int, int], list[int]] = {}
    for one in cores:
        tiles.setdefault((one["tile"]["x"], one["tile"]["y"]), []).append(one["core"])
    parts = []
    for (x, y), inside in sorted(tiles.items()):
        left, top = _corner(x, y, rows)
        # Two places even if one core of the tile takes part.
        wide = (_WIDE - 4) / max(2, len(inside))
        for place, core in enumerate(sorted(inside)):
            found = [one.cores[core] for one in moments]
            shares = [value / most for value in found]
            at = left + 3 + place * wide
            told = f"{found[0]:.4g}" if len(found) == 1 else f"up to {max(found):.4g}"
            parts.append(
                f"<g><title>{svg.text(f'core {core}, tile {x},{y}: {told}')}</title>"
                f'<rect x="{at:g}" y="{top + 3}" width="{wide - 2:g}" height="{_HIGH - 6}" rx="3"'
                f' fill="{svg.colour(shares[0])}">{_over_time("fill", shares, svg.colour)}</rect>'
                f'<text x="{at + wide / 2 - 1:g}" y="{top + _HIGH / 2 + 5:g}" font-size="13"'
                f' text-anchor="middle" fill="{svg.ink(shares[0])}">{svg.text(core)}'
                f"{_over_time('fill', shares, svg.ink)}</text></g>"
            )
    return parts


def _over_time(attribute: str, shares: Sequence[float], text: Callable[[float], str]) -> str:
    """An attribute that takes one value after the other, for ever; nothing if it never changes."""
    texts = [text(share) for share in shares]
    if len(set(texts)) < 2:
        return ""
    return (
        f'<animate attributeName="{attribute}" dur="{_SECONDS * len(texts):g}s"'
        f' calcMode="discrete" repeatCount="indefinite" values="{";".join(texts)}"/>'
    )


def _clock(moments: Sequence[Moment], width: float, top: float) -> list[str]:
    """A bar that grows with simulated time."""
    whole = width - 2 * _LEFT
    start, end = moments[0].start_ps, moments[-1].end_ps
    shares = [(one.end_ps - start) / (end - start) for one in moments]
    bar = f'x="{_LEFT}" y="{top}" height="6" rx="2"'
    return [
        f'<rect {bar} width="{whole:g}" style="fill:var(--rck-rule)"/>',
        (
            f'<rect {bar} width="{whole * shares[0]:.1f}" fill="{svg.KINDS[0]}">'
            f"{_over_time('width', shares, lambda share: f'{whole * share:.1f}')}</rect>"
        ),
        f'<text x="{_LEFT}" y="{top + 20}" font-size="11">{svg.clock(start)}</text>',
        (
            f'<text x="{_LEFT + whole:g}" y="{top + 20}" font-size="11" text-anchor="end">'
            f"{svg.clock(end)}</text>"
        ),
    ]
