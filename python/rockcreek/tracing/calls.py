"""What calls of a program mean in its trace: both ends of messages, and marks.

A message is an arrow. The nth message of one UE to another is received by the nth receive there of
that UE, whatever functions send and receive: RCCE and iRCCE keep that order. An arrow's number
says pair and place in it, so that each end knows it alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rockcreek.results.messages import (
    ANY,
    COLLECTIVE,
    ENTRIES,
    MESSAGE,
    RECEIVE,
    RECEIVES,
    TAKE_ANY,
    Call,
    CallReader,
    Entry,
)
from rockcreek.software.image import Image

# What, a name in place of the function's, category, values, arrow and whether it ends here, number.
Note = tuple[str, str | None, str | None, list[tuple[str, int]], "tuple[int, bool] | None", int]
MARKS = {
    "rck_mark": "instant",
    "rck_region_begin": "begin",
    "rck_region_end": "end",
    "rck_mark_value": "value",
}
_LONGEST_NAME = 120
_UE_BITS, _COUNT_BITS = 12, 40
_SIGN, _WORD = 1 << 31, 1 << 32


class Calls:
    """Reads the calls of one run."""

    def __init__(
        self, cores: Sequence[int], program: Image, *, messages: bool, marks: bool
    ) -> None:
        # Collectives are read, too: they show which call sent a message.
        entries = [e for e in (*ENTRIES, *RECEIVES) if e.kind in (MESSAGE, RECEIVE, COLLECTIVE)]
        self._reader = CallReader(cores, program, entries if messages else ())
        self._program = program
        self._counts: dict[tuple[str, int, int], int] = {}
        # UEs of which it is not known any more which message is received by which call.
        self._unsure: set[int] = set()
        names = program.symbols if marks else {}
        self.marks: Mapping[int, str] = {names[n]: k for n, k in MARKS.items() if n in names}

    @property
    def ends(self) -> list[int]:
        """Where functions begin that send or receive."""
        both = (MESSAGE, RECEIVE)
        return [address for address, e in self._reader.entries.items() if e.kind in both]

    @property
    def addresses(self) -> list[int]:
        """All that must be watched."""
        return [*self._reader.entries, *self.marks]

    def read(self, call: Call) -> Note | None:
        """What the trace is to say of a call; None if nobody waits for that."""
        address, words = call[1], call[3]
        if address in self.marks:
            number = words[2] - _WORD if words[2] & _SIGN else words[2]
            return (self.marks[address], self._text(words[1]), "mark", [], None, number)
        entry = self._reader.entries.get(address)
        if entry is None:
            return None
        entry, part_of, size, peers = self._reader.read(call)
        if entry.kind not in (MESSAGE, RECEIVE):
            return None
        own = self._reader.rank(call[0])
        if entry.kind == RECEIVE and self._blurs(entry, words):
            self._unsure.add(own)
        known = size is not None and (part_of not in (MESSAGE, RECEIVE) or entry.name == TAKE_ANY)
        if not known or not peers:
            return ("call", None, None, [], None, 0)
        values = [("bytes", size)] if size and size != ANY else []
        arrows = [self._arrow(entry.kind, own, peer) for peer in peers]
        if len(peers) > 1:
            # A slice has one arrow: those of a multicast are only counted.
            return ("call", None, "message", values, None, 0)
        values.append(("to" if entry.kind == MESSAGE else "from", peers[0]))
        return ("call", None, "message", values, arrows[0], 0)

    def _blurs(self, entry: Entry, words: Sequence[int]) -> bool:
        """Whether later receives may be of other messages than their number says."""
        if entry.peer is None:
            return True
        return words[entry.peer] == ANY and not self._reader.ours

    def _arrow(self, kind: str, own: int, peer: int) -> tuple[int, bool] | None:
        pair = (own, peer) if kind == MESSAGE else (peer, own)
        count = self._counts.get((kind, *pair), 0) + 1
        self._counts[kind, *pair] = count
        if kind == RECEIVE and own in self._unsure:
            return None
        return ((pair[0] << _UE_BITS | pair[1]) << _COUNT_BITS | count, kind == RECEIVE)

    def _text(self, address: int) -> str:
        data = self._program.bytes_at(address, _LONGEST_NAME)
        text = data.split(b"\0", 1)[0].decode(errors="replace")
        return text or f"{address:#010x}"
