"""Who waits for whom at the end of a run: the key `waiting` of a result."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Asked(TypedDict):
    """A request that a core waits for the answer of."""

    unit: str
    offset: int
    read: bool


class Flag(TypedDict):
    """The flag that a core waits for."""

    offset: int
    bit: int | None
    wanted: int | None
    value: int | None
    variable: str | None
    elsewhere: list[int]  # UEs whose copy has the wanted value


class Group(TypedDict):
    """The UEs that meet at a barrier or in another collective."""

    name: str
    members: list[int]


class WaitingCore(TypedDict):
    """A core that had not ended."""

    core: int
    ue: int
    kind: str
    call: str | None
    part_of: str | None
    function: str | None
    file: str | None
    line: int | None
    since_ps: int | None
    waits_for: list[int]  # UEs
    any: bool  # one of them is enough
    size: int | None  # bytes
    lock: int | None  # the core whose register it is
    tag: int | None
    communicator: int | None
    flag: Flag | None
    group: Group | None
    asks: Asked | None


class WaitingThread(TypedDict):
    """A thread that cannot go on."""

    thread: int
    core: int
    ue: int
    kind: str
    call: str
    object: str | None
    address: int
    holder: int | None
    waits_for: list[int]  # threads
    function: str | None
    file: str | None
    line: int | None


class WaitingTask(TypedDict):
    """A thread of a microkernel's task that waits."""

    core: int
    thread: str
    state: str  # calls, sends, receives
    timed: bool
    what: str
    waits_for: str | None
    on_core: int | None
    place: str | None  # of a program


# A message that was under way; `size` and `moved` are bytes, none if they are not known.
Transfer = TypedDict("Transfer", {"from": int, "to": int, "size": int | None, "moved": int | None})


class WaitFinding(TypedDict):
    """What is wrong."""

    text: str
    kind: NotRequired[str]
    ues: NotRequired[list[int]]
    certain: NotRequired[bool]
    hint: NotRequired[str | None]


class Waiting(TypedDict):
    """The waits when the run stopped."""

    findings: NotRequired[list[WaitFinding]]
    cores: NotRequired[list[WaitingCore]]
    cycles: NotRequired[list[list[int]]]  # UEs
    transfers: NotRequired[list[Transfer]]
    threads: NotRequired[list[WaitingThread]]
    tasks: NotRequired[list[WaitingTask]]
    text: NotRequired[list[str]]
