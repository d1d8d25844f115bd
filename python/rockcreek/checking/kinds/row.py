"""One row a kind of finding: all that is said of it, in the report, the story and the editor.

Texts are templates over the finding's `words`. A text that depends on more than words is a
function of the finding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rockcreek.checking.kinds.sites import line_of, value

Finding = Mapping[str, Any]
Text = str | Callable[[Finding], str]


@dataclass(frozen=True)
class Kind:
    """A kind of finding. The victim is the access that went wrong, the culprit the other one."""

    # The kind in general, for editors.
    rule: str
    # This finding in one sentence, and what is missing where.
    title: Text
    remedy: Text
    # What of the chip makes it happen.
    why: Text
    # What the victim's access did, in the picture.
    last: Text
    # The two accesses in the report.
    first: Text = "read"
    second: str = "written"
    # What the culprit did, in the picture.
    culprit: str = "writes {other_value}"
    # What the victim's, or the culprit's, cache did to the line at `since_ps`.
    victim_cache: str | None = None
    culprit_cache: str | None = None
    # What the first access that came after the culprit did, where that matters.
    late: str | None = None
    # Whether an order between the two accesses is part of the picture.
    is_ordered: bool = False
    # Whether nothing orders the two accesses.
    is_race: bool = False
    # Whether the two cores use different bytes of one line.
    shares_line: bool = False
    # Whether the picture begins where the block of memory was allocated.
    allocates: bool = False


def say(text: Text, finding: Finding) -> str:
    """The text, with the words of this finding."""
    return text(finding) if callable(text) else text.format_map(words(finding))


def words(finding: Finding) -> dict[str, Any]:
    """What a template may name: cores, values and lines of both accesses, the memory, the cache."""
    victim, culprit = finding["victim"], finding["culprit"]
    known = {
        "core": victim["core"],
        "value": value(victim),
        "did": "wrote" if str(victim.get("access", "")).endswith("write") else "read",
        "line": line_of(victim),
        "type": victim["memory_type"],
        "what": finding["what"],
        "level": finding["level"],
        "read": f"core {victim['core']} read {value(victim)} in {finding['what']}",
    }
    if culprit is not None:
        known |= {
            "other": culprit["core"],
            "other_value": value(culprit),
            "other_line": line_of(culprit),
            "other_type": culprit["memory_type"],
        }
    return known
