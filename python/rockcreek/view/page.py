"""A result (and the profile of the same run) as one page: data, style and scripts in one file."""

from __future__ import annotations

import json
import linecache
from collections.abc import Mapping
from html import escape
from pathlib import Path, PurePath
from typing import Any

from rockcreek.errors import InputError
from rockcreek.pictures.metrics import ENERGIES, METRICS, moments, values
from rockcreek.results import cycle_profile

_HERE = Path(__file__).parent
_SCRIPTS = ("colours.js", "die.js", "matrix.js", "timeline.js", "lines.js", "page.js")
# Source lines that are shown, those with most cycles first.
_LINES = 60
# And as much of each.
_LONGEST = 160


def build(result: Mapping[str, Any], profile: Mapping[str, Any] | None = None) -> str:
    """The page's text."""
    try:
        data = reduce(result, profile)
    except (KeyError, IndexError, TypeError) as error:
        raise InputError(
            f"this is no result that can be shown: {error!r} is missing",
            path="",
            hint="`rck run --json FILE` of this version writes one",
        ) from error
    # No text of the data can end the element that holds it.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    scripts = "\n".join((_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    page = (_HERE / "page.html").read_text(encoding="utf-8")
    # The data is filled in last: nothing in it is taken for a place to fill.
    for name, value in (
        ("@TITLE@", escape(f"{data['program']} on {len(data['cores'])} cores")),
        ("@STYLE@", (_HERE / "page.css").read_text(encoding="utf-8")),
        ("@SCRIPT@", scripts),
        ("@DATA@", text),
    ):
        page = page.replace(name, value, 1)
    return page


def reduce(result: Mapping[str, Any], profile: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the page shows, and no more."""
    energy = result.get("energy")
    metrics = {name: values(result, name) for name in METRICS if name not in ENERGIES or energy}
    watched = result.get("messages") or {}
    links = result["statistics"]["mesh"]["link_flits"]
    return {
        "program": result["program"]["name"],
        "arguments": result["program"]["arguments"],
        "chip": result["chip"],
        "end": result["end"],
        "exit_code": result["exit_code"],
        "errors": result["errors"],
        "time_ps": result["time_ps"],
        "instructions": result["instructions"],
        "totals": result["totals"],
        "columns": result["chip"]["columns"],
        "rows": result["chip"]["rows"],
        "metrics": {name: METRICS[name] for name in metrics},
        "cores": [
            {
                **{key: one[key] for key in ("core", "rank", "reason", "exit_code", "end_ps")},
                "x": one["tile"]["x"],
                "y": one["tile"]["y"],
                "waits": one["waits"],
                "values": {name: found[one["core"]] for name, found in metrics.items()},
            }
            for one in result["cores"]
        ],
        "links": [
            {"x": n % result["chip"]["columns"], "y": n // result["chip"]["columns"], **one}
            for n, one in enumerate(links)
        ],
        "ues": watched.get("ues", 0),
        "messages": watched.get("messages", []),
        "marks": result["marks"],
        "power": _power(energy),
        "moments": _moments(result, metrics),
        "lines": None if profile is None else lines(profile),
    }


def _moments(result: Mapping[str, Any], metrics: Mapping[str, Any]) -> dict[str, Any]:
    """What cores and links did over time: values in the order of the cores, links as they come."""
    found = {name: moments(result, name) for name in metrics}
    order = [one["core"] for one in result["cores"]]
    first = next(iter(found.values()))
    return {
        "spans": [[one.start_ps, one.end_ps] for one in first],
        "values": {
            name: [[float(f"{one.cores[core]:.4g}") for core in order] for one in series]
            for name, series in found.items()
        },
        "links": [
            [[x, y, way, flits] for (x, y, way), flits in one.links.items() if flits]
            for one in first
        ],
    }


def _power(energy: Mapping[str, Any] | None) -> list[list[float]]:
    """Instants in ps and the mean power in W until then."""
    if energy is None:
        return []
    samples = energy["samples"]
    found, before = [], samples["start_ps"]
    for end, domains in zip(samples["end_ps"], samples["domains_fj"], strict=True):
        if end > before:
            found.append([end, sum(domains) / (end - before) * 1e-3])
        before = end
    return found


def lines(profile: Mapping[str, Any]) -> dict[str, Any]:
    """The source lines with most cycles over all cores, by cause, and the cycles of all lines."""
    places = cycle_profile.ranked(profile)
    return {
        "cycles": sum(sum(causes.values()) for _, causes in places),
        "rows": [
            {
                "where": _name(profile["places"][place]),
                "text": _source(profile["places"][place]),
                "causes": causes,
            }
            for place, causes in places[:_LINES]
        ],
    }


def _source(place: Mapping[str, Any]) -> str:
    """The line itself, if its file is at hand."""
    if place["line"] is None:
        return ""
    path = Path(place["file"])
    text = linecache.getline(str(path), place["line"]) if path.is_absolute() else ""
    return text.strip()[:_LONGEST]


def _name(place: Mapping[str, Any]) -> str:
    line = "" if place["line"] is None else f"{PurePath(place['file']).name}:{place['line']}"
    where = ", ".join(part for part in (place["image"], line) if part)
    return f"{place['function'] or '?'} ({where})"
