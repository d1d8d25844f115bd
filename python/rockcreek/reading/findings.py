"""The schema of the checker's findings in a result, for `rck explain`."""

from __future__ import annotations

from typing import TypedDict

from rockcreek.formats.findings import Check, Finding, Site
from rockcreek.reading import documents

_HINT = "`rck run --check coherence --json FILE prog` writes one"
# Kinds that concern one core alone: findings of all other kinds name the other access.
_ALONE = (
    "stale-poll",
    "lock-misuse",
    "double-write",
    "beyond-block",
    "bad-free",
    "leak",
    "unwritten",
)


class Checked(TypedDict):
    """A result of a run that was checked."""

    check: Check


def load(path: str) -> list[Finding]:
    """The findings in a result."""
    document = documents.json(path, hint=_HINT)
    if not isinstance(document, dict) or "check" not in document:
        raise documents.misfit(path, "", "holds no findings of a checked run", _HINT)
    check = documents.typed(document, Checked, path, hint=_HINT)["check"]
    for number, finding in enumerate(check["findings"]):
        place = f"check.findings[{number}]"
        order, block = finding["order"], finding["block"]
        for name, site in (
            ("victim", finding["victim"]),
            ("culprit", finding["culprit"]),
            ("order.released", order and order["released"]),
            ("order.acquired", order and order["acquired"]),
            ("block.allocated", block and block["allocated"]),
        ):
            what = _misfit(site) if site else None
            if what is not None:
                raise documents.misfit(path, f"{place}.{name}", what, _HINT)
        if finding["culprit"] is None and finding["kind"] not in _ALONE:
            raise documents.misfit(path, f"{place}.culprit", "expected an access", _HINT)
    found: list[Finding] = document["check"]["findings"]
    return found


def _misfit(site: Site) -> str | None:
    """A mistake in an access that the types do not exclude; None if there is none."""
    if site["frames"] and site["place"] >= len(site["frames"]):
        return f"expected a place below {len(site['frames'])}"
    if any(one["line"] is not None and one["file"] is None for one in site["frames"]):
        return "expected a file for each line"
    return None
