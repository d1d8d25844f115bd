"""Messages of a run, reported to a function one by one, with the chip stopped at each."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from rockcreek.chip import Chip
from rockcreek.chip.stops import Reached
from rockcreek.results.messages import CallReader
from rockcreek.software import image

# On a stack: the return address and the arguments of the longest call.
_WORDS = 8


@dataclass(frozen=True)
class Message:
    """A call that sends, or that puts or gets bytes of a message buffer."""

    call: str  # the entry point: RCCE_send, ...
    kind: str  # message, put, get or collective
    time_ps: int
    core: int
    source: int  # ranks
    targets: tuple[int, ...]
    bytes: int
    part_of: str | None  # the kind of call that made this one, if a library did


def observe_messages(
    chip: Chip, call: Callable[[Message], object], program: str | Path, cores: Iterable[int]
) -> None:
    """Call a function at each message, put, get and collective of RCCE, iRCCE and MPI.

    `program` is the file that runs on `cores`, in the order of ranks. The chip stands at the call's
    first instruction.
    """
    ranks = tuple(cores)
    reader = CallReader(ranks, image.read(program))

    def reached(at: Reached) -> None:
        stack = chip.read_linear(at.core, at.esp, 4 * _WORDS) or bytes(4 * _WORDS)
        words = list(struct.unpack(f"<{_WORDS}I", stack))
        entry, part_of, size, targets = reader.read((at.core, at.eip, at.esp, words))
        if size is None:
            return
        source = reader.rank(at.core)
        call(Message(entry.label, entry.kind, at.time_ps, at.core, source, targets, size, part_of))

    chip.observe_code(reached, reader.entries, ranks)
