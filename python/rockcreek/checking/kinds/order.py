"""Accesses that nothing orders, though the program needs an order."""

from __future__ import annotations

from rockcreek.checking.kinds.row import Finding, Kind, order_of, say
from rockcreek.checking.kinds.sites import line_of

_UNORDERED = (
    "Neither access waits for the other, directly or by others: at other clocks or distances"
    " their order is another one."
)
_OF_A_STACK = (
    "or give the thread static or allocated memory, since a variable ends with its function"
)
_READS = "reads {value} from {level}"


def _double(finding: Finding) -> str:
    other = "another core also"
    if finding["culprit"] is not None:
        other = say("core {other} {other_value}", finding)
    return say("core {core} wrote {value} in {what} and ", finding) + (
        f"{other}: nothing orders them"
    )


def _one_waits(finding: Finding) -> str:
    victim, culprit = line_of(finding["victim"]), finding["culprit"]
    where = f"before {victim}" if culprit is None else f"between {victim} and {line_of(culprit)}"
    wait = f"let one core wait for the other {where}: by a flag, a lock or a barrier"
    return f"{wait}; {_OF_A_STACK}" if finding["what"].startswith("the stack of ") else wait


def _wait_for_reader(finding: Finding) -> str:
    reader = order_of(finding)["acquired"]
    return say("core {other} must wait before {other_line} until core ", finding) + (
        f"{reader['core']} has done {line_of(reader)}: by a flag that the reader sets, or a barrier"
    )


KINDS = {
    "early-read": Kind(
        rule="A message buffer was read before it was written; its reader did not wait.",
        title=(
            "{read}, which core {other} had not yet written: nothing makes core {core} wait for its"
            " {other_value}"
        ),
        remedy=(
            "core {core} must wait before {line} until core {other} has done {other_line}: by a"
            " flag or a barrier"
        ),
        why=_UNORDERED,
        last=_READS,
        is_race=True,
    ),
    "overwritten": Kind(
        rule="A message buffer was overwritten; its writer did not wait for its reader.",
        title=(
            "core {other} wrote {other_value} over the {value} in {what} that core {core} reads:"
            " nothing makes core {other} wait for that"
        ),
        remedy=(
            "core {other} must wait before {other_line} until core {core} has done {line}: by a"
            " flag that the reader sets, or a barrier"
        ),
        why=_UNORDERED,
        last=_READS,
        is_race=True,
    ),
    "never-read": Kind(
        rule="A message was overwritten before it was read.",
        title=(
            "core {core} wrote {value} in {what} and then {other_value} over it, before anybody had"
            " read it"
        ),
        remedy=_wait_for_reader,
        why=(
            "Between the two writes the writer heard nothing from the reader: it cannot know that"
            " the first message was taken."
        ),
        last="writes {value}: lost",
        first="written",
        second="overwritten",
        late="too late",
        is_race=True,
    ),
    "race": Kind(
        rule="A read and another core's write of the same bytes have no order.",
        title="{read}, and core {other} wrote {other_value}: nothing orders them",
        remedy=_one_waits,
        why=_UNORDERED,
        last=_READS,
        is_race=True,
    ),
    "double-write": Kind(
        rule="Two cores wrote the same bytes, with no order between the writes.",
        title=_double,
        remedy=_one_waits,
        why=_UNORDERED,
        last="writes {value}",
        first="written",
        second="written too",
        is_race=True,
    ),
}
