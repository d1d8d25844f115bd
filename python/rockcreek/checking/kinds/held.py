"""Writes that are still with their writer, in its cache or its write-combine buffer."""

from __future__ import annotations

from rockcreek.checking.kinds.row import Finding, Kind, other_of
from rockcreek.checking.kinds.sites import line_of

_BUFFER = "write-combine buffer"
_BUFFER_WHY = (
    "Stores to MPBT pages gather in the write-combine buffer. It holds one line, and sends it"
    " only when the core stores to another MPBT line; a flag by another way overtakes it."
)
_CACHE_WHY = (
    "A store to a write-back page stays in the writer's cache until the line is flushed or"
    " displaced; others read the old bytes in memory until then."
)
_STAYS = "writes {other_value}; it stays in its {level}"


def _why(finding: Finding) -> str:
    return _BUFFER_WHY if finding["level"] == _BUFFER else _CACHE_WHY


def _latest(finding: Finding) -> str:
    """Before what the missing flush must come."""
    victim, culprit, order = finding["victim"], other_of(finding), finding["order"]
    if order is not None and order["released"]["core"] == culprit["core"]:
        if order["released"]["frames"]:
            return f"before {line_of(order['released'])}"
        return f"before it interrupts core {order['acquired']['core']}"
    if culprit["core"] == victim["core"]:
        return f"before {line_of(victim)}"
    return "before it signals it"


def _remedy(finding: Finding) -> str:
    culprit = other_of(finding)
    missing = (
        "a store to another MPBT line, which drains the buffer,"
        if finding["level"] == _BUFFER
        else "a flush (RCCE_DCMflush or RCCE_shflush)"
    )
    return (
        f"{missing} is missing on core {culprit['core']}, after {line_of(culprit)}"
        f" and {_latest(finding)}"
    )


KINDS = {
    "stuck-write": Kind(
        rule="A core read memory while an earlier write was still with its writer.",
        title="{read}; the {other_value} of core {other} was still in its {level}",
        remedy=_remedy,
        why=_why,
        last="reads {value} from memory: old",
        culprit=_STAYS,
        is_ordered=True,
    ),
    "late-write": Kind(
        rule="A write reached memory after its core had signalled it, in time by luck.",
        title=(
            "{read}, which core {other} still had in its {level} when it signalled it; it reached"
            " memory in time by luck"
        ),
        remedy=_remedy,
        why=_why,
        last="reads {value} from memory; it has come there since",
        culprit=_STAYS,
        is_ordered=True,
    ),
}
