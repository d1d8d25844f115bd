"""The calls of the guest's libraries in which a program waits: by which name they are known, and
which argument (0, 1, ...) says what.

Bit flags have calls of their own, `NAME_bit`, whose flags are structures of three words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from rockcreek.chip import Chip
from rockcreek.software.image import Image

# What a name of the libraries begins with; the program's own functions have none of these.
OF_MPI = (
    "MPI_", "PMPI_", "MPIX_", "MPID_", "MPIDI_", "MPIR_", "MPIC_", "MPIDU_", "MPL_", "rckmpi_",
)  # fmt: skip
LIBRARY = ("RCCE_", "rcce_", "iRCCE_", "ircce_", "coll_", "RC_", *OF_MPI)
# MPICH's handle of MPI_COMM_WORLD, the one communicator whose ranks are those of the run.
MPI_WORLD = 0x44000000
BIT = "_bit"


class Kind(StrEnum):
    """The kind of event for which a core waits."""

    RECEIVE = "receive"  # a message
    SEND = "send"  # that a message is fetched
    REQUEST = "request"  # one of iRCCE's requests, or a list of them
    FLAG = "flag"  # a flag of the program's own
    SIGNAL = "signal"  # a step of a collective
    BARRIER = "barrier"
    COLLECTIVE = "collective"  # of MPI
    LOCK = "lock"  # a test-and-set register
    TICKET = "ticket"  # its turn, by an atomic counter
    MAIL_SEND = "mail-send"  # room in a mailbox
    MAIL_RECEIVE = "mail-receive"
    MPI = "mpi"  # something of MPI whose arguments are not read
    OTHER = "other"  # it is not in a call that is known here


@dataclass(frozen=True)
class Call:
    """A call that may wait."""

    name: str
    kind: Kind
    peer: int | None = None  # the UE; for a lock whose register it is
    size: int | None = None
    flag: int | None = None
    status: int | None = None
    group: int | None = None  # a communicator, or a group of the collectives
    rank: int | None = None  # in that group
    request: int | None = None
    tag: int | None = None  # MPI's, as the communicator
    comm: int | None = None

    @property
    def is_weak(self) -> bool:
        """Other calls are made of it: what they wait for says more."""
        return self.kind in (Kind.FLAG, Kind.SIGNAL)


_CALLS = (
    Call("RCCE_recv", Kind.RECEIVE, peer=2, size=1),
    Call("RCCE_send", Kind.SEND, peer=2, size=1),
    Call("RCCE_recv_gory", Kind.RECEIVE, peer=6, size=5),
    Call("RCCE_send_gory", Kind.SEND, peer=6, size=5),
    # The original library's, behind both.
    Call("RCCE_recv_general", Kind.RECEIVE, peer=6, size=5),
    Call("RCCE_send_general", Kind.SEND, peer=6, size=5),
    Call("iRCCE_mrecv", Kind.RECEIVE, peer=2, size=1),
    Call("iRCCE_probe", Kind.RECEIVE, peer=0),
    Call("iRCCE_isend_wait", Kind.REQUEST, request=0),
    Call("iRCCE_irecv_wait", Kind.REQUEST, request=0),
    Call("iRCCE_wait_all", Kind.REQUEST, request=0),
    Call("iRCCE_wait_any", Kind.REQUEST, request=0),
    Call("RCCE_wait_until", Kind.FLAG, flag=0, status=1),
    Call("iRCCE_wait_until", Kind.FLAG, flag=0, status=1),
    Call("iRCCE_wait_tagged", Kind.FLAG, flag=0, status=1),
    Call("rcce_coll_await", Kind.SIGNAL, group=0, rank=1),
    Call("RCCE_barrier", Kind.BARRIER, group=0),
    Call("rcce_coll_barrier", Kind.BARRIER, group=0),
    Call("RCCE_tas_barrier", Kind.BARRIER),
    Call("RCCE_air_barrier", Kind.BARRIER),
    Call("RCCE_acquire_lock", Kind.LOCK, peer=0),
    Call("RCCE_spin_lock", Kind.LOCK, peer=0),
    Call("RCCE_backoff_lock", Kind.LOCK, peer=0),
    Call("RCCE_air_acquire", Kind.TICKET),
    Call("MPI_Recv", Kind.RECEIVE, peer=3, tag=4, comm=5),
    Call("MPI_Probe", Kind.RECEIVE, peer=0, tag=1, comm=2),
    Call("MPI_Mprobe", Kind.RECEIVE, peer=0, tag=1, comm=2),
    Call("MPI_Send", Kind.SEND, peer=3, tag=4, comm=5),
    Call("MPI_Ssend", Kind.SEND, peer=3, tag=4, comm=5),
    Call("MPI_Sendrecv", Kind.RECEIVE, peer=8, tag=9, comm=10),
    Call("MPI_Barrier", Kind.BARRIER, comm=0),
    *(
        Call(name, Kind.COLLECTIVE, comm=comm)
        for name, comm in {
            "MPI_Bcast": 4,
            "MPI_Reduce": 6,
            "MPI_Allreduce": 5,
            "MPI_Gather": 7,
            "MPI_Scatter": 7,
            "MPI_Allgather": 6,
            "MPI_Alltoall": 6,
            "MPI_Gatherv": 8,
            "MPI_Scatterv": 8,
            "MPI_Alltoallv": 8,
            "MPI_Scan": 5,
        }.items()
    ),
    *(
        Call(name, Kind.MPI)
        for name in (
            "MPI_Wait",
            "MPI_Waitall",
            "MPI_Waitany",
            "MPI_Waitsome",
            "MPI_Finalize",
            "MPI_Comm_accept",
            "MPI_Comm_connect",
            "MPI_Comm_spawn",
            "MPI_Comm_disconnect",
            "MPI_Win_fence",
            "MPI_Comm_dup",
            "MPI_Comm_split",
        )
    ),
    Call("RCCE_mail_send", Kind.MAIL_SEND, peer=0, size=2),
    Call("RCCE_mail_recv", Kind.MAIL_RECEIVE),
)
CALLS = {call.name: call for call in _CALLS}
# With requests: which of them are lists, and which receive.
LISTS = ("iRCCE_wait_all", "iRCCE_wait_any")
# The kernel's own, for programs that read and write its devices: the argument with the mail.
KERNEL_MAIL = {"mailbox_write": Kind.MAIL_SEND, "mailbox_read": Kind.MAIL_RECEIVE}
MAIL_BUFFER = 1


def known(name: str) -> tuple[Call, bool] | None:
    """The call of this name, and whether its flags are bits."""
    call = CALLS.get(name.removesuffix(BIT))
    return None if call is None else (call, name.endswith(BIT))


def is_library(name: str) -> bool:
    """Whether a function of this name is the libraries' own; `rcce_coll_group` and its like are
    inline, code of the program, and have no name of their own there."""
    return name.startswith(LIBRARY)


def watch(chip: Chip, cores: Iterable[int], program: Image) -> None:
    """Notes from now on when each core last called what may wait; costs no simulated time."""
    names = [*CALLS, *(name + BIT for name in CALLS)]
    addresses = [program.symbols[name] for name in names if name in program.symbols]
    for core in cores if addresses else ():
        chip.set_probes(core, addresses)
