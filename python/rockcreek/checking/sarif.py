"""The findings in SARIF 2.1.0, which editors and code review show beside the line."""

from __future__ import annotations

import json
from typing import NotRequired, TypedDict

from rockcreek._version import __version__
from rockcreek.checking.kinds import KINDS
from rockcreek.checking.kinds.sites import name, own_frame
from rockcreek.formats.findings import Check, Finding, Site

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Text(TypedDict):
    """A text for people."""

    text: str


class LogicalLocation(TypedDict):
    """A function."""

    name: str | None
    kind: NotRequired[str]


class ArtifactLocation(TypedDict):
    """A file."""

    uri: str | None


class Region(TypedDict):
    """A line of a file."""

    startLine: int


class PhysicalLocation(TypedDict):
    """A line."""

    artifactLocation: ArtifactLocation
    region: Region


class Location(TypedDict):
    """A line and its function; only the function where no line is known."""

    physicalLocation: NotRequired[PhysicalLocation]
    logicalLocations: list[LogicalLocation]
    id: NotRequired[int]
    message: NotRequired[Text]


class Result(TypedDict):
    """A finding."""

    ruleId: str
    level: str
    message: Text
    locations: list[Location]
    relatedLocations: list[Location]
    occurrenceCount: int


def document(check: Check) -> str:
    """The SARIF log as text."""
    rules = [{"id": kind, "shortDescription": {"text": row.rule}} for kind, row in KINDS.items()]
    driver = {"name": "rck", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(one) for one in check["findings"]]}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _result(finding: Finding) -> Result:
    related = [("the other access", finding["culprit"])]
    if finding["order"] is not None:
        related.append(("released here", finding["order"]["released"]))
        related.append(("acquired here", finding["order"]["acquired"]))
    return {
        "ruleId": finding["kind"],
        "level": "error",
        "message": {"text": f"{finding['title']}. {finding['remedy']}."},
        "locations": [_location(finding["victim"])],
        "relatedLocations": [
            {**_location(site), "id": number, "message": {"text": text}}
            for number, (text, site) in enumerate(related)
            if site is not None and site["frames"]
        ],
        "occurrenceCount": finding["count"],
    }


def _location(site: Site) -> Location:
    frame = own_frame(site)
    if frame is None or frame["line"] is None:
        return {"logicalLocations": [{"name": name(frame)}]}
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": frame["file"]},
            "region": {"startLine": frame["line"]},
        },
        "logicalLocations": [{"name": frame["function"], "kind": "function"}],
    }
