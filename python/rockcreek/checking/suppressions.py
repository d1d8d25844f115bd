"""Findings that are known and shall not be reported: a TOML file.

[[suppress]]
kind = "stale-read"        # one of the kinds; all if it is missing
function = "show_*"        # in a frame of one of the two accesses
file = "stale.c"           # the same
why = "the example shows what goes stale"

Libraries of systems bring such files: their races that are meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import PurePath

from msgspec import Struct
from msgspec.structs import asdict

from rockcreek.formats.findings import Frame, Named
from rockcreek.reading import documents
from rockcreek.resources import GUEST

_HINT = "[[suppress]] has kind, function, file and `why`: what makes the finding harmless"


class _Rule(Struct, forbid_unknown_fields=True):
    why: str
    kind: str | None = None
    function: str | None = None
    file: str | None = None


class _File(Struct, forbid_unknown_fields=True):
    suppress: list[_Rule] = []


class Suppressions:
    """Rules, each of which names findings."""

    def __init__(self, rules: Iterable[Mapping[str, str]]) -> None:
        self.rules = list(rules)

    @classmethod
    def read(cls, path: str) -> Suppressions:
        """The rules in a file."""
        document = documents.toml(path)
        rules = documents.typed(document, _File, path, hint=_HINT).suppress
        return cls([{key: value for key, value in asdict(rule).items() if value} for rule in rules])

    @classmethod
    def of_libraries(cls) -> Suppressions:
        """The suppressions of the systems' libraries (`systems/NAME/check.toml`)."""
        files = sorted(GUEST.glob("sysroot/check/*.toml"))
        return cls(rule for file in files for rule in cls.read(str(file)).rules)

    def match(self, finding: Named) -> bool:
        """Whether a rule names this finding."""
        return any(_names(rule, finding) for rule in self.rules)


def _frames(finding: Named) -> Iterator[Frame]:
    for site in (finding["victim"], finding["culprit"]):
        yield from site["frames"] if site is not None else ()


def _names(rule: Mapping[str, str], finding: Named) -> bool:
    if rule.get("kind", finding["kind"]) != finding["kind"]:
        return False
    frames = list(_frames(finding))
    function, file = rule.get("function"), rule.get("file")
    by_function = function is None or any(
        fnmatchcase(frame["function"] or "", function) for frame in frames
    )
    by_file = file is None or any(
        fnmatchcase(PurePath(frame["file"] or "").name, file) for frame in frames
    )
    return by_function and by_file
