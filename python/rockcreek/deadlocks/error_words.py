"""What an error of RCCE, iRCCE, pthreads or OpenMP means for who made the call, and what to do."""

from __future__ import annotations

import errno
from dataclasses import dataclass

# RCCE.h: the first error is this + 1.
_RCCE_BASE = 1234321
_ID, _LENGTH, _COMM, _MALLOC = 3, 4, 22, 25
# systems/crf/crf_private.h: what only the layer under threads knows.
NOT_INITIALISED = 1000
# Of threads that main's return cuts off: what they are called, and what to do.
CUT_OFF = {
    1001: ("a thread", "join it (pthread_join), or end main by pthread_exit"),
    1002: (
        "a detached thread",
        "let main wait until it is done (a semaphore, a condition), or end main by pthread_exit",
    ),
}
_INIT = "call RCCE_init first and RCCE_finalize last"
_RCCE = {
    1: ("the target buffer is missing or misplaced", "pass memory that the call may write"),
    2: ("the source buffer is missing or misplaced", "pass memory that holds the data"),
    _ID: ("no such UE", "UEs are 0 to RCCE_num_ues() - 1"),
    _LENGTH: ("the sizes of send and receive differ, or the size is 0", "give both the same size"),
    5: ("the flag is not defined", "RCCE_flag_alloc comes before its first use"),
    6: ("the number of UEs is out of range", "see `rck run -n`"),
    7: ("source and target overlap", "use two buffers"),
    8: ("the address is not at the start of a line", "message buffers are used in 32 bytes"),
    9: ("no such debug flag", "see RCCE_DEBUG_ALL and the like in RCCE.h"),
    10: ("the flag is not in the message buffer", "get it from RCCE_flag_alloc"),
    11: ("the flag's status is neither set nor unset", "use RCCE_FLAG_SET or RCCE_FLAG_UNSET"),
    12: ("the flag was never allocated", "RCCE_flag_alloc comes before its first use"),
    13: ("the place for the result is missing", "pass a pointer"),
    _COMM: (
        "RCCE or the communicator is not initialized",
        f"{_INIT}; communicators come from RCCE_comm_split",
    ),
    23: ("no such reduction operator", "RCCE_SUM, RCCE_MAX, RCCE_MIN, RCCE_PROD"),
    24: ("no such reduction type", "RCCE_INT, RCCE_LONG, RCCE_FLOAT, RCCE_DOUBLE"),
    _MALLOC: ("out of memory, or the device is not available", "ask for less"),
}
_LINES = (
    "the size is no multiple of 32 bytes, or 0",
    "RCCE_put and RCCE_get move whole lines of 32 bytes: round the size up",
)
_NO_BYTES = ("the size is 0, or too large", "look at what computes the size")
_OTHER = ("it returned an error", "RCCE_error_string has its words")
# By call: what an error means there alone.
_RCCE_CALLS = {
    ("RCCE_release_lock", _ID): (
        "the caller does not hold the lock, or there is no such UE",
        "who acquires a lock releases it, once",
    ),
    ("RCCE_free", 1): (
        "no block of RCCE_malloc begins there: it was freed before, or comes from elsewhere",
        "free each block once, by the address that RCCE_malloc returned",
    ),
    ("RCCE_shfree", 1): (
        "no block of RCCE_shmalloc begins there: it was freed before, or comes from elsewhere",
        "free each block once, by the address that RCCE_shmalloc returned",
    ),
    ("RCCE_flag_alloc", 12): ("the message buffer is full", "free flags and buffers"),
    ("RCCE_put", 1): (
        "the target, with all its bytes, is not in a message buffer",
        "the target of RCCE_put comes from RCCE_malloc, and has room for the size",
    ),
    ("RCCE_get", 2): (
        "the source, with all its bytes, is not in a message buffer",
        "the source of RCCE_get comes from RCCE_malloc, and has the size",
    ),
    ("RCCE_put", _LENGTH): _LINES,
    ("RCCE_get", _LENGTH): _LINES,
    ("RCCE_bcast", _LENGTH): _NO_BYTES,
    ("RCCE_reduce", _LENGTH): _NO_BYTES,
    ("RCCE_allreduce", _LENGTH): _NO_BYTES,
}
# Allocators: which memory is full, and what to do.
ALLOCATORS = {
    "RCCE_malloc": (
        "the message buffer has no room for them",
        "ask for less: the message buffer of a core is small (8 KB on the SCC)",
    ),
    "RCCE_shmalloc": ("the shared memory has no room for them", "ask for less, or free blocks"),
}
ALLOCATORS["iRCCE_malloc"] = ALLOCATORS["RCCE_malloc"]
_THREADS = {
    ("pthread_mutex_unlock", errno.EPERM): (
        "the thread does not hold the mutex",
        "the thread that locks a mutex unlocks it, once",
    ),
    ("pthread_mutex_lock", errno.EDEADLK): (
        "the thread holds the mutex already",
        "unlock it first, or make it recursive (PTHREAD_MUTEX_RECURSIVE)",
    ),
    ("pthread_mutex_destroy", errno.EBUSY): ("a thread holds the mutex", "unlock it first"),
    ("pthread_cond_wait", errno.EPERM): (
        "the thread does not hold the mutex",
        "lock the mutex before the wait; a signal may be missed without it",
    ),
    ("pthread_rwlock_unlock", errno.EPERM): (
        "nobody holds the lock",
        "the thread that locks a read-write lock unlocks it, once",
    ),
    ("pthread_join", errno.EINVAL): (
        "the thread is detached, or another thread joins it",
        "join a thread or detach it, not both",
    ),
    ("pthread_join", errno.ESRCH): (
        "there is no such thread: it was joined before, or never made",
        "join each thread once",
    ),
    ("pthread_join", errno.EDEADLK): (
        "a thread cannot join itself",
        "let another thread join it; a variable that pthread_create has not set is the main thread",
    ),
    ("pthread_detach", errno.EINVAL): ("the thread is detached already", "detach it once"),
    ("pthread_detach", errno.ESRCH): (
        "there is no such thread: it was joined before, or never made",
        "join a thread or detach it, not both",
    ),
    ("pthread_create", errno.EAGAIN): (
        "there is no room for another thread",
        "join or detach threads that have ended; rck run -n with more cores",
    ),
    ("pthread_barrier_init", errno.EINVAL): (
        "a barrier for 0 threads",
        "pass the number of threads that come to the barrier",
    ),
    ("pthread_barrier_wait", errno.EINVAL): (
        "the barrier was never initialised",
        "pthread_barrier_init comes first, and must succeed",
    ),
    ("sem_init", errno.EINVAL): (
        "the first value is negative or too large",
        "a semaphore begins with how many may pass: 0 or more",
    ),
    ("omp_unset_lock", errno.EPERM): (
        "the thread does not hold the lock",
        "the thread that sets a lock unsets it, once",
    ),
}
_INITIALISERS = {
    "pthread_mutex": "call pthread_mutex_init, or assign PTHREAD_MUTEX_INITIALIZER",
    "pthread_rwlock": "call pthread_rwlock_init, or assign PTHREAD_RWLOCK_INITIALIZER",
    "omp_": "call omp_init_lock first",
}


