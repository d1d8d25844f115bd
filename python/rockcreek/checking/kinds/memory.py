"""Blocks of memory: accesses beyond them or after their end, frees that go wrong, leaks."""

from __future__ import annotations

from rockcreek.checking.kinds.row import Finding, Kind, block_of, say
from rockcreek.checking.kinds.sites import line_of, own_frame, through_cxx
from rockcreek.formats.findings import Block


def of_block(block: Block) -> str:
    """The position of an address relative to a block, in words."""
    offset, size = block["offset"], block["size"]
    whole = f"a block of {bytes_of(size)}" if size is not None else "a block"
    if offset < 0:
        return f"{bytes_of(-offset)} before {whole}"
    if size is not None and offset >= size:
        behind = "right" if offset == size else bytes_of(offset - size)
        return f"{behind} behind {whole}"
    return f"byte {offset} of {whole}"


def bytes_of(count: int) -> str:
    return f"{count:,} byte" + ("" if count == 1 else "s")


def _beyond(finding: Finding) -> str:
    victim, block = finding["victim"], block_of(finding)
    size = block["size"] or 0
    did = say("core {core} {did} ", finding) + bytes_of(victim["size"])
    reach = block["offset"] + victim["size"] - size
    if 0 <= block["offset"] < size:
        return f"{did} from {of_block(block)} on: {reach} of them lie behind it"
    return f"{did} {of_block(block)}"


def _widen(finding: Finding) -> str:
    line = line_of(finding["victim"])
    return f"let {line} stay within the block, or allocate more in {_allocated(finding)}"


def _allocated(finding: Finding) -> str:
    return line_of(block_of(finding)["allocated"])


def _bad_free(finding: Finding) -> str:
    core, block = finding["victim"]["core"], finding["block"]
    if block is None:
        return f"core {core} freed {finding['what']}, which no allocation has returned"
    return f"core {core} freed {of_block(block)}, not the block's begin"


def _free_begin(finding: Finding) -> str:
    line, block = line_of(finding["victim"]), finding["block"]
    if block is None:
        return f"free in {line} only what malloc, calloc or realloc returned"
    return f"free in {line} the address that {_allocated(finding)} was given"


def _leak(finding: Finding) -> str:
    core, count = finding["victim"]["core"], finding["count"]
    blocks = "a block" if count == 1 else f"{count:,} blocks"
    them = "it" if count == 1 else "them"
    return f"core {core} never freed {blocks} {finding['what']}, and nothing points to {them}"


def _used(finding: Finding) -> str:
    core, use = finding["victim"]["core"], finding["what"]
    how = {
        "branch": f"core {core} took a branch by",
        "address": f"core {core} used as an address",
        "call": f"a system call of core {core} used",
    }
    return f"{how[use]} a value that was never written"


def _write_first(finding: Finding) -> str:
    line, made = line_of(finding["victim"]), finding["culprit"]
    if made is None:
        return f"write what {line} uses before it is read"
    what = (
        "variable on the stack of" if finding["level"] == "stack" else "block that was allocated in"
    )
    return f"write the {what} {line_of(made)} before {line} uses it"


_FREED = (
    "A freed block belongs to the allocator, which keeps its lists there and gives it away anew."
)


def _free_later(finding: Finding) -> str:
    """What to do about a use of a freed block; what freed it may be C++'s library."""
    culprit = finding["culprit"]
    freed = None if culprit is None else own_frame(culprit)
    if culprit and freed and (freed["line"] is None or through_cxx(culprit)):
        text = "let {line} not use the block any more: a container that grows or loses elements"
        return say(f"{text} frees what they were in", finding)
    return say("let {other_line} free the block after its last use, or {line} not use it", finding)


KINDS = {
    "beyond-block": Kind(
        rule="An access went beyond the block of memory that it began in or lies next to.",
        title=_beyond,
        remedy=_widen,
        why="What lies between blocks is the allocator's; what lies behind may be another block.",
        last="{did} beyond the block",
        first="{did}",
        allocates=True,
    ),
    "use-after-free": Kind(
        rule="An access to a block of memory that had been freed.",
        title=lambda one: (
            say("core {core} {did} ", one) + of_block(block_of(one)) + ", which was freed"
        ),
        remedy=_free_later,
        why=_FREED,
        last="{did} the freed block",
        first="{did}",
        second="freed",
        culprit="frees it",
        allocates=True,
    ),
    "double-free": Kind(
        rule="A block of memory was freed twice.",
        title=lambda one: (
            f"core {one['victim']['core']} freed a block of {bytes_of(block_of(one)['size'] or 0)}"
            " that was free already"
        ),
        remedy="free the block once: in {other_line} or in {line}",
        why=_FREED,
        last="frees it again",
        first="freed again",
        second="freed",
        culprit="frees it",
        allocates=True,
    ),
    "bad-free": Kind(
        rule="Something was freed that no allocation had returned.",
        title=_bad_free,
        remedy=_free_begin,
        why="The allocator finds a block by what it has written before its first byte.",
        last="frees what is no block",
        first="freed",
        allocates=True,
    ),
    "unwritten": Kind(
        rule="A branch, an address or a system call depended on memory that was never written.",
        title=_used,
        remedy=_write_first,
        why="A new block, and a new part of the stack, hold what was there before by chance.",
        last="uses it",
        first="used",
        second="made",
        culprit="makes the memory",
    ),
    "leak": Kind(
        rule="A block of memory was not freed, and nothing pointed to it at the end.",
        title=_leak,
        remedy="free the block of {line} before its last pointer is lost",
        why="Neither a variable nor another block held the block's address when the program ended.",
        last="allocates what is never freed",
        first="allocated",
    ),
}
