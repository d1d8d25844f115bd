"""Messages under way: a send and its receive that a stop has met in the middle.

Both UEs wait for each other all the time, chunk by chunk: that is no cycle of waits while time goes
on. How much has arrived is counted by probes: each return from the wait for the receiver's answer
in our library's send is one chunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rockcreek.chip import Chip
from rockcreek.deadlocks.calls import Kind
from rockcreek.deadlocks.guest_memory import GuestMemory
from rockcreek.inspection.backtrace import Frame
from rockcreek.software.image import Image

if TYPE_CHECKING:
    from rockcreek.deadlocks.waits import Wait
    from rockcreek.formats import waiting as formats

# In our RCCE: the loop of a send, the call in it that waits for an answer, the bytes of a chunk.
_LOOP, _ANSWER, _CHUNK = "rcce_transmit", "rcce_signal_wait", "rcce_chunk"
_CALL = "RCCE_send"  # whose chunks are of that size


@dataclass(frozen=True)
class Sent:
    """A message of MPI that no receive took."""

    source: int
    target: int
    tag: int
    call: str
    place: Frame


@dataclass(frozen=True)
class Transfer:
    """A message of which a part may have arrived."""

    sender: int
    receiver: int
    size: int | None
    moved: int | None  # bytes that the receiver has; None: not known
    place: str

    def in_words(self) -> str:
        """A sentence with sender, receiver, size and progress."""
        size = "a message" if self.size is None else f"{self.size} bytes"
        if self.moved is not None and self.size is not None:
            size = f"{self.moved} of {size}"
        where = f", at {self.place}" if self.place else ""
        return f"UE {self.sender} sends {size} to UE {self.receiver}{where}"

    def to_dict(self) -> formats.Transfer:
        return {
            "from": self.sender,
            "to": self.receiver,
            "size": self.size,
            "moved": self.moved,
        }


def watch(chip: Chip, cores: Iterable[int], program: Image) -> None:
    """Counts the chunks of sends from now on; costs no simulated time."""
    start = program.symbols.get(_LOOP)
    if start is None or _CALL not in program.symbols:
        return
    size = next((size for at, size, _ in program.functions if at == start), 0)
    steps = [at for at in program.returns_from((_ANSWER,)) if start <= at < start + size]
    for core in cores if steps else ():
        chip.set_probes(core, steps, step=True)


def find(chip: Chip, program: Image, waits: Mapping[int, Wait]) -> list[Transfer]:
    """The sends whose receives wait for them, of as many bytes."""
    memory = GuestMemory(chip, program)
    found = []
    for wait in waits.values():
        other = waits.get(wait.peers[0]) if len(wait.peers) == 1 else None
        if wait.kind != Kind.SEND or other is None or other.kind != Kind.RECEIVE:
            continue
        sizes = {size for size in (wait.size, other.size) if size is not None and size > 0}
        if wait.rank not in other.peers or len(sizes) > 1:
            continue
        size = next(iter(sizes), None)
        moved = _moved(chip, memory, wait, size)
        place = str(wait.place) if wait.place else ""
        found.append(Transfer(wait.rank, other.rank, size, moved, place))
    return found


def _moved(chip: Chip, memory: GuestMemory, wait: Wait, size: int | None) -> int | None:
    """How many bytes have been answered for since the call began."""
    entry = memory.symbols.address(_CALL)
    chunk = memory.variable(wait.core, _CHUNK)
    if wait.call != _CALL or entry is None or not chunk or size is None:
        return None
    steps = chip.probe_steps(wait.core).get(entry)
    return None if steps is None else min(steps * chunk, size)
