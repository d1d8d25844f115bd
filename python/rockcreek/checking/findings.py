"""What the checker has found, as a result holds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rockcreek.checking import remedies
from rockcreek.checking.places import Places
from rockcreek.checking.suppressions import Suppressions
from rockcreek.chip import Chip
from rockcreek.software.image import Image

SCHEMA_NAME = "rockcreek-check"
SCHEMA_VERSION = 1
LOCK_MISUSE = "lock-misuse"
_NOBODY = 0xFFFF
# Functions by which a program marks what orders its cores (rck_check.h).
_RELEASE, _ACQUIRE = "rck_check_release", "rck_check_acquire"


def begin(chip: Chip, cores: Sequence[int], program: Image) -> None:
    """Checks a chip that is about to run a program."""
    releases, acquires = (
        [program.symbols[name]] if name in program.symbols else [] for name in (_RELEASE, _ACQUIRE)
    )
    chip.start_check(cores, releases, acquires)


def collect(
    chip: Chip, kernel: Image, program: Image, suppressions: Suppressions | None = None
) -> dict[str, Any]:
    """All findings, with names. Those that are suppressed are counted alone."""
    places = Places(chip, kernel, program)
    all_findings = [_finding(raw, places) for raw in chip.check_findings()]
    known = suppressions or Suppressions(())
    kept = [finding for finding in all_findings if not known.match(finding)]
    return {
        "schema": {"name": SCHEMA_NAME, "version": SCHEMA_VERSION},
        "findings": [{"number": n, **finding} for n, finding in enumerate(kept, 1)],
        "suppressed": len(all_findings) - len(kept),
    }


def _finding(raw: dict[str, Any], places: Places) -> dict[str, Any]:
    victim = places.site(raw["victim"])
    holder = raw["culprit"]["core"]
    lock = raw["kind"] == LOCK_MISUSE
    culprit = None if lock and holder == _NOBODY else places.site(raw["culprit"])
    order = raw["order"]
    if order is not None:
        order = {
            "kind": order["kind"],
            "released": places.site(order["released"]),
            "acquired": places.site(order["acquired"]),
        }
    what = (
        places.lock(raw["unit"])
        if lock
        else places.owner(raw["unit"], raw["offset"], victim["address"])
    )
    finding = {
        "kind": raw["kind"],
        "what": what,
        "unit": raw["unit"],
        "offset": raw["offset"],
        "victim": victim,
        "culprit": culprit,
        "level": raw["level"],
        "since_ps": raw["since_ps"],
        "order": order,
        "count": raw["count"],
    }
    return {**finding, "title": remedies.title(finding), "remedy": remedies.remedy(finding)}
