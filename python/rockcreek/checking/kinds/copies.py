"""Reads of an old copy, which the reader's own cache still holds."""

from __future__ import annotations

from rockcreek.checking.kinds.row import Finding, Kind, other_of, say
from rockcreek.checking.kinds.sites import line_of

_MPBT_WHY = (
    "L1D keeps a line of an MPBT page until CL1INVMB (bytes 0F 0A) drops it; what another"
    " core writes to the message buffer does not reach that copy."
)
_CACHED_WHY = (
    "The caches are not coherent: L1D and L2 keep a line until it is flushed or displaced, and"
    " what another core writes to memory does not reach that copy."
)
_TWO_MAPPINGS = (
    "core {core} reaches the same memory by two mappings ({other_type} at {other_line}, {type} at"
    " {line}): use one of them"
)
_TITLE = "{read} from its own old copy; core {other} had written {other_value}"
_TAKES = "its {level} takes the line: {value}"
_OLD = "reads {value} from {level}: old"


def _is_message(finding: Finding) -> bool:
    return bool(finding["victim"]["memory_type"] == "MPBT")


def _why(finding: Finding) -> str:
    return _MPBT_WHY if _is_message(finding) else _CACHED_WHY


def _remedy(finding: Finding) -> str:
    victim, culprit, order = finding["victim"], other_of(finding), finding["order"]
    if culprit["core"] == victim["core"]:
        return say(_TWO_MAPPINGS, finding)
    after = "" if order is None else f"after {line_of(order['acquired'])} and "
    missing = "CL1INVMB" if _is_message(finding) else "a flush (RCCE_DCMflush or RCCE_shflush)"
    return f"{missing} is missing on core {victim['core']}, {after}before {line_of(victim)}"


KINDS = {
    "stale-read": Kind(
        rule="A core read an old copy in its cache after another core had written.",
        title=_TITLE,
        remedy=_remedy,
        why=_why,
        last=_OLD,
        victim_cache=_TAKES,
        is_ordered=True,
    ),
    "mixed-mapping": Kind(
        rule="Memory was written past a cache that still had the line.",
        title=_TITLE,
        remedy=_remedy,
        why=_why,
        last=_OLD,
        victim_cache=_TAKES,
        is_ordered=True,
    ),
    "stale-poll": Kind(
        rule="A loop polls a cached copy that cannot change.",
        title="core {core} polls its own copy of {what}, which cannot change",
        remedy="CL1INVMB (or an uncached mapping) is missing in the loop at {line}",
        why=_why,
        last=_OLD,
        victim_cache=_TAKES,
    ),
}
