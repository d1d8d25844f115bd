"""What the engine returns of one core, and of the checkers' findings (crates/python)."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from rockcreek.formats.findings import OrderKind

# Unit and offset of a request under way, and whether it reads.
Asks = tuple[str, int, bool]


class CoreRegisters(TypedDict):
    """Registers, state and counts of a core."""

    eax: int
    ecx: int
    edx: int
    ebx: int
    esp: int
    ebp: int
    esi: int
    edi: int
    eip: int
    eflags: int
    cs: int
    ss: int
    ds: int
    es: int
    fs: int
    gs: int
    cr0: int
    cr2: int
    cr3: int
    cr4: int
    cpl: int
    state: str
    cycles: int  # core cycles
    instructions: int


class CoreState(CoreRegisters):
    """Registers and state of a core, and the request that it waits for."""

    asks: Asks | None


class RawSite(TypedDict):
    """An access: addresses instead of names. `stack` has words of the top of the stack."""

    core: int
    user: bool  # in ring 3
    eip: int
    address: int
    size: int  # bytes
    value: int | None
    time_ps: int
    memory_type: str
    stack: list[int]
    # Where the checker knows the calls that led there: return addresses.
    calls: NotRequired[list[int] | None]


class RawOrder(TypedDict):
    """What came before what."""

    kind: OrderKind
    released: RawSite
    acquired: RawSite


class RawFinding(TypedDict):
    """A finding of coherence; `unit` and `offset` are the place behind the LUT."""

    kind: str
    unit: int
    offset: int
    victim: RawSite
    culprit: RawSite
    level: str
    since_ps: int
    order: RawOrder | None
    count: int


class RawBlock(TypedDict):
    """A block of a program's memory."""

    start: int
    bytes: int
    allocator: int  # address of the function
    allocated: RawSite
    freed: RawSite | None


class RawBlockFinding(TypedDict):
    """A mistake with a block, or the use of a value that was never written."""

    kind: str
    victim: RawSite
    write: bool
    block: RawBlock | None
    frame: int | None  # code of the function in whose part of the stack the value was
    calls: list[int] | None  # return addresses
    count: int


class RawRaceSite(TypedDict):
    """One access of a race."""

    core: int
    thread: int
    eip: int
    time_ps: int
    write: bool
    atomic: bool
    value: int | None


class RawRace(TypedDict):
    """Two accesses of a program's threads that nothing orders."""

    address: int
    size: int  # bytes
    first: RawRaceSite
    second: RawRaceSite
    block: tuple[int, int, int, int] | None  # start, bytes, code that allocated it, core
    stack: int | None  # the thread whose stack it is
    argument: tuple[int, int, int] | None  # function, number of the argument, offset in it
    count: int
