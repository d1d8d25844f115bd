"""What went wrong in one sentence, and what is missing where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rockcreek.checking.places import line_of

_MPBT = "MPBT"


def value(site: Mapping[str, Any]) -> str:
    """What was read or written, if it is known."""
    return "it" if site["value"] is None else f"{site['value']:#x}"


def title(finding: Mapping[str, Any]) -> str:
    """The finding in one sentence."""
    victim, culprit, what = finding["victim"], finding["culprit"], finding["what"]
    core = victim["core"]
    read = f"core {core} read {value(victim)} in {what}"
    match finding["kind"]:
        case "stale-read" | "mixed-mapping":
            return (
                f"{read} from its own old copy; core {culprit['core']} had written {value(culprit)}"
            )
        case "stuck-write":
            return (
                f"{read}; the {value(culprit)} of core {culprit['core']} was still in its"
                f" {finding['level']}"
            )
        case "late-write":
            return (
                f"{read}, which core {culprit['core']} still had in its {finding['level']} when it"
                " signalled it; it reached memory in time by luck"
            )
        case "lost-update":
            return (
                f"core {core}'s {value(victim)} in {what} was overwritten with old bytes when core"
                f" {culprit['core']} wrote the line back from its {finding['level']}"
            )
        case "lost-write":
            return (
                f"core {core}'s {value(victim)} in {what} was dropped from its L1D, never written"
            )
        case "stale-poll":
            return f"core {core} polls its own copy of {what}, which cannot change"
        case "early-read":
            return (
                f"{read}, which core {culprit['core']} had not yet written: nothing makes core"
                f" {core} wait for its {value(culprit)}"
            )
        case "overwritten":
            return (
                f"core {culprit['core']} wrote {value(culprit)} over the {value(victim)} in {what}"
                f" that core {core} reads: nothing makes core {culprit['core']} wait for that"
            )
        case "never-read":
            return (
                f"core {core} wrote {value(victim)} in {what} and then {value(culprit)} over it,"
                " before anybody had read it"
            )
        case "race":
            return f"{read}, and core {culprit['core']} wrote {value(culprit)}: nothing orders them"
        case "double-write":
            other = "another core also" if culprit is None else _wrote(culprit)
            return f"core {core} wrote {value(victim)} in {what} and {other}: nothing orders them"
        case _:
            held = "nobody holds" if culprit is None else f"core {culprit['core']} holds"
            return f"core {core} released the {what}, which {held}"


def _wrote(culprit: Mapping[str, Any]) -> str:
    return f"core {culprit['core']} {value(culprit)}"


def _between(line: str, culprit: Mapping[str, Any] | None) -> str:
    return f"before {line}" if culprit is None else f"between {line} and {line_of(culprit)}"


def remedy(finding: Mapping[str, Any]) -> str:
    """What is missing, on which core, between which lines."""
    victim, culprit, order = finding["victim"], finding["culprit"], finding["order"]
    reads, message = line_of(victim), victim["memory_type"] == _MPBT
    match finding["kind"]:
        case "stale-read" | "mixed-mapping":
            after = "" if order is None else f"after {line_of(order['acquired'])} and "
            if culprit["core"] == victim["core"]:
                return (
                    f"core {victim['core']} reaches the same memory by two mappings"
                    f" ({culprit['memory_type']} at {line_of(culprit)}, {victim['memory_type']} at"
                    f" {reads}): use one of them"
                )
            missing = "CL1INVMB" if message else "a flush (RCCE_DCMflush or RCCE_shflush)"
            return f"{missing} is missing on core {victim['core']}, {after}before {reads}"
        case "stuck-write" | "late-write":
            before = (
                f"before {reads}" if culprit["core"] == victim["core"] else "before it signals it"
            )
            if order is not None and order["released"]["core"] == culprit["core"]:
                tells = order["released"]
                known = f"before {line_of(tells)}" if tells["frames"] else None
                before = known or f"before it interrupts core {order['acquired']['core']}"
            missing = {
                "write-combine buffer": "a store to another MPBT line, which drains the buffer,",
            }.get(finding["level"], "a flush (RCCE_DCMflush or RCCE_shflush)")
            return (
                f"{missing} is missing on core {culprit['core']}, after {line_of(culprit)}"
                f" and {before}"
            )
        case "lost-update":
            both = " and ".join(dict.fromkeys([line_of(victim), line_of(culprit)]))
            return (
                f"{both}: the cores write to one line of 32 bytes that core {culprit['core']}"
                " caches: give each core lines of its own (a multiple of 32 bytes, aligned to 32)"
            )
        case "lost-write":
            return (
                f"CL1INVMB or INVD dropped what {line_of(victim)} stored into a line that L1D held:"
                f" map the page write-through, or CL1INVMB before the store"
            )
        case "stale-poll":
            return f"CL1INVMB (or an uncached mapping) is missing in the loop at {reads}"
        case "early-read":
            return (
                f"core {victim['core']} must wait before {reads} until core {culprit['core']} has"
                f" done {line_of(culprit)}: by a flag or a barrier"
            )
        case "overwritten":
            return (
                f"core {culprit['core']} must wait before {line_of(culprit)} until core"
                f" {victim['core']} has done {reads}: by a flag that the reader sets, or a barrier"
            )
        case "never-read":
            reader = order["acquired"]
            return (
                f"core {culprit['core']} must wait before {line_of(culprit)} until core"
                f" {reader['core']} has done {line_of(reader)}: by a flag that the"
                " reader sets, or a barrier"
            )
        case "race" | "double-write":
            where = _between(reads, culprit)
            return f"let one core wait for the other {where}: by a flag, a lock or a barrier"
        case _:
            return f"release a lock only where it was acquired; see {reads}"
