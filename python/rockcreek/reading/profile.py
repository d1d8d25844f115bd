"""The schema of a cycle profile (docs/guide/profile.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rockcreek.formats.common import Headed
from rockcreek.formats.cycle_profile import Profile
from rockcreek.reading import PROFILE, PROFILE_VERSION, documents

_HINT = "`rck run --profile FILE` writes profiles"


def load(path: str) -> Profile:
    """A profile from its file."""
    document = documents.json(path, hint=_HINT)
    if not isinstance(document, dict) or "schema" not in document:
        raise documents.misfit(path, "", "is not a profile", _HINT)
    schema = documents.typed(document, Headed, path, hint=_HINT)["schema"]
    if (schema["name"], schema["version"]) != (PROFILE, PROFILE_VERSION):
        raise documents.misfit(path, "", f"is not a profile of version {PROFILE_VERSION}", _HINT)
    profile = documents.typed(document, Profile, path, hint=_HINT)
    for place, what in _misfits(profile):
        raise documents.misfit(path, place, what, _HINT)
    return cast("Profile", document)


def _misfits(profile: Profile) -> Iterator[tuple[str, str]]:
    count = len(profile["places"])
    roi = profile.get("roi")
    of_region = [] if roi is None else roi["rows"]
    for name, rows in (("rows", profile["rows"]), ("roi.rows", of_region)):
        for number, row in enumerate(rows):
            if row["place"] >= count:
                yield f"{name}[{number}].place", f"expected the number of one of {count} places"
    for number, place in enumerate(profile["places"]):
        if place["line"] is not None and place["file"] is None:
            yield f"places[{number}].file", "expected a file, for there is a line"
