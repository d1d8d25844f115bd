"""A result (and the profile of the same run) as one page: data, style and scripts in one file.

The page may come of anybody's result and be mailed, so nothing in it can do anything but show: data
are of the expected kinds (`shape`) and become texts alone (`dom.js`); no script or style runs that
is not these files' own, by its hash; the view lies in a frame without an origin, which can neither
read nor send anything, nor lead the window elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Collection, Mapping
from html import escape
from pathlib import Path, PurePath

from rockcreek.errors import InputError
from rockcreek.formats.cycle_profile import Place, Profile
from rockcreek.formats.energy import Energy
from rockcreek.formats.result import Result
from rockcreek.pictures.metrics import ENERGIES, METRICS, moments, values
from rockcreek.reading.sources import OURS, Sources
from rockcreek.results import cycle_profile
from rockcreek.view import shape
from rockcreek.view.data import Data, Lines, Moments

_HERE = Path(__file__).parent
_SCRIPTS = "dom.js colours.js die.js matrix.js timeline.js lines.js page.js".split()
# Source lines that are shown: those with most cycles.
_LINES = 60


def build(
    result: Result,
    profile: Profile | None = None,
    sources: Sources | None = None,
) -> str:
    """The page's text: the view in a frame of its own."""
    try:
        data: Data = shape.fit(reduce(result), shape.SHAPE)
        found = None if profile is None else lines(profile, sources or Sources([]))
        data["lines"] = found and shape.fit(found, shape.LINES, "profile")
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InputError(
            f"this is no result that can be shown: {error!r} is missing",
            path="",
            hint="`rck run --json FILE` of this version writes one",
        ) from error
    title = escape(f"{data['program']} on {len(data['cores'])} cores")
    return _filled(
        "frame.html",
        {
            "@POLICY@": _policy(),
            "@STYLE@": _text("frame.css"),
            "@TITLE@": title,
            "@VIEW@": escape(view(data)),
        },
    )


def view(data: Data) -> str:
    """The document in the frame."""
    # No text of the data can end the element that holds it.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    parts = {"@POLICY@": _policy(), "@STYLE@": _text("page.css"), "@SCRIPT@": _script()}
    return _filled("page.html", {**parts, "@DATA@": text})


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _script() -> str:
    return "\n".join(map(_text, _SCRIPTS))


def _policy() -> str:
    """What the documents may load and run: their own script and styles, known by their hashes."""

    def source(text: str) -> str:
        # As the element holds it.
        digest = hashlib.sha256(f"\n{text}\n".encode()).digest()
        return f"'sha256-{base64.b64encode(digest).decode()}'"

    styles = " ".join(source(_text(name)) for name in ("page.css", "frame.css"))
    return (
        f"default-src 'none'; script-src {source(_script())}; style-src {styles};"
        " base-uri 'none'; form-action 'none'"
    )


def _filled(name: str, parts: Mapping[str, str]) -> str:
    """A page with its places filled, in one pass: no data is taken for a place to fill."""
    return re.sub("@[A-Z]+@", lambda place: parts[place[0]], _text(name))


def reduce(result: Result) -> Data:
    """What the page shows of a result."""
    energy = result.get("energy")
    metrics = {name: values(result, name) for name in METRICS if name not in ENERGIES or energy}
    watched = result.get("messages")
    links = result["statistics"]["mesh"]["link_flits"]
    return {
        "program": result["program"]["name"],
        "arguments": result["program"]["arguments"],
        "chip": result["chip"],
        "end": result["end"],
        "errors": result["errors"],
        "time_ps": result["time_ps"],
        "instructions": result["instructions"],
        "totals": result["totals"],
        "columns": result["chip"]["columns"],
        "rows": result["chip"]["rows"],
        "metrics": {name: METRICS[name] for name in metrics},
        "cores": [
            {
                "core": one["core"],
                "rank": one["rank"],
                "reason": one["reason"],
                "exit_code": one["exit_code"],
                "end_ps": one["end_ps"],
                "x": one["tile"]["x"],
                "y": one["tile"]["y"],
                "waits": one["waits"],
                "values": {name: found[one["core"]] for name, found in metrics.items()},
            }
            for one in result["cores"]
        ],
        "links": [
            {
                "x": n % result["chip"]["columns"],
                "y": n // result["chip"]["columns"],
                "east": one["east"],
                "west": one["west"],
                "north": one["north"],
                "south": one["south"],
            }
            for n, one in enumerate(links)
        ],
        "ues": watched["ues"] if watched else 0,
        "messages": watched["messages"] if watched else [],
        "marks": result["marks"],
        "power": _power(energy),
        "moments": _moments(result, metrics),
    }


def _moments(result: Result, metrics: Collection[str]) -> Moments:
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


def _power(energy: Energy | None) -> list[list[float]]:
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


def lines(profile: Profile, sources: Sources) -> Lines:
    """The source lines with most cycles over all cores, by cause, the program's own first, and the
    cycles of all lines."""
    places = cycle_profile.ranked(profile)
    shown = sorted(places[:_LINES], key=lambda row: _is_library(profile["places"][row[0]]))
    return {
        "cycles": sum(sum(causes.values()) for _, causes in places),
        "rows": [
            {
                "where": _name(profile["places"][place]),
                "text": sources.line(
                    profile["places"][place]["file"], profile["places"][place]["line"]
                ),
                "causes": causes,
            }
            for place, causes in shown
        ],
    }


def _is_library(place: Place) -> bool:
    return place["image"] == "kernel" or not place["file"] or OURS.match(place["file"]) is not None


def _name(place: Place) -> str:
    line = "" if place["line"] is None else f"{PurePath(place['file'] or '').name}:{place['line']}"
    where = ", ".join(part for part in (place["image"], line) if part)
    return f"{place['function'] or '?'} ({where})"