@dataclass(frozen=True)
class Message:
    """Size and partner of a message whose call failed."""

    size: int
    partner: int


def of_rcce(
    call: str, code: int, message: Message | None, me: int, ues: int, theirs: int | None
) -> tuple[str, str]:
    """An error of RCCE: what is wrong, and what to do. `theirs` is the size that the partner of a
    message gave, where that is known."""
    number = code - _RCCE_BASE
    if message is not None and number == _ID:
        if message.partner == me:
            return f"UE {me} is the caller itself", "a UE cannot send to itself: copy the data"
        # A size that is a UE, and a UE that is far from one: the two are exchanged. The UE behind
        # the last one is a neighbour that is not there.
        swapped = 0 <= message.size < ues < message.partner
        return (
            f"no such UE: {message.partner} (UEs are 0 to {ues - 1})",
            f"the size comes before the UE: {call}(buffer, size, UE)"
            if swapped
            else "look at the first and the last UE, and at `rck run -n`",
        )
    if message is not None and number == _LENGTH:
        return _length(call, message, theirs)
    if call.startswith("iRCCE_") and number == _COMM:
        return _RCCE[_COMM][0], "call iRCCE_init behind RCCE_init"
    return _RCCE_CALLS.get((call, number)) or _RCCE.get(number, _OTHER)


def _length(call: str, message: Message, theirs: int | None) -> tuple[str, str]:
    if message.size == 0:
        return "the message has 0 bytes", "a message has at least one byte: look at its size"
    if message.size >> 31:
        return (
            f"a message of {message.size - (1 << 32)} bytes",
            "a message has at least one byte: look at what computes its size",
        )
    if theirs is None:
        return _RCCE[_LENGTH]
    mine, other = ("sent", "receives") if "send" in call else ("received", "sends")
    way = "to" if "send" in call else "from"
    return (
        f"{message.size} bytes are {mine} {way} UE {message.partner}, which {other} {theirs}",
        _RCCE[_LENGTH][1],
    )


def is_length(code: int) -> bool:
    """Whether the sizes of a message differ."""
    return code == _RCCE_BASE + _LENGTH


def is_buffer(code: int) -> bool:
    """Whether a buffer is missing."""
    return code - _RCCE_BASE in (1, 2)


def of_threads(call: str, error: int) -> tuple[str, str]:
    """An error of a call of pthread.h or omp.h: what is wrong, and what to do."""
    if error == NOT_INITIALISED:
        hint = next((h for name, h in _INITIALISERS.items() if call.startswith(name)), "")
        return "the lock was never initialised", hint or "initialise it first"
    words = _THREADS.get((call, error)) or _THREADS.get((call.replace("nest_", ""), error))
    name = errno.errorcode.get(error, str(error))
    return words or (f"it returned {name}", f"look at what {call} returns")


def before_or_after(state: str) -> tuple[str, str]:
    """A call of RCCE outside RCCE_init and RCCE_finalize."""
    if state == "ended":
        return "RCCE_finalize was called before", "call RCCE_finalize last"
    return "RCCE is not initialized: RCCE_init was not called before", "call RCCE_init first"
