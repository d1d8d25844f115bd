"""One row a kind of finding: all that is said of it, in the report, the story and the editor.

Texts are templates over the finding's `words`. A text that depends on more than words is a
function of the finding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from rockcreek.checking.kinds.sites import line_of, value
from rockcreek.formats import findings as formats
from rockcreek.formats.findings import Block, Named, Order, Site

Finding = Named | formats.Finding
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


def other_of(finding: Finding) -> Site:
    """The other access, of a kind that always has one."""
    culprit = finding["culprit"]
    if culprit is None:
        raise ValueError(f"{finding['kind']}: there is no other access")
    return culprit


def order_of(finding: Finding) -> Order:
    """What ordered the two accesses, of a kind that always has that."""
    order = finding["order"]
    if order is None:
        raise ValueError(f"{finding['kind']}: nothing orders the accesses")
    return order


def block_of(finding: Finding) -> Block:
    """The block, of a kind that always has one."""
    block = finding["block"]
    if block is None:
        raise ValueError(f"{finding['kind']}: there is no block")
    return block


class Words(TypedDict):
    """What a template may name."""

    core: int
    value: str
    did: str
    line: str
    type: str
    what: str
    level: str
    read: str
    # Only of a finding with a culprit.
    other: NotRequired[int]
    other_value: NotRequired[str]
    other_line: NotRequired[str]
    other_type: NotRequired[str]


def words(finding: Finding) -> Words:
    """What a template may name: cores, values and lines of both accesses, the memory, the cache."""
    victim, culprit = finding["victim"], finding["culprit"]
    known: Words = {
        "core": victim["core"],
        "value": value(victim),
        "did": "wrote" if victim.get("access", "").endswith("write") else "read",
        "line": line_of(victim),
        "type": victim["memory_type"],
        "what": finding["what"],
        "level": finding["level"],
        "read": f"core {victim['core']} read {value(victim)} in {finding['what']}",
    }
    if culprit is not None:
        known["other"] = culprit["core"]
        known["other_value"] = value(culprit)
        known["other_line"] = line_of(culprit)
        known["other_type"] = culprit["memory_type"]
    return known
