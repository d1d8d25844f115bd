"""How the microkernel's objects lie in memory.

The layouts are those of systems/l4/kernel/kernel.h; a test compares them with the header.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum

WORD = ctypes.c_uint32
_HALF = ctypes.c_uint16


class Kind(IntEnum):
    """The kinds of objects that are looked at."""

    TASK = 1
    THREAD = 2
    GATE = 3
    LOG = 7
    REPLY = 10  # of a slot: the right to answer a caller that was kept


class State(IntEnum):
    """What a thread does; with TIMED, until a deadline."""

    DEAD = 0
    READY = 1
    RECEIVING = 2
    SENDING = 3
    CALLING = 4


TIMED = 8
FAULT_PAGE = 1
# enum far.h: where far keeps callers, by the core that they call, and the badge of what it gives.
FAR_KEPT, FAR_CORES, FAR_GATE = 21, 48, 0x80000000
SLOTS = 128
SLOT_LOG = 3  # boot.h
PAGE = 4096
# layout.h: where the pool of kernel memory is seen, and how much it may have.
POOL_BASE, POOL_END = 0xF1000000, 0xF2000000


def _words(*names: str) -> list[tuple[str, type[WORD]]]:
    return [(name, WORD) for name in names]


class Object(ctypes.LittleEndianStructure):
    """struct object."""

    _fields_ = _words("kind", "references", "payer", "bytes")


class Node(ctypes.LittleEndianStructure):
    """struct node."""

    _fields_ = _words("parent", "child", "next", "previous", "depth")


class Slot(ctypes.LittleEndianStructure):
    """struct slot: a capability."""

    _fields_ = [*_words("object", "badge"), ("kind", _HALF), ("rights", _HALF), ("node", Node)]


class Task(ctypes.LittleEndianStructure):
    """struct task."""

    _fields_ = [
        ("object", Object),
        *_words("directory", "nodes", "payer", "slots", "threads"),
    ]


class Thread(ctypes.LittleEndianStructure):
    """struct thread, up to the queue that it waits in."""

    _fields_ = [
        *_words(
            "edi", "esi", "ebp", "unused", "ebx", "edx", "ecx", "eax", "vector", "error", "eip",
            "cs", "eflags", "esp", "ss", "state", "cr3", "slots", "priority", "caller", "pending",
            "utcb", "partner", "fault", "tls", "tls_high", "calls",
        ),
        ("object", Object),
        *_words("task", "next_of_task"),
        ("pager", Slot),
        *_words("context", "gates", "utcb_user", "next"),
    ]  # fmt: skip


class Gate(ctypes.LittleEndianStructure):
    """struct gate."""

    _fields_ = [("object", Object), *_words("thread", "next_of_thread")]


class Log(ctypes.LittleEndianStructure):
    """struct log, up to its name."""

    _fields_ = [("object", Object), ("name", ctypes.c_char * 12)]
