"""MPI's functions as the probes see them: which argument (1, 2, ...) says what.

A probe records the first seven arguments: what MPI_Sendrecv receives, and the communicator of
MPI_Gather and MPI_Scatter, are beyond.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

# MPICH's handle of MPI_COMM_WORLD, and the first byte of the handles of its own types: their size
# is in the second byte from the right.
WORLD, OWN_TYPE = 0x44000000, 0x4C
IN_PLACE = 0xFFFF_FFFF
# mpi.h of MPICH, as 32 bits.
ANY_SOURCE, ANY_TAG, PROC_NULL = 0xFFFF_FFFE, 0xFFFF_FFFF, 0xFFFF_FFFF
# Types that carry bytes of any type; an MPI_2INT may be received as two MPI_INT.
UNTYPED = (0x4C00010D, 0x4C00010F, 0x4C000816)  # MPI_BYTE, MPI_PACKED, MPI_2INT


class Kind(StrEnum):
    """What a function does."""

    SEND = "send"
    RECEIVE = "receive"
    COLLECTIVE = "collective"
    COMPLETION = "completion"  # of requests
    HIDDEN = "hidden"  # it sends or receives what the probes do not see
    OTHER = "other"


@dataclass(frozen=True)
class Function:
    """A function of MPI."""

    kind: Kind
    comm: int | None = None
    count: int | None = None
    type: int | None = None
    peer: int | None = None
    tag: int | None = None
    root: int | None = None
    # Where a request, or a list of `requests` requests, is.
    request: int | None = None
    requests: int | None = None
    # The buffer that may be MPI_IN_PLACE; count and type mean nothing then.
    buffer: int = 1

    @staticmethod
    def bytes_of(count: int, handle: int) -> int | None:
        """The size of so many elements; None for types that a program made."""
        return count * (handle >> 8 & 0xFF) if handle >> 24 == OWN_TYPE else None


@dataclass(frozen=True)
class Exchange:
    """A collective call by which each rank gets a part of equal size; the root or communicator, as
    far as a probe sees it."""

    root: int | None = None
    comm: int | None = None

    def parts(self, words: list[int]) -> tuple[int, int] | None:
        """The bytes that the call sends to a rank, and that it receives from one, where both are
        known."""
        if IN_PLACE in (words[1], words[4]):
            return None
        sent, received = (Function.bytes_of(words[n], words[n + 1]) for n in (2, 5))
        return (sent, received) if sent and received else None


def _message(kind: Kind, *, request: bool = False) -> Function:
    return Function(
        kind, count=2, type=3, peer=4, tag=5, comm=6, request=7 if request else None
    )  # fmt: skip


def _collective(comm: int, root: int | None = None, **more: int) -> Function:
    return Function(Kind.COLLECTIVE, comm=comm, root=root, **more)


_SENDS = ("Send", "Ssend", "Rsend", "Bsend")
_HIDDEN = (
    "Sendrecv", "Sendrecv_replace", "Send_init", "Ssend_init", "Rsend_init", "Bsend_init",
    "Recv_init", "Mrecv", "Imrecv", "Isendrecv", "Isendrecv_replace", "Cancel",
)  # fmt: skip
# With counts of 64 bits, which take two words.
_LARGE = tuple(
    f"{name}_c"
    for name in (*_HIDDEN, *_SENDS, *(f"I{name.lower()}" for name in _SENDS), "Recv", "Irecv")
)
FUNCTIONS: dict[str, Function] = {
    **{f"MPI_{name}": _message(Kind.SEND) for name in _SENDS},
    **{f"MPI_I{name.lower()}": _message(Kind.SEND, request=True) for name in _SENDS},
    "MPI_Recv": _message(Kind.RECEIVE),
    "MPI_Irecv": _message(Kind.RECEIVE, request=True),
    **{f"MPI_{name}": Function(Kind.HIDDEN) for name in (*_HIDDEN, *_LARGE)},
    **{
        f"MPI_{name}": Function(Kind.COMPLETION, request=1)
        for name in ("Wait", "Test", "Request_free")
    },
    **{
        f"MPI_{name}": Function(Kind.COMPLETION, requests=1, request=2)
        for name in ("Waitall", "Waitany", "Waitsome", "Testall", "Testany", "Testsome")
    },
    "MPI_Barrier": _collective(1),
    "MPI_Bcast": _collective(5, 4, count=2, type=3),
    "MPI_Reduce": _collective(7, 6, count=3, type=4, buffer=0),
    "MPI_Allreduce": _collective(6, count=3, type=4, buffer=0),
    "MPI_Scan": _collective(6, count=3, type=4, buffer=0),
    "MPI_Exscan": _collective(6, count=3, type=4, buffer=0),
    "MPI_Allgather": _collective(7, count=2, type=3),
    "MPI_Alltoall": _collective(7, count=2, type=3),
    "MPI_Comm_dup": _collective(1),
    "MPI_Comm_split": _collective(1),
}
# What one rank gives and takes in one call: counts and types to send and to receive, the root, and
# the communicator. Where a rank takes part, the two sizes must be equal.
EXCHANGES: dict[str, Exchange] = {
    "MPI_Gather": Exchange(root=7),
    "MPI_Scatter": Exchange(root=7),
    "MPI_Allgather": Exchange(comm=7),
    "MPI_Alltoall": Exchange(comm=7),
}
# Behind one of these a root of MPI_Gather may be a rank of another communicator.
MAKE_COMMUNICATORS = (
    "MPI_Comm_split", "MPI_Comm_create", "MPI_Cart_", "MPI_Graph_create", "MPI_Dist_graph",
    "MPI_Intercomm_",
)  # fmt: skip
# Calls that a program makes again and again while it waits: what they cost would be felt.
HOT = ("MPI_Wtime", "MPI_Wtick", "MPI_Iprobe", "MPI_Improbe")
# A program with these has more than one MPI_COMM_WORLD.
WORLDS = ("MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "MPI_Comm_accept", "MPI_Comm_connect")
