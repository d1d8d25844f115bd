"""The die as SVG, without any library: each core in the colour of a metric's value.

The colours are those of "cividis", which people of any colour vision tell apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

# Ends and middle of cividis, from little to much.
_SCALE = ((0, 34, 78), (124, 123, 120), (254, 232, 56))
_TILE, _GAP, _HEAD = 76, 8, 26
METRICS = {
    "ipc": "instructions per cycle",
    "waiting": "share of cycles that waited",
    "misses": "lines from beyond L1",
    "instructions": "instructions",
    "energy": "energy in mJ",
}


def values(result: Mapping[str, Any], metric: str) -> dict[int, float]:
    """A metric of each core of a run, from the JSON document of its result."""
    energies = {
        one["core"]: one["total_fj"] * 1e-12
        for one in (result.get("energy") or {}).get("cores", [])
    }
    found = {}
    for entry in result["cores"]:
        core = entry["core"]
        counters = result["statistics"]["cores"][core]
        cycles = counters["cycles"] or 1
        found[core] = {
            "ipc": counters["core"]["instructions"] / cycles,
            "waiting": counters["core"]["waiting_cycles"] / cycles,
            "misses": sum(n for key, n in counters["cache"].items() if "_fills_" in key),
            "instructions": counters["core"]["instructions"],
            "energy": energies.get(core, 0.0),
        }[metric]
    return found


def colour(share: float) -> str:
    """Of a share from 0 to 1.

    >>> colour(0.0), colour(0.5), colour(1.0)
    ('#00224e', '#7c7b78', '#fee838')
    """
    low, high = (_SCALE[0], _SCALE[1]) if share < 0.5 else (_SCALE[1], _SCALE[2])
    part = (share if share < 0.5 else share - 0.5) * 2
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(low, high, strict=True))


def draw(cores: Sequence[Mapping[str, Any]], found: Mapping[int, float], title: str) -> str:
    """These cores (entries of a result) at their tiles; row 0 of the mesh is at the bottom."""
    width = 1 + max(one["tile"]["x"] for one in cores)
    height = 1 + max(one["tile"]["y"] for one in cores)
    most = max(found.values(), default=0) or 1
    tiles: dict[tuple[int, int], list[int]] = {}
    for one in cores:
        tiles.setdefault((one["tile"]["x"], one["tile"]["y"]), []).append(one["core"])
    parts = []
    for (x, y), inside in sorted(tiles.items()):
        left = x * (_TILE + _GAP) + _GAP
        top = _HEAD + (height - 1 - y) * (_TILE // 2 + _GAP)
        wide = _TILE / len(inside)
        for place, core in enumerate(inside):
            share = found[core] / most
            ink = "#000" if share > 0.55 else "#fff"
            at = left + place * wide
            parts.append(
                f"<g><title>core {core}, tile {x},{y}: {found[core]:.4g}</title>"
                f'<rect x="{at:g}" y="{top}" width="{wide - 2:g}" height="{_TILE // 2}" rx="3"'
                f' fill="{colour(share)}"/><text x="{at + wide / 2 - 1:g}" y="{top + 24}"'
                f' fill="{ink}" text-anchor="middle" font-size="13">{core}</text></g>'
            )
    whole = width * (_TILE + _GAP) + _GAP
    high = _HEAD + height * (_TILE // 2 + _GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {high}" width="{whole}"'
        f' font-family="sans-serif"><text x="{_GAP}" y="17" font-size="13"'
        f' fill="currentColor">{escape(title)}, at most {most:.4g}</text>{"".join(parts)}</svg>'
    )


def timeline(cores: Sequence[Mapping[str, Any]], time_ps: int) -> str:
    """How long each core ran: one bar for each, in rank order."""
    whole, row = 500, 9
    parts = []
    for place, one in enumerate(cores):
        end = time_ps if one["end_ps"] is None else one["end_ps"]
        tint = colour(0.25 if one["reason"] == "exit" else 0.9)
        parts.append(
            f"<g><title>core {one['core']}: {one['reason']} at {end / 1e6:.3f} us</title>"
            f'<rect x="4" y="{_HEAD + place * row}" width="{whole * end / (time_ps or 1):.1f}"'
            f' height="{row - 2}" fill="{tint}"/></g>'
        )
    high = _HEAD + len(cores) * row + 4
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole + 8} {high}"'
        f' width="{whole + 8}" font-family="sans-serif"><text x="4" y="17" font-size="13"'
        f' fill="currentColor">until each core ended, of {time_ps / 1e6:.3f} us</text>'
        f"{''.join(parts)}</svg>"
    )
