"""What the error classes of MPI mean for who made the call, and what to do."""

from __future__ import annotations

from rockcreek.ranks.calls_of_mpi import FUNCTIONS, WORLD, Function, Kind

# mpi.h of MPICH: an error code has its class in the low seven bits.
_CLASS = 0x7F
_BUFFER, _RANK, _ROOT, _OTHER = 1, 6, 7, 15
_ROOTS = {"MPI_Bcast": 4, "MPI_Reduce": 6, "MPI_Gather": 7, "MPI_Scatter": 7}
_NO_NEIGHBOUR = "MPI_PROC_NULL stands for a neighbour that is not there"
_WORDS = {
    _BUFFER: ("a buffer is missing", "pass memory that the call may use"),
    2: ("the count is negative", "look at what computes the count"),
    3: (
        "the datatype is not valid, or was not committed",
        "call MPI_Type_commit before the first use of a type",
    ),
    4: ("the tag is out of range", "tags are 0 or more; MPI_ANY_TAG is for receives alone"),
    5: ("the communicator is not valid", "MPI_Comm_split gives MPI_COMM_NULL to who is not in"),
    _RANK: ("no such rank", f"look at the first and the last rank; {_NO_NEIGHBOUR}"),
    _ROOT: ("no such root", "a root is a rank, from 0 to the size of the communicator less 1"),
    9: ("the operation does not fit the type", "MPI_SUM and the like are for numbers"),
    12: ("an argument is not valid", "see the lines of MPI above"),
    14: (
        "a message is longer than the buffer that it is received into",
        "give the receive at least the count and type of the send; look for sends of equal tag",
    ),
    19: (
        "the request is not valid: it was never started, or is over",
        "set requests to MPI_REQUEST_NULL first, and wait for each once",
    ),
}
_LAST_CLASS = ("the call failed", "see the lines of MPI above")
_TO_ITSELF = (
    "the message goes to the rank itself, which has not begun to receive it",
    "begin the receive first (MPI_Irecv), or call MPI_Sendrecv",
)
_ALIASED = (
    "the buffers to send from and to receive into are the same",
    "pass MPI_IN_PLACE for the buffer to send from (of MPI_Reduce: at the root alone)",
)


def of(name: str, code: int, words: list[int], rank: int, ranks: int) -> tuple[str, str]:
    """An error of MPI of a rank: what is wrong, and what to do. `words`: return address and
    arguments of the call."""
    number = code & _CLASS
    if number == _BUFFER and 0 != words[1] == words[2]:
        return _ALIASED
    if number == _OTHER and name in ("MPI_Init", "MPI_Init_thread"):
        return "MPI was initialised before", "call MPI_Init once"
    what, hint = _WORDS.get(number, _LAST_CLASS)
    function = FUNCTIONS.get(name)
    if number == _OTHER and _is_to_itself(function, words, rank):
        return _TO_ITSELF
    if number == _RANK and function is not None and function.kind in (Kind.SEND, Kind.RECEIVE):
        assert function.peer is not None
        what = f"{what}: {_signed(words[function.peer])} (ranks are 0 to {ranks - 1})"
    if number == _ROOT and name in _ROOTS:
        what = f"{what}: {_signed(words[_ROOTS[name]])} (ranks are 0 to {ranks - 1})"
    return what, hint


def _is_to_itself(function: Function | None, words: list[int], rank: int) -> bool:
    """Whether the call sends to the rank that makes it."""
    if function is None or function.kind != Kind.SEND or function.comm is None:
        return False
    return words[function.comm] == WORLD and words[function.peer or 0] == rank


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word
